"""English parts of a claim with two places: who said it, who it is, what is excepted."""

from __future__ import annotations

from memsleep.guards.claims import Claim, Form
from memsleep.guards.dummies import LONGEST
from memsleep.guards.finite import is_finite, is_past, may_be_predicate
from memsleep.guards.relatives import RELATIVE_WORDS
from memsleep.guards.rule_words import rule_words
from memsleep.guards.tokens import MARK

_SAID = (("say",), ("said",))
_TIES = RELATIVE_WORDS | rule_words("turns.ties")


def reports(_claim: Claim, told: Form, _other: Claim) -> Form:
    """Return `according to Ida it rains` for `it rains, Ida said` and `it rains, according to`."""
    if told.count(MARK) != 1:
        return told
    place = told.index(MARK)
    first, last = told[:place], told[place + 1 :]
    if last[:2] == ("according", "to") and 2 < len(last) <= LONGEST and len(first) > 1:
        return (*last, *first)
    if last[-1:] in _SAID and 1 < len(last) <= LONGEST and _TIES.isdisjoint(last):
        return ("according", "to", *last[:-1], *first)
    return told


def appositions(claim: Claim, told: Form, _other: Claim) -> Form:
    """Return `the plumber Udo comes` for `Udo, the plumber, comes` and `the plumber, Udo, comes`.

    One of the two is a name; what a verb does not follow is a list.
    """
    if told.count(MARK) < 2:
        return told
    first = told.index(MARK)
    second = told.index(MARK, first + 1)
    one, other, rest = told[:first], told[first + 1 : second], told[second + 1 :]
    if not 0 < len(one) <= LONGEST or not 0 < len(other) <= LONGEST or len(rest) < 2:
        return told
    known = claim.language.determiners
    if (one[0] in known) == (other[0] in known) or not _TIES.isdisjoint((*one, *other)):
        return told
    if not may_be_predicate(claim.language, rest[0]):
        return told
    title, name = (one, other) if one[0] in known else (other, one)
    return (*title, *name, *rest) if title[1:] else told


def exceptions(claim: Claim, told: Form, _other: Claim) -> Form:
    """Return `every host is up except hera` for `every host except hera is up`, and in front."""
    if told.count("except") != 1 or told.count("every") != 1:
        return told
    place = told.index("except")
    if place == 0 and told.count(MARK) == 1:
        mark = told.index(MARK)
        rest = told[mark + 1 :]
        return (*rest, *told[:mark]) if rest[:1] == ("every",) else told
    start = told.index("every")
    if not start < place <= start + LONGEST or MARK in told[start:place]:
        return told
    for end in range(place + 2, min(place + 2 + LONGEST, len(told))):
        if may_be_predicate(claim.language, told[end]) and _TIES.isdisjoint(told[place:end]):
            if MARK in told[place:]:
                return told
            return (*told[:place], *told[end:], *told[place:end])
    return told


def sooner(claim: Claim, told: Form, other: Claim) -> Form:
    """Return `the pump failed before the fan` for `the fan failed after the pump did`.

    One of the two must say `did`: who left after the meeting did not meet before he left.
    """
    if "did" not in told and "did" not in other.words:
        return told
    place = next((i for i, word in enumerate(told) if word in _SOONER), 0)
    if place < 2 or MARK in told or "not" in told or not _SOONER.isdisjoint(told[place + 1 :]):
        return told
    behind = told[place + 1 :]
    behind = behind[: len(behind) - (behind[-1:] == ("did",))]
    if not 0 < len(behind) <= LONGEST or "did" in behind or "did" in told[:place]:
        return told
    verb = next((i for i in range(1, place) if is_past(claim.language, told[i])), 0)
    if verb and not all(w[0].isdigit() or w in {"a", "an"} for w in told[verb + 1 : place]):
        return told  # Ida met Ben before Eva: whom did Eva meet?
    if any(is_finite(claim.language, word) for word in behind):
        return told
    if told[place] == "before":
        return (*told[: place + 1], *behind)
    return (*behind, *told[verb:place], "before", *told[:verb]) if verb else told


_SOONER = frozenset({"before", "after"})


READ = (reports, appositions, exceptions, sooner)
