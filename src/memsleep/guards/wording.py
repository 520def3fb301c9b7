"""Guards on the words of the claims: what qualifies them, slots, lists, substitutions, order."""

from __future__ import annotations

import re
from functools import lru_cache

from memsleep.core import MergeText, frame_key, join_merge_text, variant_qualifier_divergent
from memsleep.guards.claims import Claim, claim_of
from memsleep.guards.compared import claims_of
from memsleep.guards.language import CLASSES
from memsleep.guards.sameness import relation
from memsleep.model import Memory


def variant(a: Memory, b: Memory) -> str | None:
    """Refuse where the sets of variant words (pro, beta, legacy ...) differ, over gist and body."""
    sides = [join_merge_text(MergeText(m.gist, m.body)) for m in (a, b)]
    return "they speak of different variants" if variant_qualifier_divergent(*sides) else None


_PLACES = {name: place for place, name in enumerate(CLASSES)}


def _parted(name: str, a: Memory, b: Memory) -> bool:
    left, right = claims_of(a, b)
    mine, theirs = left.classes, right.classes
    if mine == theirs:
        return False
    place = _PLACES[name]
    return mine[place] != theirs[place] and relation(left, right) != "same"


def variants(a: Memory, b: Memory) -> str | None:
    """Refuse where the claims name different variants, editions or stages of a thing."""
    return "the claims speak of different variants" if _parted("variants", a, b) else None


def quantifiers(a: Memory, b: Memory) -> str | None:
    """Refuse where the claims say how many of it otherwise: all, most, some, none."""
    return "the claims speak of more or fewer" if _parted("quantifiers", a, b) else None


def qualifiers(a: Memory, b: Memory) -> str | None:
    """Refuse where words such as only, except, must or manually stand in one claim alone."""
    return "the claims are qualified differently" if _parted("qualifiers", a, b) else None


def hedges(a: Memory, b: Memory) -> str | None:
    """Refuse where one claim doubts, plans or reports what the other states."""
    return "one claim is less certain than the other" if _parted("hedges", a, b) else None


def tense(a: Memory, b: Memory) -> str | None:
    """Refuse where one claim tells of another time: formerly, used to, no longer, will."""
    return "the claims speak of different times" if _parted("tense", a, b) else None


def conditions(a: Memory, b: Memory) -> str | None:
    """Refuse where one claim holds under a condition that the other does not name."""
    return "the claims hold under different conditions" if _parted("conditions", a, b) else None


def directions(a: Memory, b: Memory) -> str | None:
    """Refuse where the claims compare or point otherwise: more, before, up, into."""
    return "the claims point in different directions" if _parted("directions", a, b) else None


_SPACE = re.compile(r"\s+")


@lru_cache(maxsize=65536)
def _frame(text: str) -> str | None:
    return frame_key(text)


@lru_cache(maxsize=65536)
def slot(text: str) -> tuple[str, tuple[str, ...]] | None:
    """Return (frame, canonical value) of a claim that fills a slot, or None."""
    frame = _frame(text)
    if frame is None:
        return None
    value = _SPACE.sub(" ", text).strip()[len(frame) :]
    return frame, claim_of(value).form


def slot_value(a: Memory, b: Memory) -> str | None:
    """Refuse where both claims fill the same slot with another value."""
    frame = _frame(a.gist)
    if frame is None or frame != _frame(b.gist):
        return None
    left, right = slot(a.gist), slot(b.gist)
    if left is None or right is None or left[1] == right[1]:
        return None
    if relation(*claims_of(a, b)) == "same":
        return None
    return "the claims fill the same slot with different values"


def lists(a: Memory, b: Memory) -> str | None:
    """Refuse where one claim goes on with a list, or with a clause of its own."""
    if relation(*claims_of(a, b)) != "listed":
        return None
    return "one claim goes on where the other ends"


def additions(a: Memory, b: Memory) -> str | None:
    """Refuse where a word inside one claim alone narrows it: `the staging database`."""
    if relation(*claims_of(a, b)) != "narrower":
        return None
    return "one claim says it of less than the other"


def substitution(a: Memory, b: Memory) -> str | None:
    """Refuse where each claim has a word that the other lacks, or the titles differ in one.

    A script without spaces has no words to tell a detail from another fact, so there every
    difference between the claims counts.
    """
    if relation(*claims_of(a, b)) == "other":
        return "each claim has a word that the other lacks"
    return "the titles name different things" if _parted_titles(a, b) else None


def _parted_titles(a: Memory, b: Memory) -> bool:
    """Return True when the stated titles are the same but for one word."""
    if a.title == b.title or not (a.states("title") and b.states("title")):
        return False
    left, right = claim_of(a.title).form, claim_of(b.title).form
    if len(left) != len(right) or len(left) < 2:
        return False
    return sum(x != y for x, y in zip(left, right, strict=True)) == 1


def word_order(a: Memory, b: Memory) -> str | None:
    """Refuse where the words that both claims have stand in another order.

    `the billing service calls the ledger` and its reverse have equal words.
    """
    left, right = claims_of(a, b)
    how = relation(left, right)
    if how == "order" or (how == "narrower" and not _is_subsequence(left, right)):
        return "the words of the claims stand in another order"
    return None


def _is_subsequence(a: Claim, b: Claim) -> bool:
    short, long = sorted((a.form, b.form), key=len)
    rest = iter(long)
    return all(token in rest for token in short)
