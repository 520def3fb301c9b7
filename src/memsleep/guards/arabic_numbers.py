"""Arabic number words in figures."""

# Letters are the data here, and a wide one counts as two columns.
# ruff: noqa: E501

from __future__ import annotations

import re
from fractions import Fraction

_UNITS = {
    name: value
    for value, names in enumerate(
        (
            "واحد واحده", "اثنان اثنين اثنتان اثنتين اثنا اثني اثنتا اثنتي", "ثلاث ثلاثه",
            "اربع اربعه", "خمس خمسه", "ست سته", "سبع سبعه", "ثمان ثماني ثمانيه", "تسع تسعه",
            "عشر عشره",
        ),
        1,
    )
    for name in names.split()
}  # fmt: skip
_TEEN_ONLY = {"احد": 1, "احدي": 1}
_TENS = {
    f"{stem}{ending}": value
    for stem, value in zip(
        "عشر ثلاث اربع خمس ست سبع ثمان تسع".split(), range(20, 100, 10), strict=True
    )
    for ending in ("ون", "ين")
}
_HUNDREDS = {
    "مئه": 100, "مائه": 100, "مئتا": 200, "مئتي": 200, "مئتان": 200, "مئتين": 200, "مائتان": 200, "مائتين": 200,
    **{
        f"{stem}{hundred}": 100 * value
        for value, stems in enumerate("ثلاث اربع خمس ست سبع ثمان|ثماني تسع".split(), 3)
        for stem in stems.split("|")
        for hundred in ("مئه", "مائه")
    },
}  # fmt: skip
_SCALES = {
    "الف": 1000, "الفا": 1000, "الاف": 1000, "مليون": 10**6, "مليونا": 10**6, "ملايين": 10**6,
    "مليار": 10**9, "مليارا": 10**9, "مليارات": 10**9,
}  # fmt: skip
_DUAL_SCALES = {"الفان": 2000, "الفين": 2000, "مليونان": 2 * 10**6, "مليونين": 2 * 10**6}
_KNOWN = "|".join(
    sorted(
        {*_UNITS, *_TEEN_ONLY, *_TENS, *_HUNDREDS, *_SCALES, *_DUAL_SCALES},
        key=lambda w: (-len(w), w),
    )
)
_RUN = re.compile(
    f"(?<![\\w])(?:و?(?:{_KNOWN})(?!\\w)|[0-9]+(?:\\.[0-9]+)?(?=\\s(?:الف|الفا|الاف|مليون|مليونا|ملايين|مليار|مليارا|مليارات)(?!\\w)))"
    f"(?:\\s(?:و?(?:{_KNOWN})(?!\\w)))*"
)


class _Sum:
    """The number that has been read so far, and what may follow in it."""

    def __init__(self) -> None:
        self.total = Fraction(0)
        self.section = Fraction(0)
        self.unit = Fraction(0)
        self.last = 0
        """The order of what was read last: 1, 10, 100, a scale; 0 for nothing."""

    @property
    def value(self) -> Fraction:
        return self.total + self.section + self.unit

    def one(self, number: int, *, joins: bool) -> bool:
        """Read a number below twenty: alone, or with `and` behind hundreds and more."""
        if self.last and not (joins and self.last >= 100):
            return False
        self.unit, self.last = Fraction(number), 1 if number < 10 else 10
        return True

    def ten(self, number: int, *, joins: bool) -> bool:
        """Read a ten: alone, with `and` behind a unit or behind hundreds and more."""
        if self.last and not (joins and (self.last == 1 or self.last >= 100)):
            return False
        self.unit, self.last = self.unit + number, 10
        return True

    def hundred(self, number: int, *, joins: bool) -> bool:
        """Read hundreds: alone, behind a unit, with `and` behind thousands."""
        counted = self.last == 1 and not joins
        if self.last and not counted and not (joins and self.last >= 1000):
            return False
        self.section += number * (self.unit if counted else 1)
        self.unit, self.last = Fraction(0), 100
        return True

    def scale(self, number: int, *, joins: bool) -> bool:
        """Read a thousand or more, counted by what stands before it."""
        if joins and self.last < number:
            return False
        here = Fraction(0) if joins else self.section + self.unit
        self.total += (here or 1) * number
        self.section, self.unit, self.last = Fraction(0), Fraction(0), number
        return True

    def dual(self, number: int, *, joins: bool) -> bool:
        """Read a thousand or more that is told to be two, at the start only."""
        if self.last or joins:
            return False
        self.total, self.last = Fraction(number), number // 2
        return True

    def took(self, word: str, *, joins: bool) -> bool:
        """Return True when a word goes on with the number, which it then is part of."""
        for table, read in (
            (_UNITS, self.one), (_TENS, self.ten), (_HUNDREDS, self.hundred),
            (_SCALES, self.scale), (_DUAL_SCALES, self.dual),
        ):  # fmt: skip
            if word in table:
                return read(table[word], joins=joins)
        return False


def _read(words: list[str]) -> tuple[Fraction, int]:
    """Return (value, words used) of the number with which the words begin; none used for none."""
    found, index = _Sum(), 0
    while index < len(words):
        word = words[index]
        joins = index > 0 and word.startswith("و") and word[1:] in _NUMBERS
        word = word[1:] if joins else word
        following = words[index + 1] if index + 1 < len(words) else ""
        if index == 0 and word[0].isdigit():
            found.unit, found.last = Fraction(word), 1
        elif word in _BEFORE_TEN and following in {"عشر", "عشره"}:
            if not found.one(10 + _BEFORE_TEN[word], joins=joins):
                break
            index += 1
        elif not found.took(word, joins=joins):
            break
        index += 1
    return found.value, index


_BEFORE_TEN = {**_UNITS, **_TEEN_ONLY}
_NUMBERS = frozenset({*_UNITS, *_TEEN_ONLY, *_TENS, *_HUNDREDS, *_SCALES, *_DUAL_SCALES})


def _numbers(match: re.Match[str]) -> str:
    words = match.group().split()
    result: list[str] = []
    while words:
        first = words[0]
        joined = first.startswith("و") and first not in _NUMBERS
        value, used = _read([first[1:], *words[1:]] if joined else words)
        if not used or (used == 1 and first in _TEEN_ONLY):
            result.append(words.pop(0))
            continue
        result.append(("و " if joined else "") + str(value))
        words = words[used:]
    return " ".join(result)


ORDINALS = {
    name: value
    for value, names in enumerate(
        (
            "الاول الاولي الواحده", "الثاني الثانيه", "الثالث الثالثه", "الرابع الرابعه",
            "الخامس الخامسه", "السادس السادسه", "السابع السابعه", "الثامن الثامنه",
            "التاسع التاسعه", "العاشر العاشره",
        ),
        1,
    )
    for name in names.split()
}  # fmt: skip
ORDINAL = "|".join(sorted(ORDINALS, key=lambda w: (-len(w), w)))
_TEENTH = re.compile(f"(?<!\\w)(الحادي|الحاديه|{ORDINAL})\\s(عشره?)(?!\\w)")


def with_figures(text: str) -> str:
    """Return a text whose number words are figures; an ordinal of two words is joined.

    Examples
    --------
    >>> with_figures("خمسه وعشرون"), with_figures("ثلاثه الاف وخمسمئه"), with_figures("الثاني عشر")
    ('25', '3500', 'الثاني_عشر')
    """
    text = _PREFIXED.sub("\\1 ", text)
    return _RUN.sub(_numbers, _TEENTH.sub("\\1_\\2", text))


_PREFIXED = re.compile(f"(?<!\\w)(?!لست|بست|لاحد|باحد)([لب])(?=(?:{_KNOWN})(?!\\w)|[0-9])")
