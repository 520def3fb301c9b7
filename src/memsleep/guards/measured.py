"""What is measured, as a noun or as a verb: the weight of it is 5 kg, it weighs 5 kg."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from memsleep.guards.rule_words import rule_pairs, rule_phrases
from memsleep.guards.tables import Table
from memsleep.guards.tokens import MARK

_BOUNDS = tuple(tuple(phrase.split()) for phrase in rule_phrases("measured.bounds"))
_LIMITS = {word: tuple(bound.split()) for word, bound in rule_pairs("measured.limits").items()}
"""The maximum weight is 5 kg: it may weigh at most 5 kg."""


class Measured:
    """A language's nouns for what is measured, and what is said with a verb or an adjective."""

    def __init__(self, table: Table, modals: frozenset[str]) -> None:
        self._told: Mapping[str, tuple[str, ...]] = {
            noun: tuple(told.split()) for noun, told in table.pairs("measured")
        }
        self.nouns = frozenset(self._told)
        self._modals = modals
        nouns = "|".join(sorted(self._told))
        self._owned = re.compile(rf"(?:'s|s') (?:max\w* |min\w* )?(?:{nouns})\b") if nouns else None

    def applied(self, tokens: list[str], text: str) -> list[str]:
        """Return the tokens with the noun in front as a verb, if a measure is told of one thing."""
        start = int(tokens[:1] == ["the"])
        place = next((i for i, token in enumerate(tokens) if token in self.nouns), 0)
        limit = tokens[place - 1] if place and tokens[place - 1] in _LIMITS else ""
        if place - bool(limit) == start and tokens[place + 1 : place + 2] == ["of"]:
            link = self._link(tokens, place + 2)
            thing = tokens[place + 2 : link]
        elif self._owned is not None and self._owned.search(text) is not None:
            link = self._link(tokens, place + 1)
            thing = tokens[: place - bool(limit)] if link == place + 1 else []
        else:
            return tokens
        if not thing or link >= len(tokens):
            return tokens
        return self._verbal(tokens, thing, tokens[place], limit, link) or tokens

    def _link(self, tokens: Sequence[str], place: int) -> int:
        """Return the place of the `is` or the colon behind the thing."""
        while place < len(tokens) and tokens[place] not in {"is", MARK} | self._modals:
            if tokens[place][0].isdigit() and "~" in tokens[place]:
                return len(tokens)
            place += 1
        return place

    def _verbal(
        self, tokens: Sequence[str], thing: Sequence[str], noun: str, limit: str, link: int
    ) -> list[str]:
        """Return what is told of the thing with a verb; empty where no measure follows."""
        modal = [tokens[link]] if tokens[link] in self._modals else []
        place = link + 1
        if modal:
            if tokens[place : place + 1] != ["is"]:
                return []
            place += 1
        bound: list[str] = []
        for words in _BOUNDS:
            if tuple(tokens[place : place + len(words)]) == words:
                bound, place = list(words), place + len(words)
                break
        if limit:
            if bound or modal:
                return []
            modal, bound = [_LIMITS[limit][0]], list(_LIMITS[limit][1:])
        if place >= len(tokens) or not tokens[place][0].isdigit() or "~" not in tokens[place]:
            return []
        told = self._told[noun]
        size = place + 1
        if tokens[size : size + 1] == ["to"] and tokens[size + 1 : size + 2]:
            size += 2
        at = told.index("#")
        measure = [*bound, *tokens[place:size]]
        return [*thing, *modal, *told[:at], *measure, *told[at + 1 :], *tokens[size:]]
