"""English: who is given something, and whose it is: `sent Ben the letter`, `sent Ben's letter`."""

from __future__ import annotations

from memsleep.guards.claims import Claim
from memsleep.guards.restating import genitives
from memsleep.guards.tokens import MARK

MOST_WORDS = 3
"""Words from a verb to the one who is given something."""
_TO = frozenset({"to", "for"})


def receivers_part(a: Claim, b: Claim) -> bool:
    """Return True where one claim gives a thing to somebody whose thing it is in the other."""
    if not a.language.by_rule or a.text == b.text:
        return False
    mine, theirs = genitives(a), genitives(b)
    if mine == theirs:
        return False
    return any(_receives(b, word) for word in mine - theirs if word in b.words) or any(
        _receives(a, word) for word in theirs - mine if word in a.words
    )


def _receives(claim: Claim, word: str) -> bool:
    """Return True where a word stands behind a verb of giving, or behind it with to or for."""
    marked, sides = claim.marked, claim.language.sides
    verbs = sides.giving | sides.making
    for place, token in enumerate(marked):
        if token != word:
            continue
        if "of" in marked[max(place - 2, 0) : place]:
            continue  # sent the letter of Ben
        start = max(place - MOST_WORDS, 0)
        behind = marked[start:place]
        if MARK not in behind and not verbs.isdisjoint(behind):
            return True
        if not _TO.isdisjoint(marked[max(place - 2, 0) : place]) and not verbs.isdisjoint(
            marked[:place]
        ):
            return True
    return False
