"""Writing to the tables of the state: sightings of files and effects of landed runs.

Every function works inside a transaction that its caller holds.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Mapping

from memsleep.model import Standing, Usage
from memsleep.state import rows
from memsleep.state.effects import (
    DecayEffect,
    Effect,
    MergeEffect,
    MoveEffect,
    SpareEffect,
    effect_key,
)
from memsleep.state.identity import Assignments
from memsleep.state.reverting import owner, resolve, row_of
from memsleep.usage import sum_usage

LAST_LANDED_AT = "last_landed_at"
_SETTLED = (
    "SELECT id, path, digest FROM memories WHERE missing_since IS NULL AND first_seen_at <> ''"
)


def write_assignments(
    connection: sqlite3.Connection, found: Assignments, files: Mapping[str, str], now: str
) -> None:
    """Write who is where: new memories, moves, contents, and who is missing."""
    settled = set(connection.execute(_SETTLED))
    for path, memory_id in found.ids.items():
        if (memory_id, path, files[path]) in settled:
            continue  # nearly all of them: to write what is there took a third of reading it
        connection.execute(
            "INSERT INTO memories (id, path, digest, first_seen_at) VALUES (?, ?, ?, ?)"
            " ON CONFLICT (id) DO UPDATE SET path = excluded.path, digest = excluded.digest,"
            " missing_since = NULL,"
            " first_seen_at = coalesce(nullif(first_seen_at, ''), excluded.first_seen_at)",
            (memory_id, path, files[path], now),
        )
        _write_path(connection, memory_id, path, now)
    for memory_id in found.missing:
        connection.execute(
            "UPDATE memories SET missing_since = coalesce(missing_since, ?) WHERE id = ?",
            (now, memory_id),
        )


def write_standing(connection: sqlite3.Connection, path: str, standing: Standing) -> None:
    """Write what another state remembers of a memory at a path."""
    connection.execute("UPDATE memories SET path = NULL WHERE path = ?", (path,))
    connection.execute(
        "INSERT INTO memories (id, path, digest, first_seen_at) VALUES (?, ?, '', ?)"
        " ON CONFLICT (id) DO UPDATE SET path = excluded.path, missing_since = NULL,"
        " first_seen_at = coalesce(nullif(excluded.first_seen_at, ''), first_seen_at)",
        (standing.memory_id, path, standing.first_seen_at or ""),
    )
    _write_path(connection, standing.memory_id, path, standing.first_seen_at or "")
    if standing.effective_confidence is not None or standing.last_decay_at is not None:
        rows.write_decay(
            connection,
            standing.memory_id,
            standing.stated_confidence,
            standing.effective_confidence,
            standing.last_decay_at,
        )
    if standing.spared_until is not None:
        rows.write_spared(connection, standing.memory_id, standing.spared_until)


def write_landed(connection: sqlite3.Connection, now: str) -> None:
    """Note that a run landed; the latest instant stands."""
    connection.execute(
        "INSERT INTO meta (key, value) VALUES (?, ?)"
        " ON CONFLICT (key) DO UPDATE SET value = max(value, excluded.value)",
        (LAST_LANDED_AT, now),
    )


def apply_all(
    connection: sqlite3.Connection, run_id: str, effects: Iterable[Effect], now: str
) -> tuple[Effect, ...]:
    """Apply the effects that this run has not applied yet; return those without a memory."""
    unknown = []
    for effect in effects:
        key = effect_key(effect)
        done = connection.execute(
            "SELECT 1 FROM applied_effects WHERE run_id = ? AND effect = ?", (run_id, key)
        ).fetchone()
        if done:
            continue
        memory_id = owner(connection, effect)
        before = row_of(connection, effect, memory_id) if memory_id is not None else None
        if not _apply(connection, effect, now):
            unknown.append(effect)
            continue
        connection.execute("INSERT INTO applied_effects VALUES (?, ?, ?)", (run_id, key, now))
        connection.execute(
            "INSERT OR REPLACE INTO effects_before VALUES (?, ?, ?, ?, ?)",
            (run_id, key, memory_id, before or "null", row_of(connection, effect, memory_id)),
        )
    return tuple(unknown)


def _apply(connection: sqlite3.Connection, effect: Effect, now: str) -> bool:
    match effect:
        case MoveEffect(old, new):
            return _move(connection, old, new, now)
        case MergeEffect(keeper, dropped):
            return _merge(connection, keeper, dropped)
        case DecayEffect(path, stated, effective, at):
            memory_id = resolve(connection, path)
            if memory_id is not None:
                rows.write_decay(connection, memory_id, stated, effective, at)
        case SpareEffect(path, until):
            memory_id = resolve(connection, path)
            if memory_id is not None:
                rows.write_spared(connection, memory_id, until)
    return memory_id is not None


def _move(connection: sqlite3.Connection, old: str, new: str, now: str) -> bool:
    memory_id = resolve(connection, old)
    if memory_id is None:
        return False
    connection.execute(
        "UPDATE memories SET path = NULL WHERE path = ? AND id <> ?", (new, memory_id)
    )
    connection.execute(
        "UPDATE memories SET path = ?, missing_since = NULL WHERE id = ?", (new, memory_id)
    )
    _write_path(connection, memory_id, new, now)
    return True


def _merge(connection: sqlite3.Connection, keeper: str, dropped: str) -> bool:
    keeper_id, dropped_id = resolve(connection, keeper), resolve(connection, dropped)
    if keeper_id is None or dropped_id is None:
        return False
    taken = rows.read_usage(connection, dropped_id)
    if taken is not None:
        own = rows.read_usage(connection, keeper_id) or Usage()
        rows.write_usage(connection, keeper_id, sum_usage(own, taken))
    return True


def _write_path(connection: sqlite3.Connection, memory_id: str, path: str, now: str) -> None:
    connection.execute("INSERT OR IGNORE INTO paths VALUES (?, ?, ?)", (memory_id, path, now))
