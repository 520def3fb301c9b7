"""What was found out before: results that depend on nothing but their key.

A phase asks for a result by the digest of all that it depends on, and says how it is made. Who runs
the phases may bring what earlier nights found under the same code; that changes the time, never
the result.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, TypeAlias

Row: TypeAlias = list[Any]
"""A result as JSON knows it."""


def digest_of(*parts: str | bytes) -> str:
    """Return the key of some parts; parts are told apart.

    Examples
    --------
    >>> digest_of("a", "b") == digest_of("ab", "")
    False
    """
    values = [p.encode("utf-8", "surrogatepass") if isinstance(p, str) else p for p in parts]
    whole = b"".join([b"%d:%b" % (len(value), value) for value in values])
    return hashlib.blake2b(whole, digest_size=16).hexdigest()


class Table:
    """Results of one kind, by key."""

    def __init__(self, kept: Mapping[str, Row]) -> None:
        self.kept = kept
        """Of earlier nights."""
        self.used: dict[str, Row] = {}
        """All that somebody asked for."""
        self.made = 0
        """How many of them were not kept."""

    def of(self, key: str, make: Callable[[], Row]) -> Row:
        """Return the result of a key: what is known, else what is made now."""
        row = self.used.get(key)
        if row is None:
            row = self.kept.get(key)
            if row is None:
                row = make()
                self.made += 1
            self.used[key] = row
        return row

    def add(self, key: str, row: Row) -> None:
        """Take a result that somebody made elsewhere; it counts as made now."""
        self.used[key] = row
        self.made += 1

    @property
    def changed(self) -> bool:
        """Return True when other results were asked for than are kept."""
        return self.made > 0 or len(self.used) != len(self.kept)


class Known:
    """Tables of results, by name.

    Examples
    --------
    >>> table = Known({"doubled": [b'{"a": [2]}']}).table("doubled", lambda row: len(row) == 1)
    >>> table.of("a", lambda: [1 + 1]), table.of("b", lambda: [2 + 2]), table.made
    ([2], [4], 1)
    """

    def __init__(self, kept: Mapping[str, Sequence[bytes]] = MappingProxyType({})) -> None:
        self._kept = kept  # name -> JSON objects of rows by key
        self.tables: dict[str, Table] = {}
        """Those that somebody asked for."""
        self.keys: dict[str, tuple[object, str]] = {}
        """Path -> the memory whose key was computed, and the key."""

    def table(self, name: str, fits: Callable[[Row], bool]) -> Table:
        """Return a table; rows that are not what its user would make count as absent."""
        if name not in self.tables:
            kept: dict[str, Row] = {}
            for document in self._kept.get(name, ()):
                kept.update(_rows(document, fits))
            self.tables[name] = Table(kept)
        return self.tables[name]

    def counts(self) -> dict[str, dict[str, int]]:
        """Return name -> how many results were made, and how many were known."""
        return {
            name: {"made": table.made, "known": len(table.used) - table.made}
            for name, table in self.tables.items()
        }


def _rows(document: bytes, fits: Callable[[Row], bool]) -> dict[str, Row]:
    try:
        found = json.loads(document)
    except ValueError:
        return {}
    if not isinstance(found, dict):
        return {}
    return {key: row for key, row in found.items() if isinstance(row, list) and fits(row)}


def strings(values: Any) -> bool:
    """Return True for a list of nothing but strings."""
    return isinstance(values, list) and all(isinstance(value, str) for value in values)
