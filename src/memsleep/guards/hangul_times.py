"""Korean dates, days and times of day, each as one word, and lengths of time in one unit."""
# Letters are the data here, and a wide one counts as two columns.

from __future__ import annotations

import re

from memsleep.guards.lexicon import Lexicon, any_of

_HOURS = re.compile("([0-9]+)\\s?시간\\s?([0-9]+)\\s?분")
_MINUTES = re.compile("([0-9]+)\\s?분\\s?([0-9]+)\\s?초")
_WEEKDAY = re.compile("(매주\\s?)?([월화수목금토일])요일(?:\\s?(마다|에)(?![가-힣]))?")
_DAY_NAMES = dict(zip("월화수목금토일", range(1, 8), strict=True))
_DATE = re.compile(
    "(?:(?<![0-9])([0-9]{4})\\s?년\\s?)?(?<![0-9])([0-9]{1,2})\\s?월\\s?([0-9]{1,2})\\s?일"
    "(?:\\s?에(?![가-힣]))?(?!간)"
)
_POINTED = re.compile(
    "(?<![0-9.])([0-9]{4})\\.\\s?([0-9]{1,2})\\.\\s?([0-9]{1,2})\\.?(?![0-9])(?:에(?![가-힣]))?"
    "|(?<![-/0-9.a-z_])([0-9]{4})[-/]([0-9]{1,2})[-/]([0-9]{1,2})(?![-/0-9a-z_])\\s?(?:에(?![가-힣]))?"
)
_MONTH = re.compile("(?<![0-9])([0-9]{4})\\s?년\\s?([0-9]{1,2})\\s?월(?!\\s?[0-9])")


class KoreanTimes:
    """The dates and times of a Korean text; the lists name parts of the day and what is counted."""

    def __init__(self, words: Lexicon) -> None:
        self._months = words.pairs("months")
        self._days = words.pairs("days")
        self._named_days = re.compile(
            f"(?<![가-힣])({any_of(self._days)})\\s?({words.any_of('behind_days')}|[,. ]|\\Z)"
        )
        self._half_hour = re.compile(f"([0-9]+)\\s?시간\\s?반(?![{words.signs('not_half')}])")
        self._late = frozenset((*words.words("afternoon"), *words.words("night")))
        self._night = frozenset(words.words("night"))
        self._noon = frozenset(words.words("noon"))
        parts = words.any_of("morning", "noon", "afternoon", "night")
        self._time = re.compile(
            f"(?:({parts})[에의]?\\s?)?(?<![0-9:.])([0-9]{{1,2}})"
            f"(?:\\s?시(?![{words.signs('not_clock')}])"
            "(?:\\s?([0-9]{1,2})\\s?분(?:\\s?(전))?|\\s?(반)(?![가-힣]{2}))?(?:\\s?정각)?"
            "|:([0-5][0-9])(?![0-9:]))(?:\\s?에(?![가-힣]))?"
        )
        self._span = re.compile(
            f"({any_of(self._late)})\\s?([0-9]{{1,2}})"
            "(\\s?시(?:\\s?[0-9]{1,2}\\s?분|\\s?반)?\\s?(?:부터|에서|-|~|〜)\\s?)(?=([0-9]{1,2})\\s?시)"
        )
        self._persons = re.compile(
            f"(?<=[0-9])\\s?(?:{words.any_of('persons')})(?![가-힣]{{2,}}|[{words.signs('not_persons')}])"
        )
        self._times = re.compile(
            f"(?<=[0-9])\\s?(?:{words.any_of('times_counted')})(?!째|[가-힣]{{2,}})"
        )
        self._person = words.words("persons")[0]
        self._once = words.words("times_counted")[0]

    def plain(self, text: str) -> str:
        """Return a text of figures with its dates, days and times in one form.

        Examples
        --------
        >>> from memsleep.guards.tables import table_of
        >>> plain = KoreanTimes(Lexicon(table_of("ko"))).plain
        >>> plain("오후 3시 반"), plain("화요일마다"), plain("2027. 1. 8.에"), plain("1시간 30분")
        (' timeq15q30 ', '매주  dayq2 ', ' dateq2027q1q8 ', '90분')
        """
        text = self._named_days.sub(lambda match: f"{self._days[match[1]]}일{match[2]}", text)
        if not any(char in "0123456789" for char in text) and "요일" not in text:
            return text
        text = self._half_hour.sub(lambda match: f"{match[1]}.5시간", text)
        text = _HOURS.sub(lambda match: f"{int(match[1]) * 60 + int(match[2])}분", text)
        text = _MINUTES.sub(lambda match: f"{int(match[1]) * 60 + int(match[2])}초", text)
        text = _DATE.sub(_date, _POINTED.sub(_pointed, text))
        text = _MONTH.sub(lambda match: f" dateq{match[1]}q{int(match[2])}q ", text)
        text = self._time.sub(self._of_day, self._span.sub(_span, text))
        text = _WEEKDAY.sub(_weekday, text)
        return self._times.sub(self._once, self._persons.sub(self._person, text))

    def with_months(self, text: str) -> str:
        """Return a text whose months are named by their number."""
        for name, month in self._months.items():
            text = text.replace(name, month)
        return text

    def _of_day(self, match: re.Match[str]) -> str:
        part, hour, minute, before, half, clock = match.groups()
        told = int(minute or clock or (30 if half else 0))
        if int(hour) > 24 or told > 59 or (clock and int(hour) == 24):
            return match.group()
        value = int(hour) * 60 + (-told if before else told)
        late = part in self._late and (part not in self._night or int(hour) > 4)
        if int(hour) < 12 and (late or (part in self._noon and int(hour) < 5)):
            value += 720
        value %= 1440
        return f" timeq{value // 60}q{value % 60} "


def _span(match: re.Match[str]) -> str:
    """Say of the end of a span in which half of the day it is, where its start says so."""
    later = f"{match[1]} " if int(match[2]) < int(match[4]) <= 12 else ""
    return match.group() + later


def _weekday(match: re.Match[str]) -> str:
    weekly = "매주 " if match[1] or match[3] == "마다" else ""
    return f"{weekly} dayq{_DAY_NAMES[match[2]]} "


def _date(match: re.Match[str]) -> str:
    year, month, day = match[1] or "", int(match[2]), int(match[3])
    if not (1 <= month <= 12 and 1 <= day <= 31):
        return match.group()
    return f" dateq{year}q{month}q{day} "


def _pointed(match: re.Match[str]) -> str:
    year, month, day = (part for part in match.groups() if part)
    if not (1 <= int(month) <= 12 and 1 <= int(day) <= 31):
        return match.group()
    return f" dateq{year}q{int(month)}q{int(day)} "
