"""Arabic letters in one form, and number words, dates and times of day in figures."""

# ruff: noqa: RUF001 -- the letters are the data

from __future__ import annotations

import re

from memsleep.guards.arabic_numbers import with_figures
from memsleep.guards.arabic_times import ArabicTimes
from memsleep.guards.lexicon import Lexicon, any_of

_LETTERS = str.maketrans(
    {
        "أ": "ا", "إ": "ا", "آ": "ا", "ٱ": "ا", "ى": "ي", "ة": "ه", "ی": "ي", "ک": "ك",
        "٪": "%", "٫": ".", "٬": ",",
        **dict.fromkeys("\u064b\u064c\u064d\u064e\u064f\u0650\u0651\u0652\u0653\u0670"),
    }
)  # fmt: skip
"""Letters that are written in several ways, and vowel signs that are mostly left out."""
_SEATS = str.maketrans("", "", "ءؤئ")
_APART = re.compile("(?<!\\S)و\\s+(?=[\u0621-\u064a])")
_WILL = re.compile("(?<!\\S)(و?)سوف\\s+(?=[يتنا][\u0621-\u064a]{2})")
_TWO_THIRDS = re.compile("(?<!\\w)ثلث[اي](?=\\sال)")


class ArabicText:
    """What brings a folded Arabic text to one form."""

    def __init__(self, words: Lexicon) -> None:
        self._times = ArabicTimes(words)
        self._duals = words.pairs("duals")
        self._dual = re.compile(f"(?<!\\w)({any_of(self._duals)})(?:ان|ين)(?!\\w)")
        halves = words.any_of("units_with_halves")
        self._and_half = re.compile(f"(?<!\\w)(?:([0-9]+)\\s)?({halves})\\sو(نصف|ربع)(?!\\w)")
        self._half = re.compile(f"(?<!\\w)(نصف|ربع)\\s({halves})(?!\\w)")
        self._percent = re.compile(f"(?<=[0-9])\\s?(?:{words.any_of('percent')})(?!\\w)")

    def plain(self, text: str) -> str:
        """Return a text in one spelling, its numbers, dates and times in figures.

        Examples
        --------
        >>> from memsleep.guards.tables import table_of
        >>> plain = ArabicText(Lexicon(table_of("ar"))).plain
        >>> plain("خمسة وعشرون"), plain("ساعتان"), plain("نصف ساعة"), plain("ساعة ونصف")
        ('25', '2 ساعه', '0.5 ساعه', '1.5 ساعه')
        """
        text = _APART.sub("و", text.translate(_LETTERS).replace("مائ", "مئ"))
        text = _WILL.sub("\\1س", text)
        text = self._dual.sub(lambda match: f"2 {self._duals[match[1]]}", text)
        text = self._times.plain(with_figures(_TWO_THIRDS.sub("2/3", text)))
        text = self._and_half.sub(_and_half, text)
        text = self._half.sub(lambda m: f"{'0.5' if m[1] == 'نصف' else '0.25'} {m[2]}", text)
        return self._percent.sub("%", text).translate(_SEATS)


def _and_half(match: re.Match[str]) -> str:
    more = "5" if match[3] == "نصف" else "25"
    return f"{match[1] or 1}.{more} {match[2]}"
