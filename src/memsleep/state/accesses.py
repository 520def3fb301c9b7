"""The access log: which memory was found, read or cited when, for 90 days.

Every function that writes works inside a transaction that its caller holds.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from memsleep.instants import add_days

LOG_DAYS = 90
AccessOp = Literal["search", "recall", "read", "cite", "corrected-cite"]


@dataclass(frozen=True, slots=True)
class Access:
    """One event of use."""

    memory_id: str
    op: AccessOp
    at: str
    session_id: str | None = None


def write_accesses(connection: sqlite3.Connection, accesses: Iterable[Access], now: str) -> None:
    """Add events and drop those of more than 90 days ago; no count in `usage` changes by that."""
    connection.executemany(
        "INSERT INTO access_log (memory_id, op, session_id, at) VALUES (?, ?, ?, ?)",
        [(event.memory_id, event.op, event.session_id, event.at) for event in accesses],
    )
    connection.execute("DELETE FROM access_log WHERE at < ?", (add_days(now, -LOG_DAYS),))


def read_accesses(connection: sqlite3.Connection, memory_id: str | None) -> tuple[Access, ...]:
    """Return the events of one memory, or of all, the oldest first."""
    found = connection.execute(
        "SELECT memory_id, op, at, session_id FROM access_log"
        " WHERE ?1 IS NULL OR memory_id = ?1 ORDER BY at, id",
        (memory_id,),
    )
    return tuple(Access(*row) for row in found)
