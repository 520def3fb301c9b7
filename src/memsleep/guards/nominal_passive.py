"""English deeds told with an empty verb in the passive: a test of the pump is done.

That is `the pump is tested`. The active, `do a test of the pump`, is an entry of `verbs`; the
passive follows from it.
"""

from __future__ import annotations

from collections.abc import Callable

from memsleep.guards.particles import GAP
from memsleep.guards.relatives import RELATIVES
from memsleep.guards.rule_words import rule_words
from memsleep.guards.tables import Table
from memsleep.guards.tokens import MARK
from memsleep.guards.verbs import inflected, irregular_of

Words = tuple[str, ...]
_JOINTS = rule_words("nominal_passive.joints")
_ARTICLES = rule_words("rule_words.articles")
_BE = rule_words("nominal_passive.be")
_OPENING = rule_words("nominal_passive.opening")
"""Words behind which a clause begins with its subject."""
_PARTING = RELATIVES | rule_words("nominal_passive.parting") | {MARK}
"""Words behind which a participle need not belong to the noun."""
MOST_BETWEEN = 10
"""Words between the noun and its participle."""


class NominalPassive:
    """Noun and preposition -> participles of the empty verb, and of the verb that says it all."""

    def __init__(self, table: Table, prepared: Callable[[str], Words]) -> None:
        self._by_noun: dict[Words, list[tuple[Words, Words]]] = {}
        if table.code != "en":
            return
        irregular = irregular_of(table)
        for head, others in table.alternatives("verbs"):
            if head.split()[-1] in _JOINTS:
                continue
            told = prepared(inflected(head, irregular)[2])
            for other in others:
                *light, noun, joint = ("", "", *other.split())
                empty = " ".join(word for word in light if word and word not in _ARTICLES)
                if GAP not in empty and empty and joint in _JOINTS:
                    done = prepared(inflected(empty, irregular)[2])
                    self._by_noun.setdefault(prepared(f"{noun} {joint}"), []).append((done, told))
        self._nouns = frozenset(pattern[0] for pattern in self._by_noun)

    def applied(self, tokens: list[str]) -> list[str]:
        """Return the tokens with each such clause told of the thing that it is done to."""
        if not self._by_noun or self._nouns.isdisjoint(tokens) or _BE.isdisjoint(tokens):
            return tokens
        for place in range(len(tokens) - 3):
            if tokens[place] not in self._nouns:
                continue
            start = place - (place > 0 and tokens[place - 1] in _ARTICLES)
            if start and tokens[start - 1] != MARK and tokens[start - 1] not in _OPENING:
                continue
            found = self._told(tokens, place)
            if found is not None:
                return [*tokens[:start], *self.applied(found)]
        return tokens

    def _told(self, tokens: list[str], place: int) -> list[str] | None:
        """Return what stands for the tokens from a noun on, None where it is no such deed."""
        for size in (2, 3):
            thing = place + size
            for done, told in self._by_noun.get(tuple(tokens[place:thing]), ()):
                for at in range(thing + 1, min(len(tokens), thing + MOST_BETWEEN)):
                    if tokens[at] in _PARTING:
                        break
                    end = at + len(done)
                    if tokens[at - 1] in _BE and tuple(tokens[at:end]) == done:
                        return [*tokens[thing:at], *told, *tokens[end:]]
        return None
