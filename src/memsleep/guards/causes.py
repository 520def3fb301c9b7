"""English causes told behind what they cause: `X, which is why Y` is `Y because X`.

A sequence is no cause (`X, and Y`), nor is a time: `since` tells a cause only before the present.
What begins with a pronoun stays behind what it means.
"""

from __future__ import annotations

from memsleep.guards.adjuncts import is_dated
from memsleep.guards.claims import Claim, Form
from memsleep.guards.finite import is_past
from memsleep.guards.language import Language
from memsleep.guards.rule_words import rule_words
from memsleep.guards.tokens import MARK

_SO = rule_words("causes.so")
_LINKS = _SO | rule_words("causes.links")
_TAKING_UP = rule_words("causes.taking_up")
_OTHER_SO = rule_words("causes.other_so")
_UNSURE = rule_words("causes.unsure")


def causes(claim: Claim, told: Form, _other: Claim) -> Form:
    """Return `the bread sank because it was cold` for `it was cold, which is why ...`."""
    if _LINKS.isdisjoint(told):
        return told
    links = [place for place, word in enumerate(told) if word in _LINKS]
    if len(links) != 1 or told.count(MARK) > 1:
        return told
    cause, effect = _parts(claim.language, told, links[0])
    if not cause or len(effect) < 2 or effect[0] in _UNSURE or MARK in (*cause, *effect):
        return told
    return (*effect, "because", *cause)


def _parts(language: Language, told: Form, place: int) -> tuple[Form, Form]:
    """Return the cause and what it causes, nothing where no cause is told."""
    word = told[place]
    before, after = told[:place], told[place + 1 :]
    if word == "why":
        return _why(before, after)
    if word in _SO:
        helps = language.passive.be | language.passive.have | language.passive.modals
        joined = before[-2:] == (MARK, "and")
        before = before[: len(before) - joined]
        turned = after[:1] and after[0] in helps | _OTHER_SO | {"do", "does", "did"}
        return (before[:-1], after) if before[-1:] == (MARK,) and not turned else ((), ())
    if not place and MARK in after:
        mark = after.index(MARK)
        cause, effect = after[:mark], after[mark + 1 :]
    else:
        cause, effect = after, before[: len(before) - (before[-1:] == (MARK,))]
    return (cause, effect) if word == "because" or _is_now(language, cause) else ((), ())


def _why(before: Form, after: Form) -> tuple[Form, Form]:
    """Return the parts of `X, which is why Y`, and of `the reason why Y is that X`."""
    if before[-1:] == ("is",) and before[-2:-1] and before[-2] in _TAKING_UP:
        rest = before[:-2]
        rest = rest[: len(rest) - (rest[-1:] == ("and",))]
        return (rest[:-1], after) if rest[-1:] == (MARK,) else ((), ())
    if before in {("the", "reason"), ("reason",)}:
        for place in range(2, len(after) - 2):
            if after[place] == "is" and after[place + 1] in {"that", "because"}:
                return after[place + 2 :], after[:place]
    return (), ()


def _is_now(language: Language, cause: Form) -> bool:
    """Return True for a clause in the present: since the runner has two cores, not since it moved.

    `Since moving` has lost its ending, so what begins with a verb is no clause.
    """
    words, voice = language.plain_words, language.passive
    if len(cause) < 3 or cause[0] in words.verbs or any(map(is_dated, cause)):
        return False
    for place, word in enumerate(cause):
        irregular = word in {"was", "had", "did"} or word in voice.present
        if irregular or (is_past(language, word) and cause[place - 1] not in voice.be):
            return False
        if word == "have" and cause[place + 1 :] and words.verb_of(cause[place + 1]):
            return False
        if word in {"been", "being"}:
            return False
    return any(word in voice.be | {"have"} or word in words.verbs for word in cause[1:])
