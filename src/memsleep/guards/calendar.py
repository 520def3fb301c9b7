"""Dates and times of day in one form, however they are written.

Each becomes one token that is a word to all that comes after: `dateq2026q10q15`, `timeq14q0`.
What could be read in two ways, such as 06/08/2017, stays as it is written.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from memsleep.guards.rule_words import rule_words
from memsleep.guards.tokens import MARK

_ISO = re.compile(
    r"(?<![0-9a-z_./-])([0-9]{4})[-/.]([0-9]{1,2})[-/.]([0-9]{1,2})(?![0-9a-z_/-])(?!\.[0-9])"
)
_TURNED = re.compile(
    r"(?<![0-9a-z_./-])([0-9]{1,2})[-/.]([0-9]{1,2})[-/.]([0-9]{4})(?![0-9a-z_/-])(?!\.[0-9])"
)
_SHORT = re.compile(
    r"(?<![0-9a-z_./-])([0-3]?[0-9])[./]([01]?[0-9])[./]([0-9]{2})(?![0-9a-z_/-]|\.[0-9])"
)
_YEARLESS_DAY = re.compile(r"(?<![0-9a-z_./-])([0-3]?[0-9])\.\s?([01]?[0-9])\.(?![0-9a-z_/-])")
_CJK = re.compile(
    "(?:([0-9]{4})\\s?[\u5e74\ub144]\\s?)?([0-9]{1,2})\\s?[\u6708\uc6d4]\\s?([0-9]{1,2})\\s?[\u65e5\u53f7\u865f\uc77c]"
)
_CJK_HALF = (
    "(\u51cc\u6668|\u65e9\u4e0a|\u4e0a\u5348|\u4e2d\u5348|\u4e0b\u5348|\u508d\u665a|\u665a\u4e0a|\u5348\u524d|\u5348\u5f8c"
    "|\uc624\uc804|\uc624\ud6c4|\uc0c8\ubcbd)?"
)
_CJK_TIME = re.compile(
    _CJK_HALF
    + "\\s?([0-9]{1,2})\\s?(?:[\u70b9\u9ede\u6642\u65f6\uc2dc](?![\u95f4\u9593\uac04])\\s?"
    "(?:([0-9]{1,2})\\s?[\u5206\ubd84]|(\u534a|\ubc18))?\u6574?|:([0-5][0-9]))"
)
_LATE = rule_words("calendar.late")
_SPACED = re.compile(r"(?<![0-9])([0-9]{4})\.\s([0-9]{1,2})\.\s([0-9]{1,2})\.?(?![0-9])")
_COMPACT = re.compile(
    r"(?<![0-9a-z_./:-])(20[0-9]{2})(0[1-9]|1[0-2])([0-2][0-9]|3[01])(?![0-9a-z_/:-]|\.[0-9a-z_])"
)
_MILITARY = re.compile(
    r"(?<![0-9a-z_.:])([01][0-9]|2[0-4])([0-5][0-9])\s?(?:hours|hrs|h\b|(?=utc\b|gmt\b|z\b|cet\b))"
)
_POINTED = re.compile(r"(?<![0-9a-z_.:])([0-9]{1,2})\.([0-5][0-9])\s?(?:h|uhr|hrs)\b")
_HALVES = re.compile(
    r"(?<![0-9a-z_:.])([0-9]{1,2})(?:[:.h]([0-5][0-9]))?\s?([ap])\.?\s?m\b\.?(?![0-9a-z_])"
)
_CLOCK = re.compile(r"(?<![0-9a-z_:./])([0-9]{1,2}):([0-5][0-9])(?::00)?(?![0-9a-z_:]|\.[0-9])")
_FRENCH = re.compile(r"(?<![0-9a-z_:.])([0-9]{1,2})\s?h\s?([0-5][0-9])(?![0-9a-z_])")


# What the rules above could change; most texts have nothing of the kind.
_FIGURE = re.compile(
    "[0-9](?:[-/.:h]\\s?[0-9]|\\s?[ap]\\.?\\s?m\\b|[0-9]{3}|\\s?(?:h|uhr|hrs)\\b|\\s?[^\x00-\x7f])"
)
_ZULU = frozenset({"z"})
_SHORT_HOURS = rule_words("calendar.short_hours")
"""Behind an hour with its minutes these say nothing; behind a number they are a length of time."""
_YEARLESS = "dateqq"


def date_token(year: str, month: int, day: str) -> str:
    """Return a date as one word; year and day may be empty."""
    return f"dateq{year}q{month}q{int(day) if day else ''}"


def time_token(hour: int, minute: str | int = 0) -> str:
    """Return a time of day as one word."""
    return f"timeq{hour}q{int(minute)}"


def with_dates(text: str, *, day_first: bool = False) -> str:
    """Return a folded text with dates and times in figures as words of their own."""
    if _FIGURE.search(text) is None:
        return text
    turned = _day_first if day_first else _turned
    text = _TURNED.sub(turned, _COMPACT.sub(_iso, _ISO.sub(_iso, text)))
    if day_first:
        text = _YEARLESS_DAY.sub(_short, _SHORT.sub(_short, text))
    text = _POINTED.sub(_pointed, _MILITARY.sub(_clock, text))
    if not text.isascii():
        text = _CJK_TIME.sub(_cjk_time, _CJK.sub(_cjk, _SPACED.sub(_iso, text)))
    text = _CLOCK.sub(_clock, _HALVES.sub(_halves, text))
    return _FRENCH.sub(_clock, text)


def _iso(match: re.Match[str]) -> str:
    year, month, day = match.groups()
    if not (1 <= int(month) <= 12 and 1 <= int(day) <= 31):
        return match.group()
    return date_token(year, int(month), day)


def _turned(match: re.Match[str]) -> str:
    first, second, year = int(match[1]), int(match[2]), match[3]
    if first > 12 >= second or ("." in match.group() and second <= 12):
        day, month = first, second
    elif second > 12 >= first or first == second:
        month, day = first, second
    else:
        return match.group()
    if not (month >= 1 and 1 <= day <= 31):
        return match.group()
    return date_token(year, month, str(day))


def _day_first(match: re.Match[str]) -> str:
    day, month, year = int(match[1]), int(match[2]), match[3]
    if not (1 <= month <= 12 and 1 <= day <= 31):
        return _turned(match)
    return date_token(year, month, str(day))


def _short(match: re.Match[str]) -> str:
    """Return a day with two digits of its year, or without one: 3.5.26, 3.5."""
    day, month = int(match[1]), int(match[2])
    if not (1 <= month <= 12 and 1 <= day <= 31):
        return match.group()
    year = f"20{match[3]}" if match.re.groups == 3 else ""
    return f"{date_token(year, month, str(day))} "


def _cjk(match: re.Match[str]) -> str:
    year, month, day = match.groups()
    if not (1 <= int(month) <= 12 and 1 <= int(day) <= 31):
        return match.group()
    return f" {date_token(year or '', int(month), day)} "


def _cjk_time(match: re.Match[str]) -> str:
    half, hour, minute, is_half, clock = match.groups()
    value = int(hour)
    if value > 24 or (clock is not None and half is None):
        return match.group()
    if half in _LATE and value < 12:
        value += 12
    return f" {time_token(value, 30 if is_half else minute or clock or 0)} "


def _halves(match: re.Match[str]) -> str:
    hour, minute, half = int(match[1]), match[2] or 0, match[3]
    if not 1 <= hour <= 12:
        return match.group()
    return f" {time_token(hour % 12 + (12 if half == 'p' else 0), minute)} "


def _pointed(match: re.Match[str]) -> str:
    """Return an hour with a point, but for `0.25 h` and `1.50 h`, which are lengths of time."""
    early = int(match[1]) < _LONGEST and match[2] in {"25", "50"}
    return match.group() if early and not match.group().endswith("uhr") else _clock(match)


_LONGEST = 5
"""Hours up to which a quarter or a half in figures is a length of time."""


def _clock(match: re.Match[str]) -> str:
    return f" {time_token(int(match[1]), match[2])} " if int(match[1]) <= 24 else match.group()


@dataclass(frozen=True)
class Calendar:
    """A language's names of months and days, and what stands around them."""

    months: Mapping[str, int]
    days: Mapping[str, int]
    between: frozenset[str]
    """Words between day and month: of, de, the."""
    hours: frozenset[str]
    """Words behind an hour: Uhr, o'clock."""
    points: Mapping[str, str]
    """Noon and midnight -> time."""
    year_words: frozenset[str] = frozenset()
    """Words behind a year: the Russian for `of the year`."""
    signs: frozenset[str] = field(default=frozenset(), init=False)
    """Words without which a text holds no date in words."""

    def __post_init__(self) -> None:
        names = (*self.months, *self.days, *self.points)
        object.__setattr__(self, "signs", frozenset(names) | self.hours | self.year_words | _ZULU)

    def applied(self, tokens: Sequence[str]) -> list[str]:
        """Return the tokens with written dates, days and hours in one form."""
        if self.signs.isdisjoint(tokens):
            return list(tokens)
        if MARK in tokens:
            tokens = self._without_stops(tokens)
        result: list[str] = []
        index = 0
        months, days, signs = self.months, self.days, self.signs
        while index < len(tokens):
            token = tokens[index]
            if token not in signs and not token[0].isdigit():
                result.append(token)
                index += 1
                continue
            used, made = 0, ""
            if token in months or token[0].isdigit():
                used, made = self._written(tokens, index)
            if not used and token in days:
                used, made = 1, f"dayq{days[token]}"
            if used:
                result.append(made)
                index += used
            else:
                index += self._behind(result, tokens, index)
        return _with_years(_midnights(result))

    def _behind(self, result: list[str], tokens: Sequence[str], index: int) -> int:
        """Add a token that may belong to the hour or year before it; return the tokens used."""
        token, last = tokens[index], result[-1] if result else ""
        if token in self.hours and _is_hour(last):
            minute = tokens[index + 1] if index + 1 < len(tokens) else ""
            if last[0] == "t":
                return 1
            if token in _SHORT_HOURS:
                result.append(token)
                return 1
            told = _is_minute(minute)
            result[-1] = time_token(int(last), minute if told else 0)
            return 2 if told else 1
        if token in self.year_words and _has_year(last):
            return 1
        if token in _ZULU and last.startswith("timeq"):
            result.append("utc")
            return 1
        point = self.points.get(token)
        if point and last in {"12", point, _FIRST if point == _MIDNIGHT else point}:
            result.pop()
        result.append(point or token)
        return 1

    def _without_stops(self, tokens: Sequence[str]) -> list[str]:
        """Return the tokens without the stop of an abbreviated month before a figure."""
        last = len(tokens) - 1
        return [
            token
            for i, token in enumerate(tokens)
            if not (
                token == MARK
                and 0 < i < last
                and (
                    (tokens[i - 1] in self.months and _is_day(tokens[i + 1]))
                    or (_is_day(tokens[i - 1]) and tokens[i + 1] in self.months)
                )
            )
        ]

    def _written(self, tokens: Sequence[str], index: int) -> tuple[int, str]:
        """Return (tokens used, date) of a date in words that begins here; 0 for none."""
        token = tokens[index]
        month = self.months.get(token)
        if month is not None:
            return self._month_first(tokens, index, month)
        if not _is_day(token):
            return 0, ""
        place = index + 1
        while place < len(tokens) and tokens[place] in self.between and place - index < 3:
            place += 1
        month = self.months.get(tokens[place]) if place < len(tokens) else None
        if month is None:
            return 0, ""
        year, used = _year(tokens, place + 1, self.between)
        return place + 1 + used - index, date_token(year, month, _number(token))

    def _month_first(self, tokens: Sequence[str], index: int, month: int) -> tuple[int, str]:
        place = index + 1
        if place < len(tokens) and tokens[place] in self.between:
            place += 1
        if place < len(tokens) and _is_day(tokens[place]):
            year, used = _year(tokens, place + 1, frozenset())
            return place + 1 + used - index, date_token(year, month, _number(tokens[place]))
        year, used = _year(tokens, index + 1, self.between)
        if not used and tokens[index] in {"may", "march", "mar"}:
            return 0, ""
        return 1 + used, date_token(year, month, "")


def _midnights(tokens: list[str]) -> list[str]:
    """Return the tokens with midnight of a day, which has two, as a word of its own.

    Where no day is named, 24:00 is 0:00.
    """
    if _MIDNIGHT not in tokens and _LAST not in tokens:
        return tokens
    named = any(token.startswith(("dateq", "dayq")) for token in tokens)
    if named:
        return ["timeqmidnight" if token == _MIDNIGHT else token for token in tokens]
    return [_FIRST if token in {_MIDNIGHT, _LAST} else token for token in tokens]


_MIDNIGHT, _FIRST, _LAST = "timeqm", "timeq0q0", "timeq24q0"


def _with_years(tokens: list[str]) -> list[str]:
    """Return the tokens with both ends of a range of days as whole dates."""
    if _LINKS.isdisjoint(tokens):
        return tokens
    tokens = _with_last_year(_without_article(tokens))
    for place in range(1, len(tokens) - 1):
        if tokens[place] not in _LINKS:
            continue
        first, second = tokens[place - 1], tokens[place + 1]
        if _is_day(first) and second.startswith("dateq"):
            _, year, month, _ = second.split("q")
            tokens[place - 1] = date_token(year, int(month), _number(first))
        elif first.startswith("dateq") and _is_day(second):
            _, year, month, _ = first.split("q")
            tokens[place + 1] = date_token(year, int(month), _number(second))
        elif first.startswith(_YEARLESS) and second.startswith("dateq"):
            _, year, _, _ = second.split("q")
            tokens[place - 1] = f"dateq{year}{first[len('dateq') :]}"
    return tokens


def _without_article(tokens: list[str]) -> list[str]:
    """Return the tokens with `the 2nd to the 6th of March` as `the 2nd to 6th of March`."""
    return [
        token
        for i, token in enumerate(tokens)
        if not (
            token == "the"  # noqa: S105 (a word)
            and 1 < i < len(tokens) - 1
            and tokens[i - 1] in _LINKS
            and tokens[i + 1].startswith("dateq")
            and _is_day(tokens[i - 2])
        )
    ]


def _with_last_year(tokens: list[str]) -> list[str]:
    """Return the tokens with `March 2 to 6, 2026` as whole dates."""
    for place in range(2, len(tokens) - 1):
        if tokens[place - 1] not in _LINKS or not tokens[place - 2].startswith(_YEARLESS):
            continue
        year, used = _year(tokens, place + 1, frozenset())
        if used and (_is_day(tokens[place]) or tokens[place].startswith(_YEARLESS)):
            month = tokens[place - 2].split("q")[2]
            if _is_day(tokens[place]):
                tokens[place] = date_token("", int(month), _number(tokens[place]))
            for part in (place - 2, place):
                tokens[part] = f"dateq{year}{tokens[part][len('dateq') :]}"
            return [*tokens[: place + 1], *tokens[place + 1 + used :]]
    return tokens


_LINKS = rule_words("calendar.links")


def _number(token: str) -> str:
    return token.removesuffix("th")


def _is_day(token: str) -> bool:
    number = _number(token)
    return number.isascii() and number.isdecimal() and len(number) <= 2 and 1 <= int(number) <= 31


def _is_minute(token: str) -> bool:
    return len(token) == 2 and token.isascii() and token.isdecimal() and int(token) < 60


def _has_year(token: str) -> bool:
    return token.startswith("dateq") and not token.startswith(_YEARLESS)


def _is_hour(token: str) -> bool:
    return token.startswith("timeq") or (token.isascii() and token.isdecimal() and len(token) <= 2)


def _year(tokens: Sequence[str], index: int, between: frozenset[str]) -> tuple[str, int]:
    place = index
    if place < len(tokens) and (tokens[place] == MARK or tokens[place] in between):
        place += 1
    if place < len(tokens):
        token = tokens[place]
        if len(token) == 4 and token.isascii() and token.isdecimal() and 1000 <= int(token) < 2200:
            return token, place + 1 - index
    return "", 0
