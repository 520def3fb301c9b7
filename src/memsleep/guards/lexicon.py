"""The words that the rules of one script need, from the `reading` table of a language."""

from __future__ import annotations

import re
from collections.abc import Iterable

from memsleep.guards.tables import Table, split_phrases

NEVER = "(?!)"
"""A pattern that matches nothing: a list that a language lacks."""


class Lexicon:
    """Lists of words by name; a list that is not there is empty."""

    def __init__(self, table: Table) -> None:
        self._values = {key: str(text) for key, text in table.group("reading").items()}

    def words(self, name: str) -> tuple[str, ...]:
        """Return the words of a list: phrases where commas part them, else what blanks part."""
        text = self._values.get(name, "")
        return split_phrases(text) if "," in text else tuple(text.split())

    def pairs(self, name: str) -> dict[str, str]:
        """Return the entries `word>what it stands for` of a list."""
        parts = (word.partition(">") for word in self.words(name))
        return {word.strip(): value.strip() for word, _, value in parts}

    def sets(self) -> dict[str, frozenset[str]]:
        """Return every list as a set; one that is not there is empty."""
        return _Sets({name: frozenset(self.words(name)) for name in self._values})

    def any_of(self, *names: str) -> str:
        """Return a pattern of the words of lists, the longest first."""
        return any_of(word for name in names for word in self.words(name))

    def signs(self, name: str) -> str:
        """Return the inside of a class of the characters of a list; one that nothing is in."""
        return "".join(map(re.escape, self.words(name))) or "\\0"


class _Sets(dict[str, frozenset[str]]):
    def __missing__(self, name: str) -> frozenset[str]:
        return frozenset()


def any_of(words: Iterable[str]) -> str:
    """Return a pattern of words, the longest first; one that matches nothing for none."""
    ordered = sorted(set(words), key=lambda word: (-len(word), word))
    return "|".join(map(re.escape, ordered)) or NEVER
