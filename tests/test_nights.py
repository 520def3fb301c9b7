"""Counting nights: an hour early or late is the same night."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memsleep.instants import add_days, from_epoch
from memsleep.nights import nights_between, same_night

NOW = "2026-11-30T03:00:00Z"


@pytest.mark.parametrize(
    ("earlier", "nights"),
    [
        ("2026-11-30T03:00:00Z", 0),
        ("2026-11-29T09:00:01Z", 0),
        ("2026-11-29T09:00:00Z", 1),
        ("2026-11-29T03:00:00Z", 1),
        ("2026-11-28T09:00:01Z", 1),
        ("2026-11-28T09:00:00Z", 2),
        ("2026-11-29", 1),
        ("2026-11-30T03:00:01Z", 0),
        ("2027-01-01", 0),
        ("no date", 0),
        ("2026-02-30", 0),
        ("", 0),
    ],
)
def test_nights_between(earlier: str, nights: int) -> None:
    """Eighteen hours make a night, what lies ahead or is no instant makes none."""
    assert nights_between(earlier, NOW) == nights


def test_an_unreadable_now_is_no_night() -> None:
    """Without an instant to count to there are no nights."""
    assert nights_between(NOW, "soon") == 0


@pytest.mark.parametrize(
    ("instant", "same"),
    [
        (NOW, True),
        ("2026-11-30", True),
        ("2026-11-29T09:00:01Z", True),
        ("2026-11-29T09:00:00Z", False),
        ("2026-11-30T03:00:01Z", False),
        ("2026-10-01", False),
    ],
)
def test_same_night(instant: str, same: bool) -> None:
    """The same night is what is not later and no night ago."""
    assert same_night(instant, NOW) is same


@given(st.integers(0, 400), st.integers(-6 * 3600, 18 * 3600 - 1))
def test_a_run_early_or_late_counts_the_same(days: int, seconds: int) -> None:
    """Up to six hours early or eighteen late, n days are n nights."""
    start = 1_700_000_000
    later = add_days(from_epoch(start), days)
    moved = from_epoch(start + days * 86_400 + seconds)
    if days:
        assert nights_between(from_epoch(start), later) == days
        assert nights_between(from_epoch(start), moved) == days
