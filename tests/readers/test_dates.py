"""Tests of memsleep.readers.dates."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memsleep.instants import epoch_seconds, from_epoch
from memsleep.readers.dates import day_first_of, format_as, format_like, parse_date

NIGHT = "2026-11-30T23:05:09Z"

# As written, its instant, and NIGHT in its shape.
SHAPES = [
    ("2026-03-04", "2026-03-04", "2026-11-30"),
    ("2026-3-4", "2026-03-04", "2026-11-30"),
    ("2026/03/04", "2026-03-04", "2026/11/30"),
    ("2026.03.04", "2026-03-04", "2026.11.30"),
    ("2026_03_04", "2026-03-04", "2026_11_30"),
    ("2026-03-04T10:15:30Z", "2026-03-04T10:15:30Z", NIGHT),
    ("2026-03-04t10:15:30z", "2026-03-04T10:15:30Z", "2026-11-30t23:05:09z"),
    ("2026-03-04T10:15:30", "2026-03-04T10:15:30Z", "2026-11-30T23:05:09"),
    ("2026-03-04T10:15:30.123Z", "2026-03-04T10:15:30Z", "2026-11-30T23:05:09.000Z"),
    ("2026-03-04 10:15:30", "2026-03-04T10:15:30Z", "2026-11-30 23:05:09"),
    ("2026-03-04 10:15", "2026-03-04T10:15:00Z", "2026-11-30 23:05"),
    ("2026-03-04T10:15+02:00", "2026-03-04T08:15:00Z", "2026-12-01T01:05+02:00"),
    ("2026-03-04 10:15:30 -0530", "2026-03-04T15:45:30Z", "2026-11-30 17:35:09 -0530"),
    ("2026-03-04T10:15:30 UTC", "2026-03-04T10:15:30Z", "2026-11-30T23:05:09 UTC"),
    ("2026-03-04-10-15-30", "2026-03-04T10:15:30Z", "2026-11-30-23-05-09"),
    ("2026-03-04-1015", "2026-03-04T10:15:00Z", "2026-11-30-2305"),
    ("20260304", "2026-03-04", "20261130"),
    ("20260304T1015", "2026-03-04T10:15:00Z", "20261130T2305"),
    ("20120612T144337Z", "2012-06-12T14:43:37Z", "20261130T230509Z"),
    ("202603041015", "2026-03-04T10:15:00Z", "202611302305"),
    ("20260304101530", "2026-03-04T10:15:30Z", "20261130230509"),
    ("1772619330", "2026-03-04T10:15:30Z", "1796079909"),
    ("1772619330123", "2026-03-04T10:15:30Z", "1796079909000"),
    ("March 4, 2026", "2026-03-04", "November 30, 2026"),
    ("Mar 4, 2026 10:15 PM", "2026-03-04T22:15:00Z", "Nov 30, 2026 11:05 PM"),
    ("Mar 4, 2026 12:15 am", "2026-03-04T00:15:00Z", "Nov 30, 2026 11:05 pm"),
    ("4 March 2026", "2026-03-04", "30 November 2026"),
    ("4-Mar-2026", "2026-03-04", "30-Nov-2026"),
    ("04 MAR 2026", "2026-03-04", "30 NOV 2026"),
    ("Wed, 04 Mar 2026 10:15:00 +0000", "2026-03-04T10:15:00Z", "Mon, 30 Nov 2026 23:05:09 +0000"),
    ("Wednesday, March 4th, 2026", "2026-03-04", "Monday, November 30th, 2026"),
    ("Wed Mar 4 10:15:30 2026", "2026-03-04T10:15:30Z", "Mon Nov 30 23:05:09 2026"),
    ("May 4, 2026", "2026-05-04", "November 30, 2026"),
    ("Mon, 04 May 2026", "2026-05-04", "Mon, 30 Nov 2026"),
    ("04.03.2026", "2026-03-04", "30.11.2026"),
    ("31/12/2017", "2017-12-31", "30/11/2026"),
    ("12/31/2017", "2017-12-31", "11/30/2026"),
    ("2026\u5e743\u67084\u65e5", "2026-03-04", "2026\u5e7411\u670830\u65e5"),
    ("  2026-03-04  ", "2026-03-04", "2026-11-30"),
]
NO_DATES = [
    "",
    "hello",
    "2026",
    "2026-03",
    "12",
    "2026-02-30",
    "2025-02-29",
    "2026-13-01",
    "2026-00-10",
    "0000-01-01",
    "2026-03-04T25:00",
    "2026-03-04T24:00:00",
    "2026-03-04T10:60",
    "2026-03-04T10:15:60Z",
    "13:15",
    "Mar 4, 2026 13:15 PM",
    "31/31/2017",
    "06/08/2017",
    "Mai 4, 2026",
    "2026-03-04 and more",
    "v2026-03-04",
    "\u0662\u0660\u0662\u0666-03-04",
    "{Y}-03-04",
    "9" * 100,
]


@pytest.mark.parametrize(("written", "instant", "tonight"), SHAPES)
def test_shapes(written: str, instant: str, tonight: str) -> None:
    """Each shape has its instant, and another date written in it keeps the shape."""
    parsed = parse_date(written)
    assert parsed is not None
    assert parsed.instant == instant
    assert format_as(parsed.shape, NIGHT) == tonight
    assert format_like(written, NIGHT) == tonight


@pytest.mark.parametrize("written", NO_DATES)
def test_what_is_no_date(written: str) -> None:
    """What does not exist, or is not a whole date, reads as absent."""
    assert parse_date(written) is None


@pytest.mark.parametrize(
    ("day_first", "instant"), [(True, "2017-08-06"), (False, "2017-06-08"), (None, None)]
)
def test_order_of_day_and_month(day_first: bool | None, instant: str | None) -> None:
    """An ambiguous order is read only when it is told."""
    parsed = parse_date("06/08/2017", day_first=day_first)
    assert (parsed and parsed.instant) == instant


def test_told_order_does_not_beat_proof() -> None:
    """A number above 12 is a day whatever the file's order is said to be."""
    parsed = parse_date("12/31/2017", day_first=True)
    assert parsed is not None
    assert parsed.instant == "2017-12-31"


@pytest.mark.parametrize(
    ("written", "order"),
    [("31/12/2017", True), ("12/31/2017", False), ("06/08/2017", None), ("2017-12-31", None)],
)
def test_day_first_of(written: str, order: bool | None) -> None:
    """Only a date whose numbers tell proves an order."""
    assert day_first_of(written) is order


@given(
    written=st.sampled_from([shape[0] for shape in SHAPES]),
    seconds=st.integers(946_684_800, 4_102_444_799),
)
@settings(max_examples=300)
def test_writing_and_reading_a_shape(written: str, seconds: int) -> None:
    """A date written in any shape reads as the same day, or the same instant where time fits."""
    day_first = day_first_of(written)
    shape = parse_date(written).shape  # type: ignore[union-attr]
    text = format_as(shape, from_epoch(seconds))
    again = parse_date(text, day_first=day_first)
    assert again is not None
    distance = seconds - (epoch_seconds(again.instant) or 0)
    assert 0 <= distance < (86_400 if "{H" not in shape and "{E" not in shape else 60)


def test_format_needs_an_instant() -> None:
    """A value that is no instant is never written."""
    with pytest.raises(ValueError, match="canonical"):
        format_as("{Y:2026}", "tomorrow")


def test_format_like_without_a_date() -> None:
    """Where no date stood, the canonical form is written."""
    assert format_like("soon", NIGHT) == NIGHT


@given(st.text(max_size=70))
def test_any_text(text: str) -> None:
    """No text raises, and what is read is canonical."""
    parsed = parse_date(text)
    assert parsed is None or epoch_seconds(parsed.instant) is not None
