"""Verbs of which present and past are one word: `the gate sets it` and `the gate set it`."""

from __future__ import annotations

import re
from functools import lru_cache

from memsleep.guards.adjuncts import is_adverb
from memsleep.guards.claims import Claim
from memsleep.guards.language import PRONOUNS, Language
from memsleep.guards.rule_words import rule_pairs, rule_words
from memsleep.guards.typography import plain_typography

_WORD = re.compile(r"[^\W\d_]+(?:'[^\W\d_]+)*")


def tenses_part(a: Claim, b: Claim) -> bool:
    """Return True where a verb of one form stands in the present in the one, else in the past."""
    verbs = _tenses(a)
    if not verbs:
        return False
    theirs = _tenses(b)
    return any(
        verb in theirs and {told, theirs[verb]} == {"present", "past"}
        for verb, told in verbs.items()
    )


@lru_cache(maxsize=1 << 14)
def _tenses(claim: Claim) -> dict[str, str]:
    """Return verb -> present, past, or nothing where the text leaves it open."""
    language = claim.language
    if language.unchanging_heads.isdisjoint(claim.words):
        return {}
    words = _WORD.findall(plain_typography(claim.text).lower())
    found: dict[str, str] = {}
    for place, word in enumerate(words):
        base = word if word in language.unchanging else word.removesuffix("s")
        if base in language.unchanging:
            told = _tense(language, words, place, base)
            found[base] = told if found.get(base, told) == told else ""
    return found


def _tense(language: Language, words: list[str], place: int, base: str) -> str:
    """Return the tense of a verb by its ending and by what stands before it."""
    before = place - 1
    while before >= 0 and is_adverb(words[before]):
        before -= 1
    if before < 0:
        return ""
    lead, voice = words[before], language.passive
    if lead in language.articles | language.determiners or lead.endswith("'s"):
        return ""  # a noun
    if lead in _BE:
        return _BE[lead]
    if words[place + 1 : place + 2] and words[place + 1] in voice.be | voice.have | language.by:
        return ""  # the plan cost is 5, the header set by the gate
    if words[place] != base:
        return "present"
    if lead in voice.modals | voice.have | voice.be | PRONOUNS - _ONE | language.light - _ONE:
        return ""
    if not language.conjunctions.isdisjoint(words[max(before - _NOUN, 0) : before]):
        return ""  # the indexer and the crawler read it
    return "" if lead.endswith("s") and not lead.endswith("ss") else "past"


_NOUN = 3
"""Words up to which a noun behind a conjunction may be long."""
_ONE = rule_words("invariable.one")
_BE = rule_pairs("invariable.be")
