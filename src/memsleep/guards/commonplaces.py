"""English turns of phrase for which there is a plainer one: deadlines, sources, who gets what."""

from __future__ import annotations

import re

from memsleep.guards.adjuncts import is_dated
from memsleep.guards.claims import Claim, Form
from memsleep.guards.dummies import LONGEST
from memsleep.guards.language import Language
from memsleep.guards.restating import ends_noun
from memsleep.guards.tokens import MARK
from memsleep.guards.verbhood import begins_noun

_BE = frozenset({"is", "was"})


def deadlines(_language: Language, told: Form) -> Form:
    """Return `the report is due in May` for `the deadline for the report is in May`."""
    start = told[:1] == ("the",)
    if told[start : start + 1] != ("deadline",) or told[start + 1 : start + 2] not in _OF:
        return told
    for place in range(start + 3, min(len(told) - 1, start + 3 + LONGEST)):
        if told[place] in _BE or told[place] == MARK:
            return (*told[start + 2 : place], "is", "due", *told[place + 1 :])
    return told


_OF = frozenset({("for",), ("of",)})


def due(_language: Language, told: Form) -> Form:
    """Return `it is due May` for `it is due on, by, in May`: the last day is meant."""
    if "due" not in told:
        return told
    place = told.index("due")
    return (*told[: place + 1], *told[place + 1 + (told[place + 1 : place + 2] in _ON) :])


def prepositions(_language: Language, told: Form) -> Form:
    """Return `the last Friday in May`, `10 Hz` for `the last Friday of May`, `at 10 Hz`."""
    result: list[str] = []
    for place, word in enumerate(told):
        following = told[place + 1] if place + 1 < len(told) else ""
        if word == "at" and following[:1].isdigit() and "~" in following:
            continue
        dated = place > 0 and is_dated(following) and _DAY.search(told[place - 1]) is not None
        if word == "for" and following[:1].isdigit() and "~" not in following:
            word = "of"
        result.append("in" if word == "of" and dated else word)
    return tuple(result)


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
        if told[place] in _TIMES and told[place - 1] == "a":
            end = next((i for i in range(place, len(told)) if told[i] == MARK), len(told))
            if told[place - 2] in language.plain_words.verbs | _HAVING:
                return (*told[:place], *told[place + 1 : end], told[place], *told[end:])
    return told


_HAVING = frozenset({"have", "receive", "supply"})


def needs(language: Language, told: Form) -> Form:
    """Return `entering needs a badge` for `to enter you need a badge`, `a badge is needed to`."""
    words = language.plain_words
    if MARK in told or _NEEDED.isdisjoint(told):
        return told
    for place in range(1, min(LONGEST + 1, len(told) - 2)):
        if told[place] in _ANYBODY and told[place + 1] == "require" and told[0] in words.verbs:
            return (*told[:place], *told[place + 1 :])
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
_ANYBODY = frozenset({"you", "we", "oneself"})


def needed_deeds(language: Language, told: Form) -> Form:
    """Return `inspect the roof` for `the roof needs an inspection`."""
    words = language.plain_words
    if "require" not in told[1:]:
        return told
    place = told.index("require", 1)
    start = place + 1 + (told[place + 1 : place + 2] in {("a",), ("an",)})
    if start >= len(told) or (start + 1 < len(told) and not _is_adjunct(language, told[start + 1])):
        return told
    verb = words.deeds.get(told[start], "")
    if not verb or MARK in told[:place]:
        return told
    return (verb, *told[:place], *told[start + 1 :])


def _is_adjunct(language: Language, word: str) -> bool:
    return word == MARK or is_dated(word) or word in _TIMES or word in language.fronting


def topics(_language: Language, told: Form) -> Form:
    """Return `the talk is about tax` for `the topic of the talk is tax`."""
    start = told[:1] == ("the",)
    if told[start : start + 1] not in _TOPICS or told[start + 1 : start + 2] != ("of",):
        return told
    if told.count("is") != 1 or MARK in told:
        return told
    place = told.index("is")
    return (*told[start + 2 : place], "is", "about", *told[place + 1 :])


_TOPICS = frozenset({("topic",), ("subject",), ("theme",)})


def owners(_language: Language, told: Form) -> Form:
    """Return `the next cleaning for Tobias is May 3` for `Tobias has his next cleaning May 3`."""
    if "have" not in told[:3] or not is_dated(told[-1]):
        return told
    place = told.index("have")
    stop = next(i for i, word in enumerate(told) if is_dated(word))
    if told[place + 1 : place + 2] in _HIS and place + 2 < stop and MARK not in told:
        return (*told[place + 2 : stop], "for", *told[:place], "is", *told[stop:])
    return told


_HIS = frozenset({("his",), ("her",), ("its",), ("their",), ("a",), ("an",)})


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
    barred = language.two_way | language.articles | language.passive.be | _TIMES | {MARK}
    for left in range(min(LONGEST - 1, place), 0, -1):
        head = told[place - left : place]
        if not barred.isdisjoint(head) or any(_parts(language, word) for word in head):
            continue
        if not begins_noun(claim, told[place - left - 1 : place - left], head[0]):
            continue
        for right in (2, 1):
            owner = told[behind : behind + right]
            if len(owner) < right or not barred.isdisjoint(owner) or owner[0][0].isdigit():
                continue
            if any(_parts(language, word) for word in owner) or not ends_noun(
                language, told, behind + right
            ):
                continue
            if any(map(is_dated, (*owner, *head))) or _stands(told, (*owner, *head)):
                continue
            if not _stands(other, (*owner, *head)):
                continue
            return (*told[: place - left], *owner, *head, *told[behind + right :])
    return None


def _parts(language: Language, word: str) -> bool:
    """Return True for a word that no noun goes on behind: another joint, a verb in the past."""
    return word in _JOINTS or word in language.passive.present or word.endswith("ed")


def _stands(form: Form, run: Form) -> bool:
    size = len(run)
    return any(form[i : i + size] == run for i in range(len(form) - size + 1))


_JOINTS = frozenset({"of", "for", "in", "on", "at", "from"})
_ON = frozenset({("on",), ("by",), ("in",), ("at",)})


def sources(_language: Language, told: Form) -> Form:
    """Return `according to the lease pets is allowed` for `the lease says that they are`."""
    if told[:2] == ("according", "to"):
        return tuple(t for t in told if t != MARK) if told.count(MARK) == 1 else told
    for place in range(1, min(LONGEST, len(told) - 3)):
        if told[place] in _SAYS and told[place + 1] == "that" and MARK not in told[:place]:
            return ("according", "to", *told[:place], *told[place + 2 :])
    return told


_SAYS = frozenset("say said show state indicate".split())


def runs(_language: Language, told: Form) -> Form:
    """Return `before the tests` for `before running the tests`."""
    told = _uploaded(_language, told)
    return tuple(
        word
        for i, word in enumerate(told)
        if word != "execute"
        or not i
        or told[i - 1] not in {"before", "after", "during"}
        or told[i + 1 : i + 2] in {(), (MARK,)}
    )


def _uploaded(language: Language, told: Form) -> Form:
    """Return `before upload` for `before being uploaded`."""
    if "being" not in told[1:-1]:
        return told
    place = told.index("being", 1)
    verb = language.plain_words.verb_of(told[place + 1])
    if not verb or told[place - 1] not in {"before", "after"}:
        return told
    return (*told[:place], verb, *told[place + 2 :])


def everybody(_language: Language, told: Form) -> Form:
    """Return `every robot must charge` for `any robot must charge`, where nothing is denied."""
    if told[:1] == ("any",) and _DOUBT.isdisjoint(told):
        return ("every", *told[1:])
    return told


_DOUBT = frozenset("not no never if can could may might without than except".split())


def receivers(_language: Language, told: Form) -> Form:
    """Return `the farm supply our eggs` for `we get our eggs from the farm`, also `send us`.

    Whoever gets it is not named again where it is one of us.
    """
    if "receive" in told and "from" in told and MARK not in told:
        place, source = told.index("receive"), told.index("from")
        rest = told[source + 1 :]
        size = next((i for i, t in enumerate(rest) if is_dated(t) or t in _TIMES), len(rest))
        if told[:place] == ("we",) and place + 1 < source and 0 < size <= LONGEST:
            return (*rest[:size], "supply", *told[place + 1 : source], *rest[size:])
    for place, word in enumerate(told):
        if word in _GIVES and place and MARK not in told and "receive" not in told:
            rest = told[place + 1 :]
            rest = rest[rest[:1] == ("us",) :]
            if len(rest) < len(told) - place - 1 or "our" in rest:
                return (*told[:place], "supply", *rest)
    return told


_GIVES = frozenset({"send", "supply", "give", "deliver"})
_TIMES = frozenset("daily weekly monthly yearly hourly every each".split())

RULES = (
    topics, deadlines, due, prepositions, sources, runs, everybody, receivers,
    timed, owners, measured,
)  # fmt: skip
LAST = (needed_deeds, needs)
"""Rules for what the others made."""
