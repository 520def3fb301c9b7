"""Suspicions of a machine: one counts only when a second night over a changed corpus finds it.

The writing function works inside a transaction that its caller holds.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Collection
from dataclasses import dataclass

ENOUGH_DETECTIONS = 2
_COLUMNS = "kind, key, detections, last_run_id, last_corpus, promoted"


@dataclass(frozen=True, slots=True)
class Suspicion:
    """What a night suspected, and how often."""

    kind: str
    key: str
    detections: int
    last_run_id: str
    promoted: bool
    last_corpus: str = ""
    """Digest of the corpus that the last detection saw."""

    @property
    def corroborated(self) -> bool:
        """True once a second night, over a changed corpus, has found it again."""
        return self.detections >= ENOUGH_DETECTIONS

    def counts_again(self, run_id: str, corpus_digest: str) -> bool:
        """Return True for a detection that would be another witness."""
        return self.last_run_id != run_id and self.last_corpus != corpus_digest


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
        f"SELECT {_COLUMNS} FROM corroboration"  # noqa: S608 (constant names)
        " WHERE kind = ? AND key = ?",
        (kind, key),
    ).fetchone()
    return None if row is None else _suspicion(*row)


def read_suspicions(connection: sqlite3.Connection, kind: str) -> dict[str, Suspicion]:
    """Return key -> suspicion of one kind, in the order of keys."""
    rows = connection.execute(
        f"SELECT {_COLUMNS} FROM corroboration"  # noqa: S608 (constant names)
        " WHERE kind = ? ORDER BY key",
        (kind,),
    ).fetchall()
    return {row[1]: _suspicion(*row) for row in rows}


def _suspicion(
    kind: str, key: str, detections: int, run_id: str, corpus: str, promoted: int
) -> Suspicion:
    return Suspicion(kind, key, detections, run_id, bool(promoted), corpus)


def forget_others(connection: sqlite3.Connection, kind: str, start: str, but: str) -> None:
    """Take out the suspicions whose key begins so, except one: they are about earlier texts."""
    rows = connection.execute("SELECT key FROM corroboration WHERE kind = ?", (kind,)).fetchall()
    # Not in SQL: its functions of text end at the NUL that parts a key.
    gone = [(kind, key) for (key,) in rows if key.startswith(start) and key != but]
    connection.executemany("DELETE FROM corroboration WHERE kind = ? AND key = ?", gone)


def forget_suspicions(connection: sqlite3.Connection, ids: Collection[str]) -> int:
    """Take out what was suspected of some memories; return how many suspicions that were."""
    rows = connection.execute("SELECT kind, key FROM corroboration").fetchall()
    gone = [row for row in rows if not set(ids).isdisjoint(row[1].split("\0"))]
    connection.executemany("DELETE FROM corroboration WHERE kind = ? AND key = ?", gone)
    return len(gone)


def promote(connection: sqlite3.Connection, kind: str, key: str) -> None:
    """Note that the corpus carries the change: set when a run has landed, never before."""
    connection.execute(
        "UPDATE corroboration SET promoted = 1 WHERE kind = ? AND key = ?", (kind, key)
    )
