"""Little words that say nothing, but where they say who does it or whose it is."""

from __future__ import annotations

import re
from functools import lru_cache

from memsleep.guards.adjuncts import is_adverb
from memsleep.guards.claims import Claim
from memsleep.guards.tokens import MARK
from memsleep.guards.typography import plain_typography

_OWNED = re.compile(r"([^\W\d_]+)(?:'s|(?<=s)')(?=\s*(?:[.,;:!?)]|\Z|\sis\b|\sare\b))")
_FIRST = re.compile(r"[^\W\d_]+(?!')")


def small_words_part(a: Claim, b: Claim) -> bool:
    """Return True where a silent word or an apostrophe is the whole difference, and a real one.

    `The team is paid` and `The team paid`, `it is used to store` and `it used to store`, `the
    budget is Ben's` and `the budget is Ben`.
    """
    if a.form != b.form or a.text == b.text or not a.language.by_rule:
        return False
    if _owned(a) != _owned(b) or _articled(a) != _articled(b):
        return True
    one, other = _suffered(a), _suffered(b)
    if one == other:
        return False
    least = min(len(one), len(other))
    short = [claim for claim, found in ((a, one), (b, other)) if len(found) == least]
    return not all(map(_is_telegram, short))


def _is_telegram(claim: Claim) -> bool:
    """Return True for `Keys stored in the vault`: who writes so leaves the `are` out."""
    first = _FIRST.match(plain_typography(claim.text).lower())
    if first is None or first[0] in claim.language.determiners or "used" in claim.form:
        return False
    return first[0].endswith("s") and not first[0].endswith("ss")


@lru_cache(maxsize=1 << 14)
def _suffered(claim: Claim) -> tuple[int, ...]:
    """Return which words that say something are participles behind a silent form of `be`."""
    language, found = claim.language, list[int]()
    told, passive = 0, False
    for token in claim.marked:
        if token in language.silent or token == MARK:
            passive = token in language.passive.be
            continue
        if is_adverb(token):
            told += 1
            continue
        if passive and (token.endswith("ed") or token in language.passive.bases):
            found.append(told)
        told += 1
        passive = False
    return tuple(found)


@lru_cache(maxsize=1 << 14)
def _owned(claim: Claim) -> tuple[str, ...]:
    """Return who owns what is not named again: `the budget is Ben's`."""
    if "'" not in claim.text and "\u2019" not in claim.text:
        return ()
    return tuple(_OWNED.findall(plain_typography(claim.text).lower()))


@lru_cache(maxsize=1 << 14)
def _articled(claim: Claim) -> tuple[bool, ...]:
    """Return for each scant amount and each `only` on which side an article stands.

    `Few users left` and `a few users left`, `the only door` and `only the door`.
    """
    language, marked = claim.language, claim.marked
    if language.scant.isdisjoint(marked) and language.focusing.isdisjoint(marked):
        return ()
    found: list[bool] = []
    for place, token in enumerate(marked):
        if token in language.scant:
            found.append(place > 0 and marked[place - 1] in language.articles)
        elif token in language.focusing:
            found.append(place + 1 < len(marked) and marked[place + 1] in language.articles)
    return tuple(found)
