"""A night that is ended from outside leaves nothing behind, and says by what it was ended."""

from __future__ import annotations

import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from corpus_kit import write
from memsleep import interpreter
from memsleep.cli.app import main
from memsleep.cli.ending import unwound

SRC = Path(interpreter.__file__).parents[1]
# The night stands still in its phases, with its scratch folder and an interpreter beside it.
NIGHT = """
import signal, sys, time
from memsleep import night
from memsleep.cli.app import main
from memsleep.interpreter import Interpreter

def stand_still(*_, **__):
    with Interpreter("memsleep.corpus.workers") as beside:
        for second in range({seconds}):
            try:
                if not second:
                    print("there", beside._process.pid, flush=True)
                time.sleep(1)
            except KeyboardInterrupt:
                if not {deaf}:
                    raise
                print("deaf", flush=True)
    raise SystemExit(7)

# Said either way: under `nohup` the suite itself has it ignored, and so has what it starts.
signal.signal(signal.SIGHUP, signal.SIG_IGN if {ignored} else signal.SIG_DFL)
night.run_phases = stand_still
sys.exit(main(sys.argv[1:]))
"""


@contextmanager
def standing(
    tmp_path: Path, *more: str, deaf: bool = False, ignored: bool = False, seconds: int = 60
) -> Iterator[tuple[subprocess.Popen[bytes], int]]:
    """Give a night that stands still, and the process beside it."""
    (tmp_path / "tmp").mkdir()
    text = "The kettle in the shed of the second garden holds two litres.\n"
    write(tmp_path / "c", {"a.md": text, "b.md": text})
    code = NIGHT.format(deaf=deaf, ignored=ignored, seconds=seconds)
    command = [sys.executable, "-c", code, "run", str(tmp_path / "c"), *more]
    environment = {"PYTHONPATH": str(SRC), "TMPDIR": str(tmp_path / "tmp"), "HOME": str(tmp_path)}
    with subprocess.Popen(command, env=environment, stdout=-1, stderr=-1) as process:
        assert process.stdout is not None
        there, beside = process.stdout.readline().split()
        assert there == b"there"
        yield process, int(beside)


def is_gone(pid: int) -> bool:
    try:
        return ") Z " in Path(f"/proc/{pid}/stat").read_text()
    except FileNotFoundError:
        return True


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="needs /proc")
@pytest.mark.parametrize("more", [["--dry-run"], []], ids=["dry", "live"])
@pytest.mark.parametrize("sign", [signal.SIGTERM, signal.SIGHUP, signal.SIGINT])
def test_nothing_stays_behind(sign: signal.Signals, more: list[str], tmp_path: Path) -> None:
    """Neither copies nor processes; the next night finds all as it was."""
    with standing(tmp_path, *more) as (process, beside):
        assert list((tmp_path / "tmp").iterdir())
        process.send_signal(sign)
        _, errors = process.communicate(timeout=30)
    assert process.returncode == (130 if sign == signal.SIGINT else -sign)
    assert errors.endswith(b"interrupted\n")
    assert b"Traceback" not in errors
    assert list((tmp_path / "tmp").iterdir()) == []
    assert is_gone(beside)
    assert main(["run", str(tmp_path / "c"), "--quiet"]) == 0


def test_a_second_signal_is_not_waited_for(tmp_path: Path) -> None:
    """Whatever hinders the unwinding."""
    with standing(tmp_path, "--dry-run", deaf=True) as (process, _):
        process.terminate()
        assert process.stdout is not None
        assert process.stdout.readline() == b"deaf\n"
        process.terminate()
        assert process.wait(timeout=30) == -signal.SIGTERM


def test_a_signal_that_is_ignored_stays_so(tmp_path: Path) -> None:
    """A night under `nohup` outlives its terminal."""
    with standing(tmp_path, "--dry-run", ignored=True, seconds=3) as (process, _):
        process.send_signal(signal.SIGHUP)
        assert process.wait(timeout=30) == 7


def test_what_was_before_is_so_again() -> None:
    """In a program that calls the command, and in one of its threads."""
    before = [signal.getsignal(s) for s in (signal.SIGTERM, signal.SIGHUP)]
    with unwound():
        assert callable(signal.getsignal(signal.SIGTERM))
    found: list[object] = []

    def elsewhere() -> None:
        with unwound():
            found.append(signal.getsignal(signal.SIGTERM))

    thread = threading.Thread(target=elsewhere)
    thread.start()
    thread.join()
    assert found == before[:1]
    assert [signal.getsignal(s) for s in (signal.SIGTERM, signal.SIGHUP)] == before
