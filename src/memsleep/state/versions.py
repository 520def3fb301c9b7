"""The chain of versions of each memory: what it said and was, and why it became so.

Versions are only added. Every function that writes works inside a transaction of its caller.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields, replace
from typing import Any, Literal

from memsleep.core.decay import from_fp, to_fp
from memsleep.model import Memory
from memsleep.state.reverting import resolve

VersionCause = Literal[
    "insert", "edit", "merge", "decay", "reprieve", "archive", "restore", "rollback"
]


@dataclass(frozen=True, slots=True)
class Content:
    """What a version holds of a memory: the fields that matter."""

    path: str
    type: str
    gist: str
    content_hash: str
    confidence: float
    importance: float
    valid_until: str | None
    status: str


@dataclass(frozen=True, slots=True)
class Version:
    """One link of a chain."""

    memory_id: str
    revision: int
    """From 1."""
    cause: VersionCause
    reason: str | None
    run_id: str | None
    created_at: str
    content: Content


@dataclass(frozen=True, slots=True)
class Change:
    """Why a memory is not what it was."""

    content: Content
    cause: VersionCause
    reason: str | None = None


_CONTENT = tuple(field.name for field in fields(Content))
_COLUMNS = tuple("confidence_fp" if name == "confidence" else name for name in _CONTENT)
_SELECT = (
    "SELECT memory_id, revision, cause, reason, run_id, created_at, "  # noqa: S608 (constant names)
    + ", ".join(_COLUMNS)
    + " FROM versions"
)


def content_of(memory: Memory) -> Content:
    """Return what a version of a memory would hold now."""
    return Content(
        path=memory.path,
        type=memory.type,
        gist=memory.gist,
        content_hash=memory.content_hash,
        confidence=from_fp(to_fp(memory.confidence)),
        importance=memory.importance,
        valid_until=memory.valid_until,
        status="archived" if memory.archived else memory.status,
    )


def read_versions(connection: sqlite3.Connection, memory_id: str) -> tuple[Version, ...]:
    """Return the chain of one memory, the first version first."""
    found = connection.execute(f"{_SELECT} WHERE memory_id = ? ORDER BY revision", (memory_id,))
    return tuple(_version(row) for row in found)


def read_newest(connection: sqlite3.Connection) -> dict[str, Version]:
    """Return memory id -> its newest version."""
    found = connection.execute(
        f"{_SELECT} AS v WHERE revision ="  # noqa: S608 (constant names)
        " (SELECT max(revision) FROM versions WHERE memory_id = v.memory_id)"
    )
    versions = (_version(row) for row in found)
    return {version.memory_id: version for version in versions}


def write_sightings(
    connection: sqlite3.Connection, memories: Iterable[Memory], ids: Mapping[str, str], now: str
) -> int:
    """Add a version for every memory that is new or is not what its newest version says.

    Returns how many were added.
    """
    newest = read_newest(connection)
    added = 0
    for memory in memories:
        memory_id = ids.get(memory.path)
        if memory_id is None:
            continue
        content, before = content_of(memory), newest.get(memory_id)
        if before is None:
            _add(connection, memory_id, 1, Change(content, "insert"), None, now)
        elif before.content != content:
            change = _seen(before.content, content)
            _add(connection, memory_id, before.revision + 1, change, None, now)
        else:
            continue
        added += 1
    return added


def write_change(
    connection: sqlite3.Connection, change: Change, run_id: str | None, now: str
) -> bool:
    """Add the version that a landed decision made; False when the state knows no such memory.

    What a run made of a memory is added once, however often the run is settled.
    """
    memory_id = resolve(connection, change.content.path)
    if memory_id is None:
        return False
    chain = read_versions(connection, memory_id)
    made = (change.content, change.cause, run_id)
    if any((known.content, known.cause, known.run_id) == made for known in chain):
        return True
    last = chain[-1] if chain else None
    _add(connection, memory_id, last.revision + 1 if last else 1, change, run_id, now)
    return True


def _seen(before: Content, after: Content) -> Change:
    """Return what happened to a file between two sightings, as far as it can be seen."""
    if after.status == "archived" and before.status != "archived":
        return Change(after, "archive")
    if before.status == "archived" and after.status != "archived":
        return Change(after, "restore")
    moved_only = replace(after, path=before.path) == before
    return Change(after, "edit", "its file moved" if moved_only else None)


def _add(
    connection: sqlite3.Connection,
    memory_id: str,
    revision: int,
    change: Change,
    run_id: str | None,
    now: str,
) -> None:
    columns = ("memory_id", "revision", "cause", "reason", "run_id", "created_at", *_COLUMNS)
    marks = ", ".join("?" * len(columns))
    values = (to_fp(v) if name == "confidence" else v for name, v in _values(change.content))
    connection.execute(
        f"INSERT INTO versions ({', '.join(columns)}) VALUES ({marks})",  # noqa: S608
        (memory_id, revision, change.cause, change.reason, run_id, now, *values),
    )


def _values(content: Content) -> list[tuple[str, Any]]:
    return [(name, getattr(content, name)) for name in _CONTENT]


def _version(row: tuple[Any, ...]) -> Version:
    memory_id, revision, cause, reason, run_id, created_at, *values = row
    held = dict(zip(_CONTENT, values, strict=True))
    held["confidence"] = from_fp(held["confidence"])
    return Version(memory_id, revision, cause, reason, run_id, created_at, Content(**held))
