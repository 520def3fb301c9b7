"""The one place that reads the clock."""

from __future__ import annotations

from datetime import UTC, datetime

from memsleep.instants import parse_instant


def instant_of(text: str | None) -> str:
    """Return what `--now` says, or the current second in UTC, as `YYYY-MM-DDTHH:MM:SSZ`."""
    if text is not None:
        return parse_instant(text)
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
