"""The index, and files as git checks them out: what a merge needs to know and to set.

No filter driver runs: each one that is configured is overridden by nothing, so that only the
conversion of line ends is left.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from memsleep.gitrepo.repository import Repository


@dataclass(frozen=True, slots=True)
class Entry:
    """One path in the index."""

    mode: int
    oid: str
    skipped: bool
    """True where a sparse checkout leaves the file out."""


def entries(repository: Repository, paths: Sequence[bytes]) -> Mapping[bytes, Entry]:
    """Return path -> entry for those paths that the index holds; one in conflict has mode 0."""
    if not paths:
        return {}
    wanted = frozenset(paths)
    listed = repository.git.run("ls-files", "-z", "-t", "--stage", "--full-name").out
    found: dict[bytes, Entry] = {}
    for record in listed.split(b"\0"):
        stated, tab, path = record.partition(b"\t")
        if not tab or path not in wanted:
            continue
        tag, mode, oid, stage = stated.split(b" ")
        merged = int(mode, 8) if stage == b"0" else 0
        found[path] = Entry(merged, oid.decode("ascii"), tag == b"S")
    return found


def set_entries(repository: Repository, wanted: Mapping[bytes, tuple[int, str] | None]) -> None:
    """Set paths in the index, and leave all others as they are. None takes a path out."""
    zero = "0" * (64 if repository.object_format() == "sha256" else 40)
    lines = []
    for path, entry in sorted(wanted.items()):
        mode, oid = entry if entry is not None else (0, zero)
        lines.append(f"{mode:o} {oid}\t".encode("ascii") + path + b"\0")
    # What goes must go before what needs its name as a folder.
    lines.sort(key=lambda line: not line.startswith(b"0 "))
    # Git compares files that are as young as the index with it, through their filters.
    repository.git.run(
        "update-index", "-z", "--index-info",
        stdin=b"".join(lines), extra=_without_filters(repository),
    )  # fmt: skip


def on_disk(repository: Repository, paths: Sequence[bytes]) -> Mapping[bytes, bytes]:
    """Return path -> bytes of those paths that are regular files of the work tree."""
    found = {}
    for path in paths:
        place = os.path.join(repository.toplevel, path)  # noqa: PTH118 (bytes)
        if os.path.lexists(place):
            found[path] = _read(place)
    return found


def _read(place: bytes) -> bytes:
    """Return a file's bytes; what is no regular file gives bytes that no blob has."""
    if os.path.islink(place) or not os.path.isfile(place):  # noqa: PTH113, PTH114 (bytes)
        return b"\0not a regular file"
    with open(place, "rb") as stream:  # noqa: PTH123 (bytes)
        return stream.read()


def checked_out(repository: Repository, path: bytes, oid: str) -> bytes:
    """Return the bytes that a checkout would write for a blob at a path."""
    asked = ("cat-file", "--filters", b"--path=" + path, oid)
    return repository.git.run(*asked, extra=_without_filters(repository)).out


def _without_filters(repository: Repository) -> tuple[str, ...]:
    """Return the options that override every filter driver of the config."""
    asked = ("config", "-z", "--name-only", "--get-regexp", r"^filter\..*\.(smudge|clean|process)$")
    names = repository.git.run(*asked, accept=1).out.decode("utf-8", "surrogateescape").split("\0")
    drivers = sorted({name.rpartition(".")[0] for name in names if name})
    words = []
    for driver in drivers:
        for key in ("smudge=", "clean=", "process=", "required=false"):
            words += ["-c", f"{driver}.{key}"]
    return tuple(words)
