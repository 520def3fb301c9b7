"""A progress bar on a terminal, and nothing elsewhere."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from memsleep.request import SILENCE, Progress, Silence

if TYPE_CHECKING:
    from rich.progress import Progress as RichProgress
    from rich.progress import TaskID

__all__ = ["SILENCE", "Bar", "Progress", "Silence", "shown_progress"]


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
        yield SILENCE
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn
    from rich.progress import Progress as RichProgress

    columns = (TextColumn("{task.description}", markup=False), BarColumn(), MofNCompleteColumn())
    console = Console(stderr=True, no_color=no_color or None)
    with RichProgress(*columns, console=console, transient=True) as display:
        yield Bar(display)
