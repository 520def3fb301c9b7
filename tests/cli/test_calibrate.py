"""`memsleep calibrate`, as a person runs it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from cli_kit import CORPUS, error_document, memsleep

LINES = """\
{"text_a": "The job retries 3 times", "text_b": "The job retries 13 times", "label": "different"}
{"text_a": "The timeout is 30s", "text_b": "The timeout is 30 s", "label": "same", "kind": "units"}
"""


@pytest.fixture
def pairs(tmp_path: Path) -> Path:
    file = tmp_path / "pairs.jsonl"
    file.write_bytes(LINES.encode())
    return file


def test_pairs_as_text(pairs: Path) -> None:
    """Each pair is a line with outcome and guards, then come the totals; no text is quoted."""
    done = memsleep("calibrate", "--pairs", pairs, home=pairs.parent)
    assert (done.returncode, done.stderr) == (0, b"")
    out = done.stdout.decode()
    assert "retries" not in out
    assert "numbers" in out.split("\n")[0]
    assert "recall 100.00% [20.65%, 100.00%] (1 of 1)" in out


def test_pairs_as_json(pairs: Path) -> None:
    """The document has every pair with all its guards, and the totals by label and kind."""
    done = memsleep("calibrate", "--pairs", pairs, "--json", home=pairs.parent)
    document = json.loads(done.stdout)
    assert [(p["line"], p["outcome"]) for p in document["pairs"]] == [(1, "review"), (2, "merge")]
    assert document["pairs"][0]["guards"]
    assert document["totals"]["by_kind"][1]["kind"] == "units"
    only = memsleep("calibrate", "--pairs", pairs, "--json", "--totals", home=pairs.parent)
    assert json.loads(only.stdout) == {k: v for k, v in document.items() if k != "pairs"}


def test_a_pair_of_no_kind_is_told_apart_from_all(pairs: Path) -> None:
    """The rows by label say all, those by kind name the kind, or that there is none."""
    pairs.write_bytes(pairs.read_bytes() + b'{"text_a": "A.", "text_b": "A.", "label": "same"}\n')
    out = memsleep("calibrate", "--pairs", pairs, "--totals", home=pairs.parent).stdout.decode()
    rows = [line.split()[:3] for line in out.split("\n") if line.startswith("same")]
    assert rows == [["same", "all", "2"], ["same", "-", "1"], ["same", "units", "1"]]


def test_bad_lines_are_named_and_the_rest_is_measured(pairs: Path) -> None:
    """Exit 1 says that something was skipped, standard error which line and why."""
    pairs.write_bytes(pairs.read_bytes() + b"nonsense\n")
    done = memsleep("calibrate", "--pairs", pairs, "--json", home=pairs.parent)
    assert done.returncode == 1
    assert b":3: skipped: it is not JSON" in done.stderr
    document = json.loads(done.stdout)
    assert document["bad_lines"] == [{"line": 3, "message": "it is not JSON"}]
    assert document["totals"]["pairs"] == 2


def test_a_file_without_pairs(tmp_path: Path) -> None:
    """No pair at all is a wrong file, not a perfect result."""
    (tmp_path / "empty.jsonl").write_bytes(b"\n")
    done = memsleep("calibrate", "--pairs", "empty.jsonl", "--json", home=tmp_path)
    assert error_document(done)["reference"] == "no-pairs"
    assert done.returncode == 2


def test_a_corpus(tmp_path: Path) -> None:
    """A corpus gets its distribution and two floors, as text and as a document."""
    done = memsleep("calibrate", CORPUS, home=tmp_path)
    assert (done.returncode, done.stderr) == (0, b"")
    assert b"pairing.duplicate_floor = 0." in done.stdout
    found = json.loads(memsleep("calibrate", CORPUS, "--json", home=tmp_path).stdout)["corpus"]
    assert 0.3 < found["mined_floor"] < found["duplicate_floor"] < 0.95
    assert found["embedder"] == "hashgram-512-v1"
    none = memsleep("calibrate", CORPUS, "--embedder", "none", home=tmp_path)
    assert b"too few memories" in none.stdout
