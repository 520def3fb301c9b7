"""Guards on numbers, dates and times: one digit turns a fact and hardly moves a vector."""

from __future__ import annotations

import re
from collections import Counter
from functools import lru_cache

from memsleep.core import numeric_token_divergent
from memsleep.guards.compared import claims_of
from memsleep.guards.quantities import SYMBOLS
from memsleep.guards.side_by_side import is_unit_shared
from memsleep.guards.typography import plain_typography
from memsleep.model import Memory

_MEASURED = re.compile(r"[0-9]\s?([A-Za-z]+)(?![\w-])")
_UNITS = frozenset(SYMBOLS) - {"am", "pm"}
_NONE: frozenset[tuple[str, int]] = frozenset()


def numeric(a: Memory, b: Memory) -> str | None:
    """Refuse where the claims' ASCII tokens with a digit differ (the reference rule)."""
    return "the numbers of the claims differ" if numeric_token_divergent(a.gist, b.gist) else None


def numbers(a: Memory, b: Memory) -> str | None:
    """Refuse where the claims hold different numbers or units, in digits or in words."""
    one, other = claims_of(a, b)
    if one.numbers != other.numbers and not is_unit_shared(one, other):
        return "the numbers of the claims differ"
    left, right = _unit_counts(one.text), _unit_counts(other.text)
    if left != right and _folded(left) == _folded(right):
        return "a unit is written in capitals on one side"
    return None


def dates(a: Memory, b: Memory) -> str | None:
    """Refuse where the claims hold different dates, days or times, however they are written."""
    left, right = claims_of(a, b)
    if left.dates == right.dates:
        return None
    return "the dates or times of the claims differ"


@lru_cache(maxsize=65536)
def _unit_counts(text: str) -> frozenset[tuple[str, int]]:
    """Return the units of a text as they are written: `Mb` is not `MB`."""
    written = [u for u in _MEASURED.findall(plain_typography(text)) if u.lower() in _UNITS]
    return frozenset(Counter(written).items()) if written else _NONE


def _folded(units: frozenset[tuple[str, int]]) -> Counter[str]:
    folded: Counter[str] = Counter()
    for unit, count in units:
        folded[unit.lower()] += count
    return folded
