"""A terminal is not steered by what memories say; a pipe gets every byte."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
from contextlib import nullcontext
from pathlib import Path

import pytest

from cli_kit import environment
from corpus_kit import write
from memsleep.cli.streams import telling

pty = pytest.importorskip("pty")

TEXT = "The pump of the greenhouse was repaired by Anna Keller in spring and needs oil twice."
EVIL = "\x1b]0;owned\x07\x1b[2J\u202e\r\x9b31m"
FILES = {
    "a.md": f"---\ncreated: 2026-01-01\n---\n\n{TEXT}{EVIL}\n",
    "b.md": f"---\ncreated: 2026-01-02\n---\n\n{TEXT}{EVIL}\n",
}
COMMAND = [sys.executable, "-m", "memsleep", "run", "--dry-run", "corpus", "--now", "2026-11-30"]


def _on_a_terminal(home: Path) -> bytes:
    leader, follower = pty.openpty()
    process = subprocess.Popen(
        COMMAND, cwd=home, stdout=follower, stderr=subprocess.DEVNULL, env=environment(home)
    )
    os.close(follower)
    said = b""
    while True:
        try:
            chunk = os.read(leader, 1 << 16)
        except OSError:  # Linux: the other end is closed
            break
        if not chunk:
            break
        said += chunk
    os.close(leader)
    assert process.wait() == 0
    return said


def test_terminal_sees_stand_ins_and_a_pipe_the_bytes(tmp_path: Path) -> None:
    """Both show the diff; only in the pipe are escape sequences what they were."""
    write(tmp_path / "corpus", FILES)
    seen = _on_a_terminal(tmp_path)
    assert b"rename to archive/2026/b.md" in seen
    assert b"[U+001B]]0;owned[U+0007]" in seen
    assert not {*"\x1b\x07\x9b\u202e"} & {*seen.decode()}
    piped = subprocess.run(
        COMMAND, cwd=tmp_path, capture_output=True, env=environment(tmp_path), check=True
    )
    assert EVIL.encode() in piped.stdout


@pytest.mark.parametrize(
    ("error", "quiet", "told"),
    [
        (None, False, True),
        (None, True, False),
        (OSError(errno.ENOSPC, "full"), False, True),
        (OSError(errno.ENOSPC, "full"), True, True),
        (BrokenPipeError(), False, True),
        (BrokenPipeError(), True, False),
    ],
)
def test_what_came_of_it_is_told_once(
    error: OSError | None, quiet: bool, told: bool, capfd: pytest.CaptureFixture[str]
) -> None:
    """Where the result cannot be written even if quiet, but to nobody who has hung up."""
    with nullcontext() if error is None else pytest.raises(type(error)):  # noqa: SIM117
        with telling(["two decisions have landed"], quiet=quiet):
            if error is not None:
                raise error
    assert capfd.readouterr().err == "two decisions have landed\n" * told
