"""The values of a check: rules, what they find, and the findings that are told."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Literal, NamedTuple

Severity = Literal["error", "warning", "note"]
SEVERITIES: tuple[Severity, ...] = ("error", "warning", "note")
"""From grave to slight."""


@dataclass(frozen=True, slots=True)
class Rule:
    """One thing that can be wrong with a corpus."""

    code: str
    """`MS` and three digits; the first one is the family. Never given to another rule."""
    name: str
    """Kebab-case name."""
    severity: Severity
    """Default severity."""
    summary: str
    """One sentence: what is found."""
    explanation: str
    """One paragraph: why it matters, what counts and what does not."""
    example: str
    """A few lines that the rule finds something in."""
    fix: str
    """How to put it right."""
    fixable: bool = False
    """True where `--fix` can do it."""


class Found(NamedTuple):
    """What a rule found in one file, before anybody asked how grave it is."""

    code: str
    start: int
    """First byte in the file, -1 where it is about the file as a whole."""
    end: int
    message: str
    key: str = ""
    """What tells it from others of its code in the file, whatever lines move."""
    related: str = ""
    """Path of the other memory, for findings about two."""
    unreadable: bool = False
    """True where the file could not be read as a memory: always an error."""


WHOLE = -1
"""First byte of a finding about a whole file."""
CLAIM = -2
"""First byte of a finding about what a memory says: looked up only where it is told."""
FIELD = -3
"""First byte of a finding about the field that its key names: looked up only where it is told."""


class Ignore(NamedTuple):
    """A suppression inside a file."""

    codes: tuple[str, ...]
    first_line: int
    """Lines that it covers; 0 for the whole file."""
    last_line: int
    reason: str

    def covers(self, code: str, line: int) -> bool:
        """Return True for a finding that it suppresses."""
        named = any(code.startswith(one) for one in self.codes)
        return named and (not self.first_line or self.first_line <= line <= self.last_line)


@dataclass(frozen=True, slots=True)
class Place:
    """Where a finding is, counted from 1. Columns of characters and of UTF-16 units."""

    line: int
    column: int
    end_line: int
    end_column: int
    """One past the last character."""
    utf16_column: int
    utf16_end_column: int


@dataclass(frozen=True, slots=True)
class Finding:
    """One finding as it is told."""

    code: str
    name: str
    severity: Severity
    path: str
    """Path below the corpus root."""
    place: Place | None
    """None for a finding about the file as a whole."""
    message: str
    related: str = ""
    fingerprint: str = ""
    """Sixteen hex digits: the same for the same finding wherever its lines have moved."""
    fixable: bool = False
    unreadable: bool = False
    reason: str = ""
    """Why it is suppressed; empty where it is not."""
    found: Found | None = None
    """What the rule found, of which `place` is made for those findings that are told."""
    entry: str = ""
    """Which entry of the file it is about, where that holds several memories."""

    @property
    def line(self) -> int:
        """Line, 1 for a finding about the file as a whole."""
        return self.place.line if self.place else 1

    @property
    def order(self) -> tuple[str, int, int, str, str, str]:
        """Key by which findings are told: path, place, code."""
        place = self.place
        where = (place.line, place.column) if place else (0, 0)
        return (self.path, *where, self.code, self.related, self.fingerprint)


PAIRED = frozenset({"MS302", "MS303"})
"""Codes whose findings are about two memories alike: which one bears it is no part of them."""


def fingerprints(found: Iterable[tuple[str, Found]]) -> Iterator[str]:
    """Yield the fingerprint of each finding, given as path and what was found, in order.

    Findings of one file, code and key are numbered in the order of their places.
    """
    seen: dict[tuple[str, str, str], int] = {}
    for path, one in found:
        ends = sorted((path, one.related)) if one.code in PAIRED else (path, "")
        identity = (one.code, "\0".join(ends), one.key)
        number = seen.get(identity, 0)
        seen[identity] = number + 1
        text = "\0".join((*identity, str(number)))
        yield hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]


def at_least(severity: Severity, floor: Severity) -> bool:
    """Return True when a severity is as grave as the floor, or graver."""
    return SEVERITIES.index(severity) <= SEVERITIES.index(floor)
