"""When it happens, told in one order: how often, the day, the date, the hour."""

from __future__ import annotations

from collections.abc import Sequence

from memsleep.guards.rule_words import rule_words
from memsleep.guards.tokens import MARK

_RANK = {"dayq": 1, "dateq": 2, "timeq": 3}
_LISTED = rule_words("times.listed")
_JOINED = {1: _LISTED, 2: frozenset({"to"}), 3: _LISTED}
"""Words that hold two days, dates or hours together."""


def in_order(tokens: list[str], often: frozenset[str] = frozenset()) -> list[str]:
    """Return the tokens with times that stand side by side in one order.

    Examples
    --------
    >>> in_order("run timeq2q0 utc daily".split(), frozenset({"daily"}))
    ['run', 'daily', 'timeq2q0', 'utc']
    >>> in_order("timeq9q0 dayq1 timeq8q0 dayq2".split())
    ['timeq9q0', 'dayq1', 'timeq8q0', 'dayq2']
    """
    if not _stand_together(tokens, often):
        return tokens
    result: list[str] = []
    index = 0
    while index < len(tokens):
        parts = _run(tokens, index, often)
        if len(parts) < 2:
            result.append(tokens[index])
            index += 1
            continue
        ranks = [rank for rank, _, _ in parts]
        stop = parts[-1][2]
        if ranks != sorted(ranks) and len(set(ranks)) == len(ranks):
            for _, start, end in sorted(parts):
                result.extend(tokens[start:end])
        else:
            result.extend(tokens[index:stop])
        index = stop
    return result


def _stand_together(tokens: Sequence[str], often: frozenset[str]) -> bool:
    """Return True where two times may stand side by side; each text passes here."""
    before = False
    for token in tokens:
        if token[:4] in _STARTS or token in often:
            if before:
                return True
            before = True
        elif before and token not in _BETWEEN and token[:4] != "zone":
            before = False
    return False


_STARTS = frozenset({"dayq", "date", "time"})
_BETWEEN = frozenset({MARK, "utc"})


def _run(tokens: Sequence[str], index: int, often: frozenset[str]) -> list[tuple[int, int, int]]:
    """Return (rank, start, stop) of each time in the run that begins here."""
    parts: list[tuple[int, int, int]] = []
    place = index
    while place < len(tokens):
        start = place + (tokens[place] == MARK and bool(parts))
        rank = _rank(tokens, start, often)
        if rank is None:
            break
        place = _stop(tokens, start, rank)
        parts.append((rank, start, place))
    return parts


def _rank(tokens: Sequence[str], place: int, often: frozenset[str]) -> int | None:
    if place >= len(tokens):
        return None
    token = tokens[place]
    return 0 if token in often else _RANK.get(token[: 4 if token.startswith("day") else 5])


def _stop(tokens: Sequence[str], start: int, rank: int) -> int:
    """Return the place behind a time, both ends of a span, and its zone."""
    place = start + 1
    joined = _JOINED.get(rank, frozenset())
    listed = place
    while listed + 1 < len(tokens) and _rank(tokens, listed + 1, frozenset()) == rank:
        if tokens[listed] in joined:
            place = listed = listed + 2
        elif tokens[listed] == MARK and joined is _LISTED:
            listed += 2  # 5:40, 11:20 and 18:05
        else:
            break
    if rank == _RANK["timeq"]:
        zone = place + (place + 1 < len(tokens) and tokens[place] == MARK)
        if zone < len(tokens) and (tokens[zone] == "utc" or tokens[zone].startswith("zoneq")):
            place = zone + 1
    return place
