"""English denials that stand in front put behind: `not once has it rained`, `without a key ...`.

A fronted denial turns subject and verb round, so what stands there leaves no doubt of its scope.
"""

from __future__ import annotations

from memsleep.guards.finite import is_past
from memsleep.guards.inflection import past_of
from memsleep.guards.language import Language
from memsleep.guards.relatives import RELATIVES
from memsleep.guards.rule_words import rule_pairs, rule_words
from memsleep.guards.tokens import MARK

_FIRST = rule_words("fronted.first")
_DENIALS = rule_words("rule_words.denials")
_ONLY_IF = frozenset({"without", "unless"})
_NOBODY = rule_words("fronted.nobody")
_LACKING = rule_pairs("fronted.lacking")


def unfronted(language: Language, tokens: list[str]) -> list[str]:
    """Return the tokens with a denial in front behind what it denies, `lack a` as `have no`."""
    first = tokens[:1]
    if first and first[0] in _FIRST:
        if first[0] in _ONLY_IF:
            return _without(language, tokens)
        if first == ["there"]:
            return _there(language, tokens)
        if tokens[:2] == ["not", "1~time"]:
            tokens = ["never", *tokens[2:]]
        return _turned(language, tokens) if tokens[0] == "never" else tokens
    if "instead" in tokens and "of" in tokens and _DENIALS.isdisjoint(tokens):
        return _instead(tokens)
    if tokens[-1:] == ["not"] and tokens.count(MARK) == 1:
        return _unlike(language, tokens)
    if not _LACKING.keys().isdisjoint(tokens) and _DENIALS.isdisjoint(tokens):
        return _lacking(tokens)
    return tokens


def _instead(tokens: list[str]) -> list[str]:
    """Return `use tabs, not spaces` for `use tabs instead of spaces`, and in front."""
    place = tokens.index("instead")
    before, what = tokens[:place], tokens[place + 2 :]
    if tokens[place + 1 : place + 2] != ["of"] or not what or tokens.count("instead") > 1:
        return tokens
    if not before:
        if what.count(MARK) != 1 or what[-1] == MARK:
            return tokens
        mark = what.index(MARK)
        return [*what[mark + 1 :], MARK, "not", *what[:mark]]
    return [*before[: len(before) - (before[-1] == MARK)], MARK, "not", *what]


def _without(language: Language, tokens: list[str]) -> list[str]:
    """Return `the job can not start without a key` for `without a key the job can not start`."""
    place = tokens.index(MARK) if MARK in tokens else 0
    if not place and tokens[0] == "without":
        place = _subject(language, tokens)
    rest = tokens[place + (tokens[place] == MARK) :]
    denied = sum(token in _DENIALS for token in rest)
    if place < 2 or len(rest) < 2 or denied != 1 or MARK in rest:
        return tokens
    return [*rest, *tokens[:place]]


def _subject(language: Language, tokens: list[str]) -> int:
    """Return where a subject begins behind an adjunct and its own article, 0 for nowhere."""
    voice = language.passive
    for place in range(2, len(tokens)):
        if tokens[place - 1] in voice.be | voice.have | voice.modals:
            return 0
        if tokens[place] == "there":
            return place
        known = tokens[place] in language.determiners and place > 2
        if known or tokens[place] in _NOBODY:
            return place
    return 0


def _turned(language: Language, tokens: list[str]) -> list[str]:
    """Return `the ferry have never been late` for `never have the ferry been late`."""
    voice, verbs = language.passive, language.plain_words.verbs
    if len(tokens) < 4 or MARK in tokens:
        return tokens
    helping, rest = tokens[1], tokens[2:]
    known = rest[0] in language.determiners
    if helping in voice.be:
        size = 1 + known
        return [*rest[:size], helping, "never", *rest[size:]] if rest[size:] else tokens
    if helping not in voice.have | voice.modals | {"do", "does", "did"}:
        return tokens
    for place in range(1 + known, len(rest)):
        word = rest[place]
        if helping in voice.have:
            fits = word == "been" or bool(language.plain_words.verb_of(word))
        else:
            fits = word in verbs or word == "be"
        if fits:
            return [*rest[:place], *_verb(language, helping, rest[place:])]
    return tokens


def _verb(language: Language, helping: str, told: list[str]) -> list[str]:
    """Return a verb as it stands behind its subject and `never`; it may in no case: it must not."""
    if helping in {"do", "does"}:
        return ["never", *told]
    if helping == "did":
        return ["never", language.passive.simple.get(told[0]) or past_of(told[0]), *told[1:]]
    return ["must" if helping == "may" else helping, "never", *told]


def _there(language: Language, tokens: list[str]) -> list[str]:
    """Return `no guest complained` for `there was no guest who complained`, both in the past."""
    place = next((i for i, token in enumerate(tokens) if token in RELATIVES), 0)
    if tokens[1:2] != ["was"] or place < 3 or MARK in tokens[:place]:
        return tokens
    verb = tokens[place + 1 : place + 2]
    if not verb or not is_past(language, verb[0]):
        return tokens
    return [*tokens[2:place], *tokens[place + 1 :]]


def _lacking(tokens: list[str]) -> list[str]:
    """Return `have no lid` for `lack a lid`; who lacks experience may have a little."""
    for place in range(1, len(tokens) - 2):
        if tokens[place] in _LACKING and tokens[place + 1] in {"a", "an"}:
            return [*tokens[:place], _LACKING[tokens[place]], "no", *tokens[place + 2 :]]
    return tokens


def _unlike(language: Language, tokens: list[str]) -> list[str]:
    """Return `unlike hera, zeus runs` for `zeus runs, but hera does not`."""
    place = tokens.index(MARK)
    first, second = tokens[:place], tokens[place + 1 :]
    second = second[second[0] in _BUT :]
    who, helping = second[:-2], second[-2:-1]
    if not _DENIALS.isdisjoint(first) or not 0 < len(who) <= _LONGEST or len(first) < _SHORTEST:
        return tokens
    voice = language.passive
    helps = voice.be | voice.have | voice.modals | {"do", "does", "did"}
    if not helping or helping[0] not in helps or not helps.isdisjoint(who):
        return tokens
    if helping[0] in {"do", "does"}:
        fits = (voice.be | voice.modals | voice.present.keys() | {"had"}).isdisjoint(first)
        fits = fits and not any(word.endswith("ed") for word in first)
    elif helping[0] == "did":
        fits = any(is_past(language, word) for word in first)
        fits = fits and voice.be.isdisjoint(first)
    else:
        fits = first.count(helping[0]) == 1
    return ["unlike", *who, MARK, *first] if fits else tokens


_BUT = rule_words("fronted.but")
_LONGEST = 5
_SHORTEST = 2
