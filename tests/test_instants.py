"""Tests of memsleep.instants."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memsleep.errors import UsageError
from memsleep.instants import add_days, days_between, epoch_seconds, from_epoch, parse_instant

CANONICAL = [
    ("1970-01-01", 0),
    ("1970-01-01T00:00:01Z", 1),
    ("2026-11-30T03:00:00Z", 1_796_007_600),
    ("2024-02-29", 1_709_164_800),
    ("0001-01-01", -62_135_596_800),
    ("9999-12-31T23:59:59Z", 253_402_300_799),
]
NONE = [
    "",
    "2026",
    "2026-1-1",
    "2026-02-30",
    "2025-02-29",
    "2026-13-01",
    "0000-01-01",
    "2026-08-02T12:00:60Z",
    "2026-08-02T24:00:00Z",
    "2026-08-02T12:60:00Z",
    "2026-08-02T12:00:00",
    "2026-08-02T12:00:00.000Z",
    "2026-08-02 12:00:00Z",
    "2026-08-02T12:00:00z",
    "2026-08-02\n",
    " 2026-08-02",
    "\u0662026-08-02",
]


@pytest.mark.parametrize(("text", "seconds"), CANONICAL)
def test_epoch_seconds_of_canonical_text(text: str, seconds: int) -> None:
    """Both canonical forms have their seconds."""
    assert epoch_seconds(text) == seconds


@pytest.mark.parametrize("text", NONE)
def test_epoch_seconds_of_anything_else(text: str) -> None:
    """Nothing but an existing day in canonical form has seconds, second 60 included."""
    assert epoch_seconds(text) is None


@given(st.integers(-62_135_596_800, 253_402_300_799))
def test_from_epoch_is_the_inverse(seconds: int) -> None:
    """Seconds to text and back is the same number, and agrees with the calendar."""
    text = from_epoch(seconds)
    assert epoch_seconds(text) == seconds
    assert text == datetime.fromisoformat(text).astimezone(UTC).isoformat().replace("+00:00", "Z")


@given(st.integers(-62_135_596_800, 253_402_300_799), st.integers(0, 10**6))
def test_text_order_is_time_order(seconds: int, more: int) -> None:
    """Instants as text sort like the instants."""
    assert from_epoch(seconds) <= from_epoch(seconds + more)


@pytest.mark.parametrize(
    ("instant", "days", "expected"),
    [
        ("2026-02-28", 1, "2026-03-01T00:00:00Z"),
        ("2024-02-28T10:00:00Z", 1, "2024-02-29T10:00:00Z"),
        ("2026-01-01", -1, "2025-12-31T00:00:00Z"),
        ("2026-01-01", 0.5, "2026-01-01T12:00:00Z"),
        ("9999-12-31", 400, "9999-12-31T23:59:59Z"),
        ("0001-01-01", -400, "0001-01-01T00:00:00Z"),
    ],
)
def test_add_days(instant: str, days: float, expected: str) -> None:
    """Days are added in UTC and never leave the years that text can hold."""
    assert add_days(instant, days) == expected


def test_add_days_refuses_what_is_no_instant() -> None:
    """A date that does not exist cannot be moved."""
    with pytest.raises(ValueError, match="expected YYYY-MM-DD"):
        add_days("2026-02-30", 1)


@pytest.mark.parametrize(
    ("earlier", "later", "days"),
    [
        ("2026-01-01", "2026-01-02T12:00:00Z", 1.5),
        ("2026-01-02", "2026-01-01", -1.0),
        ("2026-01-01", "2026-01-01T00:00:00Z", 0.0),
        ("2026-02-30", "2026-03-01", None),
        ("2026-01-01", "2026-01-01T00:00:60Z", None),
    ],
)
def test_days_between(earlier: str, later: str, days: float | None) -> None:
    """The difference is a fraction of days over both forms, None without two instants."""
    assert days_between(earlier, later) == days


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("2026-11-30", "2026-11-30T00:00:00Z"),
        ("2026-11-30T03:00:00Z", "2026-11-30T03:00:00Z"),
        ("2026-11-30T03:00:00+02:00", "2026-11-30T01:00:00Z"),
        ("2026-11-30T23:30:00-05:30", "2026-12-01T05:00:00Z"),
    ],
)
def test_parse_instant(text: str, expected: str) -> None:
    """What a person may type becomes one UTC form."""
    assert parse_instant(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "",
        "now",
        "tomorrow",
        "2026-11-31",
        "2026-11-30T03:00",
        "2026-11-30T03:00:60Z",
        "2026-11-30T03:00:00+24:00",
        "2026-11-30T03:00:00+0200",
        "0001-01-01T00:00:00+02:00",
        "2026-11-30 ",
        "1796007600",
    ],
)
def test_parse_instant_refuses(text: str) -> None:
    """Anything else is a usage error with its reference and exit code 2."""
    with pytest.raises(UsageError) as caught:
        parse_instant(text)
    assert caught.value.reference == "bad-instant"
    assert caught.value.exit_code == 2
