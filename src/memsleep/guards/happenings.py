"""English events told by a noun that has a date: `the deletion of the logs was on 3 May`."""

from __future__ import annotations

from memsleep.guards.adjuncts import is_dated
from memsleep.guards.claims import Claim, Form
from memsleep.guards.deeds import participle_of
from memsleep.guards.inflection import past_of
from memsleep.guards.restating import genitives
from memsleep.guards.tokens import MARK

_BE = frozenset({"is", "was"})


def happenings(claim: Claim, told: Form, _other: Claim) -> Form:
    """Return `the logs was deleted` for `the deletion of the logs was`, `it moved` for its move.

    Whose inspection it was may be who inspected, so only what needs no one else has a doer.
    """
    place = next((i for i in range(1, len(told) - 1) if told[i] in _BE), 0)
    if not place or not is_dated(told[place + 1]) or MARK in told[:place] or "not" in told:
        return told
    words = claim.language.plain_words
    start = told[:1] == ("the",)
    if told[start + 1 : start + 2] == ("of",) and start + 2 < place:
        who = told[start + 2 : place]
        verb = words.coming.get(told[start])
        if verb:
            return (*who, _finite(claim, verb, told[place]), *told[place + 1 :])
        verb = words.deeds.get(told[start])
        if verb and words.coming.keys().isdisjoint(who):
            done = participle_of(claim.language, verb)
            return (*who, told[place], done, *told[place + 1 :])
        return told
    for at in range(1, place):
        if told[at] in words.coming and told[at - 1] in genitives(claim):
            verb = _finite(claim, words.coming[told[at]], told[place])
            return (*told[:at], verb, *told[at + 1 : place], *told[place + 1 :])
    return told


def _finite(claim: Claim, verb: str, be: str) -> str:
    """Return a verb in the time of a form of `be`."""
    return verb if be == "is" else claim.language.passive.simple.get(verb) or past_of(verb)


def days_when(_claim: Claim, told: Form, _other: Claim) -> Form:
    """Return `the count happens on Monday` for `Monday is when the count happens`."""
    for place in range(1, len(told) - 3):
        if told[place] == "is" and told[place + 1] in {"when", "if"}:
            head = next((i + 1 for i in range(place - 1, -1, -1) if told[i] == MARK), 0)
            day, rest = told[head:place], told[place + 2 :]
            if day and is_dated(day[-1]) and MARK not in rest:
                return (*told[:head], *rest, *day)
    return told


READ = (happenings, days_when)
