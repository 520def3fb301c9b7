"""Two commands at once on one corpus: one proceeds, the other names it, and nothing is lost."""

from __future__ import annotations

import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from agents import churn_and_runs

from corpus_kit import commit, git, init
from faults_kit import environment, make_corpus
from memsleep.landing.place import place_of
from memsleep.landing.runs import RunStore
from refold_kit import files_of

PAIR = (
    "---\ntitle: {0}\ncreated: 2026-01-0{1}\n---\nThe port of the gate service is {2} since then.\n"
)
NIGHT = ("run", "--now", "2026-11-30T03:00:00Z", "--quiet")


def _command(root: Path, *words: str) -> list[str]:
    where = (str(root),) if words[0] == "run" else ("--corpus", str(root))
    return [sys.executable, "-m", "memsleep", *words, *where]


def _run(root: Path, *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        _command(root, *words), env=environment(), stdin=subprocess.DEVNULL,
        capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip


@contextmanager
def _halted(root: Path, *words: str) -> Iterator[subprocess.Popen[bytes]]:
    """Give a command that is halted while it holds the corpus; it goes on afterwards."""
    command = subprocess.Popen(_command(root, *words), env=environment(), stderr=subprocess.PIPE)
    try:
        deadline = time.monotonic() + 60
        while not _holds(root, command.pid):
            assert command.poll() is None, "it ended before it could be halted"
            assert time.monotonic() < deadline
        command.send_signal(signal.SIGSTOP)
        assert _holds(root, command.pid)
        yield command
    finally:
        command.send_signal(signal.SIGCONT)
        command.communicate(timeout=120)


def _holds(root: Path, pid: int) -> bool:
    try:
        return bool(json.loads(place_of(root).lock.read_bytes())["pid"] == pid)
    except (OSError, ValueError):
        return False


@pytest.fixture(scope="module")
def start(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Give a corpus after a night: something has landed, and a pair is in doubt."""
    root = make_corpus(tmp_path_factory.mktemp("start") / "corpus", 12)
    for number, port in ((1, 8080), (2, 9090)):
        (root / f"port-{number}.md").write_bytes(PAIR.format("port", number, port).encode())
    done = _run(root, "run", "--now", "2026-11-29T03:00:00Z", "--quiet")
    assert done.returncode == 0, done.stderr
    return root


@pytest.fixture
def root(start: Path, tmp_path: Path) -> Path:
    shutil.copytree(start, tmp_path / "corpus", symlinks=True)
    return tmp_path / "corpus"


def _decision(root: Path) -> str:
    """Return the id of a decision that landed."""
    return RunStore(place_of(root)).find("2026-11-29").status().landed[0]


def _pair(root: Path) -> str:
    """Return the id of the pair that is in doubt."""
    listed = json.loads(_run(root, "review", "--list", "--json").stdout)
    return next(str(item["id"]) for item in listed["items"] if item["kind"] == "pair")


OTHERS = ("run", "undo", "resume", "purge", "different", "reject", "withdraw")


def _words(root: Path, other: str) -> tuple[str, ...]:
    if other == "different":
        return ("review", "--different", _pair(root))
    if other == "reject":
        return ("review", "--reject", _decision(root))
    if other == "withdraw":
        return ("review", "--withdraw", _pair(root))
    return {"run": NIGHT, "purge": ("purge", "page-pump.md", "--yes")}.get(other, (other,))


@pytest.mark.parametrize("other", OTHERS)
def test_beside_a_night_nothing_else_proceeds(other: str, root: Path) -> None:
    """It exits 4, names process, machine and since when, and changes no memory; the night ends."""
    words = _words(root, other)
    with _halted(root, *NIGHT) as night:
        before = files_of(root)
        done = _run(root, *words)
        assert done.returncode == 4, done.stderr
        assert "error[lock-held]" in done.stderr
        assert (
            f"process {night.pid} on {socket.gethostname()} (memsleep run, since 20" in done.stderr
        )
        assert files_of(root) == before
    assert night.returncode == 0
    again = _run(root, *words)
    assert again.returncode != 4, again.stderr


@pytest.mark.parametrize("other", ["run", "merge", "undo"])
def test_beside_a_night_that_goes_to_a_branch(other: str, tmp_path: Path) -> None:
    """The same in a repository: no second branch, HEAD stays, and what was refused works after."""
    root = init(tmp_path / "corpus")
    git(root, "config", "user.name", "t")
    git(root, "config", "user.email", "t@localhost")
    make_corpus(root, 3)
    commit(root)
    assert _run(root, "run", "--now", "2026-11-29T03:00:00Z", "--quiet").returncode == 0
    head = git(root, "rev-parse", "HEAD")
    words = NIGHT if other == "run" else (other,)
    with _halted(root, *NIGHT) as night:
        refs = git(root, "for-each-ref")
        done = _run(root, *words)
        assert (done.returncode, f"process {night.pid} on " in done.stderr) == (4, True)
        assert (git(root, "for-each-ref"), git(root, "rev-parse", "HEAD")) == (refs, head)
    assert night.returncode == 0
    assert _run(root, "merge").returncode == 0
    assert git(root, "rev-parse", "HEAD") != head
    assert _run(root, "audit").returncode == 0


@pytest.mark.parametrize("holder", ["undo", "reject"])
def test_a_night_waits_for_no_other(holder: str, root: Path) -> None:
    """The other way round: whoever came first goes on, and the night exits 4."""
    with _halted(root, *_words(root, holder)) as other:
        done = _run(root, *NIGHT)
        assert done.returncode == 4, done.stderr
        assert (
            f"process {other.pid} on {socket.gethostname()} (memsleep undo, since 20" in done.stderr
        )
    assert other.returncode == 0
    assert _run(root, *NIGHT).returncode == 0


@pytest.mark.parametrize("words", [("status",), ("review", "--list"), ("run", "--dry-run")])
def test_looking_waits_for_nobody(words: tuple[str, ...], root: Path) -> None:
    """What changes nothing works beside a night."""
    with _halted(root, *NIGHT):
        done = _run(root, *words)
        assert done.returncode == 0, done.stderr


def test_an_answer_beside_a_night_is_kept(root: Path) -> None:
    """What a person answered is not asked again, though it could not be carried out yet."""
    pair = _pair(root)
    with _halted(root, *NIGHT):
        done = _run(root, "review", "--different", pair)
        assert (done.returncode, "your answers are kept" in done.stderr) == (4, True)
        assert "nothing was changed" not in done.stderr
    done = _run(root, "review", "2026-11-29", "--different", pair)
    assert done.returncode == 0, done.stderr
    assert "two different facts" in done.stderr


@pytest.mark.parametrize(
    "seen", ["lock", "runs/sleep-2026-11-30/status.json", "runs/sleep-2026-11-30/plan.json"]
)
def test_a_night_that_is_killed_stops_nobody(seen: str, root: Path) -> None:
    """Killed as soon as something of it is seen; the next has the lock at once, loses nothing."""
    (root / "plant/pump-a.md").write_bytes((root / "plant/fan-a.md").read_bytes() + b"More.\n")
    night = subprocess.Popen(_command(root, *NIGHT), env=environment(), stderr=subprocess.PIPE)
    while not (_holds(root, night.pid) and (root / ".memsleep" / seen).exists()):
        assert night.poll() is None
    night.kill()
    night.communicate()
    before = _facts(root)
    done = _run(root, "run", "--now", "2026-12-01T03:00:00Z")
    assert done.returncode == 0, done.stderr
    assert ("sleep/2026-11-30 was killed" in done.stderr) == ("runs" in seen)
    assert len(before) > 12
    assert _facts(root) >= before


def _facts(root: Path) -> set[bytes]:
    lines = {line for content in files_of(root).values() for line in content.split(b"\n")}
    return {line for line in lines if line.endswith(b".") and b"[" not in line}


def test_an_agent_that_writes_renames_and_deletes(tmp_path: Path) -> None:
    """While nights land: every last word that the agent did not delete is there."""
    found = churn_and_runs(make_corpus(tmp_path / "corpus", 16), 5)
    assert found.lost == []
    assert found.deleted > 0
    assert found.renamed > 0
    assert found.landed + found.rejected > 0
    assert os.listdir(tmp_path / "corpus/.memsleep/journal") == []  # noqa: PTH208
