"""Changes of order that say nothing: an adjunct in front or at the end, an adverb moved."""

from __future__ import annotations

from memsleep.guards.adjuncts import is_adverb, turned
from memsleep.guards.claims import Claim
from memsleep.guards.inversion import (
    crosses_clause,
    is_inverted,
    is_swapped,
    is_time_moved,
)
from memsleep.guards.language import PRONOUNS
from memsleep.guards.lists import is_permuted
from memsleep.guards.tokens import MARK


def is_reordered(a: Claim, b: Claim) -> bool:
    """Return True when nothing but the order of an adjunct, a list or an adverb differs."""
    if a.language is not b.language:
        return False
    if not a.language.by_rule and "not" in a.words and _moves_focus(a, b):
        return False
    if _moves_purpose(a, b):
        return False
    adverbs = a.language.adverbs
    if any(
        turned(one.form, two.form, one.language.fronting, alone=_may_stand_alone(one, adverbs))
        and not _parts_clauses(one, two)
        for one, two in ((a, b), (b, a))
    ):
        return True
    if a.language.syntax.verb_second and (is_inverted(a, b) or is_inverted(b, a)):
        return True
    if is_time_moved(a, b) or is_swapped(a, b):
        return True
    return is_permuted(a, b) or (a.language.by_rule and _is_adverb_moved(a, b))


def _parts_clauses(front: Claim, end: Claim) -> bool:
    """Return True where what moves may belong to one of two clauses; English has its own rule."""
    if front.language.by_rule or front.language.conjunctions.isdisjoint(front.form):
        return False
    rest = next(i for i in range(1, len(front.form)) if end.form[-i:] == front.form[:i])
    return crosses_clause(end.form[:-rest], front.language)


def _moves_focus(a: Claim, b: Claim) -> bool:
    """Return True where what one claim begins with is said of a denial: often she does not come."""
    focus = a.language.syntax.focus
    return any(
        not focus.isdisjoint(one.form[: one.form.index("not")])
        and one.form[:1] != two.form[:1]
        and not focus.isdisjoint(_lead(one, two))
        for one, two in ((a, b), (b, a))
    )


def _moves_purpose(a: Claim, b: Claim) -> bool:
    """Return True where an English purpose moves out of a denial: not done to save time."""
    if not a.language.by_rule or a.language.negation.isdisjoint(a.words):
        return False
    return (a.form[0] in _PURPOSE) != (b.form[0] in _PURPOSE)


_PURPOSE = frozenset({"to"})


def _lead(one: Claim, two: Claim) -> tuple[str, ...]:
    """Return the words before the first with which the other claim begins."""
    first = two.form[0]
    return one.form[: one.form.index(first)] if first in one.form else one.form


def _is_adverb_moved(a: Claim, b: Claim) -> bool:
    """Return True when one adverb stands elsewhere; a denial would say what it belongs to.

    In front it must belong to the sentence: `automatically created accounts` are not accounts
    that something happens to automatically, and `weekly backups` none that something befalls
    every week.
    """
    if "not" in a.words or len(a.form) != len(b.form):
        return False
    for front, other in ((a, b), (b, a)):
        adverb = front.form[0]
        if not is_adverb(adverb) or adverb in front.language.focusing:
            continue
        if front.form.count(adverb) == 1 and _opens_sentence(front):
            rest = list(other.form)
            rest.remove(adverb)
            if list(front.form[1:]) == rest:
                return True
    return False


def _may_stand_alone(claim: Claim, adverbs: frozenset[str]) -> bool:
    """Return True unless the first word may belong to the noun behind it: `weekly backups`."""
    return claim.form[0] in adverbs or _opens_sentence(claim)


def _opens_sentence(claim: Claim) -> bool:
    """Return True where a comma or the start of a noun follows the first word."""
    following = claim.marked[1:2]
    return not {MARK, *claim.language.determiners, *PRONOUNS}.isdisjoint(following)
