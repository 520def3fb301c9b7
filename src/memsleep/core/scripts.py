"""Cutting text into words and into runs of scripts written without spaces."""

from __future__ import annotations

import re
import sys
import unicodedata
from collections.abc import Iterator
from functools import cache
from typing import Final

# Ranges for a regular expression class. Ideographs with their iteration mark and zero.
HAN: Final = r"\u3005\u3007\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
# Hiragana, katakana with its long-vowel mark, half-width katakana.
KANA: Final = (
    r"\u3041-\u3096\u3099\u309a\u309d-\u309f"
    r"\u30a1-\u30fa\u30fc-\u30ff\u31f0-\u31ff\uff66-\uff9f"
)
HANGUL: Final = r"\u1100-\u11ff\u3131-\u318e\ua960-\ua97c\uac00-\ud7a3\ud7b0-\ud7fb"
# Letters, vowels and tone marks of Thai, Lao, Khmer and Myanmar; not their digits.
SOUTH_EAST: Final = (
    r"\u0e01-\u0e3a\u0e40-\u0e4e\u0e81-\u0ebd\u0ec0-\u0ecd\u0edc-\u0edf"
    r"\u1780-\u17d3\u1000-\u103f\u1050-\u109d"
)
UNSPACED: Final = (HAN, KANA, HANGUL, SOUTH_EAST)

_ASCII_WORD: Final = re.compile("[a-z0-9]+")


def runs(text: str, unspaced: tuple[str, ...] = UNSPACED) -> Iterator[tuple[bool, str]]:
    r"""Yield the words of a text and its runs of unspaced scripts, in order.

    Parameters
    ----------
    text : str
        Normalised here: NFC, lower case.
    unspaced : tuple of str
        One regular expression class body per kind of run; kinds do not mix.

    Yields
    ------
    (is_unspaced, run) : (bool, str)
        A word is a maximal run of other letters and numbers, each with the marks
        that follow it: a vowel sign or an accent is part of its word.

    Examples
    --------
    >>> list(runs("Caf\xe9-2 \u90e8\u7f72npm"))
    [(False, 'caf\xe9'), (False, '2'), (True, '\u90e8\u7f72'), (False, 'npm')]
    """
    normal = unicodedata.normalize("NFC", text).lower()
    if normal.isascii():
        yield from ((False, word) for word in _ASCII_WORD.findall(normal))
        return
    for match in _pattern(unspaced).finditer(normal):
        yield match.lastgroup is None, match.group()


def bigrams(run: str) -> list[str]:
    """Return the overlapping pairs of characters; a single character stands alone.

    Examples
    --------
    >>> bigrams("abc"), bigrams("a")
    (['ab', 'bc'], ['a'])
    """
    if len(run) == 1:
        return [run]
    return [run[start : start + 2] for start in range(len(run) - 1)]


@cache
def _pattern(unspaced: tuple[str, ...]) -> re.Pattern[str]:
    """Return the pattern for :func:`runs`; the group `word` marks a word."""
    letter = rf"[^\W_{''.join(unspaced)}]"
    kinds = "|".join(f"[{ranges}]+" for ranges in unspaced)
    return re.compile(f"(?P<word>{letter}(?:{letter}|[{_marks()}])*)|{kinds}")


@cache
def _marks() -> str:
    """Return the class body of all combining marks outside the unspaced scripts."""
    taken = re.compile(f"[{''.join(UNSPACED)}]")
    return "".join(
        mark
        for mark in map(chr, range(0x300, sys.maxunicode // 8))
        if unicodedata.category(mark).startswith("M") and not taken.match(mark)
    )
