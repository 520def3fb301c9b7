"""What earlier checks found, in one SQLite file that may be lost, wrong or hostile.

The cache never lies in the corpus unless the user puts it there: whoever can change the corpus
could then hide a finding. Each entry carries a digest of its value. Whatever cannot be read counts
as absent; a damaged file is begun anew, one of another program is left alone. A check never fails
for its cache.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from sqlite3 import Connection

import numpy as np
from numpy.typing import NDArray

from memsleep.errors import StateError
from memsleep.state.database import Schema, foreseen, open_database, transaction

FloatRows = NDArray[np.float32]
Pairs = tuple[set[str], set[tuple[str, str]], bool]
SCHEMA = Schema(
    application_id=0x6D73636B,  # "msck"
    migrations=(
        (
            """
            CREATE TABLE entries (
                kind TEXT NOT NULL,
                key TEXT NOT NULL,
                value BLOB NOT NULL,
                sum BLOB NOT NULL,  -- digest of kind, key and value
                PRIMARY KEY (kind, key)
            ) STRICT, WITHOUT ROWID
            """,
        ),
    ),
)
_QUERY = "SELECT key, value, sum FROM entries WHERE kind = ?"
_AT_ONCE = 500
_GROWTH = 3
"""Entries are cleared out when there are so many times more than one check needed."""


def _sum(kind: str, key: str, value: bytes) -> bytes:
    head = f"{kind}\0{key}\0".encode("utf-8", "surrogatepass")
    return hashlib.blake2b(head + value, digest_size=12).digest()


class Cache:
    """Entries by kind and key. Without a file it remembers for one check only."""

    def __init__(self, path: Path | None, context: str) -> None:
        """Open or create the file; `context` names all that entries depend on besides their key."""
        self._context = context
        self._path = path or Path()
        self._connection = None if path is None else _opened(path)
        self._kept: dict[tuple[str, str], bytes] = {}
        self._used: set[tuple[str, str]] = set()
        self._outcomes: dict[str, bytes] | None = None

    # Plain entries ------------------------------------------------------------------------

    def read(self, kind: str, keys: Sequence[str]) -> dict[str, bytes]:
        """Return the values that are there and whole."""
        named = f"{kind} {self._context}"
        self._used.update((named, key) for key in keys)
        found = {key: self._kept[named, key] for key in keys if (named, key) in self._kept}
        wanted = [key for key in keys if key not in found]
        found.update(self._select(named, wanted))
        return found

    def keep(self, kind: str, values: Mapping[str, bytes]) -> None:
        """Remember values; they are written when the cache is closed."""
        named = f"{kind} {self._context}"
        for key, value in values.items():
            self._kept[named, key] = value
            self._used.add((named, key))

    def _select(self, named: str, keys: Sequence[str]) -> dict[str, bytes]:
        if self._connection is None or not keys:
            return {}
        wanted = set(keys)
        if len(keys) > _AT_ONCE:
            rows = self._rows(_QUERY, (named,))
        else:
            marks = ", ".join("?" * len(keys))
            rows = self._rows(f"{_QUERY} AND key IN ({marks})", (named, *keys))
        return {
            key: value
            for key, value, digest in rows
            if isinstance(key, str)
            and isinstance(value, bytes)
            and key in wanted
            and digest == _sum(named, key, value)
        }

    def _rows(self, query: str, values: Sequence[str]) -> list[tuple[object, object, object]]:
        """Ask the file; after an error it is not asked again."""
        if self._connection is None:
            return []
        try:
            with foreseen(self._path):
                return self._connection.execute(query, values).fetchall()
        except StateError:
            with contextlib.suppress(StateError), foreseen(self._path):
                self._connection.close()
            self._connection = None
            return []

    def close(self) -> None:
        """Write what was kept, and clear out what was not needed for long."""
        if self._connection is None:
            return
        rows = [(n, k, v, _sum(n, k, v)) for (n, k), v in self._kept.items()]
        connection, self._connection = self._connection, None
        with contextlib.suppress(StateError), foreseen(self._path):
            if rows:
                with transaction(connection):
                    connection.executemany("INSERT OR REPLACE INTO entries VALUES (?,?,?,?)", rows)
                    self._clear_out(connection)
        with contextlib.suppress(StateError), foreseen(self._path):
            connection.close()

    def _clear_out(self, connection: Connection) -> None:
        (count,) = connection.execute("SELECT count(*) FROM entries").fetchone()
        if count <= max(_GROWTH * len(self._used), 1000):
            return
        rows = connection.execute("SELECT kind, key FROM entries").fetchall()
        gone = [row for row in rows if row not in self._used]
        connection.executemany("DELETE FROM entries WHERE kind = ? AND key = ?", gone)

    # Vectors, pairs, outcomes -------------------------------------------------------------

    def vectors(self, identity: str, dimension: int, keys: Sequence[str]) -> dict[str, FloatRows]:
        """Return the rows that are there, as long as they should be."""
        blobs = self.read(f"vector {identity}", keys)
        return {
            key: np.frombuffer(blob, "<f4")
            for key, blob in blobs.items()
            if len(blob) == 4 * dimension
        }

    def keep_vectors(self, identity: str, rows: Mapping[str, FloatRows]) -> None:
        """Remember rows."""
        values = {key: row.astype("<f4").tobytes() for key, row in rows.items()}
        self.keep(f"vector {identity}", values)

    def pairs(self, name: str) -> Pairs:
        """Return the keys that were compared, the near pairs, and whether any were left out."""
        blob = self.read("pairs", [name]).get(name)
        nothing: Pairs = (set(), set(), False)
        if blob is None:
            return nothing
        return _tolerant(lambda: _pairs_of(json.loads(blob)), nothing)

    def keep_pairs(
        self, name: str, keys: Iterable[str], pairs: Iterable[tuple[str, str]], *, capped: bool
    ) -> None:
        """Remember that these keys were compared, each with all others."""
        ordered = sorted(keys)
        number = {key: index for index, key in enumerate(ordered)}
        near = sorted((number[a], number[b]) for a, b in pairs)
        document = {"keys": ordered, "near": near, "capped": capped}
        self.keep("pairs", {name: json.dumps(document, separators=(",", ":")).encode()})

    def outcome(self, key: str) -> str | None:
        """Return what guards said of a pair, None when they were not asked."""
        if self._outcomes is None:
            self._outcomes = self._all("outcome")
        self._used.add((f"outcome {self._context}", key))
        blob = self._outcomes.get(key)
        return None if blob is None else blob.decode("utf-8", "replace")

    def keep_outcome(self, key: str, outcome: str) -> None:
        """Remember what guards said of a pair."""
        self.keep("outcome", {key: outcome.encode()})
        if self._outcomes is not None:
            self._outcomes[key] = outcome.encode()

    def _all(self, kind: str) -> dict[str, bytes]:
        named = f"{kind} {self._context}"
        return {
            key: value
            for key, value, digest in self._rows(_QUERY, (named,))
            if isinstance(key, str)
            and isinstance(value, bytes)
            and digest == _sum(named, key, value)
        }


def _pairs_of(document: Mapping[str, object]) -> Pairs:
    keys, near = document["keys"], document["near"]
    if not isinstance(keys, list) or not isinstance(near, list):
        raise TypeError
    return set(keys), {(keys[a], keys[b]) for a, b in near}, bool(document["capped"])


def _tolerant(read: Callable[[], Pairs], otherwise: Pairs) -> Pairs:
    try:
        return read()
    except (ValueError, TypeError, KeyError, IndexError, RecursionError):
        return otherwise


def _opened(path: Path) -> Connection | None:
    """Open a file, begin it anew when it is damaged, do without one in every other case."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        return open_database(path, SCHEMA)
    except OSError:
        return None
    except StateError as error:
        if error.reference != "state-damaged":
            return None
    try:
        for suffix in ("", "-wal", "-shm", "-journal"):
            path.with_name(path.name + suffix).unlink(missing_ok=True)
        return open_database(path, SCHEMA)
    except (OSError, StateError):
        return None
