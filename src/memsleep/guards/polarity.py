"""Guards on denial: a fact and its opposite sit close together in any vector space."""

from __future__ import annotations

from functools import lru_cache

from memsleep.core import MergeText, join_merge_text, negation_divergent
from memsleep.guards.claims import Claim
from memsleep.guards.compared import claims_of
from memsleep.guards.sameness import relation
from memsleep.guards.tables import table_of
from memsleep.guards.typography import plain_typography
from memsleep.model import Memory


def negation(a: Memory, b: Memory) -> str | None:
    """Refuse where exactly one side holds an English negation word, over gist and body.

    The rule of the reference, but `isn't` is `is not` with any apostrophe.
    """
    sides = [plain_typography(join_merge_text(MergeText(m.gist, m.body))) for m in (a, b)]
    return "exactly one side is negated" if negation_divergent(*sides) else None


def negation_words(a: Memory, b: Memory) -> str | None:
    """Refuse where the claims are denied a different number of times, or by other words.

    The count matters, not mere presence: two negations against one is a flip as well. A pair of
    negations is none, and `invalid` is `not valid`.
    """
    left, right = claims_of(a, b)
    if relation(left, right) == "same":
        return None
    if left.negations != right.negations:
        return "the claims are negated differently"
    if left.denials != right.denials:
        return "one claim denies what the other does not"
    return "one claim denies a word of the other" if _parted_by_prefix(left, right) else None


MOST_PARTED = 3
"""Words of either claim that the other lacks, above which no prefix can be what parts them."""


def _parted_by_prefix(a: Claim, b: Claim) -> bool:
    """Return True when one word of the one is a word of the other behind un-, non-, dis- ..."""
    if a.form == b.form:
        return False
    mine = a.words - b.words
    if not 0 < len(mine) <= MOST_PARTED:
        return False
    theirs = b.words - a.words
    if not 0 < len(theirs) <= MOST_PARTED:
        return False
    prefixes = _prefixes(a.language.code)
    for one in mine:
        for other in theirs:
            short, long = (one, other) if len(one) < len(other) else (other, one)
            if long.endswith(short) and long[: -len(short)] in prefixes:
                return True
    return False


@lru_cache(maxsize=32)
def _prefixes(code: str) -> frozenset[str]:
    return frozenset(table_of(code).words("prefixes", "negation"))


def opposites(a: Memory, b: Memory) -> str | None:
    """Refuse where a word of one claim is the opposite of a word of the other."""
    left, right = claims_of(a, b)
    if left.antonyms == right.antonyms or not (_turned(left, right) or _turned(right, left)):
        return None
    if relation(left, right) == "same":
        return None
    return "a word of one claim is the opposite of a word of the other"


def _turned(mine: Claim, theirs: Claim) -> bool:
    """Return True where a word that the one alone has is the opposite of one of the other."""
    pairs, said = theirs.language.antonyms, theirs.words
    for word in mine.antonyms:
        if word not in theirs.antonyms and word in pairs and not said.isdisjoint(pairs[word]):
            return True
    return False
