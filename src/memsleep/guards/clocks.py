"""Times of day in words: `half past three in the afternoon`, `20 to 7 in the evening`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from memsleep.guards.calendar import time_token


@dataclass(frozen=True)
class Clock:
    """A language's words around an hour."""

    half: frozenset[str]
    quarter: frozenset[str]
    past: frozenset[str]
    to: frozenset[str]
    parts: Mapping[tuple[str, ...], int]
    """Part of the day -> hours to add to an hour before noon."""
    signs: frozenset[str] = field(default=frozenset(), init=False)
    """Words without which a text holds no time in words."""

    def __post_init__(self) -> None:
        last = (words[-1] for words in self.parts)
        object.__setattr__(self, "signs", frozenset((*self.past, *self.half, *self.quarter, *last)))

    def applied(self, tokens: list[str]) -> list[str]:
        """Return the tokens with each time in words as one."""
        if self.signs.isdisjoint(tokens):
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
        known = tokens[place]
        if known.startswith("timeq"):
            hour, spare = (int(part or 0) for part in known.split("q")[1:3])
        elif known.isascii() and known.isdecimal() and 1 <= int(known) <= 12:
            hour, spare = int(known), 0
        else:
            return 0, ""
        added, used = self._part(tokens, place + 1)
        spoken = place > index and tokens[index] in self.half | self.quarter
        if not used and not spoken:
            return 0, ""
        if hour < 12:
            hour += added
        total = (hour * 60 + spare + minutes) % 1440
        return place + 1 + used - index, time_token(total // 60, total % 60)

    def _minutes(self, tokens: Sequence[str], index: int) -> tuple[int, int]:
        """Return (minutes after the hour, place of the hour)."""
        if index + 2 >= len(tokens):
            return 0, index
        first, link = tokens[index], tokens[index + 1]
        if first in self.half and link in self.past:
            return 30, index + 2
        value = 15 if first in self.quarter else int(first) if _is_small(first) else 0
        if value and link in self.past | self.to:
            return value if link in self.past else -value, index + 2
        return 0, index

    def _part(self, tokens: Sequence[str], index: int) -> tuple[int, int]:
        for words, added in self.parts.items():
            if tuple(tokens[index : index + len(words)]) == words:
                return added, len(words)
        return 0, 0


def _is_small(token: str) -> bool:
    return token.isascii() and token.isdecimal() and len(token) <= 2 and 1 <= int(token) <= 29
