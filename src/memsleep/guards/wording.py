"""Guards on the words of the claims: variants, scope words, slots, substitutions, order."""

from __future__ import annotations

import re
from collections import Counter
from functools import lru_cache

from memsleep.core import MergeText, frame_key, join_merge_text, variant_qualifier_divergent
from memsleep.guards.clauses import extends
from memsleep.guards.tokens import canonical_tokens, is_unspaced, meaning_tokens
from memsleep.model import Memory

# Words that widen, narrow, doubt or turn a claim although few words change.
_QUALIFIERS = frozenset(
    "only all every each any some most many few several both either half always usually "
    "often sometimes rarely seldom never once twice again may might must should could can "
    "shall except unless until till if but although instead rather almost nearly about "
    "around roughly exactly approximately least more less fewer much very too enough before "
    "after during since above below under over up down inside outside first last next "
    "former formerly previously used anymore still already yet no longer current currently "
    "new old or plus minus from towards against max pro beta alpha rc preview legacy "
    "deprecated experimental lite mini ultra "
    "probably possibly perhaps maybe allegedly supposedly apparently presumably likely "
    "unlikely seems seemed think thinks believe believes guess claimed planned proposed "
    "intended draft obsolete outdated wrong superseded temporarily".split()
)


def variant(a: Memory, b: Memory) -> str | None:
    """Refuse where the sets of variant words (pro, beta, legacy ...) differ, over gist and body."""
    sides = [join_merge_text(MergeText(m.gist, m.body)) for m in (a, b)]
    return "they speak of different variants" if variant_qualifier_divergent(*sides) else None


@lru_cache(maxsize=65536)
def qualifier_counts(text: str) -> frozenset[tuple[str, int]]:
    """Return the qualifying words of a claim with how often each occurs."""
    return frozenset(Counter(t for t in canonical_tokens(text) if t in _QUALIFIERS).items())


def qualifiers(a: Memory, b: Memory) -> str | None:
    """Refuse where words in one claim alone qualify it.

    These are words such as only, all, before or formerly wherever they stand, and any word that
    stands inside: "the staging database" is not "the database". A clause at the end adds.
    """
    if qualifier_counts(a.gist) != qualifier_counts(b.gist):
        return "the claims are qualified differently"
    if is_unspaced(a.gist) or is_unspaced(b.gist):
        return None  # there a word cannot be told from a part of one; see `substitution`
    left, right = Counter(meaning_tokens(a.gist)), Counter(meaning_tokens(b.gist))
    if left == right or (left - right and right - left):
        return None
    short, long = (a.gist, b.gist) if not left - right else (b.gist, a.gist)
    return None if extends(short, long) else "one claim says it of less than the other"


_SPACE = re.compile(r"\s+")


@lru_cache(maxsize=65536)
def slot(text: str) -> tuple[str, tuple[str, ...]] | None:
    """Return (frame, canonical value) of a claim that fills a slot, or None."""
    frame = frame_key(text)
    if frame is None:
        return None
    value = _SPACE.sub(" ", text).strip()[len(frame) :]
    return frame, canonical_tokens(value)


def slot_value(a: Memory, b: Memory) -> str | None:
    """Refuse where both claims fill the same slot with another value."""
    left, right = slot(a.gist), slot(b.gist)
    if left is None or right is None or left[0] != right[0] or left[1] == right[1]:
        return None
    return "the claims fill the same slot with different values"


def substitution(a: Memory, b: Memory) -> str | None:
    """Refuse where each claim has a word that the other lacks, or the titles differ in one.

    A script without spaces has no words to tell a detail from another fact, so there every
    difference between the claims counts.
    """
    left, right = Counter(meaning_tokens(a.gist)), Counter(meaning_tokens(b.gist))
    if (is_unspaced(a.gist) or is_unspaced(b.gist)) and left != right:
        return "the claims differ in a word"
    if left - right and right - left:
        return "each claim has a word that the other lacks"
    return "the titles name different things" if _parted_titles(a, b) else None


def _parted_titles(a: Memory, b: Memory) -> bool:
    """Return True when the stated titles are the same but for one word."""
    if not (a.states("title") and b.states("title")):
        return False
    left, right = meaning_tokens(a.title), meaning_tokens(b.title)
    if len(left) != len(right) or len(left) < 2:
        return False
    return sum(x != y for x, y in zip(left, right, strict=True)) == 1


def word_order(a: Memory, b: Memory) -> str | None:
    """Refuse where the words that both claims have stand in another order.

    `the billing service calls the ledger` and its reverse have equal words.
    """
    left, right = meaning_tokens(a.gist), meaning_tokens(b.gist)
    short, long = (left, right) if len(left) <= len(right) else (right, left)
    if Counter(short) - Counter(long) or _is_subsequence(short, long):
        return None
    return "the words of the claims stand in another order"


def _is_subsequence(short: tuple[str, ...], long: tuple[str, ...]) -> bool:
    rest = iter(long)
    return all(token in rest for token in short)
