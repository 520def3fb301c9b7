"""Guards on numbers and identifiers: one digit turns a fact and hardly moves a vector."""

from __future__ import annotations

import re
from collections import Counter
from functools import lru_cache

from memsleep.core import numeric_token_divergent
from memsleep.guards.tokens import canonical_tokens, fold_typography, is_number
from memsleep.model import Memory

_IDENTIFIER = re.compile(r"[0-9a-z][0-9a-z_.-]*[0-9a-z]|[0-9a-z]")


def numeric(a: Memory, b: Memory) -> str | None:
    """Refuse where the claims' ASCII tokens with a digit differ (the reference rule)."""
    return "the numbers of the claims differ" if numeric_token_divergent(a.gist, b.gist) else None


@lru_cache(maxsize=65536)
def number_counts(text: str) -> frozenset[tuple[str, int]]:
    """Return the numbers of a text with how often each occurs, in canonical form."""
    counts = Counter(token for token in canonical_tokens(text) if is_number(token))
    return frozenset(counts.items())


def numbers(a: Memory, b: Memory) -> str | None:
    """Refuse where the claims hold different numbers, in digits of any script or in words."""
    if number_counts(a.gist) == number_counts(b.gist):
        return None
    return "the numbers of the claims differ"


@lru_cache(maxsize=65536)
def identifier_set(text: str) -> frozenset[str]:
    """Return the tokens that mix letters and digits, such as part numbers and versions."""
    found = set()
    for token in _IDENTIFIER.findall(fold_typography(text)):
        letters = any("a" <= char <= "z" for char in token)
        digits = any("0" <= char <= "9" for char in token)
        if letters and digits and canonical_tokens(token)[:1] == (token,):
            found.add(token)
    return frozenset(found)


def identifiers(a: Memory, b: Memory) -> str | None:
    """Refuse where the claims name different things by letters and digits (M1, ASR1603, v2)."""
    if identifier_set(a.gist) == identifier_set(b.gist):
        return None
    return "the identifiers of the claims differ"
