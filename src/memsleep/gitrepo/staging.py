"""What the index holds: the content of the next commit. Only read."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping

from memsleep.gitrepo.process import Git
from memsleep.gitrepo.repository import EntryKind, Repository, TreeEntry

_KINDS: Mapping[bytes, EntryKind] = {b"120000": "symlink", b"160000": "submodule"}


def staged(repository: Repository, index_file: bytes | None = None) -> tuple[TreeEntry, ...]:
    """Return what the index holds below the corpus root, in byte order.

    Parameters
    ----------
    repository : Repository
        Where to look.
    index_file : bytes or None
        Another index, such as the one that git makes for a partial commit and names to its hooks.

    Notes
    -----
    Of a name that is in conflict the first of its stages is given.
    """
    environment = dict(repository.git.environment)
    if index_file is not None:
        environment["GIT_INDEX_FILE"] = os.fsdecode(index_file)
    where = (repository.prefix,) if repository.prefix else ()
    listed = Git(repository.git.folder, environment).run(
        "ls-files", "--stage", "-z", "--full-name", "--", *where
    )
    entries: dict[bytes, TreeEntry] = {}
    for entry in _entries(listed.out, repository.prefix):
        entries.setdefault(entry.path, entry)
    return tuple(entries[path] for path in sorted(entries))


def _entries(out: bytes, prefix: bytes) -> Iterator[TreeEntry]:
    """Read records of `<mode> <oid> <stage>TAB<path>`."""
    for record in out.split(b"\0"):
        if not record:
            continue
        stated, path = record.split(b"\t", 1)
        mode, oid, _ = stated.split(b" ")
        kind = _KINDS.get(mode, "file")
        yield TreeEntry(path.removeprefix(prefix), int(mode, 8), kind, oid.decode("ascii"))
