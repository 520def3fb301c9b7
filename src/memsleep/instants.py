"""Arithmetic on instants: text of the form `YYYY-MM-DD` or `YYYY-MM-DDTHH:MM:SSZ`, always UTC.

No time zone data and no clock are involved: days are counted in the proleptic Gregorian calendar.
"""

from __future__ import annotations

import re
from datetime import UTC, date, datetime, timedelta
from functools import lru_cache

from memsleep.errors import UsageError

SECONDS_PER_DAY = 86_400

_INSTANT = re.compile(r"(\d{4})-(\d\d)-(\d\d)(?:T(\d\d):(\d\d):(\d\d)Z)?\Z", re.ASCII)
_OFFSET = re.compile(r"(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)([+-])(\d\d):(\d\d)\Z", re.ASCII)
_EPOCH_DAY = date(1970, 1, 1).toordinal()
_MIN_SECONDS = (date.min.toordinal() - _EPOCH_DAY) * SECONDS_PER_DAY
_MAX_SECONDS = (date.max.toordinal() + 1 - _EPOCH_DAY) * SECONDS_PER_DAY - 1


def _day_seconds(year: str, month: str, day: str) -> int | None:
    try:
        ordinal = date(int(year), int(month), int(day)).toordinal()
    except ValueError:
        return None
    return (ordinal - _EPOCH_DAY) * SECONDS_PER_DAY


def _clock_seconds(hour: str, minute: str, second: str) -> int | None:
    h, m, s = int(hour), int(minute), int(second)
    return h * 3600 + m * 60 + s if h < 24 and m < 60 and s < 60 else None


@lru_cache(maxsize=1 << 16)  # a night asks for the same few instants of every memory
def epoch_seconds(text: str) -> int | None:
    """Return the seconds since 1970 of a canonical instant, None when it is none.

    A bare date is its midnight. Second 60 has no number of its own and gives None.

    Examples
    --------
    >>> epoch_seconds("1970-01-02"), epoch_seconds("1970-01-01T00:01:00Z")
    (86400, 60)
    >>> epoch_seconds("2026-02-30") is None
    True
    """
    match = _INSTANT.match(text)
    if match is None:
        return None
    days = _day_seconds(*match.group(1, 2, 3))
    clock = 0 if match.group(4) is None else _clock_seconds(*match.group(4, 5, 6))
    return None if days is None or clock is None else days + clock


def from_epoch(seconds: int) -> str:
    """Return the instant of a number of seconds since 1970, held within the years 1 to 9999.

    Examples
    --------
    >>> from_epoch(0)
    '1970-01-01T00:00:00Z'
    """
    held = min(max(seconds, _MIN_SECONDS), _MAX_SECONDS)
    moment = datetime(1970, 1, 1, tzinfo=UTC) + timedelta(seconds=held)
    return moment.isoformat(timespec="seconds").replace("+00:00", "Z")


def days_between(earlier: str, later: str) -> float | None:
    """Return the days from one instant to another as a fraction, None when either is none.

    Negative when `later` comes first.
    """
    start, stop = epoch_seconds(earlier), epoch_seconds(later)
    return None if start is None or stop is None else (stop - start) / SECONDS_PER_DAY


def add_days(instant: str, days: float) -> str:
    """Return an instant moved by days, as a full instant; fractions are cut to whole seconds.

    Raises
    ------
    ValueError
        If `instant` is not canonical.

    Examples
    --------
    >>> add_days("2026-02-28", 1), add_days("2026-02-28T12:00:00Z", -0.5)
    ('2026-03-01T00:00:00Z', '2026-02-28T00:00:00Z')
    """
    seconds = epoch_seconds(instant)
    if seconds is None:
        raise ValueError(f"expected YYYY-MM-DD or YYYY-MM-DDTHH:MM:SSZ, found {instant!r}")
    return from_epoch(seconds + int(days * SECONDS_PER_DAY))


def parse_instant(text: str, *, option: str = "--now") -> str:
    """Return what a person typed for an option as `YYYY-MM-DDTHH:MM:SSZ`.

    Accepts a date (its midnight in UTC), a UTC instant, and an instant with an offset.

    Raises
    ------
    UsageError
        `bad-instant`, when it is none of these.

    Examples
    --------
    >>> parse_instant("2026-11-30"), parse_instant("2026-11-30T01:00:00+02:00")
    ('2026-11-30T00:00:00Z', '2026-11-29T23:00:00Z')
    """
    seconds = epoch_seconds(text)
    if seconds is None:
        seconds = _offset_seconds(text)
    if seconds is None or not _MIN_SECONDS <= seconds <= _MAX_SECONDS:
        raise UsageError(
            "bad-instant",
            f"expected an instant such as 2026-11-30 or 2026-11-30T03:00:00Z, found {text[:40]!r}",
            hint=f"pass {option} 2026-11-30T03:00:00Z",
        )
    return from_epoch(seconds)


def _offset_seconds(text: str) -> int | None:
    match = _OFFSET.match(text)
    if match is None:
        return None
    days = _day_seconds(*match.group(1, 2, 3))
    clock = _clock_seconds(*match.group(4, 5, 6))
    sign, hours, minutes = match.group(7), int(match.group(8)), int(match.group(9))
    if days is None or clock is None or hours > 23 or minutes > 59:
        return None
    offset = hours * 3600 + minutes * 60
    return days + clock - (offset if sign == "+" else -offset)
