"""Usage and standing as rows of tables, and back."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Sequence
from typing import Any

from memsleep.core.decay import from_fp, to_fp
from memsleep.model import Standing, Usage
from memsleep.usage import outcome_on_grid

SOURCE_REFS_CAP = 50
MAX_COUNT = 2**63 - 1

USAGE_COLUMNS = (
    "access_count",
    "reinforcement_count",
    "outcome_fp",
    "last_accessed_at",
    "last_reinforced_at",
    "updated_at",
    "usage_count",
    "last_used_at",
    "corrected_count",
    "evidence_count",
    "source_refs",
)


def usage_from_row(row: Sequence[Any]) -> Usage:
    """Return the usage of a row in the order of `USAGE_COLUMNS`."""
    access, reinforced, outcome_fp, accessed_at, reinforced_at, updated_at = row[:6]
    used, used_at, corrected, evidence, refs = row[6:]
    return Usage(
        access_count=access,
        reinforcement_count=reinforced,
        outcome_score=from_fp(outcome_fp),
        last_accessed_at=accessed_at,
        last_reinforced_at=reinforced_at,
        updated_at=updated_at,
        usage_count=used,
        last_used_at=used_at,
        corrected_count=corrected,
        evidence_count=evidence,
        source_refs=() if refs == "[]" else _source_refs(refs),
    )


def _source_refs(text: str) -> tuple[tuple[str, int], ...]:
    return tuple((ref["session_id"], ref["seq"]) for ref in json.loads(text))


def row_from_usage(usage: Usage) -> tuple[Any, ...]:
    """Return values in the order of `USAGE_COLUMNS`."""
    refs = [{"session_id": s, "seq": n} for s, n in usage.source_refs[-SOURCE_REFS_CAP:]]
    return (
        min(usage.access_count, MAX_COUNT),
        min(usage.reinforcement_count, MAX_COUNT),
        outcome_on_grid(usage.outcome_score),
        usage.last_accessed_at,
        usage.last_reinforced_at,
        usage.updated_at,
        min(usage.usage_count, MAX_COUNT),
        usage.last_used_at,
        min(usage.corrected_count, MAX_COUNT),
        min(usage.evidence_count, MAX_COUNT),
        json.dumps(refs, separators=(",", ":"), ensure_ascii=False),
    )


def read_usage(connection: sqlite3.Connection, memory_id: str) -> Usage | None:
    """Return the usage of one memory, None when nothing is known."""
    columns = ", ".join(USAGE_COLUMNS)
    row = connection.execute(
        f"SELECT {columns} FROM usage WHERE memory_id = ?",  # noqa: S608 (constant names)
        (memory_id,),
    ).fetchone()
    return usage_from_row(row) if row else None


def read_all_usage(connection: sqlite3.Connection) -> dict[str, Usage]:
    """Return memory id -> usage, of every memory whose use is known."""
    columns = ", ".join(USAGE_COLUMNS)
    found = connection.execute(
        f"SELECT memory_id, {columns} FROM usage"  # noqa: S608 (constant names)
    ).fetchall()
    return {memory_id: usage_from_row(row) for memory_id, *row in found}


def write_usage(connection: sqlite3.Connection, memory_id: str, usage: Usage) -> None:
    """Write the usage of one memory."""
    columns = ", ".join(("memory_id", *USAGE_COLUMNS))
    marks = ", ".join("?" * (len(USAGE_COLUMNS) + 1))
    connection.execute(
        f"INSERT OR REPLACE INTO usage ({columns}) VALUES ({marks})",  # noqa: S608
        (memory_id, *row_from_usage(usage)),
    )


def write_decay(
    connection: sqlite3.Connection,
    memory_id: str,
    stated: float | None,
    effective: float | None,
    at: str | None,
) -> None:
    """Write the confidence of one memory after a night; a later night stands."""
    connection.execute(
        "INSERT INTO decay (memory_id, stated_fp, effective_fp, last_decay_at)"
        " VALUES (?, ?, ?, ?) ON CONFLICT (memory_id) DO UPDATE SET stated_fp = excluded.stated_fp,"
        " effective_fp = excluded.effective_fp, last_decay_at = excluded.last_decay_at"
        " WHERE coalesce(excluded.last_decay_at, '') >= coalesce(last_decay_at, '')",
        (memory_id, _optional_fp(stated), _optional_fp(effective), at),
    )


def write_spared(connection: sqlite3.Connection, memory_id: str, until: str) -> None:
    """Spare one memory until a date; a later date stands."""
    connection.execute(
        "INSERT INTO spared (memory_id, until) VALUES (?, ?)"
        " ON CONFLICT (memory_id) DO UPDATE SET until = max(until, excluded.until)",
        (memory_id, until),
    )


def standing_from_row(row: Sequence[Any]) -> Standing:
    """Return the standing of a row: id, first seen, stated, effective, last decay, spared."""
    memory_id, first_seen_at, stated_fp, effective_fp, last_decay_at, spared_until = row
    return Standing(
        memory_id=memory_id,
        first_seen_at=first_seen_at or None,
        stated_confidence=None if stated_fp is None else from_fp(stated_fp),
        effective_confidence=None if effective_fp is None else from_fp(effective_fp),
        last_decay_at=last_decay_at,
        spared_until=spared_until,
    )


def _optional_fp(value: float | None) -> int | None:
    return None if value is None else to_fp(value)
