"""Hours that other languages than English count in their way: halb acht, las diez menos cuarto.

Either what stands before the coming hour tells what lacks to it (`halb acht`, `без четверти
десять`), or the minutes stand behind the hour (`diez menos cuarto`, `sept heures et demie`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from memsleep.guards.calendar import time_token
from memsleep.guards.tables import Table

Found = tuple[int, int, int]
"""Place behind what was read, hour, minutes to add."""
QUARTER, HALF = 15, 30
_EARLY = (("half_to", 30), ("quarter_to", 15), ("quarter_of", 45))
"""Lists of words before the coming hour, and the minutes that lack to it."""
_ONE = frozenset({"1"})


@dataclass(frozen=True)
class SpokenHours:
    """A language's words around an hour that it counts in its way; empty ones do nothing."""

    half: frozenset[str]
    quarter: frozenset[str]
    hours: frozenset[str]
    """Words behind an hour: Uhr, heures."""
    before: frozenset[str]
    """Words before an hour, with which bare minutes are minutes."""
    early: Mapping[str, int]
    """What stands before the coming hour -> minutes that lack to it: halb acht."""
    without: frozenset[str]
    """What stands before the minutes that lack to the coming hour."""
    plus: frozenset[str]
    minus: frozenset[str]
    """Words between an hour and the minutes behind it."""
    filling: frozenset[str]
    """Words between the sign and the minutes: meno un quarto, moins le quart."""
    past: frozenset[str]
    to: frozenset[str]
    """Words between minutes and the hour behind them."""
    after: frozenset[str]
    """Words that say nothing behind a time: 18:00 horas."""
    signs: frozenset[str] = field(default=frozenset(), init=False)
    """Words without which a text holds no such time; empty for a language without them."""

    def __post_init__(self) -> None:
        spoken = self.without | self.plus | self.minus | self.past | self.to | self.after
        object.__setattr__(self, "signs", spoken | self.early.keys())

    def applied(self, tokens: list[str]) -> list[str]:
        """Return the tokens with each such time as one."""
        if self.after and not self.after.isdisjoint(tokens):
            tokens = [
                token
                for last, token in pairwise(["", *tokens])
                if token not in self.after or not last.startswith("timeq")
            ]
        if self.signs.isdisjoint(tokens):
            return tokens
        result: list[str] = []
        index = 0
        while index < len(tokens):
            found = (
                self._early(tokens, index)
                or self._behind(tokens, index)
                or self._ahead(tokens, index)
            )
            if found is None:
                result.append(tokens[index])
                index += 1
                continue
            index, hour, minutes = found
            if index < len(tokens) and tokens[index] in self.hours:
                index += 1
            if hour == 1 and minutes < 0:
                hour = 13  # a quarter to one is 12:45
            total = (hour * 60 + minutes) % 1440
            result.append(time_token(total // 60, total % 60))
        return result

    def _early(self, tokens: Sequence[str], index: int) -> Found | None:
        """Return a time that is counted from the coming hour."""
        first = tokens[index]
        if first in self.early:
            hour = _hour(tokens, index + 1)
            if hour:
                return index + 2, hour, -self.early[first]
        if first in self.without and index + 1 < len(tokens):
            value = tokens[index + 1]
            if value.isascii() and value.isdecimal() and 20 < int(value) < 30:
                return index + 2, int(value) - 20, -20  # read as one number
        if first in self.without and index + 2 < len(tokens):
            lacking, hour = self._lacking(tokens[index + 1]), _hour(tokens, index + 2)
            if lacking and hour:
                return index + 3, hour, -lacking
        return None

    def _behind(self, tokens: Sequence[str], index: int) -> Found | None:
        """Return a time with the minutes behind the hour."""
        hour = _hour(tokens, index, most=24)
        if not hour or not (self.plus or self.minus) or tokens[index].endswith("th"):
            return None
        place = index + 1
        named = place < len(tokens) and tokens[place] in self.hours
        place += named
        if place + 1 >= len(tokens) or tokens[place] not in self.plus | self.minus:
            return None
        sign = 1 if tokens[place] in self.plus else -1
        place += 1
        while place + 1 < len(tokens) and tokens[place] in self.filling:
            place += 1
        minutes = HALF if tokens[place] in self.half and sign > 0 else self._lacking(tokens[place])
        told = tokens[place] in self.half | self.quarter or named or self._is_at(tokens, index)
        return (place + 1, hour, sign * minutes) if minutes and told else None

    def _ahead(self, tokens: Sequence[str], index: int) -> Found | None:
        """Return a time with minutes before the hour: Viertel nach acht, um zehn nach acht."""
        if index + 2 >= len(tokens) or tokens[index + 1] not in self.past | self.to:
            return None
        first, hour = tokens[index], _hour(tokens, index + 2)
        is_told = first in self.quarter or (first in _STEPS and self._is_at(tokens, index))
        if not hour or not is_told:
            return None
        minutes = self._lacking(first)
        return index + 3, hour, minutes if tokens[index + 1] in self.past else -minutes

    def _lacking(self, token: str) -> int:
        if token in self.quarter:
            return QUARTER
        return int(token) if _is_small(token) else 0

    def _is_at(self, tokens: Sequence[str], index: int) -> bool:
        return index > 0 and tokens[index - 1] in self.before


_STEPS = frozenset({"5", "10", "20", "25"})
"""Minutes that are told without the word."""


def _hour(tokens: Sequence[str], index: int, *, most: int = 12) -> int:
    """Return the hour that a token tells, ordinals too; 0 for none."""
    known = tokens[index].removesuffix("th") if index < len(tokens) else ""
    if known.startswith("timeq") and known.endswith("q0"):
        known = known.split("q")[1]
    if known.isascii() and known.isdecimal() and len(known) <= 2 and int(known) <= most:
        return int(known)
    return 0


def _is_small(token: str) -> bool:
    return token.isascii() and token.isdecimal() and len(token) <= 2 and 1 <= int(token) <= 59


def spoken_hours_of(table: Table, base: Callable[[str], str]) -> SpokenHours:
    """Return the words around an hour of a table."""
    names = dict(table.alternatives("calendar"))

    def words(name: str) -> frozenset[str]:
        return frozenset(base(word) for phrase in names.get(name, ()) for word in phrase.split())

    before = words("before_hour")
    return SpokenHours(
        half=words("half"),
        quarter=words("quarter"),
        hours=words("clock"),
        before=before,
        early={word: lacking for name, lacking in _EARLY for word in words(name)},
        without=words("without"),
        plus=words("plus"),
        minus=words("minus"),
        filling=words("filling") | _ONE,
        past=words("past") if before else frozenset(),
        to=words("to") if before else frozenset(),
        after=words("after_hour"),
    )
