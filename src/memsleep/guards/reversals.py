"""What un- and dis- turn back: `is unlocked` is no `not locked` where it tells what happens."""

from __future__ import annotations

from collections.abc import Sequence

from memsleep.guards.adjuncts import is_adverb, is_dated
from memsleep.guards.language import Language
from memsleep.guards.rule_words import rule_words

_HAPPENING = rule_words("reversals.happening")


def is_change(language: Language, tokens: Sequence[str], place: int) -> bool:
    """Return True for a word that may tell of a change: `the door was unlocked`, by whom or when.

    A state is told in the present, and of no time.
    """
    if tokens[place] not in language.reversals:
        return False
    before = place - 1
    while before >= 0 and (tokens[before] == "not" or is_adverb(tokens[before])):
        before -= 1
    if before < 0 or tokens[before] != "is":
        return True
    return any(
        is_dated(word) or word in _HAPPENING or word in language.often or word == "every"
        for word in tokens
    )
