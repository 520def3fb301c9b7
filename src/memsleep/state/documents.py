"""The full-text index: what each memory says, found by any three characters in a row.

The index is made from the files and may be made anew at any time.
"""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from memsleep.state.database import foreseen, transaction

SUMMARY_WEIGHT = 2.0
BODY_WEIGHT = 1.0
SHORTEST = 3
"""A trigram index knows nothing of fewer characters."""


@dataclass(frozen=True, slots=True)
class Document:
    """One memory as the index reads it."""

    path: str
    summary: str
    body: str

    @property
    def digest(self) -> bytes:
        """What tells this text from another."""
        text = f"{self.summary}\0{self.body}".encode("utf-8", "surrogatepass")
        return hashlib.sha256(text).digest()


class FullText:
    """The index in an open state."""

    def __init__(self, path: Path, connection: sqlite3.Connection) -> None:
        self._path = path
        self._connection = connection

    def sync(self, documents: Mapping[str, Document]) -> int:
        """Make the index that of these documents and no others; return how many it had to touch."""
        with foreseen(self._path):
            known = dict(self._connection.execute("SELECT path, digest FROM documents").fetchall())
        changed = [path for path in sorted(documents) if known.get(path) != documents[path].digest]
        gone = sorted(set(known) - set(documents))
        if changed or gone:
            with foreseen(self._path), transaction(self._connection):
                for path in changed:
                    write_document(self._connection, documents[path])
                for path in gone:
                    remove_document(self._connection, path)
        return len(changed) + len(gone)

    def write(self, document: Document) -> None:
        """Add or change one document."""
        with foreseen(self._path), transaction(self._connection):
            write_document(self._connection, document)

    def remove(self, path: str) -> None:
        """Take one document out."""
        with foreseen(self._path), transaction(self._connection):
            remove_document(self._connection, path)

    def match(self, terms: Sequence[str], limit: int) -> list[tuple[str, float]]:
        """Return (path, score) of the documents that hold any of the terms, the best first."""
        with foreseen(self._path):
            return match_documents(self._connection, terms, limit)


def write_document(connection: sqlite3.Connection, document: Document) -> None:
    """Add or change one document."""
    connection.execute(
        "INSERT INTO documents (path, digest, summary, body) VALUES (?, ?, ?, ?)"
        " ON CONFLICT (path) DO UPDATE SET digest = excluded.digest, summary = excluded.summary,"
        " body = excluded.body",
        (document.path, document.digest, _plain(document.summary), _plain(document.body)),
    )


def remove_document(connection: sqlite3.Connection, path: str) -> None:
    """Take one document out of the index."""
    connection.execute("DELETE FROM documents WHERE path = ?", (path,))


def match_documents(
    connection: sqlite3.Connection, terms: Sequence[str], limit: int
) -> list[tuple[str, float]]:
    """Return (path, score) of the documents that hold any of the terms, the best first.

    A term of fewer than three characters finds nothing here. Scores are BM25 with the summary
    counted twice; higher is better.
    """
    usable = [term for term in terms if len(term) >= SHORTEST and "\0" not in term]
    if not usable or limit <= 0:
        return []
    query = " OR ".join('"{}"'.format(term.replace('"', '""')) for term in usable)
    found = connection.execute(
        f"SELECT path, -bm25(fts, {SUMMARY_WEIGHT}, {BODY_WEIGHT}) AS score FROM fts"  # noqa: S608
        " JOIN documents ON documents.id = fts.rowid WHERE fts MATCH ?"
        " ORDER BY score DESC, path LIMIT ?",
        (query, limit),
    )
    return [(path, score) for path, score in found]


def rebuild(connection: sqlite3.Connection) -> None:
    """Make the index anew from the documents, so that nothing of removed ones is left in it."""
    connection.execute("INSERT INTO fts (fts) VALUES ('rebuild')")


def _plain(text: str) -> str:
    """Return text as the database can hold it: no NUL, no half of a surrogate pair."""
    return text.replace("\0", " ").encode("utf-8", "replace").decode("utf-8")
