"""Quarters, weekdays and hours in one form, once each date is a word of its own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date

from memsleep.guards.adjuncts import any_dated
from memsleep.guards.rule_words import rule_words
from memsleep.guards.times import in_order
from memsleep.guards.tokens import MARK

_PARTS = frozenset("q1 q2 q3 q4 h1 h2".split())


@dataclass(frozen=True)
class Seasons:
    """A language's words around years, quarters, weekdays and hours; empty ones do nothing."""

    quarter: frozenset[str] = frozenset()
    half: frozenset[str] = frozenset()
    of: frozenset[str] = frozenset()
    """Words between a quarter, a month or an hour and what it belongs to: of."""
    naming: frozenset[str] = frozenset()
    """Words before a month or a year that say nothing: `in the month of`, `the year`."""
    articles: frozenset[str] = frozenset()
    on: frozenset[str] = frozenset()
    """Words before a day that say nothing: on."""
    at: frozenset[str] = frozenset()
    """Words before an hour that say nothing: at."""
    every: frozenset[str] = frozenset()
    ending: frozenset[str] = frozenset()
    """Words for `to` between two dates that elsewhere say nothing before a day."""
    between: frozenset[str] = frozenset()
    since: str = ""
    until: str = ""
    """What stands for `from` and `to` where hours or dates are written with `between`."""
    range: frozenset[str] = frozenset()
    """Words for `to` between two dates: through, until."""
    parts: Mapping[tuple[str, ...], str] = field(default_factory=dict)
    """What stands before a month or a year for a part of it: the middle of -> mid."""
    inside: frozenset[str] = frozenset()
    """Words before a part of a month that say nothing: in, at."""
    short_days: Mapping[str, str] = field(default_factory=dict)
    """Short names of days that are words of their own: sat, sun."""
    periods: frozenset[str] = field(default=frozenset(), init=False)
    """Words without which a text names no part of a year."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "periods", _PARTS | self.quarter | self.half)

    def applied(self, tokens: list[str]) -> list[str]:
        """Return the tokens with what stands around dates in one form."""
        if self.quarter and not self.periods.isdisjoint(tokens):
            tokens = self._quarters(tokens)
        if self.naming and not self.naming.isdisjoint(tokens):
            tokens = self._unnamed(tokens)
        if any_dated(tokens):
            if self.short_days and not self.short_days.keys().isdisjoint(tokens):
                tokens = self._long_days(tokens)
            letters = " ".join(tokens)
            if "dayq" in letters:
                tokens = _ranges(self._weekly(tokens))
            if "dateq" in letters:
                tokens = _without_weekdays(tokens)
            tokens = self._plain(tokens)
            if not self.range.isdisjoint(tokens):
                tokens = self._linked(tokens)
            if self.parts and "dateq" in letters:
                tokens = self._parted(tokens)
            tokens = in_order(tokens)  # at noon on Tuesdays
        return tokens

    def _linked(self, tokens: list[str]) -> list[str]:
        """Return the tokens with one word between the two ends of a range of dates."""
        last = len(tokens) - 1
        return [
            self.until
            if token in self.range and 0 < i < last and _is_told(tokens[i - 1], tokens[i + 1])
            else token
            for i, token in enumerate(tokens)
        ]

    def _parted(self, tokens: list[str]) -> list[str]:
        """Return the tokens with `in the middle of May` as `mid May`."""
        result: list[str] = []
        for token in tokens:
            if token.startswith("dateq") and token.endswith("q"):
                for words, part in self.parts.items():
                    if tuple(result[-len(words) :]) == words:
                        del result[-len(words) :]
                        if result and result[-1] in self.articles:
                            result.pop()
                        if result and result[-1] in self.inside:
                            result.pop()
                        result.append(part)
                        break
            result.append(token)
        return result

    def _behind_articles(self, tokens: Sequence[str], place: int) -> str:
        while place < len(tokens) and tokens[place] in self.articles:
            place += 1
        return tokens[place] if place < len(tokens) else ""

    def _quarters(self, tokens: list[str]) -> list[str]:
        """Return the tokens with `q3 2026` and `third quarter of 2026` as one."""
        result: list[str] = []
        index = 0
        while index < len(tokens):
            part, used = self._part(tokens, index)
            year, more = self._year(tokens, index + used)
            if part and year:
                result.append(f"dayq{year}{part}")
                index += used + more
            elif part and part[0] == "q" and not self._belongs(tokens, index + used):
                if result and _is_year(result[-1]) and used == 1:
                    part = result.pop() + part
                result.append(f"dayq{part}")
                index += used
            else:
                result.append(tokens[index])
                index += 1
        return result

    def _part(self, tokens: Sequence[str], index: int) -> tuple[str, int]:
        """Return (q1 to q4, h1 or h2; tokens used) of a part of a year that begins here."""
        token = tokens[index]
        if token in _PARTS:
            return token, 1
        after = tokens[index + 1] if index + 1 < len(tokens) else ""
        if after in self.quarter and token in {"1th", "2th", "3th", "4th"}:
            return f"q{token[0]}", 2
        if after in self.half and token in {"1th", "2th"}:
            return f"h{token[0]}", 2
        return "", 1

    def _year(self, tokens: Sequence[str], index: int) -> tuple[str, int]:
        start = index
        while index < len(tokens) and index < start + 2 and (tokens[index] in self.of | {"/"}):
            index += 1
        if index < len(tokens) and _is_year(tokens[index]):
            return tokens[index], index + 1 - start
        return "", 0

    def _belongs(self, tokens: Sequence[str], index: int) -> bool:
        return index < len(tokens) and tokens[index] in self.of

    def _unnamed(self, tokens: list[str]) -> list[str]:
        """Return the tokens without `the month of` before a month and `the year` before one."""
        result: list[str] = []
        for token in tokens:
            if _is_year(token) or (token.startswith("dateq") and token.endswith("q")):
                place = len(result)
                while place and result[place - 1] in self.of:
                    place -= 1
                if place and result[place - 1] in self.naming:
                    del result[place - 1 :]
                    if result and result[-1] in self.articles:
                        result.pop()
            result.append(token)
        return result

    def _long_days(self, tokens: list[str]) -> list[str]:
        """Return the tokens with `sat` and `sun` as days where another day or date is beside."""
        result = list(tokens)
        for place, token in enumerate(tokens):
            if token in self.short_days:
                for step in (-1, 1):
                    beside = place + step
                    while 0 <= beside < len(tokens) and tokens[beside] in _JOINS:
                        beside += step
                    if 0 <= beside < len(tokens) and (
                        tokens[beside].startswith(("dateq", "dayq", "timeq"))
                        or tokens[beside] in self.short_days
                    ):
                        result[place] = self.short_days[token]
        return result

    def _weekly(self, tokens: list[str]) -> list[str]:
        """Return the tokens with `every monday` as `mondays`; what is listed with it likewise."""
        result: list[str] = []
        weekly = False
        for token in tokens:
            if _is_day(token):
                if result and result[-1] in self.every:
                    result.pop()
                    weekly = True
                elif token[4] == "0":
                    weekly = True
                if weekly:
                    token = f"dayq0{token[-1]}"
            elif token not in _JOINS:
                weekly = False
            result.append(token)
        return result

    def _plain(self, tokens: list[str]) -> list[str]:
        """Return the tokens without `on` before a day and `at` before an hour."""
        result: list[str] = []
        for place, token in enumerate(tokens):
            if token == "the" or token in self.on or token in self.at:  # noqa: S105 (a word)
                after = self._behind_articles(tokens, place + 1)
                if token == "the" and after.startswith("dateq"):  # noqa: S105 (a word)
                    continue
                if token in self.on and after.startswith(("dateq", "dayq")):
                    if token in self.ending and result and result[-1][:4] == after[:4]:
                        result.append(token)  # from one day to another
                    continue
                if token in self.at and after.startswith("timeq"):
                    continue
            if token.startswith("dateqq") and result and _is_year(result[-1]):
                token = f"dateq{result.pop()}{token[5:]}"
                if result and result[-1] in self.on:
                    result.pop()
            if token in self.between and _is_span(tokens[place + 1 : place + 4]):
                result.append(self.since)
                continue
            is_inner = len(result) > 1 and result[-2] == self.since
            is_inner = is_inner and _is_span(tokens[place - 1 : place + 2])
            result.append(self.until if is_inner else token)
        return result


def _is_told(one: str, other: str) -> bool:
    """Return True for two dates, two days or two hours."""
    return one[:4] == other[:4] and one.startswith(("dateq", "dayq", "timeq"))


_JOINS = rule_words("seasons.joins") | {MARK}


def _is_span(tokens: Sequence[str]) -> bool:
    return (
        len(tokens) == 3
        and tokens[1] == "and"
        and all(tokens[i].startswith(("timeq", "dateq")) for i in (0, 2))
    )


def _ranges(tokens: list[str]) -> list[str]:
    """Return the tokens with `mon-fri` as `mon to fri`."""
    result: list[str] = []
    for token in tokens:
        if result and _is_day(token) and _is_day(result[-1]):
            result.append("to")
        result.append(token)
    return result


def _is_day(token: str) -> bool:
    return token.startswith("dayq") and token[4:].isdecimal()


def _without_weekdays(tokens: list[str]) -> list[str]:
    """Return the tokens without the day of the week beside a whole date that falls on it."""
    result: list[str] = []
    for token in tokens:
        if token.startswith("dateq"):
            place = len(result) - 1
            while place >= 0 and result[place] in (MARK, "the"):
                place -= 1
            if place >= 0 and _falls_on(token, result[place]):
                del result[place:]
        elif _is_day(token):
            place = len(result) - (result[-1:] == [MARK]) - 1
            if place >= 0 and _falls_on(result[place], token):
                continue
        result.append(token)
    return result


def _falls_on(told: str, day: str) -> bool:
    """Return True when a date is whole and its day of the week is the other word."""
    parts = told.removeprefix("dateq").split("q")
    if not told.startswith("dateq") or len(parts) != 3 or not all(parts) or len(day) != 5:
        return False
    try:
        return date(*map(int, parts)).isoweekday() == int(day[4:])
    except ValueError:
        return False


def _is_year(token: str) -> bool:
    return len(token) == 4 and token.isascii() and token.isdecimal() and "1000" <= token < "2200"
