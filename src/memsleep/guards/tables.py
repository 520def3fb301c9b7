"""The words of each language, from the data files beside this module.

A file is `data/<code>.toml`; `data/README.md` says what each table means. What is not in a file
is empty, so a language may begin with ten words. Nothing here knows a word of any language.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from importlib.resources import files
from itertools import product
from typing import Any

from memsleep.guards.typography import fold_typography

CODES = ("en", "de", "fr", "es", "pt", "it", "ru", "ar", "zh", "ja", "ko")
"""Languages with a table, in the order in which they are tried."""
MORE: Mapping[str, tuple[str, ...]] = {"en": ("en-words", "en-phrases")}
"""Further files of a language."""
WORD_TABLES = (
    "forms",
    "spelling",
    "synonyms",
    "verbs",
    "units",
    "calendar",
    "participles",
    "deeds",
    "doers",
)


@dataclass(frozen=True)
class Table:
    """One language's file as it is written, folded but for nothing else."""

    code: str
    values: Mapping[str, Any] = field(repr=False)
    fold: Callable[[str], str] = fold_typography
    """How a text of this language is folded before its words are looked up: tables likewise."""

    def words(self, name: str, group: str = "") -> tuple[str, ...]:
        """Return the words of a list that blanks part."""
        text = self.group(group).get(name, "") if group else self.values.get(name, "")
        return tuple(self.fold(str(text)).split())

    def phrases(self, name: str, group: str = "") -> tuple[str, ...]:
        """Return the phrases of a list that commas part."""
        text = self.group(group).get(name, "") if group else self.values.get(name, "")
        return split_phrases(self.fold(str(text)))

    def group(self, name: str) -> Mapping[str, Any]:
        """Return a table of a file; an absent one is empty."""
        found: Mapping[str, Any] = self.values.get(name, {})
        return found

    def pairs(self, name: str) -> Iterator[tuple[str, str]]:
        """Yield (key, value) of a table of texts, folded."""
        for key, value in self.group(name).items():
            yield self.fold(str(key)), self.fold(str(value))

    def alternatives(self, name: str) -> Iterator[tuple[str, tuple[str, ...]]]:
        """Yield (key, phrases) of a table of lists."""
        for key, value in self.group(name).items():
            phrases = split_phrases(self.fold(str(value)))
            yield self.fold(str(key)), tuple(one for told in phrases for one in spread_out(told))


def split_phrases(text: str) -> tuple[str, ...]:
    """Return the phrases between commas, white space collapsed."""
    parts = (" ".join(part.split()) for part in text.split(","))
    return tuple(part for part in parts if part)


def spread_out(phrase: str) -> tuple[str, ...]:
    """Return every phrase that one with a choice stands for.

    `|` parts what may stand in one place, nothing too; `_` is a blank inside a choice.

    Examples
    --------
    >>> spread_out("do|carry_out a| test")
    ('do a test', 'do test', 'carry out a test', 'carry out test')
    """
    if "|" not in phrase:
        return (phrase,)
    told = (" ".join(choice) for choice in product(*(w.split("|") for w in phrase.split())))
    return tuple(dict.fromkeys(" ".join(text.replace("_", " ").split()) for text in told))


@lru_cache(maxsize=32)
def table_of(code: str) -> Table:
    """Return the table of a language."""
    values = read_file(code)
    for name in MORE.get(code, ()):
        values = _joined(values, read_file(name))
    return Table(code, values)


def read_file(name: str) -> dict[str, Any]:
    """Return a data file as it is written; FileNotFoundError for one that is not there."""
    source = files("memsleep.guards").joinpath("data", f"{name}.toml").read_bytes()
    return tomllib.loads(source.decode("utf-8"))


def _joined(values: Mapping[str, Any], more: Mapping[str, Any]) -> dict[str, Any]:
    """Return a language's tables with more of them; what both have says both."""
    found = dict(values)
    for name, table in more.items():
        if not isinstance(table, dict):
            continue
        stop = ", " if name in WORD_TABLES else " "
        found[name] = {**found.get(name, {}), **table} | {
            key: f"{found[name][key]}{stop}{text}"
            for key, text in table.items()
            if key in found.get(name, {})
        }
    return found


def genders_of(table: Table) -> dict[str, frozenset[str]]:
    """Return each article or pronoun -> its gender and number."""
    found: dict[str, frozenset[str]] = {}
    for name in ("masculine", "feminine", "singular", "plural", "preposition", "contracted"):
        for word in table.words(name, "genders"):
            found[word] = found.get(word, frozenset()) | {name}
    return found


def changes_of(table: Table, name: str) -> list[tuple[str, str]]:
    """Return the rules `old>new` of a list."""
    pairs = (rule.partition(">") for rule in table.words(name, "regular"))
    return [(old, new) for old, _, new in pairs]
