"""What the command line asks of a night, and what a night gives back: plain values.

Nothing heavy is imported here, and nothing is read: the command line has read it all.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Final, Protocol

if TYPE_CHECKING:
    from memsleep.config.origins import Origin
    from memsleep.settings import Settings

ARTIFACTS: Final = ("plan.json", "sleep.diff", "report.html", "report.md", "report.json")
"""The files of a dry run, in the order in which they are written."""


class Progress(Protocol):
    """Told by the night how far it is; shows it or not."""

    def start(self, phase: str, total: int | None = None) -> None:
        """Begin a phase of so many steps; None when nobody knows."""

    def advance(self, count: int = 1) -> None:
        """Say that so many further steps of the phase are done."""

    def finish(self) -> None:
        """End the phase."""


class Silence:
    """Progress that nobody sees."""

    def start(self, phase: str, total: int | None = None) -> None:
        """Show nothing."""

    def advance(self, count: int = 1) -> None:
        """Show nothing."""

    def finish(self) -> None:
        """Show nothing."""


SILENCE: Final = Silence()


@dataclass(frozen=True, slots=True, kw_only=True)
class RunRequest:
    """One night that somebody asked for."""

    corpus: Path
    """An existing folder."""
    settings: Settings
    now: str
    """The run's instant, `YYYY-MM-DDTHH:MM:SSZ`."""
    origins: Mapping[str, Origin] = field(default_factory=lambda: MappingProxyType({}))
    """`section.key` -> where its value came from."""
    out: Path | None = None
    """Folder for the artifacts; None: summary and diff are the output."""
    state_dir: Path | None = None
    """Folder of the state instead of the corpus's `.memsleep/`."""
    notes: tuple[str, ...] = ()
    """What the night has to do without, known before it begins: one sentence each."""
    clock: str = ""
    """The current second in UTC, for a real run: when it began, and how far `now` is off."""
    break_lock: bool = False
    """Take a lock that a process of another host left behind."""
    json: bool = False
    """The output is one JSON document."""
    quiet: bool = False
    verbose: bool = False
    progress: Progress = SILENCE


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What a night, or a question about one, gives back. The command line writes it."""

    output: bytes
    """For standard output, byte for byte."""
    artifacts: Mapping[str, bytes] = field(default_factory=lambda: MappingProxyType({}))
    """Name (of `ARTIFACTS`) -> bytes, for `--out`."""
    changes: int = 0
    """Decisions that change files."""
    unreadable: int = 0
    """Files that were left alone because they could not be read."""
    failed_phases: tuple[str, ...] = ()
    blocked: int = 0
    """Decisions that could not land, or be taken back, because a file stands in the way."""
    losses: int = 0
    """What the nothing-lost proof did not find again."""
    refused: bool = False
    """True when the gate let nothing land."""
    messages: tuple[str, ...] = ()
    """For standard error unless quiet: one line each, never the text of a memory."""

    def exit_code(self, *, findings_matter: bool = False) -> int:
        """Return 5 for the gate, 3 for failed or blocked, 1 for losses and findings, else 0."""
        if self.refused:
            return 5
        if self.failed_phases or self.blocked:
            return 3
        if self.losses:
            return 1
        return 1 if findings_matter and (self.changes or self.unreadable) else 0
