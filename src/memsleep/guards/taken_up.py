"""English pronouns that take up the one thing told of: `if the filter clogs, replace it`."""

from __future__ import annotations

from collections.abc import Iterator

from memsleep.guards.claims import Claim, Form
from memsleep.guards.rule_words import rule_words
from memsleep.guards.tokens import MARK

MOST_WORDS = 4
"""Words of a thing that is taken up."""
_ONE = rule_words("taken_up.one")
_MANY = frozenset({"they", "them"})
_LEADS = rule_words("taken_up.leads")


def named_again(claim: Claim, tokens: Form) -> Iterator[Form]:
    """Yield a telling with the thing that a pronoun takes up in the pronoun's place.

    The claim has two parts, and the one without the pronoun tells of a single thing, so that no
    other can be meant.
    """
    places = [i for i, token in enumerate(tokens) if token in _ONE | _MANY]
    if len(places) != 1 or tokens[:2] == ("it", "is"):
        return
    place = places[0]
    joint = next((i for i in range(1, len(tokens)) if tokens[i] in _LEADS | {MARK}), 0)
    if not joint:
        return
    part = tokens[:joint] if place >= joint else tokens[joint:]
    for thing in _single(claim, part):
        yield (*tokens[:place], *thing, *tokens[place + 1 :])


def _single(claim: Claim, part: Form) -> Iterator[Form]:
    """Yield the readings of the one thing told of in a part of a claim; nothing for several."""
    language, marked = claim.language, claim.marked
    starts = [
        i + 1
        for i in range(len(marked) - 1)
        if marked[i] in language.determiners and marked[i + 1] in part
    ]
    if len(starts) != 1:
        return
    start = starts[0]
    for size in range(1, MOST_WORDS + 1):
        thing = marked[start : start + size]
        if len(thing) < size or MARK in thing or thing[-1] in language.passive.be:
            return
        if any(part[i : i + size] == thing for i in range(len(part))):
            yield thing
