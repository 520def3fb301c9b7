"""English adverbs before a verb or behind its object: `quickly deleted the draft`."""

from __future__ import annotations

from memsleep.guards.adjuncts import is_dated
from memsleep.guards.claims import Claim, Form
from memsleep.guards.language import PRONOUNS, Language
from memsleep.guards.relatives import RELATIVES
from memsleep.guards.rule_words import rule_words
from memsleep.guards.tokens import MARK

_OFTEN = rule_words("adverbs.often")
_DEGREES = rule_words("adverbs.degrees")
MOST_OBJECT = 5
"""Words of an object."""


def is_adverb_moved(a: Claim, b: Claim) -> bool:
    """Return True where two claims differ in the place of one adverb, which goes with one verb."""
    if not a.language.by_rule or a.language is not b.language:
        return False
    one, other = _said(a), _said(b)
    if len(one) != len(other):
        return False
    start = next((i for i, pair in enumerate(zip(one, other, strict=True)) if len({*pair}) > 1), -1)
    if start < 0:
        return False
    return _moved(a.language, one, other, start) or _moved(a.language, other, one, start)


def _said(claim: Claim) -> Form:
    """Return the words of a claim with its marks and articles, without `do` and `is`."""
    language = claim.language
    return tuple(
        t
        for t in claim.marked
        if t not in language.silent or t in language.determiners or t == MARK
    )


def _moved(language: Language, front: Form, behind: Form, start: int) -> bool:
    """Return True where the adverb at a place of one stands behind verb and object in the other."""
    adverb = front[start]
    if not _is_movable(language, adverb) or front[start - 1 : start] in _NOT_BEFORE:
        return False
    end = next((i for i in range(start + 1, len(behind)) if behind[i] == adverb), 0)
    if not end or front[start + 1 : end + 1] != behind[start:end]:
        return False
    if front[end + 1 :] != behind[end + 1 :] or behind[end - 1] in _DEGREES:
        return False
    following = behind[end + 1 : end + 2]
    if following and not (
        following[0] == MARK or is_dated(following[0]) or following[0] in language.fronting
    ):
        return False
    return _is_act(language, behind[start:end])


_NOT_BEFORE = frozenset((word,) for word in _DEGREES - {"not"})


def _is_movable(language: Language, word: str) -> bool:
    if word in _OFTEN:
        return True
    classes = language.classes.get(word, ())
    return word.endswith("ly") and word not in language.focusing and "hedges" not in classes


def _is_act(language: Language, told: Form) -> bool:
    """Return True for one verb and its object, which begins with an article or is one word."""
    verb, thing = told[0], told[1:]
    words = language.plain_words
    known = verb in words.verbs or words.verb_of(verb) or verb in language.passive.present
    if not known or verb in words.causing or len(thing) > MOST_OBJECT:
        return False
    if not thing:
        return True
    barred = language.conjunctions | language.fronting | language.negation | _PARTING
    if not barred.isdisjoint(thing) or any(
        "quantifiers" in language.classes.get(w, ()) for w in thing
    ):
        return False
    rest = thing[thing[0] in language.determiners :]
    if len(rest) == len(thing):
        return len(thing) == 1
    if any(w.endswith(("ly", "ed")) or w in language.passive.present for w in rest[1:]):
        return False  # the box Ben painted
    if len(rest) > _NOUN and (rest[-1] in words.verbs or not PRONOUNS.isdisjoint(rest)):
        return False
    return language.determiners.isdisjoint(rest)


_NOUN = 2
"""Words of an object up to which its last one is a noun: the man Ben knows."""


_PARTING = RELATIVES | {MARK, "to", "of"}
