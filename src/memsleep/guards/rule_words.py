"""The words that rules ask for by themselves, by module and list, from `data/rules.toml`."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from memsleep.guards.tables import read_file, split_phrases


def rule_words(name: str) -> frozenset[str]:
    """Return the words of a list, `module.list`; KeyError for one that is not in the file.

    Examples
    --------
    >>> sorted(rule_words("logic.may"))
    ['can', 'may']
    """
    return frozenset(_text(name).split())


def rule_phrases(name: str) -> tuple[str, ...]:
    """Return the phrases of a list, which commas part, in their order."""
    return split_phrases(_text(name))


def rule_pairs(name: str) -> Mapping[str, str]:
    """Return the entries `word>what stands for it` of a list."""
    parts = (entry.partition(">") for entry in rule_phrases(name))
    return {word.strip(): instead.strip() for word, _, instead in parts}


def _text(name: str) -> str:
    module, _, key = name.partition(".")
    return str(_lists()[module][key])


@lru_cache(maxsize=1)
def _lists() -> Mapping[str, Mapping[str, object]]:
    return read_file("rules")
