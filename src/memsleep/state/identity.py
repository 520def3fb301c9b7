"""Which file is which memory: identities that survive moves. Pure; no database.

A memory's id is its path at first sight. The same path is the same memory. A path that vanished
and a new path with the same content are one memory that moved, if no third could be meant.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from memsleep.model import digest_bytes

_NO_CONTENT = frozenset({"", digest_bytes(b""), f"sha256:{digest_bytes(b'')}"})


@dataclass(frozen=True, slots=True)
class Known:
    """One memory as the state has it."""

    memory_id: str
    path: str | None
    """Where it was last seen; None when another memory has taken its place."""
    digest: str
    """Digest of its content when last seen."""


@dataclass(frozen=True, slots=True)
class Assignments:
    """Who is who now."""

    ids: Mapping[str, str]
    """Path -> memory id, in path order."""
    new: tuple[str, ...]
    """Paths seen for the first time."""
    moved: Mapping[str, str]
    """Old path -> new path."""
    missing: tuple[str, ...]
    """Ids whose file is nowhere, in order."""


def match_identities(
    known: Sequence[Known],
    files: Mapping[str, str],
    unreadable: Collection[str] = (),
    edited: Mapping[str, str] = MappingProxyType({}),
) -> Assignments:
    """Assign an id to every file.

    Parameters
    ----------
    known : sequence of Known
        All memories of the state, those that were missing already too.
    files : mapping of str to str
        Path -> content digest of every memory file there is, archived ones too. A file without
        content has no twin: it matches by its path only.
    unreadable : collection of str
        Paths that exist but could not be read tonight; they are not missing.
    edited : mapping of str to str
        Old path -> new path of entries that an edit gave another name.
    """
    by_path = {row.path: row for row in known if row.path is not None}
    vanished = [row for row in known if row.path not in files and row.path not in unreadable]
    fresh = [path for path in sorted(files) if path not in by_path]
    moves = _moves(vanished, fresh, files)
    for gone in vanished:
        to = edited.get(gone.path or "")
        if to is not None and to in fresh and to not in moves and gone not in moves.values():
            moves[to] = gone
    taken = {row.memory_id for row in known}
    ids: dict[str, str] = {}
    for path in sorted(files):
        row = by_path.get(path) or moves.get(path)
        ids[path] = row.memory_id if row else _fresh_id(path, taken)
    found = {row.memory_id for row in moves.values()}
    return Assignments(
        ids=ids,
        new=tuple(path for path in fresh if path not in moves),
        moved={row.path or row.memory_id: path for path, row in moves.items()},
        missing=tuple(sorted(r.memory_id for r in vanished if r.memory_id not in found)),
    )


def short_id(memory_id: str) -> str:
    """Return the first 8 hex digits of SHA-256 of an id: how a text cites the memory."""
    return hashlib.sha256(memory_id.encode("utf-8", "surrogatepass")).hexdigest()[:8]


def _moves(
    vanished: Sequence[Known], fresh: Sequence[str], files: Mapping[str, str]
) -> dict[str, Known]:
    """Return new path -> the one memory that can have moved there."""
    leavers = Counter(row.digest for row in vanished)
    comers = Counter(files[path] for path in fresh)
    unique = {
        row.digest: row
        for row in vanished
        if leavers[row.digest] == comers[row.digest] == 1 and row.digest not in _NO_CONTENT
    }
    return {path: unique[files[path]] for path in fresh if files[path] in unique}


def _fresh_id(path: str, taken: set[str]) -> str:
    """Return the path, or `path~2` and so on where a memory that moved away has that id."""
    memory_id, number = path, 2
    while memory_id in taken:
        memory_id, number = f"{path}~{number}", number + 1
    taken.add(memory_id)
    return memory_id
