"""Twins: texts that say the opposite, or another number, in nearly the same words."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from typing import Literal, NamedTuple

from memsleep.gate.words import words_of
from memsleep.text import sentences

_NUMBER = re.compile(r"[0-9]+")
_DENIAL = re.compile(r"\b(?:not|never|no longer|cannot)\b|n['\u2019]t\b", re.IGNORECASE)
_STATED = re.compile(
    r"\b(?:is|are|was|were|be|has|have|had|can|could|will|would|shall|should|must|may|might|does"
    r"|do|did|ist|sind|war|wird|kann|est|sont|es|son|\u00e9)\b",
    re.IGNORECASE,
)
_WORD = re.compile(r"\w+")


class Twin(NamedTuple):
    """A made-up twin of a text."""

    text: str
    flipped: Literal["number", "polarity"]


def twins_of(text: str) -> tuple[Twin, ...]:
    """Return a text with its first number raised by one, if it has one, and its polarity turned.

    Examples
    --------
    >>> [twin.text for twin in twins_of("the port is 8080")]
    ['the port is 8081', 'the port is not 8080']
    """
    return tuple(twin for twin in (_with_number(text), _turned(text)) if twin is not None)


def _with_number(text: str) -> Twin | None:
    number = _NUMBER.search(text)
    if number is None:
        return None
    raised = str(int(number.group()[:18]) + 1).zfill(len(number.group()))
    return Twin(text[: number.start()] + raised + text[number.end() :], "number")


def _turned(text: str) -> Twin | None:
    denial = _DENIAL.search(text)
    if denial is not None:
        turned = text[: denial.start()] + text[denial.end() :]
        return Twin(" ".join(turned.split()), "polarity")
    place = _STATED.search(text) or _WORD.search(text)
    if place is None:
        return None
    return Twin(f"{text[: place.end()]} not{text[place.end() :]}", "polarity")


def nearer_to_twin(text: str, twin: str, told: Iterable[str]) -> bool:
    """Return True when some texts say the twin rather than the text itself.

    Each is held sentence by sentence against both; the nearest sentence speaks.
    """
    true, false = _counted(text), _counted(twin)
    parts = [part for other in told for part in (*sentences(other), other)]
    held = [_counted(part) for part in dict.fromkeys(parts)]
    if not held:
        return False
    return min(_apart(false, other) for other in held) < min(_apart(true, other) for other in held)


def _counted(text: str) -> Counter[str]:
    """Return the words of a text, every denial as one word."""
    return Counter(words_of(_DENIAL.sub(" not ", text)))


def _apart(one: Counter[str], other: Counter[str]) -> int:
    return (one - other).total() + (other - one).total()
