"""Parsed files in the night's cache: by the digest of all that a parse depends on."""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Final

from memsleep.state.database import foreseen, transaction

KEPT_PARSES = (
    """
    CREATE TABLE parses (
        key BLOB PRIMARY KEY,          -- of reader, dialect, path and content
        value BLOB NOT NULL,           -- JSON
        sum BLOB NOT NULL              -- of key and value
    ) STRICT
    """,
)
ROWS_PER_QUERY: Final = 500
MANY: Final = 5000
"""So many rows are found sooner by reading all."""
GROWTH: Final = 1.5
"""Rows are cleared out when there are so many times more than one night used: all are read."""
_QUERY: Final = "SELECT key, value, sum FROM parses"


def sum_of(key: bytes, value: bytes) -> bytes:
    """Return the digest that tells a damaged row."""
    return hashlib.blake2b(key + value, digest_size=12).digest()


def read_parses(
    path: Path, connection: sqlite3.Connection, keys: Sequence[bytes]
) -> tuple[dict[bytes, bytes], int]:
    """Return the rows that are there and whole, and how many are not what was written."""
    wanted, found, damaged = set(keys), {}, 0
    with foreseen(path):
        for key, value, kept in _rows(connection, keys):
            if kept != sum_of(key, value):
                damaged += 1
            elif key in wanted:
                found[key] = value
    return found, damaged


def _rows(
    connection: sqlite3.Connection, keys: Sequence[bytes]
) -> Iterable[tuple[bytes, bytes, bytes]]:
    if len(keys) > MANY:
        yield from connection.execute(_QUERY)
        return
    for start in range(0, len(keys), ROWS_PER_QUERY):
        some = keys[start : start + ROWS_PER_QUERY]
        marks = ", ".join("?" * len(some))
        yield from connection.execute(f"{_QUERY} WHERE key IN ({marks})", some)


def write_parses(
    path: Path, connection: sqlite3.Connection, rows: Mapping[bytes, bytes], used: set[bytes] | None
) -> None:
    """Keep rows, all of them or none; clear out what is not in use when it has become much.

    `used` is None where that is not known.
    """
    values = [(key, value, sum_of(key, value)) for key, value in rows.items()]
    with foreseen(path), transaction(connection):
        connection.executemany("INSERT OR REPLACE INTO parses VALUES (?, ?, ?)", values)
        if used is None:
            return
        (count,) = connection.execute("SELECT count(*) FROM parses").fetchone()
        if count > GROWTH * len(used) + 1000:
            there = [key for (key,) in connection.execute("SELECT key FROM parses")]
            gone = [(key,) for key in there if key not in used]
            connection.executemany("DELETE FROM parses WHERE key = ?", gone)
