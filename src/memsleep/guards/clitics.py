"""Pronouns that hang on an infinitive or stand before its modal: `puede hacerlo`, `lo puede hacer`.

Each such pronoun is put before the modal, as a word of its own that no article is.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from memsleep.guards.tables import Table

_PLAIN = str.maketrans("áéíó", "aeio")


class Clitics:
    """What a language's pronouns hang on; without modals in its file nothing is touched."""

    def __init__(self, table: Table) -> None:
        infinitives = table.words("infinitives", "clitics")
        self._endings = tuple(f"{ending}{self._final(table)}" for ending in infinitives)
        self._added = self._final(table)
        self._pronouns = frozenset(table.words("pronouns", "clitics"))
        self._apart = frozenset(table.words("apart", "clitics"))
        self._modals = [tuple(phrase.split()) for phrase in table.phrases("modals", "clitics")]
        self._heads = frozenset(word for phrase in self._modals for word in phrase[:1])
        self.are_known = bool(self._modals)
        ordered = sorted(self._pronouns, key=lambda word: (-len(word), word))
        stems = "|".join(infinitives)
        self._fused = re.compile(rf"(\w+(?:{stems}))((?:{'|'.join(ordered)}){{1,2}})")
        self._one = re.compile("|".join(ordered)) if ordered else None

    @staticmethod
    def _final(table: Table) -> str:
        return "".join(table.words("added", "clitics"))

    def climbed(self, tokens: list[str]) -> list[str]:
        """Return the tokens with each such pronoun before its modal.

        Examples
        --------
        >>> from memsleep.guards.tables import table_of
        >>> spanish = Clitics(table_of("es"))
        >>> spanish.climbed("ana no puede hacerlo".split())
        ['ana', 'no', 'lo~', 'puede', 'hacer']
        >>> spanish.climbed("ana no lo puede hacer".split())
        ['ana', 'no', 'lo~', 'puede', 'hacer']
        >>> spanish.climbed("ana perla".split())
        ['ana', 'perla']
        """
        if self._heads.isdisjoint(tokens):
            return tokens
        result = list(tokens)
        for place in range(len(tokens) - 1, -1, -1):
            for modal in self._modals:
                stop = place + len(modal)
                if tuple(result[place:stop]) == modal and stop < len(result):
                    self._climb(result, place, stop)
                    break
        return result

    def _climb(self, tokens: list[str], start: int, verb: int) -> None:
        """Put the pronouns of one modal before it."""
        found: list[str] = []
        if tokens[verb] in self._apart and self._is_infinitive(tokens, verb + 1):
            found.append(tokens.pop(verb))  # pode me ajudar
        elif self._is_infinitive(tokens, verb):
            behind = tokens[verb + 1 : verb + 2]
            if behind and behind[0] in self._apart:
                found.append(tokens.pop(verb + 1))  # pode ajudar-me
        else:
            match = self._fused.fullmatch(tokens[verb])
            if match is None or self._one is None:
                return
            tokens[verb] = match[1].translate(_PLAIN) + self._added
            found = self._one.findall(match[2])
        first = start
        while first and tokens[first - 1] in self._pronouns:
            first -= 1
        tokens[first:start] = [f"{word}~" for word in (*tokens[first:start], *found)]

    def _is_infinitive(self, tokens: Sequence[str], place: int) -> bool:
        return place < len(tokens) and tokens[place].endswith(self._endings)
