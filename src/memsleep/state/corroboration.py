"""Suspicions of a machine: one counts only when a second night over a changed corpus finds it.

The writing function works inside a transaction that its caller holds.
"""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass

ENOUGH_DETECTIONS = 2


@dataclass(frozen=True, slots=True)
class Suspicion:
    """What a night suspected, and how often."""

    kind: str
    key: str
    detections: int
    last_run_id: str
    promoted: bool

    @property
    def corroborated(self) -> bool:
        """True once a second night, over a changed corpus, has found it again."""
        return self.detections >= ENOUGH_DETECTIONS


def detect(
    connection: sqlite3.Connection, kind: str, key: str, run_id: str, corpus_digest: str
) -> Suspicion:
    """Count a detection and return how it stands.

    The same run, or another one over the same bytes, does not count again: a machine that asks
    itself twice has one witness.
    """
    connection.execute(
        "INSERT INTO corroboration (kind, key, detections, last_run_id, last_corpus)"
        " VALUES (?1, ?2, 1, ?3, ?4) ON CONFLICT (kind, key) DO UPDATE SET"
        " detections = detections + 1, last_run_id = ?3, last_corpus = ?4"
        " WHERE last_run_id <> ?3 AND last_corpus <> ?4",
        (kind, key, run_id, corpus_digest),
    )
    found = read_suspicion(connection, kind, key)
    assert found is not None
    return found


def read_suspicion(connection: sqlite3.Connection, kind: str, key: str) -> Suspicion | None:
    """Return a suspicion, None when nobody ever had it."""
    row = connection.execute(
        "SELECT kind, key, detections, last_run_id, promoted FROM corroboration"
        " WHERE kind = ? AND key = ?",
        (kind, key),
    ).fetchone()
    if row is None:
        return None
    kind, key, detections, last_run_id, promoted = row
    return Suspicion(kind, key, detections, last_run_id, bool(promoted))


def promote(connection: sqlite3.Connection, kind: str, key: str) -> None:
    """Note that the corpus carries the change: set when a run has landed, never before."""
    connection.execute(
        "UPDATE corroboration SET promoted = 1 WHERE kind = ? AND key = ?", (kind, key)
    )
