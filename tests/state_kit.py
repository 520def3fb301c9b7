"""Helpers for the tests of the state: a filled state, and programs that are killed."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from memsleep.model import Usage
from memsleep.state.store import State, open_state

NIGHT = "2026-11-30T03:00:00Z"
NEXT = "2026-12-01T03:00:00Z"


def filled(path: Path, usage: dict[str, Usage] | None = None) -> State:
    """Return a state that has seen a.md and b.md."""
    state = open_state(path)
    state.observe({"a.md": "digest a", "b.md": "digest b"}, NIGHT)
    state.import_usage(usage or {})
    return state


def run_script(script: str, *arguments: str, wrapper: tuple[str, ...] = ()) -> int:
    """Run Python code in a process of its own; return its exit code, -9 when it was killed."""
    return subprocess.run(
        [*wrapper, sys.executable, "-c", script, *arguments],
        env={"PYTHONPATH": ":".join(sys.path), "PATH": "/usr/bin:/bin"},
        capture_output=True,
        check=False,
    ).returncode


def folder_bytes(folder: Path) -> dict[str, bytes]:
    """Return file name -> bytes of everything in a folder."""
    return {file.name: file.read_bytes() for file in sorted(folder.iterdir()) if file.is_file()}
