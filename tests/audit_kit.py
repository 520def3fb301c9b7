"""Record every attempt to change a folder, by Python's audit hook.

An audit hook cannot be taken away again, so one hook is set for the process and given a list to
fill while `recording` is open. What it cannot see: SQLite's and git's own system calls, and a path
that is relative to the descriptor of a folder; their traces are looked for by a digest of the tree.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

_WRITE_FLAGS = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
_PATHS_OF: dict[str, Callable[[tuple[Any, ...]], tuple[Any, ...]]] = {
    "os.rename": lambda args: args[:2],
    "os.link": lambda args: args[:2],
    "os.symlink": lambda args: args[1:2],
    "os.remove": lambda args: args[:1],
    "os.mkdir": lambda args: args[:1],
    "os.rmdir": lambda args: args[:1],
    "os.chmod": lambda args: args[:1],
    "os.chown": lambda args: args[:1],
    "os.utime": lambda args: args[:1],
    "os.truncate": lambda args: args[:1],
    "os.setxattr": lambda args: args[:1],
    "os.removexattr": lambda args: args[:1],
    "sqlite3.connect": lambda args: args[:1],
}
EVENTS = ("open", *_PATHS_OF)


@dataclass
class Recording:
    """Attempts to change something under a folder."""

    root: str
    events: list[tuple[str, str]] = field(default_factory=list)
    """(event, path) in the order in which they happened."""

    def note(self, event: str, path: Any) -> None:
        """Keep an attempt whose path lies in the folder; a file descriptor is resolved."""
        name = _name(path)
        if name is not None and (name + "/").startswith(self.root + "/"):
            self.events.append((event, name))


_open_recordings: list[Recording] = []
_installed: list[bool] = []


@contextmanager
def recording(root: Path) -> Iterator[Recording]:
    """Record what tries to change the folder while the block runs."""
    if not _installed:
        sys.addaudithook(_hook)
        _installed.append(True)
    record = Recording(os.path.realpath(root))
    _open_recordings.append(record)
    try:
        yield record
    finally:
        _open_recordings.remove(record)


def _hook(event: str, args: tuple[Any, ...]) -> None:
    if not _open_recordings:
        return
    for path in _changed(event, args):
        for record in _open_recordings:
            record.note(event, path)


def _changed(event: str, args: tuple[Any, ...]) -> tuple[Any, ...]:
    """Return the paths that an event would change."""
    if event == "open":
        path, mode, flags = args
        by_mode = isinstance(mode, str) and any(letter in mode for letter in "wax+")
        return (path,) if by_mode or (flags or 0) & _WRITE_FLAGS else ()
    found = _PATHS_OF.get(event)
    return found(args) if found is not None else ()


def _name(path: Any) -> str | None:
    """Return the real path of the folder that an event names, with the last part as it is."""
    if isinstance(path, int):
        try:
            return os.path.realpath(f"/proc/self/fd/{path}")
        except OSError:
            return None
    if not isinstance(path, str | bytes | os.PathLike):
        return None
    text = os.fsdecode(path).removeprefix("file:").partition("?")[0]
    folder, name = os.path.split(text)
    return f"{os.path.realpath(folder)}/{name}"
