"""Results of phases in the night's cache: by the digest of all that they depend on, in shards.

A shard is one JSON object with a sum of its own, for a row of the database for each result would
take longer to read than the result takes to make.
"""

from __future__ import annotations

import hashlib
import json
import sqlite3
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from memsleep.known import Row
from memsleep.state.database import foreseen, transaction

SHARDS: Final = 64
KEPT_RESULTS = (
    """
    CREATE TABLE results (
        name TEXT NOT NULL,            -- of the table
        shard INTEGER NOT NULL,
        code TEXT NOT NULL,            -- digest of all that could make another result
        value BLOB NOT NULL,           -- JSON: key -> result
        sum BLOB NOT NULL,             -- of all of the above
        PRIMARY KEY (name, shard)
    ) STRICT
    """,
)


def read_results(
    path: Path, connection: sqlite3.Connection, code: str
) -> tuple[dict[str, list[bytes]], int]:
    """Return the shards of each table that are whole, and how many are not what was written.

    What other code made counts as absent.
    """
    found: dict[str, list[bytes]] = {}
    damaged = 0
    query = "SELECT name, shard, value, sum FROM results WHERE code = ? ORDER BY name, shard"
    with foreseen(path):
        for name, shard, value, kept in connection.execute(query, (code,)):
            if kept == _sum(name, shard, code, value):
                found.setdefault(name, []).append(value)
            else:
                damaged += 1
    return found, damaged


def write_results(
    path: Path, connection: sqlite3.Connection, code: str, tables: Mapping[str, Mapping[str, Row]]
) -> None:
    """Keep tables in place of what they were before, all of them or none."""
    with foreseen(path), transaction(connection):
        connection.execute("DELETE FROM results WHERE code != ?", (code,))
        for name, rows in tables.items():
            connection.execute("DELETE FROM results WHERE name = ?", (name,))
            connection.executemany(
                "INSERT INTO results VALUES (?, ?, ?, ?, ?)",
                [
                    (name, shard, code, value, _sum(name, shard, code, value))
                    for shard, value in enumerate(_shards(rows))
                ],
            )


def _shards(rows: Mapping[str, Row]) -> list[bytes]:
    shards: list[dict[str, Row]] = [{} for _ in range(SHARDS)]
    for key in sorted(rows):
        shards[int(key[:4], 16) % SHARDS][key] = rows[key]
    return [json.dumps(shard, separators=(",", ":")).encode() for shard in shards if shard]


def _sum(name: str, shard: int, code: str, value: bytes) -> bytes:
    return hashlib.blake2b(f"{name}\0{shard}\0{code}\0".encode() + value, digest_size=16).digest()
