"""Which language a text is in, so that its tables are the ones that read it."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache

from memsleep.guards.scripts import language_of_script
from memsleep.guards.tables import CODES, table_of


@lru_cache(maxsize=1)
def _letters() -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Return for each language of Latin script what letters stand together in it."""
    return tuple((code, table_of(code).words("letters")) for code in CODES)


_SIGNS = re.compile('[,.;:!?()*_`"#>]')
_SHARES = {1: 6, 2: 3, 3: 2}
"""How many languages have a word -> what it counts for each; 1 for more of them."""


@lru_cache(maxsize=1)
def _signs() -> tuple[dict[str, tuple[tuple[str, int], ...]], dict[str, tuple[str, ...]], int]:
    """Return words -> (language of Latin script, what it counts), endings -> languages."""
    words: dict[str, list[str]] = {}
    endings: dict[str, list[str]] = {}
    for code in CODES:
        for word in _little_words(code):
            words.setdefault(word, []).append(code)
        for ending in table_of(code).words("endings"):
            endings.setdefault(ending, []).append(code)
    longest = max(map(len, endings), default=0)
    return (
        {
            word: tuple((code, _SHARES.get(len(codes), 1)) for code in codes)
            for word, codes in words.items()
        },
        {ending: tuple(codes) for ending, codes in endings.items()},
        longest,
    )


_CLASSES = ("quantifiers", "qualifiers", "hedges", "tense", "conditions", "directions")


def _little_words(code: str) -> tuple[str, ...]:
    """Return the markers of a language and the words that qualify and deny in it."""
    table = table_of(code)
    words = [*table.words("markers"), *table.words("words", "negation")]
    for name in _CLASSES:
        words += table.words(name, "classes")
    return tuple(dict.fromkeys(words))


def likely_languages(folded: str) -> tuple[str, ...]:
    """Return the languages that a folded text may be in, the likeliest first.

    The script tells at once, else little words and endings do. English where nothing tells: its
    tables know no word that another language's text would need.
    """
    by_script = language_of_script(folded)
    return (by_script,) if by_script else _by_words(folded)


def _by_words(folded: str) -> tuple[str, ...]:
    words, endings, longest = _signs()
    counts: dict[str, int] = {}
    others: list[str] = []
    for word in _SIGNS.sub(" ", folded.replace("'", "' ")).split():
        codes = words.get(word)
        if codes:
            for code, share in codes:
                counts[code] = counts.get(code, 0) + share
        else:
            others.append(word)
    if not counts:
        return _unmarked(others, endings, longest)
    first, second = sorted((0, 0, *counts.values()))[:-3:-1]
    if first - second >= CERTAIN:
        return (max(counts, key=lambda code: counts[code]),)  # no other one is near
    _count_endings(others, endings, longest, counts)
    _count_letters(others, counts)
    best = max(counts.values(), default=0)
    near = [code for code in CODES if counts.get(code, 0) > best - NEAR and code in counts]
    return tuple(sorted(near, key=lambda code: -counts[code])) or ("en",)


def _unmarked(
    words: Sequence[str], endings: Mapping[str, tuple[str, ...]], longest: int
) -> tuple[str, ...]:
    """Return the language of a text without any little word: English if its endings do not tell."""
    counts: dict[str, int] = {}
    _count_endings(words, endings, longest, counts)
    code = max(CODES, key=lambda code: counts.get(code, 0))
    return (code,) if counts.get(code, 0) >= counts.get("en", 0) + NEAR else ("en",)


CERTAIN = 12
"""Lead of the first language over the second with which no ending is looked at."""
NEAR = 4
"""A language that far behind the first, or nearer, may be the one too."""


def _count_endings(
    words: Sequence[str],
    endings: Mapping[str, tuple[str, ...]],
    longest: int,
    counts: dict[str, int],
) -> None:
    for word in words:
        for size in range(min(longest, len(word) - 1), 0, -1):
            for code in endings.get(word[-size:], ()):
                counts[code] = counts.get(code, 0) + 1


def _count_letters(words: Sequence[str], counts: dict[str, int]) -> None:
    text = " ".join(words)
    for code, letters in _letters():
        found = sum(text.count(piece) for piece in letters)
        if found:
            counts[code] = counts.get(code, 0) + found
