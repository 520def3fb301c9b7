"""The commands that land, as a person runs them."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from cli_kit import environment, error_document, memsleep
from faults_kit import make_corpus
from refold_kit import files_of


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    return make_corpus(tmp_path / "corpus", 2)


def _plan(corpus: Path, home: Path) -> tuple[Path, list[str]]:
    done = memsleep("run", corpus, "--dry-run", "--out", home / "out", home=home)
    assert done.returncode == 0, done.stderr
    plan = home / "out" / "plan.json"
    return plan, [decision["id"] for decision in json.loads(plan.read_bytes())["decisions"]]


def test_run_lands_keeps_the_run_and_undo_takes_it_back(corpus: Path, tmp_path: Path) -> None:
    """A run changes the folder, leaves its record and heartbeat beside it, and can be undone."""
    before = files_of(corpus)
    done = memsleep("run", corpus, home=tmp_path)
    assert done.returncode == 0, done.stderr
    assert files_of(corpus) != before
    own = corpus / ".memsleep"
    (run,) = (own / "runs").iterdir()
    kept = {path.name for path in run.iterdir()}
    assert kept >= {"plan.json", "report.html", "report.md", "report.json", "status.json", "before"}
    beat = json.loads((own / "heartbeat.json").read_bytes())
    assert (beat["state"], beat["run"].replace("/", "-")) == ("landed", run.name)
    assert b"*\n" in (own / ".gitignore").read_bytes()
    assert b"audit:" in done.stderr
    undone = memsleep("undo", beat["run"], "--corpus", corpus, home=tmp_path)
    assert undone.returncode == 0, undone.stderr
    again = memsleep("undo", "--corpus", corpus, home=tmp_path)
    assert again.returncode == 2
    assert b"no run (1 known) has anything left to take back" in again.stderr
    assert files_of(corpus) == before


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="the system has no /dev/full")
@pytest.mark.parametrize("quiet", [(), ("--quiet",)])
def test_what_has_landed_is_told_where_its_result_cannot_be_written(
    corpus: Path, tmp_path: Path, quiet: tuple[str, ...]
) -> None:
    """The night is over then: the error says so, and how to take it back, even if quiet."""
    before = files_of(corpus)
    for words, landed in ((("run", str(corpus)), b"landed"), (("undo",), b"taken back")):
        where = ("--json",) if words[0] == "run" else ("--json", "--corpus", str(corpus))
        with Path("/dev/full").open("wb") as full:
            done = subprocess.run(
                [sys.executable, "-m", "memsleep", *words, *where, *quiet],
                stdout=full, stderr=subprocess.PIPE, env=environment(tmp_path), check=False,
            )  # fmt: skip
        assert done.returncode == 3
        assert b"error[disk-full]" in done.stderr
        assert landed in done.stderr
        assert b"nothing was changed" not in done.stderr
    assert files_of(corpus) == before


@pytest.mark.parametrize("place", ["file/x", "/proc/x", "/dev/null/x"])
def test_a_folder_that_cannot_be_made_stops_a_night_before_it_begins(
    corpus: Path, tmp_path: Path, place: str
) -> None:
    (tmp_path / "file").write_bytes(b"")
    before = files_of(corpus)
    done = memsleep("run", corpus, "--out", place, home=tmp_path)
    assert done.returncode == 2
    assert b"error[out-not-" in done.stderr
    assert files_of(corpus) == before


def test_what_was_undone_does_not_come_back_until_its_file_changes(
    corpus: Path, tmp_path: Path
) -> None:
    """Undo counts as a rejection: the next night asks again only when a file has changed."""
    memsleep("run", corpus, home=tmp_path)
    assert memsleep("undo", "--corpus", corpus, home=tmp_path).returncode == 0
    before = files_of(corpus)
    assert memsleep("run", corpus, home=tmp_path).returncode == 0
    assert files_of(corpus) == before
    touched = corpus / "plant" / "boiler-b.md"
    touched.write_bytes(touched.read_bytes().replace(b"[boiler, b]", b"[boiler, b, new]"))
    assert memsleep("run", corpus, home=tmp_path).returncode == 0
    assert not touched.exists()
    assert (corpus / "plant" / "pump-b.md").exists()


def test_apply_lands_what_is_wanted(corpus: Path, tmp_path: Path) -> None:
    """`--only` lands one, a second apply the rest; `--reject` leaves out and is remembered."""
    plan, (first, second) = _plan(corpus, tmp_path)
    done = memsleep("apply", plan, "--corpus", corpus, "--only", first, "--json", home=tmp_path)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["landed"] == [first]
    done = memsleep("apply", plan, "--corpus", corpus, "--reject", second, home=tmp_path)
    assert done.returncode == 0
    assert f"{second}: rejected".encode() in done.stderr
    files = files_of(corpus)
    assert memsleep("run", corpus, home=tmp_path).returncode == 0
    assert files_of(corpus) == files


def test_a_changed_file_rejects_its_decision_only(corpus: Path, tmp_path: Path) -> None:
    """The others land, exit 0; the reason names the file, which is as somebody left it."""
    plan, ids = _plan(corpus, tmp_path)
    touched = corpus / "plant" / "boiler-a.md"
    touched.write_bytes(touched.read_bytes() + b"\nMore.\n")
    edited = touched.read_bytes()
    done = memsleep("apply", plan, "--corpus", corpus, "--json", home=tmp_path)
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    assert len(told["landed"]) == len(ids) - 1
    (rejected,) = told["rejected"]
    assert "plant/boiler-a.md has changed since the plan was made" in rejected["reason"]
    assert touched.read_bytes() == edited


def test_a_read_only_corpus_and_a_state_elsewhere(corpus: Path, tmp_path: Path) -> None:
    """With `--state-dir` nothing of ours is in the corpus; runs lie there."""
    state = tmp_path / "state"
    done = memsleep("run", corpus, "--state-dir", state, home=tmp_path)
    assert done.returncode == 0, done.stderr
    assert not (corpus / ".memsleep").exists()
    assert list((state / "runs").iterdir())


@pytest.mark.parametrize(
    ("arguments", "code", "reference"),
    [
        (["apply", "none.json"], 2, "plan-not-found"),
        (["apply", "corpus/page-pump.md"], 2, "plan-unreadable"),
        (["undo"], 2, "run-unknown"),
        (["undo", "sleep/2026-01-01"], 2, "run-unknown"),
        (["undo", "000000000000"], 2, "run-unknown"),
        (["resume"], 2, "run-not-killed"),
        (["resume", "sleep/2026-01-01"], 2, "run-unknown"),
        (["run", "corpus", "--now", "2999-01-01"], 2, "now-ahead-of-clock"),
    ],
)
def test_what_cannot_be_is_refused(
    arguments: list[str], code: int, reference: str, corpus: Path, tmp_path: Path
) -> None:
    """With a reference and an exit code, and the memories are as they were."""
    before = files_of(corpus)
    more = [] if arguments[0] == "run" else ["--corpus", str(corpus)]
    done = memsleep(*arguments, *more, "--json", home=tmp_path)
    assert (done.returncode, error_document(done)["reference"]) == (code, reference)
    assert files_of(corpus) == before


def test_a_night_before_the_last_one_is_refused(corpus: Path, tmp_path: Path) -> None:
    """A run that landed is never followed by an earlier one."""
    assert memsleep("run", corpus, home=tmp_path).returncode == 0
    done = memsleep("run", corpus, "--now", "2001-01-01", "--json", home=tmp_path)
    assert (done.returncode, error_document(done)["reference"]) == (2, "now-before-last-run")
