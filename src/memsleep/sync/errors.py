"""What can go wrong while changes are delivered."""

from __future__ import annotations

from memsleep.errors import MemsleepError, UsageError


class SyncError(MemsleepError):
    """Changes cannot be kept, fetched or delivered: exit 3."""


class RequestError(UsageError):
    """A request is not one that may be taken: exit 2."""
