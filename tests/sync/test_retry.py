from __future__ import annotations

import pytest

from memsleep.errors import CorpusError
from memsleep.sync.protocol import PushRejected, TransientError
from memsleep.sync.retry import Retry, told
from sync_kit import hasty


def test_a_refusal_is_not_asked_again() -> None:
    """What will never be accepted is asked for once."""
    calls = []

    def work() -> None:
        calls.append(1)
        raise PushRejected("no")

    with pytest.raises(PushRejected):
        hasty(5).call(work)
    assert calls == [1]


@pytest.mark.parametrize("asked", [None, -1.0, "soon", float("nan")])
def test_nonsense_about_waiting_is_not_heeded(asked: object) -> None:
    """A wait is what we would wait, whatever a service says that means nothing."""
    waits: list[float] = []
    error = TransientError("busy")
    error.retry_after_s = asked  # type: ignore[assignment]

    def work() -> None:
        raise error

    with pytest.raises(TransientError):
        hasty(3, waits).call(work)
    assert waits == [0.5, 1.0]


def test_chance_spreads_waits_within_their_double() -> None:
    """Jitter only ever lengthens a wait, by less than itself."""
    waits: list[float] = []
    chances = iter([0.0, 0.5])

    def work() -> None:
        raise OSError

    with pytest.raises(OSError):
        Retry(sleep=waits.append, jitter=lambda: next(chances), attempts=3).call(work)
    assert waits == [0.5, 1.5]


@pytest.mark.parametrize(
    ("error", "line"),
    [
        (CorpusError("corpus-busy", "it is busy"), "it is busy"),
        (TransientError("HTTP 503\nfrom x"), "HTTP 503 from x"),
        (OSError(28, "No space left on device"), "OSError: No space left on device"),
        (OSError("token"), "OSError"),
        (RuntimeError("token"), "RuntimeError"),
    ],
)
def test_an_error_is_told_without_what_it_may_quote(error: Exception, line: str) -> None:
    """Our own words and the system's are told; of others the kind alone."""
    assert told(error) == line
