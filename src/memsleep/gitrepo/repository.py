"""A repository, read: its HEAD, its trees and blobs, its index."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from memsleep.errors import GitError
from memsleep.giterrors import damaged, shown
from memsleep.gitrepo.process import Git, clean_environment

EntryKind = Literal["file", "symlink", "submodule"]
IndexTag = Literal["cached", "skip-worktree", "unmerged", "untracked"]
_KINDS: Mapping[bytes, EntryKind] = {b"120000": "symlink", b"160000": "submodule"}
_TAGS: Mapping[bytes, IndexTag] = {
    b"H": "cached",
    b"S": "skip-worktree",
    b"M": "unmerged",
    b"?": "untracked",
}


@dataclass(frozen=True, slots=True)
class TreeEntry:
    """One name in a commit's tree, `path` below the corpus root."""

    path: bytes
    mode: int
    kind: EntryKind
    oid: str


@dataclass(frozen=True, slots=True)
class IndexEntry:
    """One name that git tracks or sees in the work tree, `path` below the corpus root."""

    path: bytes
    tag: IndexTag


@dataclass(frozen=True, slots=True)
class Repository:
    """A repository seen from a folder inside its work tree."""

    git: Git
    """Runs at the root of the work tree."""
    prefix: bytes
    """Path of the corpus below that root with a final slash; empty when it is the root."""

    @property
    def toplevel(self) -> bytes:
        """Root of the work tree."""
        return self.git.folder

    def head_commit(self) -> str | None:
        """Return the full id of HEAD's commit, None on a branch that has none yet."""
        asked = self.git.run("rev-parse", "--verify", "--quiet", "HEAD", accept=128)
        commit = asked.out.decode("ascii", "replace").strip()
        if asked.code or not commit:
            self._refuse_broken_branch()
            return None
        if self.git.run("cat-file", "-e", f"{commit}^{{tree}}", accept=128).code:
            raise damaged(self.toplevel, f"the commit {commit} of HEAD cannot be read")
        return commit

    def object_format(self) -> str:
        """Return the name of the hash, `sha1` or `sha256`."""
        return self.git.run("rev-parse", "--show-object-format").out.decode("ascii").strip()

    def tree(self, commit: str) -> tuple[TreeEntry, ...]:
        """Return every name of a commit below the corpus root, in byte order."""
        listed = self.git.run("ls-tree", "-r", "-z", "--full-tree", commit, "--", *self._where())
        entries = [_tree_entry(record, self.prefix) for record in _records(listed.out)]
        return tuple(sorted(entries, key=lambda entry: entry.path))

    def index(self) -> tuple[IndexEntry, ...]:
        """Return the tracked names, and the untracked ones that git does not ignore.

        A folder that is a repository of its own stands with a final slash.
        """
        options = ("-z", "-t", "--cached", "--others", "--exclude-standard", "--full-name")
        listed = self.git.run("ls-files", *options, "--", *self._where())
        entries = {
            IndexEntry(record[2:].removeprefix(self.prefix), _TAGS[record[:1]])
            for record in _records(listed.out)
            if record[:1] in _TAGS
        }
        return tuple(sorted(entries, key=lambda entry: (entry.path, entry.tag)))

    def tracks(self, *paths: bytes) -> bool:
        """Return True when the index holds one of some paths below the corpus root.

        Where the work tree does not tell letters by case, in any case.
        """
        wanted = [self.prefix + path for path in paths]
        if not self._ignores_case():
            listed = self.git.run("ls-files", "-z", "--cached", "--", *wanted)
            return not set(_records(listed.out)).isdisjoint(wanted)  # not what is in a folder
        held = {name.lower() for name in _records(self.git.run("ls-files", "-z", "--cached").out)}
        return not held.isdisjoint(path.lower() for path in wanted)

    def tracked_under(self, folder: bytes) -> tuple[bytes, ...]:
        """Return what the index holds at or below a path, `folder` below the corpus root.

        Where the work tree does not tell letters by case, in any case.
        """
        whole = self.prefix + folder
        anycase = self._ignores_case()
        where: list[str | bytes] = [] if anycase else ["--", whole]
        names = _records(self.git.run("ls-files", "-z", "--cached", *where).out)
        if anycase:
            low = whole.lower()
            names = [n for n in names if n.lower() == low or n.lower().startswith(low + b"/")]
        return tuple(name[len(self.prefix) :] for name in names)

    def _ignores_case(self) -> bool:
        asked = self.git.run("config", "--type=bool", "--get", "core.ignorecase", accept=1)
        return asked.out.strip() == b"true"

    def own_folder(self) -> Path:
        """Return git's own folder of this work tree."""
        told = self.git.run("rev-parse", "--absolute-git-dir").out.removesuffix(b"\n")
        return Path(os.fsdecode(told))

    def ignored(self, paths: Sequence[bytes]) -> frozenset[bytes]:
        """Return those paths below the corpus root that git ignores; a tracked one never is."""
        found = self._matching_ignore_rules([self.prefix + path for path in paths])
        tracked = {entry.path for entry in self.index() if entry.tag != "untracked"}
        return frozenset(path.removeprefix(self.prefix) for path in found) - tracked

    def ignores_corpus(self) -> bool:
        """Return True when git ignores the corpus folder itself."""
        return bool(self.prefix) and bool(self._matching_ignore_rules([self.prefix.rstrip(b"/")]))

    def _matching_ignore_rules(self, names: Sequence[bytes]) -> list[bytes]:
        """Return the names, given below the work tree's root, that an ignore rule matches.

        Without `--no-index` a name such as `*.md` would be taken for a pattern of tracked names;
        `./` keeps a colon from being in front, where it would be magic.
        """
        sent = b"".join(b"./" + name + b"\0" for name in names)
        asked = self.git.run("check-ignore", "--no-index", "-z", "--stdin", stdin=sent, accept=1)
        return [record.removeprefix(b"./") for record in _records(asked.out)]

    def is_partial(self) -> bool:
        """Return True for a partial clone, which may lack objects."""
        pattern = r"^(extensions\.partialclone|remote\..*\.promisor)$"
        return bool(self.git.run("config", "-z", "--get-regexp", pattern, accept=1).out)

    def sizes(self, oids: Sequence[str]) -> Iterator[int | None]:
        """Give the size of each blob in the order asked, None where it is missing or damaged."""
        for found in self.git.objects("--batch-check", oids):
            yield None if found is None else found[0]

    def blobs(self, oids: Sequence[str]) -> Iterator[bytes | None]:
        """Give the bytes of each blob in the order asked, None where it is missing or damaged."""
        for found in self.git.objects("--batch", oids):
            yield None if found is None else found[1]

    def _where(self) -> tuple[bytes, ...]:
        return (self.prefix,) if self.prefix else ()

    def _refuse_broken_branch(self) -> None:
        """Tell a damaged branch file from a branch without a commit."""
        name = self.git.run("symbolic-ref", "--quiet", "HEAD", accept=128).out.strip()
        if not name:
            raise damaged(self.toplevel, "HEAD names neither a branch nor a commit")
        file = self.git.run("rev-parse", "--git-path", name).out.removesuffix(b"\n")
        if os.path.isfile(os.path.join(self.toplevel, file)):  # noqa: PTH113, PTH118 (bytes)
            raise damaged(self.toplevel, f"the branch {shown(name)} names no commit")


def find_repository(
    folder: Path, *, environment: Mapping[str, str] | None = None
) -> Repository | None:
    """Return the repository whose work tree holds a folder, None where there is none.

    Git is not run, and need not be installed, where no parent of the folder has a `.git`.

    Raises
    ------
    GitError
        Git is not installed, distrusts the owner of the repository, or cannot read it.
    """
    if not any(os.path.lexists(parent / ".git") for parent in _upwards(folder)):
        return None
    clean = clean_environment(os.environ if environment is None else environment)
    inside = Git(os.fsencode(folder), clean)
    try:
        toplevel = inside.run("rev-parse", "--show-toplevel").out.removesuffix(b"\n")
    except GitError as error:
        if error.reference == "git-no-repository":
            return None
        raise
    prefix = inside.run("rev-parse", "--show-prefix").out.removesuffix(b"\n")
    return Repository(Git(toplevel, clean), prefix)


def _upwards(folder: Path) -> tuple[Path, ...]:
    real = Path(os.path.realpath(folder))
    return (real, *real.parents)


def _records(out: bytes) -> list[bytes]:
    return [record for record in out.split(b"\0") if record]


def _tree_entry(record: bytes, prefix: bytes) -> TreeEntry:
    """Read `<mode> <type> <oid>TAB<path>`."""
    stated, path = record.split(b"\t", 1)
    mode, _, oid = stated.split(b" ")
    kind = _KINDS.get(mode, "file")
    return TreeEntry(path.removeprefix(prefix), int(mode, 8), kind, oid.decode("ascii"))
