"""English clefts, dummy subjects and relatives that only turn a claim round."""

from __future__ import annotations

from memsleep.guards.adjuncts import is_dated
from memsleep.guards.claims import Form
from memsleep.guards.finite import is_auxiliary
from memsleep.guards.language import Language
from memsleep.guards.relatives import ANY_RELATIVE
from memsleep.guards.rule_words import rule_phrases
from memsleep.guards.tokens import MARK

LONGEST = 6
"""Words of a noun and what goes with it."""
_BE = frozenset({"is", "was"})
_ARTICLES = frozenset({"a", "an"})
"""It is a tool that checks links: that is what it is."""


def clefts(language: Language, told: Form) -> Form:
    """Return `Ida maintains it` for `it is Ida who maintains it`."""
    if told[:1] != ("it",) or told[1:2] not in {("is",), ("was",)}:
        return told
    for place in range(3, min(len(told) - 1, 3 + LONGEST)):
        if told[place] == MARK:
            return told
        if told[place] not in ANY_RELATIVE:
            continue
        known = told[place].startswith("who") or told[2] in language.determiners - _ARTICLES
        known = known and ANY_RELATIVE.isdisjoint(told[place + 1 :])
        verb = _is_known_verb(language, told[place + 1])
        return (*told[2:place], *told[place + 1 :]) if known and verb else told
    return told


def _is_known_verb(language: Language, word: str) -> bool:
    """Return True for a verb that the tables know in this form; an unknown one in -ed is none."""
    words, voice = language.plain_words, language.passive
    return (
        word in words.verbs
        or bool(words.verb_of(word))
        or word in voice.present
        or is_auxiliary(language, word)
    )


def pseudo_clefts(language: Language, told: Form) -> Form:
    """Return `the linter checks it` for `what the linter does is check it`.

    `This is what the contract says` and `an hour is what she expects` are told likewise.
    """
    for place in range(1, len(told) - 2):
        if told[place] == "what" and told[place - 1] in _BE and MARK not in told[:place]:
            rest = told[place + 1 :]
            if MARK not in rest and _is_known_verb(language, rest[-1]):
                return (*rest, *told[: place - 1])
            return told
    if told[:1] != ("what",) or "is" not in told:
        return told
    place = told.index("is")
    left, right = told[1:place], told[place + 1 :]
    if len(left) < 2 or not right or MARK in left:
        return told
    if left[-1] in {"do", "does"}:
        right = right[right[:1] == ("to",) :]
        return (*left[:-1], *right) if _is_known_verb(language, right[0]) else told
    return (*left, *right) if _is_known_verb(language, left[-1]) else told


def the_one_who(language: Language, told: Form) -> Form:
    """Return `Ida maintains it` for `Ida is the person who maintains it`."""
    for place in range(1, len(told) - 4):
        is_one = told[place] in _BE and told[place + 1] == "the" and told[place + 2] in _ONES
        if is_one and told[place + 3] in ANY_RELATIVE and _is_known_verb(language, told[place + 4]):
            return (*told[:place], *told[place + 4 :])
    return told


_ONES = frozenset({"person"})


def duties(language: Language, told: Form) -> Form:
    """Return `Ida responsible for baking` for `baking is Ida's job`, `it is her job to bake`."""
    words = language.plain_words
    place = next((i for i, word in enumerate(told) if word in words.duties), 0)
    if not place or MARK in told:
        return told
    who: Form = ()
    deed: Form = ()
    if told[:2] == ("it", "is") and told[place + 1 : place + 2] == ("to",):
        who, deed = told[2:place], told[place + 2 :]
    elif told[place + 1 : place + 3] == ("is", "to"):
        who, deed = told[:place], told[place + 3 :]
    elif place == len(told) - 1 and "is" in told:
        start = told.index("is")
        who, deed = told[start + 1 : place], told[:start]
    elif told[place + 1 : place + 2] == ("is",):
        who, deed = told[:place], told[place + 2 :]
    if not who or not deed or len(who) > LONGEST or not _is_known_verb(language, deed[0]):
        return told
    return (*who, "is", "responsible", "for", *deed)


def dummies(language: Language, told: Form) -> Form:
    """Return `to bake is easy` for `it is easy to bake`, `baking takes an hour` likewise."""
    if told[:2] == ("it", "is") and "to" in told[2:7]:
        place = told.index("to")
        done = 2 < place < len(told) - 1 and _is_known_verb(language, told[place + 1])
        if (
            done
            and MARK not in told
            and not any(_is_known_verb(language, w) for w in told[2:place])
        ):
            return (*told[place + 1 :], "is", *told[2:place])
        return told
    if "take" in told and "to" in told[told.index("take") :]:
        place = told.index("take")
        stop = told.index("to", place)
        measured = any(word[0].isdigit() for word in told[place:stop])
        if measured and stop + 1 < len(told) and _is_known_verb(language, told[stop + 1]):
            size = next(i for i, w in enumerate(told[place + 1 : stop]) if w[0].isdigit())
            whose = told[place + 1 : place + 1 + size] if told[:place] == ("it",) else ()
            whose = () if whose[:1] and whose[0] in language.classes else whose
            subject = () if told[:place] == ("it",) else told[:place]
            if MARK not in told and place <= LONGEST:
                rest = told[place + 1 + len(whose) : stop]
                return (*told[stop + 1 :], *subject, *whose, "take", *rest)
    return told


def found_there(language: Language, told: Form) -> Form:
    """Return `the centrifuge is in room 3` for `you will find the centrifuge in room 3`."""
    size = next((len(lead) for lead in _FINDS if told[: len(lead)] == lead), 0)
    where = language.plain_words.where
    place = next((i for i in range(size + 1, len(told)) if told[i] in where), 0) if size else 0
    if place and MARK not in told[:place]:
        return (*told[size:place], "is", *told[place:])
    return told


_FINDS = tuple(tuple(lead.split()) for lead in rule_phrases("dummies.finds"))


def places(language: Language, told: Form) -> Form:
    """Return `the key is in the box` for `the key is kept in the box`, or lies inside it."""
    words = language.plain_words
    if words.staying.isdisjoint(told) and words.standing.isdisjoint(told) and "inside" not in told:
        return told
    result: list[str] = []
    for place, word in enumerate(told):
        following = told[place + 1] if place + 1 < len(told) else ""
        if word == "inside" and following and following != MARK:
            result.append("in")
        elif word in words.staying and result[-1:] and result[-1] in _BE:
            if not _is_place(language, told, place + 1):
                result.append(word)
        elif word in words.standing and result and _is_place(language, told, place + 1):
            result.append("is" if word in language.plain_words.verbs else "was")
        else:
            result.append(word)
    return tuple(result)


def _is_place(language: Language, told: Form, place: int) -> bool:
    """Return True for `in the box`: not in May, not behind the plan, not at 5 m."""
    where, behind = told[place : place + 1], told[place + 1 : place + 2]
    if not behind or where[0] not in language.plain_words.where:
        return False
    timed = is_dated(behind[0]) or behind[0] in language.passive.modals  # in May
    return not timed and not behind[0][0].isdigit()


def relatives(language: Language, told: Form) -> Form:
    """Return `files written in May` for `files that were written in May`."""
    if ANY_RELATIVE.isdisjoint(told):
        return told
    words, result, place = language.plain_words, list[str](), 0
    while place < len(told):
        word, before = told[place], result[-1] if result else MARK
        after = told[place + 1 : place + 3]
        noun = before not in words.before_clauses | language.passive.be | language.passive.modals
        noun = noun and before not in words.demanding
        if word in ANY_RELATIVE and noun and after:
            if after[0] in _BE and len(after) > 1 and words.verb_of(after[1]):
                place += 2
                continue
            if after[0] == "have":
                result.append("with")
                place += 2
                continue
        result.append(word)
        place += 1
    return tuple(result)


RULES = (
    clefts, pseudo_clefts, the_one_who, duties, dummies, found_there, places, relatives,
)  # fmt: skip
