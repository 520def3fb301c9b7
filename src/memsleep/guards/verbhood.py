"""Whether a word of an English claim is a verb where it stands, as far as its letters tell."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise

from memsleep.guards.claims import Claim, Form
from memsleep.guards.language import Language
from memsleep.guards.typography import plain_typography


def is_third_person(written: str) -> bool:
    """Return True for a word in -s: a verb told of one, or several things."""
    return written.endswith("s") and not written.endswith("ss")


def may_be_verb(claim: Claim, word: str) -> bool:
    """Return True for a canonical word that some table knows as a verb, or that ends as one."""
    language, voice = claim.language, claim.language.passive
    if word in language.known_verbs or word in language.verb_bases or word in language.verb_heads:
        return True
    if word in voice.bases or word in voice.present:
        return True
    return word.endswith(("ed", "ing")) and len(word) > _SHORT


_SHORT = 4
"""Letters up to which an ending tells nothing: red, king."""


def is_loose(language: Language, noun: Sequence[str]) -> bool:
    """Return True where the first word of a noun may belong to a noun behind it as well.

    The old project owner: the project may be old, or its owner; the owner of the old project not.
    """
    return len(noun) > 1 and noun[0] in language.antonyms


def begins_noun(claim: Claim, before: Form, first: str) -> bool:
    """Return False where a word before the first one of a noun is a part of it: the list size."""
    return not before or (
        before[0] not in determined(claim) or (before[0], first) not in pairwise(claim.marked)
    )


def written(claim: Claim, word: str) -> tuple[str, ...]:
    """Return how the text of a claim writes a canonical word."""
    return _forms(claim).get(word, ())


def words_in_ing(text: str) -> list[str]:
    """Return the words in -ing of a text in small letters; canonical words have lost the ending."""
    return _IN_ING.findall(text)


_IN_ING = re.compile(r"\b[a-z]+ing\b")


@lru_cache(maxsize=4096)
def names_of(text: str) -> frozenset[str]:
    """Return the names in a text: words with a capital that do not begin it."""
    return frozenset(word.lower() for word in _NAME.findall(plain_typography(text)))


_NAME = re.compile(r"(?<=[\w,] )[A-Z][a-z]+")


@lru_cache(maxsize=4096)
def determined(claim: Claim) -> frozenset[str]:
    """Return the words that stand right behind an article."""
    articles = claim.language.articles | claim.language.determiners
    return frozenset(word for before, word in pairwise(claim.marked) if before in articles)


@lru_cache(maxsize=4096)
def _forms(claim: Claim) -> dict[str, tuple[str, ...]]:
    """Return canonical word -> how the text writes it."""
    found: dict[str, tuple[str, ...]] = {}
    for word in _WORD.findall(plain_typography(claim.text).lower()):
        base = claim.language.final(word)
        found[base] = (*found.get(base, ()), word)
    return found


_WORD = re.compile(r"[^\W\d_]+")
