"""How a file itself writes a sentence: its text together with the markup inside it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from memsleep.text import sentences


@dataclass(frozen=True, slots=True)
class Spelled:
    """One sentence as its file writes it."""

    text: str
    """The sentence without markup."""
    markup: str
    """The same in the syntax of its file."""
    precious: bool = False
    """True where the markup says more than the text: a link's target, what is code."""


Place = tuple[int, int, int]
"""Number of a text, and where a sentence begins and ends in it."""


def places(texts: Sequence[str], wanted: Sequence[str]) -> Iterator[Place | None]:
    """Yield the place of each wanted sentence in some texts, None for one that is not there.

    They are looked for in the order given, so that of two equal sentences each has its own place;
    one that stands before the last one found is looked for from the start.
    """
    found: list[Place] = []
    told: list[str] = []
    for number, text in enumerate(texts):
        reached = 0
        for sentence in sentences(text):
            start = text.find(sentence, reached)
            if start < 0:
                continue
            reached = start + len(sentence)
            found.append((number, start, reached))
            told.append(sentence)
    at = 0
    for sentence in wanted:
        if sentence not in told:
            yield None
            continue
        place = told.index(sentence, at if sentence in told[at:] else 0)
        at = place + 1
        yield found[place]


def shared_count(old: Sequence[object], new: Sequence[object]) -> int:
    """Return how many of the outer spans two characters stand in are the very same ones."""
    count = 0
    for one, other in zip(old, new, strict=False):
        if one is not other:
            break
        count += 1
    return count
