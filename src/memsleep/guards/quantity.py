"""Guards on numbers: one digit turns a fact and hardly moves a vector."""

from __future__ import annotations

import re
from collections import Counter
from functools import lru_cache

from memsleep.core import numeric_token_divergent
from memsleep.guards.tokens import UNITS, canonical_tokens, is_number, plain_typography
from memsleep.model import Memory

_MEASURED = re.compile(r"[0-9]\s?([A-Za-z]+)(?![\w-])")
_HOURS = frozenset({"am", "pm", "st", "nd", "rd", "th"})


def numeric(a: Memory, b: Memory) -> str | None:
    """Refuse where the claims' ASCII tokens with a digit differ (the reference rule)."""
    return "the numbers of the claims differ" if numeric_token_divergent(a.gist, b.gist) else None


@lru_cache(maxsize=65536)
def number_counts(text: str) -> frozenset[tuple[str, int]]:
    """Return the numbers of a text with how often each occurs, in canonical form."""
    counts = Counter(token for token in canonical_tokens(text) if is_number(token))
    return frozenset(counts.items())


@lru_cache(maxsize=65536)
def _unit_counts(text: str) -> frozenset[tuple[str, int]]:
    """Return the units of a text as they are written: `Mb` is not `MB`."""
    written = Counter(_MEASURED.findall(plain_typography(text)))
    return frozenset(
        (unit, count)
        for unit, count in written.items()
        if unit.lower() in UNITS and unit.lower() not in _HOURS
    )


def numbers(a: Memory, b: Memory) -> str | None:
    """Refuse where the claims hold different numbers, in digits of any script or in words."""
    if number_counts(a.gist) != number_counts(b.gist):
        return "the numbers of the claims differ"
    left, right = (_unit_counts(memory.gist) for memory in (a, b))
    if left != right and _folded(left) == _folded(right):
        return "a unit is written in capitals on one side"
    return None


def _folded(units: frozenset[tuple[str, int]]) -> Counter[str]:
    folded: Counter[str] = Counter()
    for unit, count in units:
        folded[unit.lower()] += count
    return folded
