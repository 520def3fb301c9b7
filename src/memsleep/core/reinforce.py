"""Reinforcement: which accesses count, and what a signal is worth."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from types import MappingProxyType
from typing import Final, Literal, TypeAlias

REINFORCE_COOLDOWN_S: Final = 900

ReinforceSignal: TypeAlias = Literal["positive", "negative", "neutral"]
REINFORCE_SIGNALS: Final[tuple[ReinforceSignal, ...]] = ("positive", "negative", "neutral")
_VALUES: Final = MappingProxyType({"positive": 1.0, "negative": -1.0, "neutral": 0.0})


def signal_value(signal: str) -> float:
    """Return the outcome that a signal stands for.

    Raises
    ------
    ValueError
        If `signal` is not one of ``REINFORCE_SIGNALS``.

    Examples
    --------
    >>> [signal_value(signal) for signal in REINFORCE_SIGNALS]
    [1.0, -1.0, 0.0]
    """
    try:
        return _VALUES[signal]
    except KeyError:
        known = ", ".join(REINFORCE_SIGNALS)
        raise ValueError(f"unknown signal {signal!r}; expected one of {known}") from None


def should_bump_access(
    last: datetime | None, now: datetime, cooldown: float = REINFORCE_COOLDOWN_S
) -> bool:
    """Return whether an access counts as a new one.

    Parameters
    ----------
    last : datetime or None
        The last counted access; None if there was none.
    now : datetime
        The moment of this access. Both aware, in any zone.
    cooldown : float, default 900
        Seconds; exactly so many elapsed is enough. NaN never is.

    Examples
    --------
    >>> from datetime import timedelta, timezone
    >>> now = datetime(2025, 1, 1, tzinfo=timezone.utc)
    >>> should_bump_access(now - timedelta(seconds=900), now)
    True
    >>> should_bump_access(now - timedelta(seconds=899.999), now)
    False
    """
    return last is None or (now - last).total_seconds() >= cooldown


def partition_by_cooldown(
    entries: Iterable[tuple[str, datetime | None]],
    now: datetime,
    cooldown: float = REINFORCE_COOLDOWN_S,
) -> tuple[list[str], list[str]]:
    """Split accessed paths into those that count now and those still cooling down.

    Parameters
    ----------
    entries : iterable of (path, last access or None)
    now, cooldown
        As for :func:`should_bump_access`.

    Returns
    -------
    bumped, cooled_down : list of str
        Input order kept in both.

    Examples
    --------
    >>> from datetime import timezone
    >>> now = datetime(2025, 1, 1, tzinfo=timezone.utc)
    >>> partition_by_cooldown([("a", None), ("b", now)], now)
    (['a'], ['b'])
    """
    bumped: list[str] = []
    cooled_down: list[str] = []
    for path, last in entries:
        (bumped if should_bump_access(last, now, cooldown) else cooled_down).append(path)
    return bumped, cooled_down
