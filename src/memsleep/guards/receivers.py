"""English: who is given something, and whose it is: `sent Ben the letter`, `sent Ben's letter`."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from memsleep.guards.claims import Claim
from memsleep.guards.language import Language
from memsleep.guards.restating import genitives
from memsleep.guards.tokens import MARK
from memsleep.guards.verbhood import names_of

MOST_WORDS = 3
"""Words from a verb to the one who is given something."""

_TO = frozenset({"to", "for"})


def receivers_part(a: Claim, b: Claim) -> bool:
    """Return True where one claim gives a thing to somebody whose thing it is in the other."""
    if not a.language.by_rule or a.text == b.text:
        return False
    mine, theirs = _owned(a), _owned(b)
    if mine.keys() == theirs.keys():
        return False
    return _are_given(a, b, mine.keys() - theirs.keys()) or _are_given(
        b, a, theirs.keys() - mine.keys()
    )


@lru_cache(maxsize=1 << 13)
def _owned(claim: Claim) -> dict[str, frozenset[str]]:
    """Return owner -> what is owned: words before an apostrophe, and those behind of."""
    own, found = genitives(claim), dict[str, set[str]]()
    bare = [token for token in claim.marked if token not in claim.language.articles]
    for before, token, after in zip(("", *bare), bare, (*bare[1:], MARK), strict=False):
        if token in own:
            found.setdefault(token, set()).add(after)
        elif token == "of" and before:  # noqa: S105 (a word)
            found.setdefault(after, set()).add(before)
    return {word: frozenset(things) for word, things in found.items()}


def _are_given(owning: Claim, claim: Claim, owners: Iterable[str]) -> bool:
    """Return True where one who owns it in the one claim gives it or gets it in the other.

    `The server log shows it` is said of the server's log, and the payment of the rent is paid.
    """
    marked, verbs = claim.marked, _verbs(claim.language)
    if verbs.isdisjoint(marked):
        return False
    for word in owners:
        if word not in marked or word in verbs or word[0].isdigit():
            continue
        place = marked.index(word)
        if not verbs.isdisjoint(marked[max(place - MOST_WORDS, 0) : place]):
            return True
        if not _TO.isdisjoint(marked[max(place - 2, 0) : place]):
            return True
        things = _owned(owning)[word] & claim.words
        own = word in genitives(owning) | names_of(owning.text)
        if own and things and things.isdisjoint(marked[place + 1 : place + 2]):
            return True
    return False


@lru_cache(maxsize=4)
def _verbs(language: Language) -> frozenset[str]:
    sides = language.sides
    taken = {*sides.counterparts, *sides.counterparts.values()}
    return sides.giving | sides.making | taken
