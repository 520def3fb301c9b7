"""Since when a person has been asked what; who waits longest keeps the place in the queue.

The writing function works inside a transaction that its caller holds.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Collection, Iterable


def write_asked(connection: sqlite3.Connection, keys: Iterable[str], now: str) -> None:
    """Remember what a night asks; what it no longer asks is forgotten with its place."""
    since = read_asked(connection)
    connection.execute("DELETE FROM questions")
    connection.executemany(
        "INSERT INTO questions (key, since) VALUES (?, ?)",
        [(key, since.get(key, now)) for key in sorted(set(keys))],
    )


def read_asked(connection: sqlite3.Connection) -> dict[str, str]:
    """Return key -> instant since when it is asked, in the order of keys."""
    return dict(connection.execute("SELECT key, since FROM questions ORDER BY key").fetchall())


def forget_asked(connection: sqlite3.Connection, ids: Collection[str]) -> int:
    """Take out the questions about some memories; return how many there were."""
    rows = connection.execute("SELECT key FROM questions").fetchall()
    gone = [row for row in rows if not set(ids).isdisjoint(row[0].split("\0"))]
    connection.executemany("DELETE FROM questions WHERE key = ?", gone)
    return len(gone)
