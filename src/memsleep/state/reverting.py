"""Taking back what a landed run wrote to the state. Works inside a transaction of its caller."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable
from typing import Any

from memsleep.model import Usage
from memsleep.state import rows
from memsleep.state.effects import (
    DecayEffect,
    Effect,
    MergeEffect,
    MoveEffect,
    SpareEffect,
    effect_key,
)

_COUNTS = (0, 1, 6, 8, 9)
"""Places in `rows.USAGE_COLUMNS` of what a merge added up."""


def resolve(connection: sqlite3.Connection, path: str) -> str | None:
    """Return the id of the memory at a path, or of the one that had the path; None if unsure."""
    row = connection.execute("SELECT id FROM memories WHERE path = ?", (path,)).fetchone()
    if row:
        return str(row[0])
    earlier = connection.execute(
        "SELECT memory_id FROM paths WHERE path = ? LIMIT 2", (path,)
    ).fetchall()
    return str(earlier[0][0]) if len(earlier) == 1 else None


def owner(connection: sqlite3.Connection, effect: Effect) -> str | None:
    """Return the id of the memory whose row an effect changes."""
    match effect:
        case MoveEffect(old, _):
            return resolve(connection, old)
        case MergeEffect(keeper, _):
            return resolve(connection, keeper)
        case DecayEffect(path=path) | SpareEffect(path=path):
            return resolve(connection, path)


def row_of(connection: sqlite3.Connection, effect: Effect, memory_id: str | None) -> str:
    """Return the row that an effect changes, as JSON; `null` where there is none."""
    row: Any = None
    match effect:
        case MergeEffect():
            usage = None if memory_id is None else rows.read_usage(connection, memory_id)
            row = None if usage is None else rows.row_from_usage(usage)
        case MoveEffect():
            row = _row(connection, "SELECT path FROM memories WHERE id = ?", memory_id)
        case DecayEffect():
            query = "SELECT stated_fp, effective_fp, last_decay_at FROM decay WHERE memory_id = ?"
            row = _row(connection, query, memory_id)
        case SpareEffect():
            row = _row(connection, "SELECT until FROM spared WHERE memory_id = ?", memory_id)
    return json.dumps(row)


def _row(connection: sqlite3.Connection, query: str, memory_id: str | None) -> Any:
    return connection.execute(query, (memory_id,)).fetchone()


def revert_all(
    connection: sqlite3.Connection, run_id: str, effects: Iterable[Effect], now: str
) -> tuple[str, ...]:
    """Take back those of the effects that this run applied, the last first.

    Returns the ids of memories whose row a later night wrote; those rows stay.
    """
    kept = []
    for effect in reversed(list(effects)):
        key = (run_id, effect_key(effect))
        found = connection.execute(
            "SELECT memory_id, before, after FROM effects_before WHERE run_id = ? AND effect = ?",
            key,
        ).fetchone()
        if found is None:
            continue
        memory_id, before, after = found[0], json.loads(found[1]), json.loads(found[2])
        current = json.loads(row_of(connection, effect, memory_id))
        if not _revert(connection, effect, memory_id, (before, after, current), now):
            kept.append(memory_id)
        for table in ("effects_before", "applied_effects"):
            connection.execute(
                f"DELETE FROM {table} WHERE run_id = ? AND effect = ?",  # noqa: S608 (constant)
                key,
            )
    return tuple(sorted(kept))


def _revert(
    connection: sqlite3.Connection,
    effect: Effect,
    memory_id: str,
    row: tuple[Any, Any, Any],
    now: str,
) -> bool:
    before, after, current = row
    match effect:
        case MergeEffect():
            _subtract(connection, memory_id, before, after, current)
            return True
        case MoveEffect(old, new):
            if current != [new]:
                return False
            connection.execute(
                "UPDATE memories SET path = NULL WHERE path = ? AND id <> ?", (old, memory_id)
            )
            connection.execute(
                "UPDATE memories SET path = ?, missing_since = NULL WHERE id = ?", (old, memory_id)
            )
            connection.execute(
                "INSERT OR IGNORE INTO paths VALUES (?, ?, ?)", (memory_id, old, now)
            )
            return True
        case DecayEffect() | SpareEffect():
            if current != after:
                return False
            table = "decay" if isinstance(effect, DecayEffect) else "spared"
            connection.execute(
                f"DELETE FROM {table} WHERE memory_id = ?",  # noqa: S608 (constant)
                (memory_id,),
            )
            if before is not None:
                marks = ", ".join("?" * (len(before) + 1))
                connection.execute(
                    f"INSERT INTO {table} VALUES ({marks})",  # noqa: S608 (constant)
                    (memory_id, *before),
                )
            return True


def _subtract(
    connection: sqlite3.Connection, memory_id: str, before: Any, after: Any, current: Any
) -> None:
    """Take out of a keeper's use what a merge added; what came since stays."""
    if after is None or current is None or before == after:
        return
    if before is None and current == after:
        connection.execute("DELETE FROM usage WHERE memory_id = ?", (memory_id,))
        return
    was = before if before is not None else rows.row_from_usage(Usage())
    row = [
        max(0, now - (new - old)) if place in _COUNTS else (old if now == new else now)
        for place, (old, new, now) in enumerate(zip(was, after, current, strict=True))
    ]
    rows.write_usage(connection, memory_id, rows.usage_from_row(row))
