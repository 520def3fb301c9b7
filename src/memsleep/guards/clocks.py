"""Times of day in words: `half past three in the afternoon`, `20 to 7 in the evening`."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from memsleep.guards.calendar import time_token
from memsleep.guards.tokens import MARK


@dataclass(frozen=True)
class Clock:
    """A language's words around an hour."""

    half: frozenset[str]
    quarter: frozenset[str]
    past: frozenset[str]
    to: frozenset[str]
    parts: Mapping[tuple[str, ...], str]
    """Words for a part of the day -> morning, evening, night, am or pm."""
    minutes: frozenset[str] = frozenset()
    at: frozenset[str] = frozenset()
    """Words before an hour: at, by, until."""
    behind: frozenset[str] = frozenset()
    """Words that may follow what stands behind `at`."""
    signs: frozenset[str] = field(default=frozenset(), init=False)
    """Words without which a text holds no time in words."""

    def __post_init__(self) -> None:
        last = (words[-1] for words in self.parts)
        object.__setattr__(self, "signs", frozenset((*self.past, *self.half, *self.quarter, *last)))

    def applied(self, tokens: list[str]) -> list[str]:
        """Return the tokens with each time in words as one."""
        if self.signs.isdisjoint(tokens) and (
            self.to.isdisjoint(tokens) or self.at.isdisjoint(tokens)
        ):
            return tokens
        if not _holds_hour(tokens):
            return tokens
        result: list[str] = []
        index = 0
        while index < len(tokens):
            used, made = self._read(tokens, index)
            if used:
                result.append(made)
                index += used
            else:
                result.append(tokens[index])
                index += 1
        return result

    def _read(self, tokens: Sequence[str], index: int) -> tuple[int, str]:
        """Return (tokens used, time) of a time that begins here; 0 for none."""
        minutes, place = self._minutes(tokens, index)
        if place >= len(tokens):
            return 0, ""
        hour, spare, used = _hour(tokens, place)
        if not used:
            return 0, ""
        place += used
        part, used = self._part(tokens, place)
        spoken = place > index + 1 and (
            tokens[index] in self.half | self.quarter or tokens[index + 1] in self.past
        )
        told = spoken or self._is_told(tokens, index, place)
        if not used and (not told or (tokens[index] == tokens[place - 1])):
            return 0, ""
        total = (_in_part(hour, part) * 60 + spare + minutes) % 1440
        if spoken and not used and total < 60:
            total += 720  # a quarter to one is at noon, if nobody says at night
        return place + used - index, time_token(total // 60, total % 60)

    def _is_told(self, tokens: Sequence[str], index: int, place: int) -> bool:
        """Return True for `at 20 to 7`, where nothing goes on with the figures.

        The first must be the greater of two, or it may be a range.
        """
        if not index or tokens[index - 1] not in self.at or place - index < 2:
            return False
        if place < len(tokens) and tokens[place] != MARK and tokens[place] not in self.behind:
            return False
        first, last = tokens[index], tokens[place - 1]
        return first in {"10", "20", "25"} and last.isdecimal() and int(first) > int(last)

    def _minutes(self, tokens: Sequence[str], index: int) -> tuple[int, int]:
        """Return (minutes after the hour, place of the hour)."""
        if index + 2 >= len(tokens):
            return 0, index
        first, link, place = tokens[index], tokens[index + 1], index + 2
        if link in self.minutes and index + 3 < len(tokens):
            link, place = tokens[place], place + 1
        if first in self.half and link in self.past:
            return 30, place
        value = 15 if first in self.quarter else int(first) if _is_small(first) else 0
        if value and link in self.past | self.to:
            return value if link in self.past else -value, place
        return 0, index

    def _part(self, tokens: Sequence[str], index: int) -> tuple[str, int]:
        for words, name in self.parts.items():
            if tuple(tokens[index : index + len(words)]) == words:
                return name, len(words)
        return "", 0


def _hour(tokens: Sequence[str], index: int) -> tuple[int, int, int]:
    """Return (hour, minutes, tokens used) of an hour in figures; no token for none."""
    known = tokens[index]
    if known.startswith("timeq"):
        hour, minute = (int(part or 0) for part in known.split("q")[1:3])
        return hour, minute, 1
    if _POINTED.match(known):
        hour, minute = map(int, known.split("."))
        return hour, minute, 1
    if not (known.isascii() and known.isdecimal() and len(known) <= 2 and 1 <= int(known) <= 12):
        return 0, 0, 0
    after = tokens[index + 1] if index + 1 < len(tokens) else ""
    if len(after) == 2 and after.isascii() and after.isdecimal() and 10 <= int(after) < 60:
        return int(known), int(after), 2
    return int(known), 0, 1


def _holds_hour(tokens: Sequence[str]) -> bool:
    """Return True where an hour is told in figures, without which none is told in words."""
    for place, token in enumerate(tokens):
        if (token[0].isdigit() or token.startswith("timeq")) and _hour(tokens, place)[2]:
            return True
    return False


def _in_part(hour: int, part: str) -> int:
    """Return the hour of the day."""
    if part in {"night", "am"} and hour == 12:
        return 0
    if part in {"evening", "pm"} or (part == "night" and hour >= 6):
        return hour + 12 if hour < 12 else hour
    return hour


_POINTED = re.compile(r"(?:1[0-2]|[1-9])\.[0-5][0-9]\Z")


def _is_small(token: str) -> bool:
    return token.isascii() and token.isdecimal() and len(token) <= 2 and 1 <= int(token) <= 29
