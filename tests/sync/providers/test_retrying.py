"""Which answers are final, which are tried again, and how long is waited in between."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fault_server_kit import FaultServer, answer
from memsleep.sync.protocol import Page, TransientError
from memsleep.sync.providers.retrying import MAX_ASKED_S, Backoff, asked_wait_s, verdict
from sync_provider_kit import NOW, Waits, http_provider

DONE = answer(200, Page(done=True).model_dump_json().encode())

# status: (write with a refusal, write without, any reading)
TABLE = {
    200: ("accepted", "accepted", "accepted"),
    201: ("later", "later", "later"),
    204: ("later", "later", "later"),
    206: ("later", "later", "later"),
    301: ("later", "later", "later"),
    304: ("later", "later", "later"),
    307: ("later", "later", "later"),
    400: ("refused", "later", "later"),
    401: ("later", "later", "later"),
    402: ("later", "later", "later"),
    403: ("refused", "later", "later"),
    404: ("later", "later", "later"),
    405: ("later", "later", "later"),
    407: ("later", "later", "later"),
    408: ("again", "again", "again"),
    409: ("refused", "later", "later"),
    410: ("refused", "later", "later"),
    411: ("later", "later", "later"),
    412: ("later", "later", "later"),
    413: ("refused", "later", "later"),
    414: ("later", "later", "later"),
    415: ("refused", "later", "later"),
    418: ("later", "later", "later"),
    421: ("later", "later", "later"),
    422: ("refused", "later", "later"),
    423: ("later", "later", "later"),
    425: ("again", "again", "again"),
    426: ("later", "later", "later"),
    429: ("again", "again", "again"),
    431: ("later", "later", "later"),
    451: ("refused", "later", "later"),
    500: ("again", "again", "again"),
    501: ("later", "later", "later"),
    502: ("again", "again", "again"),
    503: ("again", "again", "again"),
    504: ("again", "again", "again"),
    505: ("later", "later", "later"),
    507: ("later", "later", "later"),
    511: ("later", "later", "later"),
}


@pytest.mark.parametrize("status", TABLE)
def test_what_a_status_means(status: int) -> None:
    """Only a refusal in words retires a write, and only passing trouble is tried again at once."""
    assert TABLE[status] == (
        verdict(status, is_refusal=True, is_write=True),
        verdict(status, is_refusal=False, is_write=True),
        verdict(status, is_refusal=True, is_write=False),
    )


@given(st.integers(100, 599), st.booleans())
def test_without_a_refusal_nothing_is_retired(status: int, is_write: bool) -> None:
    """No status alone is final."""
    assert verdict(status, is_refusal=False, is_write=is_write) != "refused"


DATE = "Mon, 30 Nov 2026 03:00:00 GMT"
ASKED = [
    (None, None, None),
    ("0", None, 0.0),
    ("7", None, 7.0),
    (" 7 ", None, 7.0),
    ("999999999", None, MAX_ASKED_S),
    ("9" * 400, None, None),
    ("-1", None, None),
    ("1.5", None, None),
    ("1e3", None, None),
    ("\u0667", None, None),
    ("soon", None, None),
    ("", None, None),
    ("Mon, 30 Nov 2026 03:00:09 GMT", None, 9.0),
    ("Mon, 30 Nov 2026 02:59:00 GMT", None, 0.0),
    ("Monday, 30-Nov-26 03:00:09 GMT", None, 9.0),
    ("Mon Nov 30 03:00:09 2026", None, 9.0),
    ("Mon, 30 Nov 2026 04:00:09 +0100", None, 9.0),
    ("Mon, 30 Nov 2126 03:00:00 GMT", None, MAX_ASKED_S),
    ("Mon, 99 Nov 2026 03:00:00 GMT", None, None),
    # The clock of the service is a year ahead, a year behind, or no clock.
    ("Tue, 30 Nov 2027 03:00:09 GMT", "Tue, 30 Nov 2027 03:00:00 GMT", 9.0),
    ("Sun, 30 Nov 2025 03:00:09 GMT", "Sun, 30 Nov 2025 03:00:00 GMT", 9.0),
    ("Mon, 30 Nov 2026 03:00:09 GMT", "no date", 9.0),
]


@pytest.mark.parametrize(("retry_after", "date", "seconds"), ASKED)
def test_what_retry_after_asks_for(
    retry_after: str | None, date: str | None, seconds: float | None
) -> None:
    """Seconds or a date, counted on the clock of the service; what is neither asks for nothing."""
    assert asked_wait_s(retry_after, date, lambda: NOW) == seconds


@given(st.text(max_size=40), st.none() | st.text(max_size=40))
def test_no_header_breaks_it(retry_after: str, date: str | None) -> None:
    """Whatever a service sends, the wait is none or a bounded number of seconds."""
    found = asked_wait_s(retry_after, date, lambda: datetime(2026, 11, 30, tzinfo=UTC))
    assert found is None or 0 <= found <= MAX_ASKED_S


@pytest.mark.parametrize(
    ("tried", "asked_s", "jitter", "wait_s"),
    [
        (1, None, 0.0, 0.25),
        (1, None, 1.0, 0.5),
        (2, None, 1.0, 1.0),
        (3, None, 1.0, 2.0),
        (4, None, 1.0, None),
        (1, 0.0, 1.0, 0.5),
        (1, 7.0, 1.0, 7.0),
        (1, 30.0, 1.0, 30.0),
        (1, 30.1, 1.0, None),
        (4, 0.0, 1.0, None),
    ],
)
def test_how_long_is_waited(
    tried: int, asked_s: float | None, jitter: float, wait_s: float | None
) -> None:
    """It doubles, is spread, is at least what is asked for, and ends."""
    assert Backoff().wait_s(tried, asked_s, jitter) == wait_s


@given(st.integers(1, 2000), st.none() | st.floats(0, 1e6), st.floats(0, 1), st.integers(1, 2000))
def test_waits_are_bounded(tried: int, asked_s: float | None, jitter: float, tries: int) -> None:
    """No wait is longer than its cap, and there are fewer waits than tries."""
    backoff = Backoff(tries=tries)
    wait_s = backoff.wait_s(tried, asked_s, jitter)
    assert wait_s is None or (0 < wait_s <= backoff.cap_s and tried < tries)


def _waits(*acts: object, **more: object) -> list[float]:
    waits = Waits()
    with FaultServer(*acts) as server:
        provider = http_provider(server.url, waits=waits, **more)
        try:
            provider.pull("project", None, 10)
        finally:
            provider.close()
    return list(waits)


def test_the_same_chance_gives_the_same_waits() -> None:
    """Waits come from the backoff and the jitter that was given, and from nothing else."""
    faults = (answer(503, b""), answer(500, b""), DONE)
    assert _waits(*faults, jitter=0.0) == [0.25, 0.5]
    assert _waits(*faults, jitter=1.0) == [0.5, 1.0]


@pytest.mark.parametrize("status", [429, 503])
def test_retry_after_is_waited_for(status: int) -> None:
    """A service that names its time gets it."""
    assert _waits(answer(status, b"", Retry_After="7"), DONE) == [7.0]


def test_a_clock_that_is_wrong_does_not_matter() -> None:
    """A date is counted on the clock that set it, however far from ours."""
    busy = answer(
        503, b"", Date="Wed, 01 Jan 2020 00:00:00 GMT", Retry_After="Wed, 01 Jan 2020 00:00:04 GMT"
    )
    assert _waits(busy, DONE) == [4.0]


def test_a_service_that_asks_for_hours_is_left_alone() -> None:
    """Beyond the cap nobody waits and nobody asks earlier: the error says how long."""
    waits = Waits()
    with FaultServer(answer(429, b"", Retry_After="3600")) as server:
        provider = http_provider(server.url, waits=waits)
        with pytest.raises(TransientError) as error:
            provider.pull("project", None, 10)
        provider.close()
    assert error.value.retry_after_s == 3600.0
    assert waits == []
    assert len(server.requests) == 1
