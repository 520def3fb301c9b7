"""No vectors at all: pairs then come from equal contents, words and slots only."""

from __future__ import annotations

from collections.abc import Sequence

from memsleep.embedders.base import StoredRows
from memsleep.model import Floors, Memory


class NoVectors:
    """The embedder that gives nothing; the report says "degraded"."""

    identity = "none"
    dimension = 0
    floors: Floors | None = None

    def lookup(self, memories: Sequence[Memory]) -> StoredRows:  # noqa: ARG002 (the protocol)
        """Return no row."""
        return StoredRows({})
