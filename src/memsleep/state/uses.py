"""What the state keeps of the use of memories: log, counts, versions, suspicions, full text."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType

from memsleep.model import Memory, Usage
from memsleep.state import rejecting, rows
from memsleep.state.accesses import Access, read_accesses, write_accesses
from memsleep.state.corroboration import (
    Suspicion,
    detect,
    forget_others,
    forget_suspicions,
    promote,
    read_suspicions,
)
from memsleep.state.database import foreseen, transaction
from memsleep.state.documents import FullText
from memsleep.state.questions import forget_asked, read_asked, write_asked
from memsleep.state.versions import Change, Version, read_versions, write_change, write_sightings

KEPT_BRIEFS = 200
_OF_A_MEMORY = (
    "access_log",
    "versions",
    "usage",
    "usage_elsewhere",
    "decay",
    "spared",
    "effects_before",
    "paths",
)


class Uses:
    """The part of an open state that reading and citing feeds."""

    def __init__(self, path: Path, connection: sqlite3.Connection) -> None:
        self._path = path
        self._connection = connection

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

    def set_meta(self, key: str, value: str) -> None:
        """Write one named value of the state as a whole."""
        with self._writing():
            self._connection.execute(
                "INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)", (key, value)
            )

    def files(self) -> dict[str, str]:
        """Return current path -> content digest of every memory that is there."""
        with foreseen(self._path):
            return dict(
                self._connection.execute(
                    "SELECT path, digest FROM memories"
                    " WHERE missing_since IS NULL AND path IS NOT NULL"
                ).fetchall()
            )

    def ids(self) -> dict[str, str]:
        """Return current path -> memory id, for every memory that is there, in path order."""
        with foreseen(self._path):
            found = self._connection.execute(
                "SELECT path, id FROM memories WHERE missing_since IS NULL AND path IS NOT NULL"
            ).fetchall()
        return dict(sorted(found))

    def accesses(self, memory_id: str | None = None) -> tuple[Access, ...]:
        """Return the log of the last 90 days for one memory, or for all, the oldest first."""
        with foreseen(self._path):
            return read_accesses(self._connection, memory_id)

    def versions(self, memory_id: str) -> tuple[Version, ...]:
        """Return the chain of versions of a memory, the first one first."""
        with foreseen(self._path):
            return read_versions(self._connection, memory_id)

    def full_text(self) -> FullText:
        """Return the full-text index, which shares this connection."""
        return FullText(self._path, self._connection)

    def log(self, accesses: Iterable[Access], now: str) -> None:
        """Add to the access log, and drop from it what is older than 90 days."""
        with self._writing():
            write_accesses(self._connection, accesses, now)

    def change_usage(
        self,
        change: Callable[[str, Usage], Usage],
        memory_ids: Iterable[str],
        accesses: Iterable[Access],
        now: str,
    ) -> None:
        """Read, change and write the use of memories and log why, in one transaction.

        A memory that is named twice is changed twice.
        """
        with self._writing():
            for memory_id in memory_ids:
                known = rows.read_usage(self._connection, memory_id) or Usage()
                rows.write_usage(self._connection, memory_id, change(memory_id, known))
            write_accesses(self._connection, accesses, now)

    def see_versions(self, memories: Iterable[Memory], ids: Mapping[str, str], now: str) -> int:
        """Add a version for each memory that is new or changed; return how many were added.

        `ids` are those that `observe` assigned.
        """
        with self._writing():
            return write_sightings(self._connection, memories, ids, now)

    def detect(self, kind: str, key: str, run_id: str, corpus_digest: str) -> Suspicion:
        """Count that a run suspects something; return how well it is corroborated."""
        with self._writing():
            return detect(self._connection, kind, key, run_id, corpus_digest)

    def suspicions(self, kind: str) -> dict[str, Suspicion]:
        """Return key -> what runs have suspected of one kind."""
        with foreseen(self._path):
            return read_suspicions(self._connection, kind)

    def forget_suspicions(self, kind: str, start: str, *, but: str) -> None:
        """Forget what was suspected under keys that begin so, except under one."""
        with self._writing():
            forget_others(self._connection, kind, start, but)

    def ask(self, keys: Iterable[str], now: str) -> None:
        """Remember which questions a night puts before a person."""
        with self._writing():
            write_asked(self._connection, keys, now)

    def asked(self) -> dict[str, str]:
        """Return key -> since when it has been asked, night after night."""
        with foreseen(self._path):
            return read_asked(self._connection)

    def add_versions(self, changes: Iterable[Change], run_id: str, now: str) -> tuple[Change, ...]:
        """Add the versions that a landed run made; return those whose memory is not known."""
        with self._writing():
            return tuple(
                change
                for change in changes
                if not write_change(self._connection, change, run_id, now)
            )

    def promote(self, kind: str, key: str) -> None:
        """Note that the corpus carries a change that was once only suspected."""
        with self._writing():
            promote(self._connection, kind, key)

    def change_mark(self) -> tuple[int, int]:
        """Return what is another value after any write, by this process or another."""
        with foreseen(self._path):
            version = self._connection.execute("PRAGMA data_version").fetchone()[0]
        return version, self._connection.total_changes

    def keep_brief(self, fingerprint: str, contents: Mapping[str, str], now: str) -> None:
        """Remember what a brief said, as digests, so that a later one can be compared with it."""
        if self.brief(fingerprint) is not None:
            return
        lines = json.dumps(dict(sorted(contents.items())), separators=(",", ":"))
        with self._writing():
            self._connection.execute(
                "INSERT OR REPLACE INTO briefs (fingerprint, made_at, lines) VALUES (?, ?, ?)",
                (fingerprint, now, lines),
            )
            self._connection.execute(
                "DELETE FROM briefs WHERE fingerprint IN (SELECT fingerprint FROM briefs"
                " ORDER BY made_at DESC, fingerprint LIMIT -1 OFFSET ?)",
                (KEPT_BRIEFS,),
            )

    def brief(self, fingerprint: str) -> dict[str, str] | None:
        """Return memory id -> digest of what a brief said, None for one that is not known."""
        with foreseen(self._path):
            row = self._connection.execute(
                "SELECT lines FROM briefs WHERE fingerprint = ?", (fingerprint,)
            ).fetchone()
        return dict(json.loads(row[0])) if row else None

    def forget(self, memory_id: str) -> int:
        """Take out every trace of a memory, and of its words from the pages of the file.

        Returns how many rows were removed. The other tables follow `memories`.
        """
        with self._writing():
            paths = [
                path
                for (path,) in self._connection.execute(
                    "SELECT path FROM paths WHERE memory_id = ?", (memory_id,)
                ).fetchall()
            ]
            removed = sum(
                self._connection.execute("DELETE FROM documents WHERE path = ?", (path,)).rowcount
                for path in paths
            )
            for table in _OF_A_MEMORY:
                removed += self._connection.execute(
                    f"DELETE FROM {table} WHERE memory_id = ?",  # noqa: S608 (constant names)
                    (memory_id,),
                ).rowcount
            removed += self._connection.execute(
                "DELETE FROM memories WHERE id = ?", (memory_id,)
            ).rowcount
            removed += forget_suspicions(self._connection, {memory_id, *paths})
            removed += forget_asked(self._connection, {memory_id, *paths})
            removed += rejecting.forget_paths(self._connection, {memory_id, *paths})
            self._connection.execute("INSERT INTO fts (fts) VALUES ('rebuild')")
        with foreseen(self._path):
            self._connection.execute("VACUUM")
            self._connection.execute("PRAGMA wal_checkpoint (TRUNCATE)")
        return removed

    @contextmanager
    def _writing(self) -> Iterator[None]:
        with foreseen(self._path), transaction(self._connection):
            yield
