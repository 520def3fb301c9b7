"""Which accesses count, and what a signal is worth."""

from __future__ import annotations

import math
from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memsleep.core import (
    REINFORCE_SIGNALS,
    partition_by_cooldown,
    should_bump_access,
    signal_value,
)

NOW = datetime(2025, 3, 30, 1, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    ("seconds", "bumps"),
    [
        (0, False),
        (899.999, False),
        (899.999999, False),
        (900, True),
        (900.001, True),
        (86_400, True),
        (-5, False),
    ],
)
def test_cooldown(seconds: float, bumps: bool) -> None:
    """Exactly the cool-down is enough; an access in the future never counts."""
    assert should_bump_access(NOW - timedelta(seconds=seconds), NOW) is bumps


def test_never_accessed_counts() -> None:
    assert should_bump_access(None, NOW, math.inf)


@pytest.mark.parametrize(
    ("cooldown", "bumps"),
    [(0, True), (1.5, True), (1.501, False), (-1, True), (math.inf, False), (math.nan, False)],
)
def test_other_cooldowns(cooldown: float, bumps: bool) -> None:
    assert should_bump_access(NOW - timedelta(seconds=1.5), NOW, cooldown) is bumps


def test_zones_name_instants() -> None:
    """Elapsed time is between instants: clocks that were put forward do not matter."""
    tokyo = timezone(timedelta(hours=9))
    assert not should_bump_access(NOW.astimezone(tokyo), NOW + timedelta(seconds=899))
    assert should_bump_access(NOW.astimezone(tokyo), NOW + timedelta(seconds=900))


ENTRIES = st.lists(
    st.tuples(
        st.sampled_from("abc"),
        st.none() | st.integers(-10, 2000).map(lambda s: NOW - timedelta(seconds=s)),
    )
)


@given(ENTRIES)
def test_partition(entries: list[tuple[str, datetime | None]]) -> None:
    """Nothing is lost, order is kept, and each side is what the rule says."""
    bumped, cooled_down = partition_by_cooldown(entries, NOW)
    assert bumped == [path for path, last in entries if should_bump_access(last, NOW)]
    assert cooled_down == [path for path, last in entries if not should_bump_access(last, NOW)]


def test_signal_values() -> None:
    assert [signal_value(signal) for signal in REINFORCE_SIGNALS] == [1.0, -1.0, 0.0]


@pytest.mark.parametrize("signal", ["", "Positive", "good"])
def test_unknown_signal(signal: str) -> None:
    with pytest.raises(ValueError, match="expected one of positive, negative, neutral"):
        signal_value(signal)
