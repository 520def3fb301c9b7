"""Arabic dates, days of the week and times of day, each as one word."""

# Letters are the data here.
# ruff: noqa: RUF001

from __future__ import annotations

import re

from memsleep.guards.arabic_numbers import ORDINAL, ORDINALS
from memsleep.guards.lexicon import Lexicon, any_of

_TENTHS = {"العشرين": 20, "العشرون": 20, "الثلاثين": 30, "الثلاثون": 30}
_TENTH = any_of(_TENTHS)
_DAY = f"(?:([0-9]{{1,2}})|(?:(الحادي|{ORDINAL})(?:_(عشر)|\\sو({_TENTH}))?)|({_TENTH}))"
_DAY_OF_MONTH = re.compile(f"(?<!\\w){_DAY}\\sمن\\s(?=كل شهر|الشهر|شهر)")
_SLASHED = re.compile(
    "(?<!\\w)(?:في|بتاريخ|يوم|تاريخ)\\s(?=[0-9]{1,4}[-/.][0-9]{1,2}[-/.][0-9]{1,4})"
)
_SPARE = "النصف|الربع|الثلث|(?:ال)?(?:خمس|5|عشر|10) دقائق|[0-9]{1,2} دقيقه"
_LESS = "ربعا?|ثلثا?|(?:خمس|5|عشر|10) دقائق|[0-9]{1,2} دقيقه"
_MINUTES = {"النصف": 30, "الربع": 15, "الثلث": 20, "ربع": 15, "ربعا": 15, "ثلث": 20, "ثلثا": 20}
_FEW = {"خمس": 5, "عشر": 10, "الخمس": 5, "العشر": 10}
_YEAR = "عام\\s|سنه\\s|لعام\\s|العام\\s"


class ArabicTimes:
    """The dates and times of an Arabic text; the lists name months, days and parts of the day."""

    def __init__(self, words: Lexicon) -> None:
        self._months = _numbered(words.words("months"))
        month = any_of(self._months)
        self._date = re.compile(
            f"(?<!\\w)(?:(?:في|بتاريخ|يوم|تاريخ)\\s)*{_DAY}\\s(?:من\\s)?(?:شهر\\s)?({month})(?!\\w)"
            f"(?:\\s?[،,]?\\s?(?:من\\s)?(?:{_YEAR})?([0-9]{{4}})(?![0-9]))?"
        )
        self._month = re.compile(
            f"(?<!\\w)(?:شهر\\s)?({month})\\s(?:من\\s)?(?:{_YEAR})?([0-9]{{4}})(?!\\w)"
        )
        self._days = _numbered(words.words("day_names"))
        day = any_of(self._days)
        self._weekday = re.compile(
            f"(?<!\\w)(?:(?:في\\s)?(?:يوم|ايام|نهار)\\s|(?<=كل\\s))(?:ال)?({day})(?!\\w)"
            f"|(?<!\\w)(و?)ال({day})(?!\\w)"
        )
        self._morning, self._noon, self._afternoon, self._night = (
            frozenset(words.words(name)) for name in ("morning", "noon", "afternoon", "night")
        )
        part = words.any_of("morning", "noon", "afternoon", "night")
        self._time = re.compile(
            "(?<!\\w)(?:(?:في|عند|بتمام|تمام|علي|في تمام)\\s)*(الساعه\\s)?"
            f"(?:([0-9]{{1,2}})(?::([0-5][0-9]))?|(?:(الحاديه|{ORDINAL})(_عشره?)?))"
            f"(?:\\sو\\s?({_SPARE})|\\sالا\\s({_LESS}))?(?:\\sتماما)?(?:\\s({part})(?!\\w))?(?!\\w)"
        )

    def plain(self, text: str) -> str:
        """Return a text of figures with its dates, days and times in one form.

        Examples
        --------
        >>> from memsleep.guards.tables import table_of
        >>> plain = ArabicTimes(Lexicon(table_of("ar"))).plain
        >>> plain("الساعه الثالثه والنصف عصرا"), plain("العاشر من حزيران 2026"), plain("كل يوم احد")
        (' timeq15q30 ', ' dateq2026q6q10 ', 'كل  dayq7 ')
        """
        text = self._date.sub(self._of_month, text)
        text = _DAY_OF_MONTH.sub(lambda match: f"{_day(match)} من ", text)
        text = self._month.sub(lambda m: f" dateq{m[2]}q{self._months[m[1]]}q ", text)
        text = self._time.sub(self._of_day, _SLASHED.sub("", text))
        return self._weekday.sub(lambda m: f"{m[2] or ''} dayq{self._days[m[1] or m[3]]} ", text)

    def _of_month(self, match: re.Match[str]) -> str:
        day, month, year = _day(match), match[6], match[7]
        if not 1 <= day <= 31:
            return match.group()
        return f" dateq{year or ''}q{self._months[month]}q{day} "

    def _of_day(self, match: re.Match[str]) -> str:
        said, figure, clock, word, teen, more, less, part = match.groups()
        told = (word and (more or part)) or (figure and part and (clock or len(part) > 1))
        if not (said or told):
            return match.group()
        hour = int(figure) if figure else 1 if word == "الحاديه" else ORDINALS[word]
        hour += 10 if teen else 0
        if hour > 24:
            return match.group()
        total = self._hour(hour, part or "") * 60 + int(clock or 0) + _spare(more) - _spare(less)
        total %= 1440
        return f" timeq{total // 60}q{total % 60} "

    def _hour(self, hour: int, part: str) -> int:
        """Return an hour of the day in 24, as its part of the day tells."""
        if hour == 12:
            return 0 if part in self._morning | self._night else 12
        late = part in self._afternoon or (part in self._noon and hour < 6)
        return hour + 12 if hour < 12 and (late or (part in self._night and hour > 5)) else hour


def _numbered(entries: tuple[str, ...]) -> dict[str, int]:
    """Return each name, of which `/` parts those of one, and its number."""
    return {name: number for number, names in enumerate(entries, 1) for name in names.split("/")}


def _day(match: re.Match[str]) -> int:
    figure, ordinal, teen, tens, whole = match.groups()[:5]
    if figure:
        return int(figure)
    if whole:
        return _TENTHS[whole]
    day = 1 if ordinal == "الحادي" else ORDINALS[ordinal]
    return day + (10 if teen else _TENTHS[tens] if tens else 0)


def _spare(text: str | None) -> int:
    """Return the minutes that a text adds to an hour."""
    if not text:
        return 0
    first = text.split()[0]
    return _MINUTES.get(text) or _FEW.get(first) or int(first)
