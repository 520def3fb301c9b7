"""What may stand at the front of a sentence or at its end without saying another thing."""

from __future__ import annotations

from collections.abc import Sequence

from memsleep.guards.rule_words import rule_words

Form = tuple[str, ...]


def turned(front: Form, end: Form, fronting: frozenset[str], *, alone: bool) -> bool:
    """Return True when `end` has at its end the adjunct with which `front` begins.

    One word alone must be an adverb: `weekly backups are deleted` is another thing.
    """
    if not front or len(front) != len(end):
        return False
    first = front[0]
    if first not in fronting and not is_dated(first):
        return False
    for size in range(1 if alone or is_dated(first) else 2, len(front) - 1):
        if end[-size] == first and end[-size:] == front[:size]:
            return end[:-size] == front[size:]
    return False


def is_dated(token: str) -> bool:
    """Return True for a day, a date or an hour: a word of its own that stands first or last."""
    return token.startswith(("dateq", "dayq", "timeq"))


def any_dated(tokens: Sequence[str]) -> bool:
    """Return True where one of the tokens is a day, a date or an hour.

    Each text passes here, and in most of them these letters stand nowhere.
    """
    text = " ".join(tokens)
    if "dayq" not in text and "dateq" not in text and "timeq" not in text:
        return False
    return any(map(is_dated, tokens))


def is_adverb(token: str) -> bool:
    """Return True for an adverb that may stand before or behind its verb."""
    return token.endswith("ly") or token in _ADVERBS


_ADVERBS = rule_words("adjuncts.adverbs")
