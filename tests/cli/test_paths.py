from __future__ import annotations

import os
from pathlib import Path

import pytest

from memsleep.cli.artifacts import write_artifacts
from memsleep.cli.paths import check_out, check_state_dir, is_inside
from memsleep.errors import UsageError
from memsleep.request import ARTIFACTS


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    root = tmp_path / "corpus"
    (root / "areas").mkdir(parents=True)
    (root / ".memsleep").mkdir()
    (tmp_path / "way-in").symlink_to(root / "areas")
    (tmp_path / "other").mkdir()
    (tmp_path / "file").write_bytes(b"")
    return root


REFUSED = [
    ("corpus", "out-inside-corpus"),
    ("corpus/areas", "out-inside-corpus"),
    ("corpus/new/deep", "out-inside-corpus"),
    ("other/../corpus/new", "out-inside-corpus"),
    ("way-in", "out-inside-corpus"),
    ("way-in/new", "out-inside-corpus"),
    ("corpus/.memsleep/../new", "out-inside-corpus"),
    ("corpus/.memsleeping", "out-inside-corpus"),
    ("file", "out-not-a-folder"),
    ("file/new", "out-not-a-folder"),
]


@pytest.mark.parametrize(("out", "reference"), REFUSED)
def test_a_folder_that_an_agent_would_load_is_refused(
    corpus: Path, tmp_path: Path, out: str, reference: str
) -> None:
    """However it is spelt, and whether it exists or not."""
    with pytest.raises(UsageError) as raised:
        check_out(tmp_path / out, corpus)
    assert raised.value.reference == reference


ALLOWED = ["other", "other/new/deep", ".", "corpus-2", "corpus/.memsleep", "corpus/.memsleep/out"]


@pytest.mark.parametrize("out", ALLOWED)
def test_a_folder_elsewhere_is_accepted(corpus: Path, tmp_path: Path, out: str) -> None:
    """Also the corpus's own hidden folder, a parent of the corpus, and one with a like name."""
    check_out(tmp_path / out, corpus)


def test_the_corpus_may_be_the_current_folder(
    corpus: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Relative paths are judged like others."""
    monkeypatch.chdir(corpus)
    with pytest.raises(UsageError):
        check_out(Path("report"), Path())
    check_out(Path("../report"), Path())


@pytest.mark.parametrize("name", [name for name in ARTIFACTS if name != "sleep.diff"])
def test_a_file_of_somebody_else_is_not_overwritten(
    corpus: Path, tmp_path: Path, name: str
) -> None:
    """A `plan.json` without a `sleep.diff` beside it is another tool's."""
    (tmp_path / "other" / name).write_bytes(b"{}")
    with pytest.raises(UsageError) as raised:
        check_out(tmp_path / "other", corpus)
    assert raised.value.reference == "out-not-ours"
    (tmp_path / "other" / "sleep.diff").write_bytes(b"")
    check_out(tmp_path / "other", corpus)


def test_other_files_of_the_folder_are_left_alone(corpus: Path, tmp_path: Path) -> None:
    """Only the five names are written; nothing else appears or goes."""
    out = tmp_path / "other"
    (out / "mine.txt").write_bytes(b"mine")
    check_out(out, corpus)
    for turn in (b"one\r\n", b"two\n"):
        write_artifacts(out, dict.fromkeys(ARTIFACTS, turn))
        check_out(out, corpus)
        assert {path.name: path.read_bytes() for path in out.iterdir()} == {
            "mine.txt": b"mine",
            **dict.fromkeys(ARTIFACTS, turn),
        }


def test_a_link_is_replaced_not_followed(tmp_path: Path) -> None:
    """Whoever planted it does not get a file of theirs changed."""
    (tmp_path / "theirs").write_bytes(b"theirs")
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "sleep.diff").symlink_to(tmp_path / "theirs")
    write_artifacts(tmp_path / "out", {"sleep.diff": b"diff"})
    assert (tmp_path / "theirs").read_bytes() == b"theirs"
    assert (tmp_path / "out" / "sleep.diff").read_bytes() == b"diff"


def test_a_failure_leaves_the_old_file_and_no_remains(tmp_path: Path) -> None:
    """A folder stands where a report shall go: nothing of ours is left beside it."""
    (tmp_path / "report.md" / "x").mkdir(parents=True)
    with pytest.raises(OSError, match="directory"):
        write_artifacts(tmp_path, {"report.md": b"text"})
    assert [path.name for path in tmp_path.iterdir()] == ["report.md"]


@pytest.mark.skipif(os.name == "nt", reason="POSIX modes")
def test_artifacts_have_the_modes_of_ordinary_files(tmp_path: Path) -> None:
    """A report can be read by whoever may read new files of this user."""
    before = os.umask(0o027)
    try:
        write_artifacts(tmp_path, {"report.md": b""})
    finally:
        os.umask(before)
    assert (tmp_path / "report.md").stat().st_mode & 0o777 == 0o640


@pytest.mark.parametrize(("name", "fine"), [("file", False), ("file/x", False), ("new/x", True)])
def test_the_state_needs_a_folder(corpus: Path, tmp_path: Path, name: str, fine: bool) -> None:
    """A file is refused; a folder that does not exist yet is fine."""
    if fine:
        check_state_dir(tmp_path / name)
        return
    with pytest.raises(UsageError) as raised:
        check_state_dir(tmp_path / name)
    assert raised.value.reference == "state-not-a-folder"


def test_inside_means_the_folder_or_below(corpus: Path, tmp_path: Path) -> None:
    """Not beside it, and not above."""
    assert is_inside(corpus, corpus)
    assert is_inside(corpus / "no" / "such", corpus)
    assert not is_inside(tmp_path, corpus)
    assert not is_inside(tmp_path / "corpus-2", corpus)
