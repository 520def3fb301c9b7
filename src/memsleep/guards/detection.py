"""Which language a text is in, so that its tables are the ones that read it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache

from memsleep.guards.language import Language, language_named
from memsleep.guards.scripts import language_of_script
from memsleep.guards.tables import CODES, table_of


@lru_cache(maxsize=1)
def _signs() -> tuple[dict[str, tuple[str, ...]], dict[str, tuple[str, ...]], int]:
    """Return words and endings -> languages of Latin script that take them as a sign."""
    words: dict[str, list[str]] = {}
    endings: dict[str, list[str]] = {}
    for code in CODES:
        for word in table_of(code).words("markers"):
            words.setdefault(word, []).append(code)
        for ending in table_of(code).words("endings"):
            endings.setdefault(ending, []).append(code)
    longest = max(map(len, endings), default=0)
    return (
        {word: tuple(codes) for word, codes in words.items()},
        {ending: tuple(codes) for ending, codes in endings.items()},
        longest,
    )


def language_of(folded: str) -> Language:
    """Return the language of a folded text: by script, else by its little words and endings.

    English where nothing tells: its tables know no word that another language's text would need.
    """
    return language_named(likely_languages(folded)[0])


def likely_languages(folded: str) -> tuple[str, ...]:
    """Return the languages that a folded text may be in, the likeliest first."""
    by_script = language_of_script(folded)
    return (by_script,) if by_script else _by_words(folded)


def _by_words(folded: str) -> tuple[str, ...]:
    words, endings, longest = _signs()
    counts: dict[str, int] = {}
    others: list[str] = []
    for word in folded.replace("'", "' ").split():
        codes = words.get(word)
        if codes:
            for code in codes:
                counts[code] = counts.get(code, 0) + 3
        else:
            others.append(word)
    first, second = sorted((0, 0, *counts.values()))[:-3:-1]
    if first - second < 6:
        _count_endings(others, endings, longest, counts)
    best = max(counts.values(), default=0)
    near = [code for code in CODES if counts.get(code, 0) > best - 3 and code in counts]
    return tuple(sorted(near, key=lambda code: -counts[code])) or ("en",)


def _count_endings(
    words: Sequence[str],
    endings: Mapping[str, tuple[str, ...]],
    longest: int,
    counts: dict[str, int],
) -> None:
    for word in words:
        bare = word.rstrip(".,;:!?")
        for size in range(min(longest, len(bare) - 1), 0, -1):
            for code in endings.get(bare[-size:], ()):
                counts[code] = counts.get(code, 0) + 1
