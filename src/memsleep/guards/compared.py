"""What of two memories is compared: their claims, or all that they say."""

from __future__ import annotations

from functools import lru_cache

from memsleep.guards.alike import alike
from memsleep.guards.claims import Claim, claim_in, claim_of, languages_of
from memsleep.guards.sameness import readings, relation
from memsleep.guards.scripts import is_unspaced
from memsleep.model import Memory


class _Last:
    """The pair that was looked at last: all guards of one pair ask for the same two claims."""

    __slots__ = ("a", "b", "claims")

    def __init__(self) -> None:
        self.a: Memory | None = None
        self.b: Memory | None = None
        self.claims: tuple[Claim, Claim] | None = None


_LAST = _Last()


def claims_of(a: Memory, b: Memory) -> tuple[Claim, Claim]:
    """Return what two memories claim, as it is compared: the claims, or all that they say.

    Where the claims differ and yet all of it is one, a sentence ends elsewhere: then the bodies
    are compared. A glance at their words comes first, since most pairs differ there already.
    """
    last = _LAST
    if last.a is a and last.b is b and last.claims is not None:
        return last.claims
    found = _claims(a, b)
    last.a, last.b, last.claims = a, b, found
    return found


def _claims(a: Memory, b: Memory) -> tuple[Claim, Claim]:
    left, right = claim_of(a.gist), claim_of(b.gist)
    if relation(left, right) == "same":
        return left, right
    mine, theirs = languages_of(a.gist), languages_of(b.gist)
    if (mine != theirs or len(mine) > 1) and not left.words.isdisjoint(right.words):
        for pair in readings(a.gist, b.gist):
            if relation(*pair) == "same":
                return pair
    told = alike(a.gist, b.gist)
    if told != (a.gist, b.gist):
        one, other = (claim_in(text, "en") for text in told)
        if relation(one, other) == "same":
            return one, other
    parted = _says_more(a) != _says_more(b) or _ends_elsewhere(left, right)
    if parted and _look_alike(a.body, b.body):
        for pair in readings(a.body, b.body):
            if relation(*pair) == "same":
                return pair
    return left, right


def _says_more(memory: Memory) -> bool:
    """Return True where the body goes on behind the claim."""
    return len(memory.body) > len(memory.gist) + 2


def _ends_elsewhere(a: Claim, b: Claim) -> bool:
    """Return True where one claim is nearly a part of the other, or both are a word or two."""
    short, long = sorted((len(a.form), len(b.form)))
    if short == long:
        return short <= 2
    return 5 * len(a.words & b.words) >= 4 * min(len(a.words), len(b.words))


def _look_alike(a: str, b: str) -> bool:
    """Return True where most words of either stand in both, as they are written."""
    if 5 * min(len(a), len(b)) < 3 * max(len(a), len(b)):
        return False
    one, other = _raw_words(a), _raw_words(b)
    return 10 * len(one & other) >= ALIKE * max(len(one), len(other), 2)


ALIKE = 5
"""Tenths of the words that two texts share which differ in where their sentences end."""


@lru_cache(maxsize=1 << 16)
def _raw_words(text: str) -> frozenset[str]:
    if is_unspaced(text):
        return frozenset(text)
    return frozenset(word.strip("*_`#:;,.()<>\"'-") for word in text.lower().split())
