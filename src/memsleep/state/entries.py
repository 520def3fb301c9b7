"""Entries of files that hold several memories, known again after an edit of their first line.

The state remembers the order and the words of the entries of each file, since an edited entry can
only be told by its place among the others and by the words that it still has.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Mapping, Sequence

from memsleep.readers.entries import match_entries

EntryTexts = Mapping[str, Sequence[tuple[str, str]]]
"""File -> (path, text) of each of its entries, in file order."""
_KEY = "entries"
_CHARACTERS = 400
"""How much of an entry is remembered: enough words to know it by."""


def edited_entries(connection: sqlite3.Connection, entries: EntryTexts) -> dict[str, str]:
    """Return path as it was -> path as it is, of entries that were edited."""
    found: dict[str, str] = {}
    for file, known in _remembered(connection).items():
        present = [(path, text[:_CHARACTERS]) for path, text in entries.get(file, ())]
        found.update(match_entries(known, present))
    return found


def remember_entries(connection: sqlite3.Connection, entries: EntryTexts) -> None:
    """Keep the entries of all files as they are now."""
    rows = {
        file: [[path, text[:_CHARACTERS]] for path, text in found]
        for file, found in sorted(entries.items())
    }
    value = json.dumps(rows, ensure_ascii=False, separators=(",", ":"))
    if rows or _remembered(connection):
        connection.execute("INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)", (_KEY, value))


def _remembered(connection: sqlite3.Connection) -> dict[str, list[tuple[str, str]]]:
    row = connection.execute("SELECT value FROM meta WHERE key = ?", (_KEY,)).fetchone()
    if row is None:
        return {}
    return {
        file: [(path, text) for path, text in found] for file, found in json.loads(row[0]).items()
    }
