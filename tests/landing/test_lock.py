from __future__ import annotations

import fcntl
import json
import os
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from faults_kit import environment
from memsleep.landing.lock import LockHeldError, is_held, locked
from memsleep.landing.place import Place, place_of

HOLD = """
import os, sys
from pathlib import Path
from memsleep.landing.lock import locked
from memsleep.landing.place import place_of
if len(sys.argv) > 3:
    os.setuid(int(sys.argv[3]))
state = Path(sys.argv[2]) if sys.argv[2] else None
with locked(place_of(Path(sys.argv[1]), state), what="memsleep run", started_at="2026-11-30"):
    print("held", flush=True)
    sys.stdin.read()
"""


def _holder(corpus: Path, state: str = "", *more: str) -> subprocess.Popen[bytes]:
    process = subprocess.Popen(
        [sys.executable, "-c", HOLD, str(corpus), state, *more],
        env=environment(), stdin=subprocess.PIPE, stdout=subprocess.PIPE,
    )  # fmt: skip
    assert process.stdout is not None
    assert process.stdout.readline() == b"held\n"
    return process


def _refused(place: Place, **more: bool) -> LockHeldError:
    with (
        pytest.raises(LockHeldError) as caught,
        locked(place, what="memsleep run", started_at="2026-11-30", **more),
    ):
        pass
    assert caught.value.exit_code == 4
    return caught.value


def _free(place: Place) -> None:
    with locked(place, what="memsleep run", started_at="2026-11-30"):
        pass


@pytest.mark.parametrize("by", ["path", "symlink", "state-dir"])
def test_a_second_run_is_refused_and_named(by: str, tmp_path: Path) -> None:
    """By whichever path and with whichever state: one corpus has one lock, and it says whose."""
    corpus = tmp_path / "corpus"
    corpus.mkdir()
    (tmp_path / "link").symlink_to(corpus)
    holder = _holder(tmp_path / "link" if by == "symlink" else corpus)
    place = place_of(corpus, tmp_path / "elsewhere" if by == "state-dir" else None)
    error = _refused(place)
    assert error.reference == "lock-held"
    assert f"process {holder.pid}" in error.message
    holder.communicate()
    _free(place)


def test_a_lock_dies_with_its_process(tmp_path: Path) -> None:
    """After a kill the next start has it at once, and what the dead one wrote names nobody."""
    holder = _holder(tmp_path)
    holder.kill()
    holder.communicate()
    assert b"memsleep run" in place_of(tmp_path).lock.read_bytes()
    _free(place_of(tmp_path))
    assert place_of(tmp_path).lock.read_bytes() == b""


@pytest.mark.skipif(os.geteuid() != 0, reason="needs to become another user")
def test_a_lock_is_seen_by_another_user(tmp_path: Path) -> None:
    """A user who may read the corpus, and no more, is refused by the same lock."""
    corpus = tmp_path / "corpus"
    corpus.mkdir()
    holder = _holder(corpus)
    state = tmp_path / "theirs"
    state.mkdir()
    for folder in (tmp_path, *tmp_path.parents):
        if folder.stat().st_uid == 0 and str(folder).startswith("/tmp/"):
            folder.chmod(0o755)
    os.chown(state, 1234, 1234)
    done = subprocess.run(
        [sys.executable, "-c", HOLD, str(corpus), str(state), "1234"],
        env=environment(), stdin=subprocess.DEVNULL, capture_output=True, check=False,
    )  # fmt: skip
    holder.communicate()
    assert b"LockHeldError" in done.stderr, done.stderr.decode()
    assert f"process {holder.pid}".encode() in done.stderr


def test_the_lock_of_another_host_needs_a_word(tmp_path: Path) -> None:
    """What another machine left is not taken unless somebody says so."""
    place = place_of(tmp_path)
    place.prepare()
    place.lock.write_bytes(json.dumps({"host": "elsewhere", "pid": 7, "what": "run"}).encode())
    error = _refused(place)
    assert error.reference == "lock-foreign-host"
    assert "process 7 on elsewhere" in error.message
    with locked(place, what="run", started_at="2026-11-30", break_lock=True):
        assert b"elsewhere" not in place.lock.read_bytes()
    _free(place)


@pytest.mark.parametrize(
    "words",
    [
        ("run",), ("undo",), ("resume",), ("merge",), ("purge", "a.md", "--yes"),
        ("review", "--different", "x"), ("review", "--withdraw", "x"),
    ],
)  # fmt: skip
def test_no_command_changes_anything_where_locks_do_not_hold(
    words: tuple[str, ...], tmp_path: Path
) -> None:
    """All that hold the corpus refuse a state in a synchronised folder, and make nothing there."""
    corpus = tmp_path / "Dropbox" / "corpus"
    corpus.mkdir(parents=True)
    (corpus / "a.md").write_bytes(b"The port of the gate service is 8080.\n")
    subprocess.run(["git", "init", "-q", str(corpus)], check=True)
    where = [str(corpus)] if words[0] == "run" else ["--corpus", str(corpus)]
    command = [sys.executable, "-m", "memsleep", *words, *where]
    done = subprocess.run(command, env=environment(), capture_output=True, text=True, check=False)
    assert done.returncode != 0
    if words[0] != "review":
        assert "error[state-on-network]" in done.stderr, done.stderr
    assert sorted(path.name for path in corpus.iterdir()) == [".git", "a.md"]


def test_what_is_written_by_nobody_stops_nobody(tmp_path: Path) -> None:
    """A torn or strange lock file is no lock."""
    place = place_of(tmp_path)
    place.prepare()
    for content in (b"", b"{", b"[]", b"\xff"):
        place.lock.write_bytes(content)
        _free(place)


def test_who_only_asks_stops_no_run(tmp_path: Path) -> None:
    """Asking holds the lock for an instant: a run that begins then waits for it."""
    place = place_of(tmp_path)
    handle = os.open(tmp_path, os.O_RDONLY)
    fcntl.flock(handle, fcntl.LOCK_SH)

    def let_go() -> None:
        time.sleep(0.03)
        os.close(handle)

    asking = threading.Thread(target=let_go)
    asking.start()
    _free(place)
    asking.join()


def test_asking_makes_nothing(tmp_path: Path) -> None:
    place = place_of(tmp_path)
    assert not is_held(place)
    assert list(tmp_path.iterdir()) == []
    holder = _holder(tmp_path)
    assert is_held(place)
    holder.communicate()
    assert not is_held(place)


def test_where_folders_know_no_locks_the_file_tells(tmp_path: Path) -> None:
    """The lock beside the state is asked too: there it is the only one."""
    place = place_of(tmp_path)
    _free(place)
    with place.lock.open("rb") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        assert is_held(place)
    assert not is_held(place)
