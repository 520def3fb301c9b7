"""Copies are never made in the corpus."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from audit_kit import recording
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
