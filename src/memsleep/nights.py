"""Counting nights: a run an hour early or late is still the same night's or the next one's."""

from __future__ import annotations

from memsleep.instants import SECONDS_PER_DAY, epoch_seconds

SLACK_SECONDS = 6 * 3600


def nights_between(earlier: str, later: str) -> int:
    """Return floor((elapsed + 6 h) / 24 h), 0 when an instant cannot be read or lies ahead.

    Examples
    --------
    >>> nights_between("2026-11-29T03:10:00Z", "2026-11-30T03:00:00Z")
    1
    >>> nights_between("2026-11-30T03:00:00Z", "2026-11-30T20:00:00Z")
    0
    """
    start, end = epoch_seconds(earlier), epoch_seconds(later)
    if start is None or end is None or end < start:
        return 0
    return (end - start + SLACK_SECONDS) // SECONDS_PER_DAY


def same_night(instant: str, now: str) -> bool:
    """Return True when an instant is not after `now` and no night has passed since."""
    return instant <= now and nights_between(instant, now) == 0
