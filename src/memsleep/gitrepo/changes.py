"""Every change of every file in a history, in one pass: what happened, when, to which path."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass

from memsleep.gitrepo.history import is_shallow
from memsleep.gitrepo.repository import Repository


@dataclass(frozen=True, slots=True)
class FileChange:
    """What one commit did to one path below the corpus root."""

    path: bytes
    before: str
    """Id of the blob before; empty where the commit made the file."""
    after: str
    """Id of the blob after; empty where the commit took the file out."""


@dataclass(frozen=True, slots=True)
class CommitChanges:
    """One commit that is no merge, with its changes below the corpus root."""

    id: str
    seconds: int
    boundary: bool
    """True where the history is cut off: what it holds may be older."""
    changes: tuple[FileChange, ...]


def history_of(repository: Repository, commit: str) -> Iterator[CommitChanges]:
    """Yield the commits that led to one, the oldest first, a parent before its children.

    Two git commands, whatever the number of commits.
    """
    listed = repository.git.run("rev-list", "--topo-order", "--reverse", "--timestamp", commit)
    times = {}
    for line in listed.out.split(b"\n"):
        stamp, _, oid = line.partition(b" ")
        if oid:
            times[oid.decode("ascii")] = int(stamp)
    cut = _boundary(repository)
    where = ("--", repository.prefix) if repository.prefix else ()
    arguments = ("diff-tree", "--stdin", "-r", "-z", "--raw", "--root", "--no-renames")
    sent = "".join(f"{oid}\n" for oid in times).encode("ascii")
    out = repository.git.run(*arguments, "--no-abbrev", *where, stdin=sent).out
    for name, changes in _parts(out, repository.prefix):
        yield CommitChanges(name, times[name], name in cut, changes)


def _parts(out: bytes, prefix: bytes) -> Iterator[tuple[str, tuple[FileChange, ...]]]:
    fields = iter(out.split(b"\0"))
    commit, changes = "", []
    for field in fields:
        if field.startswith(b":"):
            path = next(fields, b"")
            _, new_mode, old, new, status = field[1:].split(b" ")
            regular = new_mode.startswith(b"100") or status.startswith(b"D")
            if regular:
                before, after = _oid(old), _oid(new)
                changes.append(FileChange(path.removeprefix(prefix), before, after))
            continue
        if commit:
            yield commit, tuple(changes)
        commit, changes = field.strip().decode("ascii"), []
    if commit:
        yield commit, tuple(changes)


def _oid(raw: bytes) -> str:
    return "" if not raw.strip(b"0") else raw.decode("ascii")


def _boundary(repository: Repository) -> frozenset[str]:
    if not is_shallow(repository):
        return frozenset()
    name = repository.git.run("rev-parse", "--git-path", "shallow").out.removesuffix(b"\n")
    path = os.path.join(repository.toplevel, name)  # noqa: PTH118 (bytes)
    try:
        with open(path, "rb") as file:  # noqa: PTH123 (bytes)
            return frozenset(file.read().decode("ascii", "replace").split())
    except OSError:
        return frozenset()
