"""The baseline accepts what is old, and only ever shrinks."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from check_kit import request_for, result_of, run_check, told
from corpus_kit import commit, init, write
from memsleep.check.baseline import EMPTY, Baseline, parse_baseline, updated
from memsleep.errors import CorpusError

NAME = "memsleep-baseline.json"
FAULTS = {"a.md": "See [[gone]] and [[lost]].\n", "b.md": "It rained yesterday.\n"}


def _accept(root: Path, *, force: bool = True) -> Baseline:
    result = run_check(root).result
    path = request_for(root).baseline
    assert path is not None
    old = parse_baseline(path.read_bytes(), NAME) if path.exists() else None
    new = updated(old, result.everything, force=force)
    path.write_bytes(new.to_bytes())
    return new


def test_what_it_holds_is_not_told(tmp_path: Path) -> None:
    """Old findings are counted, new ones are told, wherever lines have moved."""
    root = write(tmp_path / "c", FAULTS)
    _accept(root)
    assert told(run_check(root).result) == []
    write(root, {"a.md": "\nMore.\n\nSee [[gone]] and [[lost]] and [[new]].\n"})
    result = run_check(root).result
    assert (told(result), len(result.accepted)) == (["a.md:4:33 MS201"], 3)


def test_it_shrinks_and_never_grows_without_force(tmp_path: Path) -> None:
    """What was mended leaves it; what is new does not enter it."""
    root = write(tmp_path / "c", FAULTS)
    assert len(_accept(root).entries) == 3
    write(root, {"a.md": "See [[gone]] and [[new]].\n"})
    assert len(_accept(root, force=False).entries) == 2
    assert told(run_check(root).result) == ["a.md:1:20 MS201"]
    write(root, {"a.md": "See [[gone]] and [[lost]] and [[new]].\n"})
    assert len(_accept(root, force=False).entries) == 2, (
        "what was mended once is not forgiven again"
    )
    assert len(_accept(root, force=True).entries) == 4


def test_a_change_cannot_accept_its_own_faults(tmp_path: Path) -> None:
    """With `--base` an entry that the change adds counts for nothing, and that is said."""
    root = init(tmp_path / "r")
    write(root, FAULTS)
    _accept(root)
    commit(root)
    write(root, {"c.md": "See [[nowhere]].\n"})
    _accept(root)
    commit(root)
    result = run_check(root, base="HEAD~1").result
    assert told(result) == ["c.md:1:7 MS201"]
    assert result.remarks == (f"{NAME}: 1 entries are new since the base and accept nothing yet",)
    assert told(run_check(root).result) == [], "without --base it counts"


def test_it_survives_a_round_trip() -> None:
    """What is written is read, one finding a line, in the order of paths."""
    entries = {"0" * 16: ("MS201", "b.md"), "f" * 16: ("MS101", "a \u65e5.md")}
    written = Baseline(entries).to_bytes()
    assert parse_baseline(written, "x").entries == entries
    assert written.count(b"\n") == 7
    assert written.index(b"a \\u65e5.md") < written.index(b"b.md")
    assert parse_baseline(EMPTY.to_bytes(), "x") == EMPTY


BROKEN = [
    b"",
    b"{",
    b"[]",
    b"<<<<<<< HEAD\n{}\n",
    b"\xff\xfe",
    b'{"schema_version": 2, "findings": []}',
    b'{"schema_version": 1}',
    b'{"schema_version": 1, "findings": [1]}',
    b'{"schema_version": 1, "findings": [{"code": "MS201", "path": "a", "fingerprint": 7}]}',
    b'{"schema_version": 1, "findings": [{"code": "MS201", "path": "a", "fingerprint": "x"}]}',
    b"[" * 100_000,
]


@pytest.mark.parametrize("source", BROKEN)
def test_a_broken_one_is_an_error(source: bytes, tmp_path: Path) -> None:
    """Nothing is checked against half a baseline."""
    root = write(tmp_path / "c", {**FAULTS, NAME: source})
    with pytest.raises(CorpusError) as caught:
        run_check(root)
    assert (caught.value.reference, caught.value.exit_code) == ("baseline-unreadable", 3)


def test_one_that_is_a_link_is_an_error(tmp_path: Path) -> None:
    """A corpus may not lead the tool to another file."""
    root = write(tmp_path / "c", FAULTS)
    (root / NAME).symlink_to("/etc/hostname")
    with pytest.raises(CorpusError, match="baseline"):
        run_check(root)


def test_json_in_it_is_plain(tmp_path: Path) -> None:
    """Code and path stand in it for people; the text of a finding does not."""
    root = write(tmp_path / "c", FAULTS)
    document = json.loads(_accept(root).to_bytes())
    assert {row["path"] for row in document["findings"]} == {"a.md", "b.md"}
    assert "gone" not in json.dumps(document)
    assert told(result_of(root)) == []
