"""Words that a capital makes others inside a sentence: `ein Paar`, `ein paar`; `Sie`, `sie`."""

from __future__ import annotations

import re

from memsleep.guards.claims import Claim
from memsleep.guards.typography import plain_typography

_INSIDE = re.compile(r"(?<=[\w,] )[^\W\d_]+")
"""Words that begin no sentence and no quotation."""


def capitals_part(a: Claim, b: Claim) -> bool:
    """Return True where such a word has a capital in one claim and none in the other."""
    known = a.language.capital
    if not known or a.text == b.text:
        return False
    mine, theirs = _capitals(a.text, known), _capitals(b.text, known)
    return any(theirs.get(word, found) != found for word, found in mine.items())


def _capitals(text: str, known: frozenset[str]) -> dict[str, frozenset[bool]]:
    """Return each such word inside a text -> whether it has a capital there."""
    found: dict[str, frozenset[bool]] = {}
    for word in _INSIDE.findall(plain_typography(text)):
        if word.lower() in known:
            found[word.lower()] = found.get(word.lower(), frozenset()) | {word[0].isupper()}
    return found
