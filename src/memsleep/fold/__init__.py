"""Proposals applied to a snapshot, in one place, without a disk, a clock or chance."""

from __future__ import annotations

from memsleep.fold.apply import fold
from memsleep.fold.outcome import Applied, FileChange, Folded

__all__ = ["Applied", "FileChange", "Folded", "fold"]
