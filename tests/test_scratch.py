"""Copies are never made in the corpus."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from audit_kit import recording
from corpus_kit import NOBODY_UID, needs_root
from memsleep import scratch
from memsleep.errors import StateError
from memsleep.scratch import places_outside, scratch_folder


def test_folder_is_private_and_goes(tmp_path: Path) -> None:
    """Nobody else may look into it, and nothing is left."""
    with scratch_folder(tmp_path) as folder:
        assert folder.stat().st_mode & 0o077 == 0
        (folder / "copy").write_bytes(b"x")
    assert not folder.exists()


@pytest.mark.parametrize("below", ["", "tmp"])
def test_named_folder_in_the_corpus_is_not_even_tried(
    below: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A corpus that is the home folder, with its own folder for temporary files in it."""
    (tmp_path / below).mkdir(exist_ok=True)
    monkeypatch.setenv("TMPDIR", str(tmp_path / below))
    monkeypatch.setattr(scratch, "USUAL", ("/dev/shm",))
    with recording(tmp_path) as seen, scratch_folder(tmp_path) as folder:
        assert tmp_path not in folder.parents
    assert seen.events == []


def test_link_into_the_corpus_counts_as_the_corpus(tmp_path: Path) -> None:
    """What a name leads to decides."""
    (tmp_path / "corpus" / "tmp").mkdir(parents=True)
    (tmp_path / "link").symlink_to(tmp_path / "corpus" / "tmp")
    named = {"TMPDIR": str(tmp_path / "link")}
    assert Path(named["TMPDIR"]) not in places_outside(tmp_path / "corpus", named)
    assert Path(named["TMPDIR"]) in places_outside(None, named)


def test_no_place_is_an_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The whole disk as a corpus: refused before anything is read."""
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    with pytest.raises(StateError) as error, scratch_folder(Path(os.sep)):
        pytest.fail("a folder was made in the corpus")
    assert error.value.reference == "no-scratch-folder"


LEFT = """
import os, sys, time
from pathlib import Path
from memsleep.scratch import scratch_folder
with scratch_folder(Path(sys.argv[1])) as folder:
    (folder / "cache.db").write_bytes(b"what a memory says")
    print(folder, flush=True)
    time.sleep(60)
"""


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the folder for temporary files, beside an empty corpus."""
    (tmp_path / "tmp").mkdir()
    (tmp_path / "corpus").mkdir()
    monkeypatch.setenv("TMPDIR", str(tmp_path / "tmp"))
    return tmp_path / "tmp"


def test_what_a_killed_night_left_goes_with_the_next(place: Path) -> None:
    """And not while it lives."""
    environment = {**os.environ, "PYTHONPATH": str(Path(scratch.__file__).parents[1])}
    command = [sys.executable, "-c", LEFT, str(place.parent / "corpus")]
    with subprocess.Popen(command, stdout=subprocess.PIPE, env=environment) as process:
        assert process.stdout is not None
        left = Path(process.stdout.readline().decode().strip())
        with scratch_folder(place.parent / "corpus"):
            assert (left / "cache.db").exists()
        process.kill()
    assert (left / "cache.db").exists()
    with scratch_folder(place.parent / "corpus") as folder:
        assert sorted(place.iterdir()) == [folder]


def test_nested_nights_leave_each_other_alone(place: Path) -> None:
    """In one process as well."""
    with scratch_folder(place.parent / "corpus") as one:
        (one / "copy").write_bytes(b"x")
        with scratch_folder(place.parent / "corpus") as other:
            assert (one / "copy").exists()
            assert one != other
        assert (one / "copy").exists()


def _marked(folder: Path) -> None:
    folder.mkdir()
    (folder / scratch._MARK).write_bytes(scratch._MARKED)


def _another_mark(folder: Path) -> None:
    folder.mkdir()
    (folder / scratch._MARK).write_bytes(b"mine\n")


def _linked_mark(folder: Path) -> None:
    _marked(folder.with_name("elsewhere"))
    folder.mkdir()
    (folder / scratch._MARK).symlink_to(folder.with_name("elsewhere") / scratch._MARK)


def _link(folder: Path) -> None:
    _marked(folder.with_name("elsewhere"))
    folder.symlink_to(folder.with_name("elsewhere"))


NOT_OURS = [
    ("memsleep-notes", Path.mkdir),
    ("memsleep-file", Path.touch),
    ("memsleep-pipe", os.mkfifo),
    ("memsleep-other", _another_mark),
    ("memsleep-linked", _linked_mark),
    ("memsleep-link", _link),
    ("notes", _marked),
]


@pytest.mark.parametrize(("name", "make"), NOT_OURS)
def test_nothing_else_is_removed(name: str, make: Callable[[Path], None], place: Path) -> None:
    """Whatever bears the name: only what we marked, by its own name, in its own place."""
    make(place / name)
    before = sorted(place.rglob("*"))
    with scratch_folder(place.parent / "corpus"):
        pass
    assert sorted(place.rglob("*")) == before
    _marked(place / "memsleep-left")
    with scratch_folder(place.parent / "corpus"):
        pass
    assert sorted(place.rglob("*")) == before


@needs_root
def test_nothing_of_another_user_is_removed(place: Path) -> None:
    """Not by root either: their night may be on a machine that shares the folder."""
    _marked(place / "memsleep-theirs")
    os.chown(place / "memsleep-theirs", NOBODY_UID, NOBODY_UID)
    with scratch_folder(place.parent / "corpus"):
        pass
    assert (place / "memsleep-theirs" / scratch._MARK).exists()
