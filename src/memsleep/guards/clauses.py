"""Which longer claim says what a shorter one says, and then adds something."""

from __future__ import annotations

import re
from functools import lru_cache

from memsleep.guards.tokens import fold_typography, meaning_tokens

# A comma followed by one of these begins something that is added; by another word it may go on
# with a list, which the shorter claim would then leave incomplete.
_STARTS = frozenset(
    "then which because so see verified checked confirmed measured tested noted says according "
    "as in on at for with via by through using along per of to into".split()
)
_BOUNDARY = re.compile(r"\s*[,;:.]\s+|\s+-+\s+")


def extends(short: str, long: str) -> bool:
    """Return True when `long` is `short` with nothing but clauses added at its end.

    Examples
    --------
    >>> extends("Keys start with the tenant", "Keys start with the tenant, then the region")
    True
    >>> extends("The database is small", "The staging database is small")
    False
    >>> extends("Ask Anna and Boris", "Ask Anna and Boris, Cem")
    False
    """
    wanted = meaning_tokens(short)
    said: tuple[str, ...] = ()
    clauses = _clauses(long)
    for place, clause in enumerate(clauses):
        said += meaning_tokens(clause)
        if said == wanted:
            return all(_adds(later) for later in clauses[place + 1 :])
    return False


def heads(text: str) -> list[tuple[str, ...]]:
    """Return the words of every claim that `text` extends, the shortest first, and its own last."""
    found: list[tuple[str, ...]] = []
    said: tuple[str, ...] = ()
    for clause in _clauses(text):
        if said and not _adds(clause):
            found.clear()
        said += meaning_tokens(clause)
        if said and said not in found:
            found.append(said)
    return found


@lru_cache(maxsize=65536)
def _clauses(text: str) -> tuple[str, ...]:
    return tuple(part for part in _BOUNDARY.split(fold_typography(text)) if part.strip())


def _adds(clause: str) -> bool:
    return clause.split()[0] in _STARTS
