"""English leave told by a noun: what needs the approval of Ida, what bookings are possible."""

from __future__ import annotations

from memsleep.guards.claims import Claim, Form
from memsleep.guards.deeds import participle_of
from memsleep.guards.dummies import LONGEST
from memsleep.guards.restating import genitives
from memsleep.guards.rule_words import rule_words
from memsleep.guards.tokens import MARK

_ARTICLES = rule_words("rule_words.articles")
_BY = rule_words("grants.by")


def grants(claim: Claim, told: Form, _other: Claim) -> Form:
    """Return `Ida must sign every deed` for `every deed requires the signature of Ida`.

    Only of what somebody grants: what needs the review of a plan needs nobody to plan.
    """
    granting = claim.language.plain_words.granting
    place = next((i for i in range(len(told)) if told[i] in granting), -1)
    if place < 0 or "require" not in told[1:place] or MARK in told:
        return told
    start = told.index("require", 1)
    what, verb, behind = told[:start], granting[told[place]], told[place + 1 :]
    if "not" in told or len(what) > LONGEST or told[start - 1] in claim.language.passive.modals:
        return told
    between = told[start + 1 : place]
    if behind[:1] and behind[0] in _BY and _ARTICLES.issuperset(between):
        return (*behind[1:], "must", verb, *what) if 1 < len(behind) <= LONGEST else told
    if between and not behind and between[-1] in genitives(claim):
        return (*between, "must", verb, *what)
    return told


def possibilities(claim: Claim, told: Form, other: Claim) -> Form:
    """Return `rooms can be booked` for `bookings of rooms are possible`, `you can` for `to ...`."""
    if "possible" not in told or "possible" in other.words or "can" not in other.words:
        return told
    words = claim.language.plain_words
    place = told.index("possible")
    denied = told[place - 1] == "not"
    if told[place - 1 - denied] != "is":
        return told
    who, rest = told[: place - 1 - denied], told[place + 1 :]
    can = ("can", "not") if denied else ("can",)
    if who == ("it",) and rest[:1] == ("to",) and rest[1:2] and rest[1] in words.verbs:
        return ("you", *can, *rest[1:])
    if who == ("it",) and rest[:1] == ("for",) and "to" in rest[2:-1]:
        end = rest.index("to", 2)
        is_act = rest[end + 1] in words.verbs and MARK not in rest[:end]
        return (*rest[1:end], *can, *rest[end + 1 :]) if is_act and end <= LONGEST else told
    start = who[:1] == ("the",)
    verb = words.deeds.get(who[start] if who[start:] else "")
    if verb and who[start + 1 : start + 2] in {("of",), ("for",)} and MARK not in who:
        what = who[start + 2 :]
        return (*what, *can, "be", participle_of(claim.language, verb), *rest) if what else told
    return told


READ = (grants, possibilities)
