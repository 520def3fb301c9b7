"""Which answers are final, which are worth another try, and how long to wait before it."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Literal

Verdict = Literal["accepted", "refused", "again", "later"]
"""`again`: tried again now, a few times. `later`: only the next sync tries again."""

REFUSALS = frozenset({400, 403, 409, 410, 413, 415, 422, 451})
"""Final for a write when the service says so in a problem document.

Without one the answer may be a proxy's, a portal's or a wrong address's, and a page of theirs must
never retire a write. 401 is no word about the write: a token expires.
"""
AGAIN = frozenset({408, 425, 429, 500, 502, 503, 504})
"""Passing troubles of a server. Every other status waits for the next sync."""
MAX_ASKED_S = 86_400.0
"""Longest wait that a server is believed to ask for."""

_SECONDS = re.compile(r"[0-9]{1,9}\Z")


def verdict(status: int, *, is_refusal: bool, is_write: bool) -> Verdict:
    """Say what an HTTP status means for a request.

    Parameters
    ----------
    is_refusal : bool
        The answer is a problem document of the contract that says the write is refused.
    is_write : bool
        Only a write can be refused for good.

    Examples
    --------
    >>> verdict(422, is_refusal=True, is_write=True)
    'refused'
    >>> verdict(422, is_refusal=False, is_write=True)
    'later'
    """
    if status == 200:
        return "accepted"
    if is_write and is_refusal and status in REFUSALS:
        return "refused"
    return "again" if status in AGAIN else "later"


def asked_wait_s(
    retry_after: str | None, date: str | None, now: Callable[[], datetime]
) -> float | None:
    """Return the seconds that a `Retry-After` asks for; None when it asks for none.

    A date is counted from the answer's own `Date`, so that two clocks that differ do not matter;
    from `now` where the answer has none.
    """
    if retry_after is None:
        return None
    text = retry_after.strip()
    if _SECONDS.match(text) is not None:
        return min(float(text), MAX_ASKED_S)
    until = _http_date(text)
    if until is None:
        return None
    start = _http_date(date) if date is not None else None
    seconds = (until - (start if start is not None else now())).total_seconds()
    return min(max(seconds, 0.0), MAX_ASKED_S)


def _http_date(text: str) -> datetime | None:
    try:
        found = parsedate_to_datetime(text)
    except (ValueError, TypeError, IndexError, OverflowError):
        return None
    return found.replace(tzinfo=UTC) if found.tzinfo is None else found


@dataclass(frozen=True, slots=True)
class Backoff:
    """How often a request is tried in one sync, and how long is waited between two tries."""

    tries: int = 4
    first_s: float = 0.5
    """Longest wait after the first try; it doubles with every try."""
    cap_s: float = 30.0
    """Longest wait between two tries. A server that asks for more is left alone until later."""

    def wait_s(self, tried: int, asked_s: float | None, jitter: float) -> float | None:
        """Return the seconds to wait after `tried` tries; None when there is no other.

        Parameters
        ----------
        asked_s : float or None
            What the server asks for: waited at least.
        jitter : float
            From 0 to 1. Half of a wait is spread by it, so that many clients do not come at once.
        """
        if tried >= self.tries or (asked_s is not None and asked_s > self.cap_s):
            return None
        base_s: float = min(self.first_s * 2 ** (tried - 1), self.cap_s)
        own_s = base_s * (0.5 + jitter / 2)
        return own_s if asked_s is None else min(max(own_s, asked_s), self.cap_s)
