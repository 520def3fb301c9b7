"""Commas that turn what is said: `No, dogs are allowed` and `No dogs are allowed`."""

from __future__ import annotations

import re
from functools import lru_cache

from memsleep.guards.adjuncts import is_adverb, is_dated
from memsleep.guards.claims import Claim
from memsleep.guards.tokens import MARK

_CALLED = re.compile(r"\W*[^\W\d_]+,\s")
"""A first word with a comma: no colon, no end of a line, which part a label from what it says."""


def pauses_part(a: Claim, b: Claim) -> bool:
    """Return True where two claims of equal words in equal order pause to say two things.

    Most commas are taste. Not so behind a word that denies or a first word that is called, before
    a word that tells who says it, and before a clause that says which one is meant.
    """
    if a.form != b.form or a.marked == b.marked or not a.language.pausing:
        return False
    if _turning_pauses(a) != _turning_pauses(b):
        return True
    return bool(_apposed(a) & _joined(b) or _apposed(b) & _joined(a))


@lru_cache(maxsize=1 << 14)
def _apposed(claim: Claim) -> frozenset[tuple[str, str]]:
    """Return the words beside a first comma where what follows may name it: Udo, our cook, is."""
    marked = claim.marked
    if marked.count(MARK) < 2:
        return frozenset()
    first = marked.index(MARK)
    last = marked.index(MARK, first + 1)
    joins = claim.language.conjunctions
    if not first or last == first + 1 or not joins.isdisjoint(marked[last + 1 : last + 2]):
        return frozenset()
    return frozenset({(marked[first - 1], marked[first + 1])})


@lru_cache(maxsize=1 << 14)
def _joined(claim: Claim) -> frozenset[tuple[str, str]]:
    """Return the words beside each `and`."""
    marked, joins = claim.marked, claim.language.conjunctions
    return frozenset(
        (marked[i - 1], marked[i + 1]) for i in range(1, len(marked) - 1) if marked[i] in joins
    )


@lru_cache(maxsize=1 << 14)
def _turning_pauses(claim: Claim) -> tuple[int, ...]:
    """Return behind how many words that say something each pause stands that may turn them."""
    language, marked = claim.language, claim.marked
    found: list[int] = []
    told = 0
    for place, token in enumerate(marked):
        if token != MARK:
            told += token not in language.silent
            continue
        before, behind = marked[place - 1 : place], marked[place + 1 : place + 2]
        called = place == 1 and _CALLED.match(claim.text) and not _introduces(claim, marked[0])
        denied = not language.negation.isdisjoint(before)
        if called or denied or not language.pausing.isdisjoint(behind):
            found.append(told)
    return tuple(found)


def _introduces(claim: Claim, word: str) -> bool:
    """Return True for a first word behind which a comma may stand or not."""
    language = claim.language
    known = language.fronting | language.additions | language.adverbs | language.common
    return word in known or is_adverb(word) or is_dated(word)
