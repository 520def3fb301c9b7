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
    return _turning_pauses(a) != _turning_pauses(b)


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
