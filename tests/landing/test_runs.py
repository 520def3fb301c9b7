"""The folder of a run is there whole, or is not there: for whoever looks beside, after any kill."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from faults_kit import environment
from memsleep.landing.place import place_of
from memsleep.landing.runs import RunRecord, RunStore, Status
from memsleep.landing.status import condition_of

NOW = "2026-11-30T03:00:00Z"

# Who looks while the last run of the corpus ends: it says so when the lock is looked at.
ENDS_MEANWHILE = """
import sys
from pathlib import Path
from memsleep.landing.place import place_of
from memsleep.landing.runs import RunStore
from memsleep.landing.status import condition_of

place, busy = place_of(Path(sys.argv[1])), False

def hook(event, arguments):
    global busy
    if event == "fcntl.flock" and not busy:
        busy = True
        RunStore(place).find().update(state=sys.argv[2])
        place.journal.unlink(missing_ok=True)

sys.addaudithook(hook)
print(condition_of(place, None, now="2026-11-30T04:00:00Z", max_age=None).troubles)
"""

# Every call that changes a folder is told to an audit hook before it is made. The hook of one
# process looks at all runs there; those of its children kill them at one call each.
BESIDE = """
import os, signal, sys
from pathlib import Path
from memsleep.landing.place import place_of
from memsleep.landing.runs import RunStore, Status

CHANGES = {"open", "os.mkdir", "os.rename", "os.remove", "os.rmdir"}
step, store, calls = sys.argv[1], RunStore(place_of(Path(sys.argv[2]))), 0
kill_at, busy = int(sys.argv[3]), False

def hook(event, arguments):
    global calls, busy
    if busy or event not in CHANGES:
        return
    busy, calls = True, calls + 1
    for record in store.records():
        record.status()
    if calls == kill_at:
        os.kill(os.getpid(), signal.SIGKILL)
    busy = False

def begin():
    for day in (1, 2, 3):
        night = f"2026-12-0{day}"
        store.begin(Status(run=f"sleep/{night}", state="nothing", now=night, started_at=night))

steps = {"begin": begin, "rotate": lambda: store.rotate(1),
         "forget": lambda: store.forget(store.find())}
sys.addaudithook(hook)
steps[step]()
print(calls)
"""


def _step(step: str, root: Path, kill_at: int = 0) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", BESIDE, step, str(root), str(kill_at)],
        env=environment(), capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip


def _begin(root: Path, night: str) -> RunRecord:
    status = Status(run=f"sleep/{night}", state="nothing", now=NOW, started_at=NOW)
    record = RunStore(place_of(root)).begin(status)
    record.keep_before([b"one", b"two"])
    return record


def _root(folder: Path, step: str) -> Path:
    root = folder / "corpus"
    root.mkdir(parents=True)
    for night in () if step == "begin" else ("2026-11-28", "2026-11-29", "2026-11-30"):
        _begin(root, night)
    return root


@pytest.mark.parametrize("step", ["begin", "rotate", "forget"])
def test_a_run_is_never_seen_half(step: str, tmp_path: Path) -> None:
    """Before any call that changes a folder, every run that is seen has a whole record."""
    done = _step(step, _root(tmp_path, step))
    assert done.returncode == 0, done.stderr
    assert int(done.stdout) > 3


def _ends_meanwhile(root: Path, state: str) -> str:
    done = subprocess.run(
        [sys.executable, "-c", ENDS_MEANWHILE, str(root), state],
        env=environment(), capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_a_run_that_ends_while_it_is_looked_at_is_no_trouble(tmp_path: Path) -> None:
    """What is read before the lock was asked is asked again; a dead one stays a trouble."""
    root = _root(tmp_path, "rotate")
    place = place_of(root)
    for state in ("landed", "running"):
        RunStore(place).find().update(state="running")
        place.journal.parent.mkdir(exist_ok=True)
        place.journal.write_bytes(b"{}")
        told = _ends_meanwhile(root, state)
        assert ("its process is gone" in told) == (state == "running")
        assert "half way" not in told
    RunStore(place).find().update(state="landed")
    place.journal.write_bytes(b"{}")
    (told,) = condition_of(place, None, now=NOW, max_age=None).troubles
    assert "half way" in told


@pytest.mark.parametrize(("step", "at"), [("begin", 3), ("begin", 9), ("rotate", 2), ("forget", 3)])
def test_what_a_kill_leaves_is_swept(step: str, at: int, tmp_path: Path) -> None:
    """A killed begin or rotation leaves no run that is not whole; the next begin tidies up."""
    root = _root(tmp_path, step)
    assert _step(step, root, at).returncode == -9
    store = RunStore(place_of(root))
    assert all(record.status().state == "nothing" for record in store.records())
    _begin(root, "2026-12-09")
    assert {path.name for path in store.place.runs.iterdir()} == {
        record.folder.name for record in store.records()
    }


def test_a_kill_in_the_middle_leaves_something_to_sweep(tmp_path: Path) -> None:
    """Else the test above could not fail."""
    root = _root(tmp_path, "rotate")
    assert _step("rotate", root, 3).returncode == -9
    parts = [path.name for path in place_of(root).runs.iterdir() if path.name.endswith(".part")]
    assert parts == [".sleep-2026-11-28.part"]


def test_a_link_with_such_a_name_stays(tmp_path: Path) -> None:
    """What a repository may have brought leads nowhere: only folders are swept."""
    root, away = _root(tmp_path, "rotate"), tmp_path / "away"
    away.mkdir()
    (away / "note.md").write_bytes(b"Mine.\n")
    (place_of(root).runs / ".sleep-2026-11-01.part").symlink_to(away)
    (place_of(root).runs / ".sleep-2026-11-02.part").write_bytes(b"A file.\n")
    _begin(root, "2026-12-09")
    assert (away / "note.md").read_bytes() == b"Mine.\n"


def test_a_known_run_is_not_begun_again(tmp_path: Path) -> None:
    root = _root(tmp_path, "rotate")
    with pytest.raises(FileExistsError):
        _begin(root, "2026-11-30")
    assert _begin(root, "2026-12-01").status().run == "sleep/2026-12-01"
