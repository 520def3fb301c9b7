"""English verbs of two words: `turn the light off` is `turn off the light`."""

from __future__ import annotations

from memsleep.guards.adjuncts import is_dated
from memsleep.guards.finite import is_past
from memsleep.guards.inflection import bases_of
from memsleep.guards.language import Language
from memsleep.guards.relatives import RELATIVES
from memsleep.guards.rule_words import rule_words
from memsleep.guards.tokens import MARK

MOST_BETWEEN = 5
"""Words between a verb and what goes with it."""
_STOPS = RELATIVES | rule_words("phrasal.stops") | {MARK}


def with_particles(tokens: list[str], language: Language) -> list[str]:
    """Return the tokens with what belongs to a verb beside it.

    The object begins with an article or the like; behind the word that moves the clause ends or
    another part of it begins, so that it is no preposition: `put the key in the safe`.
    """
    if language.sides.particles.isdisjoint(tokens):
        return tokens
    for place in range(2, len(tokens)):
        if tokens[place] not in language.sides.particles or not _ends(tokens, place):
            continue
        for verb in range(place - 2, max(place - MOST_BETWEEN - 2, -1), -1):
            between = tokens[verb + 1 : place]
            if not _STOPS.isdisjoint(between) or not language.fronting.isdisjoint(between[1:]):
                break
            moves = _is_one_of(tokens[verb], language.sides.moving, language)
            if between[0] in _OBJECT and _is_verb(tokens[verb], language) and not moves:
                rest = with_particles(tokens[place + 1 :], language)
                return [*tokens[: verb + 1], tokens[place], *between, *rest]
    return tokens


_OBJECT = rule_words("phrasal.object")


def _is_verb(word: str, language: Language) -> bool:
    return word in language.known_verbs or is_past(language, word)


def _is_one_of(word: str, verbs: frozenset[str], language: Language) -> bool:
    bases = (*language.passive.present.get(word, ()), *bases_of(word))
    return word in verbs or not verbs.isdisjoint(bases)


def _ends(tokens: list[str], place: int) -> bool:
    following = tokens[place + 1] if place + 1 < len(tokens) else MARK
    if following in _EVERY:  # not `put the logo on every page`
        return not _TIMES.isdisjoint(tokens[place + 2 : place + 3])
    return following in _BEHIND or following == MARK or is_dated(following)


_BEHIND = rule_words("phrasal.behind")
_EVERY = frozenset({"every", "each"})
_TIMES = rule_words("phrasal.times")
