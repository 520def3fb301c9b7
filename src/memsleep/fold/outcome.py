"""What a fold gives back: the next snapshot, what was applied and what was refused."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from memsleep.model import Snapshot
from memsleep.proposals import Proposal, Refusal


@dataclass(frozen=True, slots=True)
class FileChange:
    """What a decision did to one file, by digest."""

    path: str
    action: Literal["edit", "move", "create"]
    before: str | None
    """SHA-256 of the bytes before, None for a new file."""
    after: str
    """SHA-256 of the bytes after."""
    to: str | None = None
    """Where a moved file lies now."""


@dataclass(frozen=True, slots=True)
class Applied:
    """A proposal that took effect."""

    proposal: Proposal
    changes: tuple[FileChange, ...] = ()


@dataclass(frozen=True, slots=True)
class Folded:
    """The result of folding the proposals of one phase."""

    snapshot: Snapshot
    applied: tuple[Applied, ...]
    refused: tuple[Refusal, ...]
