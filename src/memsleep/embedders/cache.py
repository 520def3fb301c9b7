"""What costs time kept from one night to the next, in a database of its own that may be lost.

Vectors by text, neighbour lists by embedder, parsed files by content, results of phases by what
they depend on.
"""

from __future__ import annotations

import hashlib
import os
import sqlite3
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from types import TracebackType
from typing import TypeVar

import numpy as np

from memsleep.core.near_lists import NearLists
from memsleep.embedders.base import FloatRows
from memsleep.embedders.kept_lists import NEAR_LISTS, KeptLists, read_lists, write_lists
from memsleep.embedders.kept_parses import KEPT_PARSES, read_parses, sum_of, write_parses
from memsleep.embedders.kept_results import (
    KEPT_RESULTS,
    read_results,
    write_results,
)
from memsleep.errors import StateError
from memsleep.known import Known
from memsleep.own_code import code_version
from memsleep.state.database import Schema, copy_database, foreseen, open_database, transaction

T = TypeVar("T")
GROWTH = 2
"""Vectors are cleared out when there are so many times more than one night used."""
_ROWS_PER_QUERY = 500
_ROWS_AT_ONCE = 4096
_MANY = 5000
_INSERT = "INSERT OR REPLACE INTO vectors (identity, digest, vector, sum) VALUES (?, ?, ?, ?)"
_COUNT = "SELECT identity, count(*) FROM vectors GROUP BY identity"
_DIGESTS = "SELECT digest FROM vectors WHERE identity = ?"
_DELETE = "DELETE FROM vectors WHERE identity = ? AND digest = ?"

SCHEMA = Schema(
    application_id=0x6D736C63,  # "mslc"
    migrations=(
        (
            """
            CREATE TABLE vectors (
                identity TEXT NOT NULL,  -- of the embedder
                digest BLOB NOT NULL,    -- SHA-256 of the embedded text
                vector BLOB NOT NULL,    -- little-endian float32
                PRIMARY KEY (identity, digest)
            ) STRICT
            """,
        ),
        NEAR_LISTS,
        KEPT_PARSES,
        # Rows of before have no sum: they count as absent, and are made once more.
        ("ALTER TABLE vectors ADD COLUMN sum BLOB",),
        KEPT_RESULTS,
    ),
)


def text_digest(text: str) -> bytes:
    """Return the SHA-256 of a text: half of the key of its vector."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()


class VectorCache:
    """Vectors by text digest and embedder identity."""

    def __init__(
        self,
        path: Path,
        connection: sqlite3.Connection,
        *,
        begun_anew: bool = False,
        keeps: bool = True,
    ) -> None:
        self._path = path
        self._connection = connection
        self.begun_anew = begun_anew
        """True when what lay there could not be used."""
        self.keeps = keeps
        """False for a copy: what is written to it would be thrown away, so nothing is."""
        self.tidies = True
        """False for whoever has not asked for all that is in use: nothing is cleared out then."""
        self.damaged = 0
        """How many rows were not what was written."""
        self.failure = ""
        """What went wrong, in words: from then on nothing is there and nothing is kept."""
        self._used: set[bytes] = set()

    def __enter__(self) -> VectorCache:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the database."""
        self._connection.close()

    def _spared(self, ask: Callable[[], T], otherwise: T) -> T:
        """Return an answer of the database; one that cannot give it is asked no more.

        A disk that is full and a database that another process holds cost time, not the night.
        """
        if self.failure:
            return otherwise
        try:
            return ask()
        except StateError as error:
            self.failure, self.keeps = error.message, False
            return otherwise

    def read(
        self, identity: str, dimension: int, digests: Sequence[bytes]
    ) -> dict[bytes, FloatRows]:
        """Return the rows that are there; a damaged one counts as absent, and is counted."""
        return self._spared(lambda: self._read(identity, dimension, digests), {})

    def _read(
        self, identity: str, dimension: int, digests: Sequence[bytes]
    ) -> dict[bytes, FloatRows]:
        found: dict[bytes, FloatRows] = {}
        wanted = set(digests)
        with foreseen(self._path):
            rows = self._select(identity, digests)
            while some := list(islice(rows, _ROWS_AT_ONCE)):
                whole = [(key, blob) for key, blob, kept in some if self._fits(key, blob, kept)]
                whole = [r for r in whole if r[0] in wanted and len(r[1]) == 4 * dimension]
                block = np.frombuffer(b"".join(blob for _, blob in whole), "<f4")
                block = block.reshape(len(whole), dimension).astype(np.float32, copy=False)
                finite = np.isfinite(block).all(axis=1).tolist()
                for (digest, _), row, fits in zip(whole, block, finite, strict=True):
                    if fits:
                        found[digest] = row
        return found

    def write(self, identity: str, rows: Mapping[bytes, FloatRows]) -> None:
        """Keep rows, all of them or none."""
        if not self.keeps:
            return
        blobs = [(digest, row.astype("<f4").tobytes()) for digest, row in rows.items()]
        values = [(identity, digest, blob, sum_of(digest, blob)) for digest, blob in blobs]

        def insert() -> None:
            with foreseen(self._path), transaction(self._connection):
                self._connection.executemany(_INSERT, values)

        self._spared(insert, None)

    def lists(self, identity: str) -> KeptLists:
        """Return the neighbour lists of an embedder's vectors, empty where none are whole."""
        nothing = KeptLists(NearLists.empty())
        return self._spared(lambda: read_lists(self._path, self._connection, identity), nothing)

    def keep_lists(self, identity: str, lists: NearLists) -> None:
        """Keep the neighbour lists of an embedder's vectors."""
        if self.keeps:
            self._spared(lambda: write_lists(self._path, self._connection, identity, lists), None)

    def read_parses(self, keys: Sequence[bytes]) -> dict[bytes, bytes]:
        """Return the parsed files that are there and whole."""
        self._used.update(keys)
        nothing: dict[bytes, bytes] = {}
        found, damaged = self._spared(
            lambda: read_parses(self._path, self._connection, keys), (nothing, 0)
        )
        self.damaged += damaged
        return found

    def keep_parses(self, rows: Mapping[bytes, bytes]) -> None:
        """Keep parsed files; of those that no night uses only so many stay."""
        if self.keeps:
            self._used.update(rows)
            used = self._used if self.tidies else None
            self._spared(lambda: write_parses(self._path, self._connection, rows, used), None)

    def known(self) -> Known:
        """Return what phases found out before, under the same code."""
        nothing: dict[str, list[bytes]] = {}
        found, damaged = self._spared(
            lambda: read_results(self._path, self._connection, code_version()), (nothing, 0)
        )
        self.damaged += damaged
        return Known(found)

    def keep_known(self, known: Known) -> None:
        """Keep what the phases asked for, where it is not what is kept already."""
        tables = {name: table.used for name, table in known.tables.items() if table.changed}
        if self.keeps and tables:
            self._spared(
                lambda: write_results(self._path, self._connection, code_version(), tables), None
            )

    def forget(self, texts: Sequence[str]) -> int:
        """Take out the rows of these texts, of every embedder; return how many there were.

        Neighbour lists name all vectors by digests, and parsed files and results are not known by
        their texts: they go as a whole, and are made anew.
        """
        digests = [(text_digest(text),) for text in texts]
        with foreseen(self._path):
            with transaction(self._connection):
                removed = sum(
                    self._connection.execute(
                        "DELETE FROM vectors WHERE digest = ?", digest
                    ).rowcount
                    for digest in digests
                )
                self._connection.execute("DELETE FROM near_lists")
                self._connection.execute("DELETE FROM parses")
                self._connection.execute("DELETE FROM results")
            self._connection.execute("VACUUM")
            self._connection.execute("PRAGMA wal_checkpoint (TRUNCATE)")
        return removed

    def prune(self, identity: str, used: Collection[bytes]) -> None:
        """Let vectors of texts that are gone go, once there are many more than are in use.

        Those of other embedders stay as long as they are as few: somebody may go back.
        """
        if self.keeps:
            self._spared(lambda: self._prune(identity, used), None)

    def _prune(self, identity: str, used: Collection[bytes]) -> None:
        most = GROWTH * len(used) + 1000
        with foreseen(self._path), transaction(self._connection):
            counts = dict(self._connection.execute(_COUNT).fetchall())
            mine = counts.pop(identity, 0)
            if mine > most:
                there = self._connection.execute(_DIGESTS, (identity,)).fetchall()
                gone = [(identity, digest) for (digest,) in there if digest not in used]
                self._connection.executemany(_DELETE, gone)
            if sum(counts.values()) > most:
                self._connection.execute("DELETE FROM vectors WHERE identity != ?", (identity,))

    def _fits(self, digest: bytes, blob: bytes, kept: bytes | None) -> bool:
        """Return True for a row that is what was written."""
        fits = kept == sum_of(digest, blob)
        self.damaged += not fits and kept is not None
        return fits

    def _select(
        self, identity: str, digests: Sequence[bytes]
    ) -> Iterator[tuple[bytes, bytes, bytes | None]]:
        """Give the rows of the digests, and others where asking for all is quicker."""
        query = "SELECT digest, vector, sum FROM vectors WHERE identity = ?"
        if len(digests) > _MANY:
            yield from self._connection.execute(query, (identity,))
            return
        for start in range(0, len(digests), _ROWS_PER_QUERY):
            some = digests[start : start + _ROWS_PER_QUERY]
            marks = ", ".join("?" * len(some))
            yield from self._connection.execute(
                f"{query} AND digest IN ({marks})", (identity, *some)
            )


def open_cache(path: Path) -> VectorCache:
    """Open or create the cache of a corpus.

    A cache never stops a night: a damaged one is begun anew, one that is not ours is left alone
    and replaced by one in memory.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    try:
        return VectorCache(path, open_database(path, SCHEMA))
    except StateError as error:
        if error.reference in {"state-newer", "state-foreign"}:
            return VectorCache(path, open_database(Path(":memory:"), SCHEMA), begun_anew=True)
        if error.reference != "state-damaged":
            raise
    for suffix in ("", "-wal", "-shm", "-journal"):
        path.with_name(path.name + suffix).unlink(missing_ok=True)
    return VectorCache(path, open_database(path, SCHEMA), begun_anew=True)


def open_some_cache(path: Path) -> VectorCache:
    """Open or create the cache of a corpus; whatever stands in the way is its `failure`."""
    try:
        if path.is_file() or not os.path.lexists(path):
            return open_cache(path)
        failure = f"expected a database at {path}, found no regular file"
    except StateError as error:
        failure = error.message
    except OSError as error:
        failure = f"cannot use {path}: {error.strerror}"
    cache = VectorCache(path, open_database(Path(":memory:"), SCHEMA), keeps=False)
    cache.failure = failure
    return cache


def open_cache_copy(path: Path, into: Path) -> VectorCache:
    """Open a copy of a cache below `into`, an empty one where there is none that can be read.

    It is read only: what a dry run makes is not kept.
    """
    try:
        copied = copy_database(path, into)
    except (StateError, OSError):
        (into / path.name).unlink(missing_ok=True)
        cache = open_cache(into / path.name)
        cache.begun_anew = True
    else:
        cache = open_cache(copied or into / path.name)
    cache.keeps = False
    return cache
