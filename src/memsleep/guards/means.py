"""English means told by a verb of use: `we use a saw to cut it`, `we cut it with a saw`."""

from __future__ import annotations

import re

from memsleep.guards.claims import Claim, Form
from memsleep.guards.deeds import participle_of
from memsleep.guards.dummies import LONGEST
from memsleep.guards.inflection import past_of
from memsleep.guards.language import Language
from memsleep.guards.relatives import RELATIVE_WORDS
from memsleep.guards.rule_words import rule_words
from memsleep.guards.tokens import MARK

_USED = rule_words("means.used")
_BE = frozenset({"is", "was"})
_ACCUSTOMED = re.compile(r"\bused to [a-z]+ing\b")
_USING = re.compile(r"\busing\b")
_USE = re.compile(r"\buse[sd]?\b")
_TIES = RELATIVE_WORDS | rule_words("means.ties")


def means(claim: Claim, told: Form, _other: Claim) -> Form:
    """Return `we cut it with a saw` for `we use a saw to cut it`, `it is cut with a saw` likewise.

    Who used to cut it, or is used to cutting it, tells of no means.
    """
    if _USED.isdisjoint(told) or sum(told.count(word) for word in _USED) != 1 or MARK in told:
        return told
    place = next(i for i, word in enumerate(told) if word in _USED)
    if _USING.search(claim.text.lower()) and not _USE.search(claim.text.lower()):
        before = place - (place > 0 and told[place - 1] == "by")
        return (*told[:before], "with", *told[place + 1 :]) if before > 1 else told
    if told[place] == "used" and told[place - 1] in _BE:
        return _passive(claim, told, place)
    return _active(claim.language, told, place)


def _active(language: Language, told: Form, place: int) -> Form:
    who, rest = told[:place], told[place + 1 :]
    if not 0 < place <= LONGEST or "to" not in rest[1:-2] or not _TIES.isdisjoint(told):
        return told
    middle = rest.index("to", 1)
    what, verb, patient = rest[:middle], rest[middle + 1], rest[middle + 2 :]
    voice = language.passive
    helped = told[place - 1] in voice.be | voice.have | voice.modals | {"to", "do", "did", "does"}
    if verb not in language.plain_words.tooled or helped or middle > LONGEST:
        return told
    if told[place] == "used":
        verb = voice.simple.get(verb) or past_of(verb)
    return (*who, verb, *patient, "with", *what)


def _passive(claim: Claim, told: Form, place: int) -> Form:
    what, rest = told[: place - 1], told[place + 1 :]
    if rest[:1] != ("to",) or len(rest) < 3 or not 0 < len(what) <= LONGEST:
        return told
    verb = rest[1]
    if verb not in claim.language.plain_words.tooled or not _TIES.isdisjoint(told):
        return told
    if _ACCUSTOMED.search(claim.text.lower()):
        return told
    return (*rest[2:], told[place - 1], participle_of(claim.language, verb), "with", *what)
