"""What a dropped memory says and its keeper does not: carried over, or a matter for a person."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from functools import lru_cache

from memsleep.guards.polarity import negation_count
from memsleep.guards.quantity import identifier_set, number_counts
from memsleep.guards.tokens import canonical_tokens, content_tokens, is_unspaced
from memsleep.guards.wording import qualifier_counts
from memsleep.model import Memory
from memsleep.text import sentences

# Markup that a plain sentence cannot carry: code, tables, lists of properties, pictures.
_STRUCTURE = re.compile(
    rb"<(?:pre|code|table|dl|ul|ol|figure|img)\b|^```|^~~~|^\s*\||!\[|^\s*[-*+] \[", re.I | re.M
)
NEAR = 0.5
"""Share of common content words from which two sentences speak of the same thing."""


@dataclass(frozen=True, slots=True)
class Details:
    """Sentences to append to the keeper, or why a person has to look."""

    sentences: tuple[str, ...] = ()
    doubt: str = ""


def missing_details(keeper: Memory, dropped: Memory, dropped_source: bytes) -> Details:
    """Return the sentences of the dropped memory that the keeper does not hold.

    A sentence that speaks of what the keeper speaks of and says it otherwise is a doubt, and so
    is a detail that stands in code, a table or a list, which a sentence cannot carry.
    """
    held = sentences(keeper.body)
    missing = [s for s in sentences(dropped.body) if not any(_holds(mine, s) for mine in held)]
    for sentence in missing:
        if any(_conflicts(mine, sentence) for mine in held):
            return Details(doubt="one detail is told differently on the two sides")
    if missing and _STRUCTURE.search(dropped_source):
        return Details(doubt="the missing details stand in code, a table or a list")
    return Details(sentences=tuple(missing))


@lru_cache(maxsize=65536)
def _marks(sentence: str) -> tuple[object, ...]:
    """Return what turns the meaning of a sentence although few words change."""
    return (
        number_counts(sentence),
        identifier_set(sentence),
        negation_count(sentence),
        qualifier_counts(sentence),
    )


def _holds(mine: str, other: str) -> bool:
    """Return True when a sentence of the keeper says all that the other one says."""
    if canonical_tokens(mine) == canonical_tokens(other):
        return True
    if is_unspaced(other) or _marks(mine) != _marks(other):
        return False
    words = content_tokens(other)
    rest = iter(content_tokens(mine))
    return bool(words) and all(word in rest for word in words)


def _conflicts(mine: str, other: str) -> bool:
    """Return True when two sentences are about the same and neither adds to the other."""
    left, right = Counter(content_tokens(mine)), Counter(content_tokens(other))
    union = sum((left | right).values())
    if not union or sum((left & right).values()) / union < NEAR:
        return False
    extends = not left - right and _marks(mine) == _marks(other) and not is_unspaced(other)
    return not extends
