"""A progress bar on a terminal, and nothing elsewhere."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING

from memsleep.request import SILENCE, Progress, Silence

if TYPE_CHECKING:
    from rich.progress import Progress as RichProgress
    from rich.progress import TaskID

__all__ = ["SILENCE", "Bar", "Progress", "Silence", "shown_progress"]


step_in_use: ContextVar[str] = ContextVar("step_in_use", default="")
"""For whoever must say what could not be done."""


class Noted:
    """A progress that passes everything on, and lets the step be known."""

    def __init__(self, inner: Progress) -> None:
        self._inner = inner

    def start(self, phase: str, total: int | None = None) -> None:
        """Note the step."""
        step_in_use.set(phase)
        self._inner.start(phase, total)

    def advance(self, count: int = 1) -> None:
        """Pass it on."""
        self._inner.advance(count)

    def finish(self) -> None:
        """Pass it on."""
        self._inner.finish()


class Bar:
    """A bar per phase, removed when the night is over."""

    def __init__(self, display: RichProgress) -> None:
        self._display = display
        self._task: TaskID | None = None
        self._total: int | None = None

    def start(self, phase: str, total: int | None = None) -> None:
        """Show a new bar; without a total it only moves."""
        self.finish()
        self._task, self._total = self._display.add_task(phase, total=total), total

    def advance(self, count: int = 1) -> None:
        """Move the bar."""
        if self._task is not None:
            self._display.advance(self._task, count)

    def finish(self) -> None:
        """Fill the bar, whatever was counted."""
        if self._task is not None:
            full = 1 if self._total is None else self._total
            self._display.update(self._task, total=full, completed=full)
            self._task = None


@contextmanager
def shown_progress(*, quiet: bool = False, no_color: bool = False) -> Iterator[Progress]:
    """Give a bar when standard error is a terminal and nobody asked for quiet."""
    if quiet or sys.stderr is None or not sys.stderr.isatty():
        yield Noted(SILENCE)
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn
    from rich.progress import Progress as RichProgress

    columns = (TextColumn("{task.description}", markup=False), BarColumn(), MofNCompleteColumn())
    console = Console(stderr=True, no_color=no_color or None)
    with RichProgress(*columns, console=console, transient=True) as display:
        yield Noted(Bar(display))
