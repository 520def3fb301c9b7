from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from cli_kit import environment

pty = pytest.importorskip("pty")

SHOW = """
import sys
from memsleep.cli.progress import shown_progress
with shown_progress(quiet="quiet" in sys.argv, no_color="plain" in sys.argv) as progress:
    progress.advance()
    progress.start("[bold]pairing", 3)
    progress.advance(2)
    progress.start("dedup")
    progress.finish()
    progress.finish()
print("result")
"""


def _on_terminal(home: Path, *arguments: str) -> tuple[bytes, bytes]:
    """Return standard output and what a terminal at standard error got."""
    leader, follower = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-c", SHOW, *arguments],
        stdout=subprocess.PIPE,
        stderr=follower,
        env=environment(home, TERM="xterm-256color", COLUMNS="80"),
    )
    os.close(follower)
    shown = b""
    while True:
        try:
            block = os.read(leader, 4096)
        except OSError:  # the other end is closed
            break
        if not block:
            break
        shown += block
    os.close(leader)
    out, _ = process.communicate(timeout=60)
    assert process.returncode == 0
    return out, shown


def test_a_terminal_gets_a_bar_for_each_phase(tmp_path: Path) -> None:
    """The bar is on standard error only; a name is not taken for markup."""
    out, shown = _on_terminal(tmp_path)
    assert out == b"result\n"
    assert b"[bold]pairing" in shown
    assert b"3/3" in shown
    assert b"dedup" in shown


def test_colours_can_be_done_without(tmp_path: Path) -> None:
    """With `no_color` no colour is set."""
    assert b"\x1b[38;" in _on_terminal(tmp_path)[1]
    plain = _on_terminal(tmp_path, "plain")[1]
    assert b"[bold]pairing" in plain
    assert b"\x1b[38;" not in plain


def test_quiet_shows_nothing(tmp_path: Path) -> None:
    """Nothing at all reaches the terminal."""
    assert _on_terminal(tmp_path, "quiet") == (b"result\n", b"")


def test_a_pipe_gets_nothing(tmp_path: Path) -> None:
    """In a cron job there is no bar, whatever the environment says."""
    process = subprocess.run(
        [sys.executable, "-c", SHOW],
        capture_output=True,
        env=environment(tmp_path, FORCE_COLOR="1", TERM="xterm"),
        check=True,
    )
    assert (process.stdout, process.stderr) == (b"result\n", b"")
