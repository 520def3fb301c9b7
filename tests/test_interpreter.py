"""Interpreters beside this one: what they say arrives whole, and none can stop a night."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from corpus_kit import write
from fork_kit import memsleep_forked
from interpreter_kit import SHORT
from memsleep import interpreter
from memsleep.corpus import workers
from memsleep.interpreter import Interpreter, can_be_started, shared_answers
from memsleep.night import facts_ahead, gate_ahead

SRC = Path(interpreter.__file__).parents[1]
TELLER = """
import os, sys
print("a library talks", flush=True)
os.write(1, b"so does one in C")

def answer(requests):
    head = requests.head()
    print("and again", flush=True)
    if head == "stop":
        os.kill(os.getpid(), 19)
    if head == "fail":
        raise KeyError(head)
    requests.answer([head, os.getpid()], [])
"""


@pytest.fixture
def teller(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """Return a module that says what it was told, and prints in between."""
    (tmp_path / "teller.py").write_text(TELLER)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(interpreter, "PATIENCE", SHORT)
    return "teller"


def asked(one: Interpreter, batch: object) -> list[object]:
    one.send(batch, [])
    found: list[object] = one.receive()
    return found


def answers(module: str, batches: list[str], count: int = 2) -> list[object]:
    found = shared_answers(module, batches, asked, count)
    return [answer and answer[0] for answer in found]


def test_what_libraries_print_is_no_answer(teller: str) -> None:
    """Neither when they are imported nor later, through Python or beside it."""
    batches = [str(n) for n in range(40)]
    assert answers(teller, batches) == batches


@pytest.mark.parametrize("bad", ["stop", "fail"])
@pytest.mark.parametrize("place", [0, 3, 9])
def test_one_that_breaks_costs_its_batch(teller: str, bad: str, place: int) -> None:
    """One that is stopped is as good as broken; the other answers all the rest."""
    batches = [str(n) for n in range(10)]
    batches[place] = bad
    begun = time.monotonic()
    assert answers(teller, batches) == [b if b != bad else None for b in batches]
    assert time.monotonic() - begun < 30 * SHORT


def test_where_all_are_broken_nobody_waits(teller: str) -> None:
    """Whoever asked does without the rest."""
    assert answers(teller, ["fail", "fail", *"abcdefgh"]) == [None] * 10
    assert threading.active_count() == 1


@pytest.mark.parametrize(("count", "most"), [(1, 1), (3, 3), (500, interpreter.MOST)])
def test_there_are_never_many(teller: str, count: int, most: int) -> None:
    """A machine of many cores does not fill its memory with interpreters."""
    batches = [str(n) for n in range(200)]
    found = [answer for answer in shared_answers(teller, batches, asked, count) if answer]
    assert len(found) == 200
    assert 1 <= len({pid for _, pid in found}) <= most


@pytest.mark.parametrize("executable", ["", None, "/nowhere/python", "/etc/passwd", "/"])
def test_where_none_starts_nobody_answers(
    teller: str, executable: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No interpreter, or one that the system does not start, is no error."""
    monkeypatch.setattr(sys, "executable", executable)
    assert answers(teller, ["a", "b", "c"]) == [None] * 3


def test_a_frozen_program_is_not_started_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """It would begin a night of its own."""
    assert can_be_started()
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    assert not can_be_started()
    with pytest.raises(OSError, match="no interpreter"):
        Interpreter("teller")


def test_one_of_other_code_is_not_asked(
    teller: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is read by another version would be kept and believed as if this one had read it."""
    other = tmp_path / "other"
    shutil.copytree(SRC, other, ignore=shutil.ignore_patterns("__pycache__"))
    monkeypatch.syspath_prepend(other)
    assert answers(teller, ["a", "b"]) == ["a", "b"]  # elsewhere, but the same
    with (other / "memsleep" / "text.py").open("ab") as file:
        file.write(b"#")
    assert answers(teller, ["a", "b"]) == [None, None]


@pytest.mark.parametrize(
    ("name", "source", "environment"),
    [
        ("sitecustomize.py", "print('hello')", {"PYTHONUNBUFFERED": "1"}),
        ("sitecustomize.py", "import time; time.sleep(600)", {}),
        ("usercustomize.py", "raise SystemExit(4)", {}),
        ("startup.py", "raise SystemExit(4)", {"PYTHONSTARTUP": "startup.py"}),
        ("x.py", "", {"PYTHONINSPECT": "1"}),
        ("x.py", "", {"PYTHONOPTIMIZE": "2", "PYTHONHASHSEED": "7", "PYTHONWARNINGS": "error"}),
        ("x.py", "", {"PYTHONIOENCODING": "utf-16", "PYTHONUTF8": "0", "LC_ALL": "C"}),
        ("x.py", "", {"PYTHONVERBOSE": "2", "PYTHONPROFILEIMPORTTIME": "1", "PYTHONDEVMODE": "1"}),
    ],
)
def test_the_environment_has_no_say(
    name: str,
    source: str,
    environment: dict[str, str],
    teller: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """What somebody wants of their own Python is nothing to ours."""
    (tmp_path / name).write_text(source)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    for key, value in environment.items():
        monkeypatch.setenv(key, value)
    assert answers(teller, ["a", "b", "c"]) == ["a", "b", "c"]


HUNG = """
import sys
sys.path[:0] = json.loads(sys.argv[1])
from memsleep.interpreter import shared_answers
def ask(one, batch):
    one.send(batch, [])
    return one.receive()
print("asking", flush=True)
list(shared_answers("teller", ["stop", "stop", "stop"], ask, 2))
"""


def test_an_interrupt_waits_for_nobody(teller: str, tmp_path: Path) -> None:
    """Whoever is tired of waiting for what hangs may go at once."""
    places = json.dumps([str(tmp_path), str(SRC)])
    command = [sys.executable, "-c", f"import json{HUNG}", places]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"asking\n"
        time.sleep(1.5)
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=20)
    assert b"KeyboardInterrupt" in errors


@pytest.fixture
def public_place() -> Iterator[Path]:
    """Give a folder that any user reaches: that of the tests is private."""
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o777)
        yield Path(folder)


@pytest.mark.skipif(os.name != "posix" or os.getuid() != 0, reason="needs a user to become")
@pytest.mark.parametrize("processes", [0, 1, 2, 3, 5])
def test_a_night_needs_no_process_beside_it(
    processes: int, public_place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where the system gives no process or no thread, the night takes longer and says the same."""
    said = "The pump {} of the old mill runs only at night.\n"
    write(public_place / "c", {f"{n}.md": said.format(n // 2) for n in range(30)})
    for module, name in ((workers, "ENOUGH"), (facts_ahead, "ENOUGH"), (gate_ahead, "ENOUGH")):
        monkeypatch.setattr(module, name, 4)
        monkeypatch.setattr(module, "cores", lambda: 2)
    monkeypatch.setattr(interpreter, "PATIENCE", 20.0)
    command = ["run", "--dry-run", "c", "--now", "2026-11-30T03:00:00Z"]
    plain = memsleep_forked(command, public_place)
    bare = memsleep_forked(command, public_place, nobody=True, processes=processes)
    assert bare.err == plain.err
    assert (bare.code, bare.out) == (plain.code, plain.out) == (0, plain.out)
    assert "5 memories merged" in plain.out  # so that the gate looked


def test_no_thread_begins_while_an_answer_is_waited_for(teller: str) -> None:
    """One that finds no memory when it begins would be waited for for ever."""
    before = threading.active_count()
    with Interpreter(teller) as one:
        beside = threading.active_count()
        for number in range(3):
            with one.patience():
                assert asked(one, number)[0] == number
                assert threading.active_count() == beside
    assert threading.active_count() == before
