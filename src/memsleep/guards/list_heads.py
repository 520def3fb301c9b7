"""What stands before a list and belongs to its first member alone, or to all of them.

`Bring warm socks and a hat` is not `bring a warm hat and socks`, and `for Anna: Ben and Cora` is
not `for Ben: Anna and Cora`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from memsleep.guards.adjuncts import is_adverb
from memsleep.guards.claims import Claim, Form, claim_in
from memsleep.guards.language import PRONOUNS, Language
from memsleep.guards.tokens import MARK
from memsleep.guards.typography import plain_typography
from memsleep.guards.verbhood import (
    determined,
    is_third_person,
    may_be_verb,
    names_of,
    written,
)


def narrows(a: Claim, b: Claim, before: Sequence[str], members: Sequence[Form]) -> bool:
    """Return True where the word before a list may be a part of its first member.

    So it is where an article stands before that word, or before a later member and not before the
    first; elsewhere the word must be one that leads to a list: a verb, a preposition, a number.
    """
    if not a.language.by_rule or not before or before[-1] == MARK:
        return False
    lead = before[-1]
    if members[0][0] in _leads(a.language):
        return False  # by post, in person: nothing else can be a part of it
    for claim in (a, b):
        known = determined(claim)
        if lead in known and lead not in _leads(claim.language):
            return True
        first, *others = [member[0] in known for member in members]
        if not first and any(others) and not _leads_on(claim, before):
            return True
    return not _leads_on(a, before)


def ends_narrowly(a: Claim, b: Claim, members: Sequence[Form]) -> bool:
    """Return True where a member has an article of its own, so what follows is a part of it.

    `Milk and a coffee grinder` are not a grinder of milk and of coffee.
    """
    return any(member[0] in determined(claim) for claim in (a, b) for member in members[1:])


def tells_who(a: Claim, b: Claim, members: Sequence[Form]) -> bool:
    """Return True where a member may be what another one is, not one more: Ana, our lead, and Ben.

    So it is where names stand beside nouns with an article or a possessive, and the first member
    is not the same in both: who the lead is would be told of somebody else.
    """
    names = names_of(a.text) | names_of(b.text)
    for claim in (a, b):
        nouns = determined(claim) | _pointing(claim.language)
        bare = [member[0] for member in members if member[0] not in nouns]
        if 0 < len(bare) < len(members) and names.issuperset(bare):
            return True
    return False


@lru_cache(maxsize=64)
def _pointing(language: Language) -> frozenset[str]:
    """Return the determiners that do not count: `our`, not `some`."""
    classes = language.classes
    return frozenset(w for w in language.determiners if "quantifiers" not in classes.get(w, ()))


def moves_head(a: Claim, b: Claim) -> bool:
    """Return True where two texts with a colon, a dash or a bracket say other words before it."""
    one, other = _head(a), _head(b)
    return bool(one) and bool(other) and one != other


def _leads_on(claim: Claim, before: Sequence[str]) -> bool:
    """Return True where the last word before a list leads to all of it, as far as words tell."""
    lead = before[-1]
    if lead in _leads(claim.language) or lead[0].isdigit() or is_adverb(lead):
        return True
    if lead in claim.words and any(is_third_person(word) for word in written(claim, lead)):
        return True
    if not may_be_verb(claim, lead):
        return False
    voice = claim.language.passive
    helps = voice.modals | voice.have | voice.be | PRONOUNS | {"to", "not"}
    if not helps.isdisjoint(before[-2:-1]):
        return True
    return not any(_is_verb(claim, word) for word in _clause(before[:-1]))


def _clause(before: Sequence[str]) -> Sequence[str]:
    ends = [place for place, token in enumerate(before) if token == MARK]
    return before[ends[-1] + 1 :] if ends else before


def _is_verb(claim: Claim, word: str) -> bool:
    """Return True for a word that is a verb where it stands, rather than a noun."""
    if word in determined(claim):
        return False
    return may_be_verb(claim, word) or any(map(is_third_person, written(claim, word)))


@lru_cache(maxsize=64)
def _leads(language: Language) -> frozenset[str]:
    """Return the words behind which every member of a list is told of."""
    voice = language.passive
    small = language.by | language.conjunctions | language.articles | language.determiners
    return language.fronting | small | voice.be | voice.have | voice.modals | language.list_leads


@lru_cache(maxsize=4096)
def _head(claim: Claim) -> frozenset[str]:
    """Return what a text says before its first colon, dash or bracket, if it has one inside."""
    head, *rest = _HEAD.split(plain_typography(claim.text), maxsplit=1)
    return claim_in(head, claim.language.code).words if rest else frozenset()


_HEAD = re.compile(r": (?=\S)| - (?=\S)| ?\((?=\S)")
