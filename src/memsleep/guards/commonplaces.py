"""English turns of phrase for which there is a plainer one: deadlines, sources, who gets what."""

from __future__ import annotations

import re

from memsleep.guards.adjuncts import is_dated
from memsleep.guards.claims import Claim, Form
from memsleep.guards.dummies import LONGEST
from memsleep.guards.finite import is_past
from memsleep.guards.language import Language
from memsleep.guards.restating import ends_noun
from memsleep.guards.rule_words import rule_words
from memsleep.guards.tokens import MARK
from memsleep.guards.verbhood import begins_noun, is_loose

_BE = frozenset({"is", "was"})


def deadlines(_language: Language, told: Form) -> Form:
    """Return `the report is due in May` for `the deadline for the report is in May`."""
    start = told[:1] == ("the",)
    if told[start : start + 1] != ("deadline",) or told[start + 1 : start + 2] not in _OF:
        return told
    for place in range(start + 3, min(len(told) - 1, start + 3 + LONGEST)):
        if told[place] in _BE or told[place] == MARK:
            be = "was" if told[place] == "was" else "is"
            return (*told[start + 2 : place], be, "due", *told[place + 1 :])
    return told


_OF = frozenset({("for",), ("of",)})


def due(language: Language, told: Form) -> Form:
    """Return `it is due Monday` for `it is due on, by, at Monday`: the last day is meant.

    By May is not in May, nor is in 5 days at 5 days.
    """
    if "due" not in told:
        return told
    place = told.index("due") + 1
    behind = told[place + 1] if place + 1 < len(told) else ""
    month = behind.startswith("dateq") and behind[-1] == "q"
    month = month or behind in language.passive.modals  # may
    kept = "~" in behind or (told[place : place + 1] == ("by",) and month)
    return (*told[:place], *told[place + (told[place : place + 1] in _ON and not kept) :])


def prepositions(language: Language, told: Form) -> Form:
    """Return `the last Friday in May`, `10 Hz` for `the last Friday of May`, `at 10 Hz`.

    `The budget of 2026` is told for `the budget for 2026`; a table for four is not one of four.
    """
    result: list[str] = []
    for place, word in enumerate(told):
        following = told[place + 1] if place + 1 < len(told) else ""
        if word == "at" and following.partition("~")[2] in language.plain_words.pace:
            continue
        dated = place > 0 and is_dated(following) and _DAY.search(told[place - 1]) is not None
        if word == "for" and _YEAR.match(following) is not None:
            word = "of"
        result.append("in" if word == "of" and dated else word)
    return tuple(result)


_YEAR = re.compile(r"(?:(?:19|20)[0-9]{2}|[0-9]+\.[0-9.]+)$")
"""A year, or a version."""
_DAY = re.compile(r"^dayq|^(?:day|weekend|week|weekday|half|quarter)$")


def measured(language: Language, told: Form) -> Form:
    """Return `24 hours notice` for `a notice of 24 hours`."""
    for place in range(1, len(told) - 1):
        figure = told[place + 1]
        if told[place] != "of" or "~" not in figure or not figure[0].isdigit():
            continue
        noun = told[place - 1]
        if noun[0].isdigit() or noun in language.classes or noun in language.passive.be:
            continue
        start = place - 1 - (place > 1 and told[place - 2] in {"a", "an"})
        return (*told[:start], figure, noun, *told[place + 2 :])
    return told


def timed(language: Language, told: Form) -> Form:
    """Return `send an invoice monthly` for `send a monthly invoice`."""
    for place in range(2, len(told) - 1):
        if told[place] in language.plain_words.periodic and told[place - 1] == "a":
            end = next((i for i in range(place, len(told)) if told[i] == MARK), len(told))
            if told[place - 2] in language.plain_words.recurring:
                return (*told[:place], *told[place + 1 : end], told[place], *told[end:])
    return told


def needs(language: Language, told: Form) -> Form:
    """Return `entering needs a badge` for `to enter you need a badge`, `a badge is needed to`."""
    words = language.plain_words
    if MARK in told or _NEEDED.isdisjoint(told):
        return told
    for place in range(1, min(LONGEST + 1, len(told) - 2)):
        if told[place] in _ANYBODY and told[place + 1] == "require" and told[0] in words.verbs:
            return (*told[:place], *told[place + 1 :])
    for place in range(1, min(LONGEST + 1, len(told) - 3)):
        if told[place : place + 2] == ("is", "required") and told[place + 2] in words.verbs:
            return (*told[place + 2 :], "require", *told[:place])
    if "to" not in told[2:-1]:
        return told
    place = told.index("to", 2)
    thing, deed = told[:place], told[place + 1 :]
    if deed[0] not in words.verbs:
        return told
    if thing[-2:] == ("is", "required") and len(thing) > 2:
        return (*deed, "require", *thing[:-2])
    if thing[0] in _ANYBODY and thing[1] == "require" and len(thing) > 2:
        return (*deed, "require", *thing[2:])
    return told


_NEEDED = frozenset({"require", "required"})
_ANYBODY = rule_words("commonplaces.anybody")


def needed_deeds(language: Language, told: Form) -> Form:
    """Return `inspect the roof` for `the roof needs an inspection`.

    Only what nobody asks for himself: a bank that requires registration registers others.
    """
    words = language.plain_words
    if "require" not in told[1:]:
        return told
    place = told.index("require", 1)
    start = place + 1 + (told[place + 1 : place + 2] in {("a",), ("an",)})
    if start >= len(told) or (start + 1 < len(told) and not _is_adjunct(language, told[start + 1])):
        return told
    verb = words.deeds.get(told[start], "")
    if told[start] not in words.tended or MARK in told[:place]:
        return told
    return (verb, *told[:place], *told[start + 1 :])


def _is_adjunct(language: Language, word: str) -> bool:
    known = word in language.plain_words.periodic or word in language.fronting
    return known or word == MARK or is_dated(word)


def topics(_language: Language, told: Form) -> Form:
    """Return `the talk is about tax` for `the topic of the talk is tax`."""
    start = told[:1] == ("the",)
    if told[start : start + 1] not in _TOPICS or told[start + 1 : start + 2] != ("of",):
        return told
    if told.count("is") != 1 or MARK in told:
        return told
    place = told.index("is")
    return (*told[start + 2 : place], "is", "about", *told[place + 1 :])


_TOPICS = frozenset((word,) for word in rule_words("commonplaces.topics"))


def owners(_language: Language, told: Form) -> Form:
    """Return `the next cleaning for Tobias is May 3` for `Tobias has his next cleaning May 3`."""
    if "have" not in told[:3] or not is_dated(told[-1]):
        return told
    place = told.index("have")
    stop = next(i for i, word in enumerate(told) if is_dated(word))
    if told[place + 1 : place + 2] in _HIS and place + 2 < stop and MARK not in told:
        return (*told[place + 2 : stop], "for", *told[:place], "is", *told[stop:])
    return told


_HIS = frozenset((word,) for word in rule_words("rule_words.possessives"))


def compounds(
    claim: Claim, told: Form, other: Form, owners: tuple[frozenset[str], frozenset[str]]
) -> Form:
    """Return `lab supplies` for `supplies for the lab` where the other claim has it so.

    What is for somebody need not be theirs: the gift for Anna.
    """
    language, words = claim.language, claim.language.plain_words
    place = 1
    while place < len(told) - 1:
        if told[place] in _JOINTS:
            behind = place + 1 + (told[place + 1] in language.articles)
            held = told[place] == "of" and told[place - 1] in words.holders
            mine, theirs = owners
            given = not (mine if told[place] == "of" else theirs | mine).isdisjoint(
                told[behind : behind + 2]
            )
            found = _compound(claim, told, place, behind, other)
            if found is not None and not held and not given:
                told = found
                continue
        place += 1
    return told


def _compound(claim: Claim, told: Form, place: int, behind: int, other: Form) -> Form | None:
    language = claim.language
    barred = language.two_way | language.articles | language.passive.be | {MARK}
    barred |= language.plain_words.periodic
    for left in range(min(LONGEST - 1, place), 0, -1):
        head = told[place - left : place]
        if not barred.isdisjoint(head) or any(_parts(language, word) for word in head):
            continue
        lead = told[place - left - 1 : place - left]
        if not begins_noun(claim, lead, head[0]):
            continue
        if told[place] == "for" and not (language.sides.giving | language.sides.making).isdisjoint(
            lead
        ):
            continue  # lends milk for the shop
        for right in (2, 1):
            owner = told[behind : behind + right]
            if len(owner) < right or not barred.isdisjoint(owner):
                continue
            if not _is_noun(language, owner) or not ends_noun(language, told, behind + right):
                continue
            if any(map(is_dated, (*owner, *head))) or _stands(told, (*owner, *head)):
                continue
            if not _stands(other, (*owner, *head)):
                continue  # nor `paid Ben the rent`
            return (*told[: place - left], *owner, *head, *told[behind + right :])
    return None


def _is_noun(language: Language, words: Form) -> bool:
    """Return True for what may stand before another noun, and then goes with nothing else.

    The new database client is no client of the new database: it may be the client that is new.
    """
    if words[0][0].isdigit() or is_loose(language, words):
        return False
    return not any(_parts(language, word) for word in words)


def _parts(language: Language, word: str) -> bool:
    """Return True for a word that no noun goes on behind: another joint, a verb in the past."""
    return word in _JOINTS or is_past(language, word)


def _stands(form: Form, run: Form) -> bool:
    size = len(run)
    return any(form[i : i + size] == run for i in range(len(form) - size + 1))


_JOINTS = rule_words("commonplaces.joints")
_ON = frozenset((word,) for word in rule_words("commonplaces.on"))


def sources(_language: Language, told: Form) -> Form:
    """Return `according to the lease pets is allowed` for `the lease says that they are`."""
    if told[:2] == ("according", "to"):
        return tuple(t for t in told if t != MARK) if told.count(MARK) == 1 else told
    for place in range(1, min(LONGEST, len(told) - 3)):
        if told[place] in _SAYS and told[place + 1] == "that" and MARK not in told[:place]:
            return ("according", "to", *told[:place], *told[place + 2 :])
    return told


_SAYS = rule_words("commonplaces.says")


def runs(_language: Language, told: Form) -> Form:
    """Return `before the tests` for `before running the tests`."""
    return tuple(
        word
        for i, word in enumerate(told)
        if word != "execute"
        or not i
        or told[i - 1] not in {"before", "after", "during"}
        or told[i + 1 : i + 2] in {(), (MARK,)}
    )


def everybody(_language: Language, told: Form) -> Form:
    """Return `every robot must charge` for `any robot must charge`, where nothing is denied.

    Any password opens the door, any two keys do: that is not said of every one.
    """
    if told[:1] == ("any",) and _DOUBT.isdisjoint(told) and not _DUTY.isdisjoint(told):
        return told if told[1:2] and told[1][0].isdigit() else ("every", *told[1:])
    return told


_DUTY = rule_words("commonplaces.duty")
_DOUBT = rule_words("commonplaces.doubt")


RULES = (
    topics, deadlines, due, prepositions, sources, runs, everybody,
    timed, owners, measured,
)  # fmt: skip
LAST = (needed_deeds, needs)
"""Rules for what the others made."""
