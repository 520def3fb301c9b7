"""English denials of denials: `no page lacks a figure`, `never merge without a review`."""

from __future__ import annotations

from memsleep.guards.adjuncts import any_dated, is_dated
from memsleep.guards.finite import is_past
from memsleep.guards.fronted import unfronted
from memsleep.guards.inflection import past_of
from memsleep.guards.language import Language
from memsleep.guards.relatives import RELATIVES
from memsleep.guards.rule_words import rule_pairs, rule_phrases, rule_words
from memsleep.guards.tokens import MARK

_NOBODY = rule_pairs("logic.nobody")
_MAY = rule_words("logic.may")
_ONLY = rule_pairs("logic.only")
_NEGATIVE = rule_words("rule_words.denials")


def resolved(language: Language, tokens: list[str]) -> list[str]:
    """Return the tokens with what denies a denial said plainly.

    Only two denials of one sentence are resolved; a third one is left for a person.
    """
    if tokens[:1] == ["hardly"] and tokens[1:4] in _HARDLY_FAILS:
        return ["nearly", *resolved(language, ["nobody", *tokens[2:]])]
    tokens = unfronted(language, _singled(language, _plain_verbs(language, tokens)))
    if "required" in tokens or tokens[:1] == ["no"]:
        tokens = _always_true(tokens)
    denials = _denials(tokens)
    if tokens[:1] == ["every"] and tokens[1:3] == ["1", "of"]:
        tokens = ["every", *tokens[3:]]
    if "all" in tokens and not any(token[0].isdigit() for token in tokens):
        tokens = _each(language, tokens)
        denials = _denials(tokens)
    if tokens[:1] == [UNTRUE]:
        return _untrue(tokens, denials)
    if not denials or MARK in tokens[denials[0] : denials[-1]]:
        return tokens
    if denials[0] == 0 and tokens[0] in _NOBODY:
        return _none_without(language, tokens, denials)
    if len(denials) == 2 and tokens[denials[0]] in {"not", "never", "no"}:
        first, second = denials
        if tokens[second] in _ONLY:
            only = ["only", _ONLY[tokens[second]]]
            return [*tokens[:first], *tokens[first + 1 : second], *only, *tokens[second + 1 :]]
    return tokens


def _denials(tokens: list[str]) -> list[int]:
    """Return the places of the words that deny."""
    if _NEGATIVE.isdisjoint(tokens):
        return []
    return [i for i, token in enumerate(tokens) if token in _NEGATIVE]


UNTRUE = "nottrue"
"""Stands for `it is not true that`."""


def _untrue(tokens: list[str], denials: list[int]) -> list[str]:
    """Return what is not untrue; a claim that denies nothing else is denied."""
    if len(denials) == 1 and tokens[denials[0]] in {"not", "no"}:
        return [*tokens[1 : denials[0]], *tokens[denials[0] + 1 :]]
    return ["not", *tokens[1:]]


def _none_without(language: Language, tokens: list[str], denials: list[int]) -> list[str]:
    """Return `every page has a figure` for `no page lacks a figure`."""
    head = _NOBODY[tokens[0]]
    rest = _without_of(tokens[1:])
    fails = [i for i, token in enumerate(rest) if token in {"lack", "lacked", "fail", "failed"}]
    if len(denials) + len(fails) != 2:
        return tokens
    if fails:
        place = fails[0]
        if rest[place] in {"lack", "lacked"}:
            has = "have" if rest[place] == "lack" else "had"
            return [head, *rest[:place], has, *rest[place + 1 :]]
        if rest[place + 1 : place + 2] != ["to"] or place + 2 >= len(rest):
            return tokens
        verb = rest[place + 2]
        if rest[place] == "failed":
            verb = language.passive.simple.get(verb) or past_of(verb)
        return [head, *rest[:place], verb, *rest[place + 3 :]]
    place = denials[1] - (len(tokens) - len(rest))
    if rest[place] == "without":
        if rest[:1] and rest[0] in _MAY:  # nobody may go in without a badge: only with one
            return ["you", *rest[:place], "only", "with", *rest[place + 1 :]]
        if rest[place - 1] in {"is", "was"}:
            has = "have" if rest[place - 1] == "is" else "had"
            return [head, *rest[: place - 1], has, *rest[place + 1 :]]
        return [head, *rest[:place], "with", *rest[place + 1 :]]
    if rest[place] == "not":
        return [head, *rest[:place], *rest[place + 1 :]]
    return tokens


def _always_true(tokens: list[str]) -> list[str]:
    """Return `the desk is manned every day` for `on no day is the desk not manned`."""
    if tokens[:1] == ["no"] and tokens[2:3] == ["on"] and tokens.count("not") == 1:
        place = tokens.index("not")
        if tokens[1] in _TIMES and MARK not in tokens[:place]:
            return [*tokens[3:place], *tokens[place + 1 :], _TIMES[tokens[1]]]
    return tokens


_HARDLY_FAILS = [phrase.split() for phrase in rule_phrases("logic.hardly_fails")]
_TIMES = rule_pairs("logic.times")


def _singled(language: Language, tokens: list[str]) -> list[str]:
    """Return `only Anna has it` for `Anna is the only one who has it`."""
    if "only" not in tokens:
        return tokens
    for place in range(1, len(tokens) - 3):
        if tokens[place] == "only" and tokens[place + 1] in {"1", "person"}:
            start = place - (tokens[place - 1] == "the")
            if tokens[start - 1] == "is" and tokens[place + 2] in RELATIVES and start > 1:
                head = next((i + 1 for i in range(start - 1, -1, -1) if tokens[i] == MARK), 0)
                if tokens[head] in language.fronting:
                    return tokens  # in May Anna is: not only in May
                who = ["only", *tokens[head : start - 1]]
                return [*tokens[:head], *who, *tokens[place + 3 :]]
    return tokens


def _each(language: Language, tokens: list[str]) -> list[str]:
    """Return the tokens with `all of the hosts` as `every host`; `all day` is not every day."""
    result: list[str] = []
    place = 0
    while place < len(tokens):
        rest = _without_of(tokens[place + 1 :])
        set_phrase = bool(result) and result[-1] in _SET_PHRASES | language.passive.be
        if tokens[place] == "all" and rest and rest[0] not in _WHOLE and not set_phrase:
            result.append("every")
            place = len(tokens) - len(rest)
            continue
        result.append(tokens[place])
        place += 1
    return result


_WHOLE = rule_words("logic.whole") | {MARK}
_SET_PHRASES = rule_words("logic.set_phrases")


def _without_of(tokens: list[str]) -> list[str]:
    """Return what stands behind `all of the`."""
    tokens = tokens[tokens[:1] == ["of"] :]
    return tokens[tokens[:1] == ["the"] :]


def _plain_verbs(language: Language, tokens: list[str]) -> list[str]:
    """Return the tokens with `gets sent` as `is sent`, and `one must` told of nobody by name."""
    if tokens[:1] == ["1"] and tokens[1:2] and tokens[1] in language.passive.modals:
        tokens = ["oneself", *tokens[1:]]
    tokens = _dated_events(language, tokens)
    if "receive" not in tokens and "received" not in tokens:
        return tokens
    be, modal = {"receive": "is", "received": "was"}, language.passive.modals | {"to"}
    return [
        ("be" if _ahead(tokens, i) in modal else be[token])
        if token in be and _is_participle(language, tokens[i + 1 : i + 2])
        else token
        for i, token in enumerate(tokens)
    ]


def _ahead(tokens: list[str], place: int) -> str:
    """Return the word before a place, or before the `not` there."""
    place -= 1 + (place > 1 and tokens[place - 1] == "not")
    return tokens[place] if place >= 0 else ""


def _is_participle(language: Language, following: list[str]) -> bool:
    return bool(following) and (
        (following[0] in language.passive.bases or following[0].endswith("ed"))
        and following[0] not in language.becoming
    )


def without_stress(language: Language, tokens: list[str]) -> list[str]:
    """Return the tokens without a word that only stresses a modal: `simply cannot`."""
    if language.stressing.isdisjoint(tokens):
        return tokens
    voice = language.passive
    heads = voice.modals | {"not", "did", "do", "does"}
    return [
        token
        for i, token in enumerate(tokens)
        if token not in language.stressing
        or (heads.isdisjoint(tokens[i + 1 : i + 2]) and voice.modals.isdisjoint(tokens[i - 1 : i]))
    ]


def _dated_events(language: Language, tokens: list[str]) -> list[str]:
    """Return the tokens with `took place on 3 May` as `was on 3 May`, `from 3 to 5` as `3 to 5`."""
    if "from" not in tokens and language.events.isdisjoint(tokens):
        return tokens
    if not any_dated(tokens):
        return tokens
    result: list[str] = []
    for place, token in enumerate(tokens):
        after = tokens[place + 1 : place + 4]
        if token == "from" and len(after) == 3 and after[1] in _UNTIL:  # noqa: S105 (a word)
            if is_dated(after[0]) and is_dated(after[2]):
                continue
        elif token in language.events and after and place:
            dated = after[1:2] if after[0] == "from" else after[:1]
            if dated and is_dated(dated[0]):
                if is_past(language, token):
                    result.append("was")
                continue
        result.append(token)
    return result


_UNTIL = frozenset({"to", "until"})
