"""`memsleep status`: for a person and for a monitor."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from corpus_kit import git
from git_night_kit import RUN, Repo
from landing_kit import set_identity


@pytest.fixture
def repo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Repo:
    set_identity(tmp_path / "home")
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    return Repo(tmp_path)


def status(repo: Repo, *words: str, code: int = 0) -> dict[str, Any]:
    found = json.loads(repo.run("status", "--json", *words, code=code))
    assert isinstance(found, dict)
    return found


def record(repo: Repo, **values: Any) -> None:
    """Change the record of the run."""
    file = repo.state / "runs/sleep-2026-11-30/status.json"
    file.write_bytes(json.dumps({**json.loads(file.read_bytes()), **values}).encode())


def test_before_the_first_run(repo: Repo) -> None:
    """No run yet is no trouble, unless somebody asks for one of a certain age."""
    assert status(repo)["last_run"] is None
    assert status(repo, "--max-age", "26h", code=1)["troubles"] == [
        "no run has ever succeeded here"
    ]


def test_max_age(repo: Repo) -> None:
    """Exit 1 when the last success is older than asked, at the second."""
    repo.night()
    record(repo, ended_at="2026-11-30T03:00:00Z")
    assert status(repo, "--max-age", "26h", "--now", "2026-12-01T05:00:00Z")["troubles"] == []
    late = status(repo, "--max-age", "26h", "--now", "2026-12-01T05:00:01Z", code=1)
    assert late["troubles"] == ["the last successful run ended 26 h ago, more than 26 h"]
    assert status(repo, "--now", "2027-12-01T05:00:01Z")["troubles"] == []


def test_a_failed_or_killed_run_is_trouble(repo: Repo) -> None:
    """A run that failed, and one whose process is gone, are told with their name."""
    repo.night()
    record(repo, state="failed")
    assert status(repo, code=1)["troubles"] == [f"{RUN}: failed"]
    record(repo, state="running", ended_at=None)
    (told,) = status(repo, code=1)["troubles"]
    assert "its process is gone" in told


def test_a_run_that_is_at_it_for_too_long(repo: Repo) -> None:
    """A live run is no trouble before twenty hours have passed."""
    import fcntl
    import os

    repo.night()
    record(repo, state="running", ended_at=None, started_at="2026-11-30T03:00:00Z")
    handle = os.open(repo.root, os.O_RDONLY)
    fcntl.flock(handle, fcntl.LOCK_EX)
    try:
        assert status(repo, "--now", "2026-11-30T23:00:00Z")["troubles"] == []
        late = status(repo, "--now", "2026-11-30T23:00:01Z", code=1)["troubles"]
        assert late == [f"{RUN}: running for more than 20 hours"]
    finally:
        os.close(handle)


def test_a_journal_that_waits(repo: Repo) -> None:
    """A landing that was killed half way is told, for the next start makes it whole."""
    repo.night()
    (repo.state / "journal").mkdir(exist_ok=True)
    (repo.state / "journal/current.json").write_bytes(b"{}")
    assert "half way" in status(repo, code=1)["troubles"][0]


def test_what_waits_and_why(repo: Repo) -> None:
    """A branch waits until it is merged, by whatever means, or gone."""
    repo.night()
    assert status(repo)["waiting"][0]["evidence"] == "not merged"
    git(repo.root, "merge", "--squash", "--quiet", RUN)
    git(repo.root, "commit", "--quiet", "-m", "night")
    assert "it has landed" in status(repo)["waiting"][0]["evidence"]
    git(repo.root, "reset", "--quiet", "--hard", "HEAD~1")
    git(repo.root, "branch", "-D", RUN)
    assert "gone" in status(repo)["waiting"][0]["evidence"]


def test_nothing_is_changed(repo: Repo) -> None:
    """Looking writes nothing, not even a database."""
    repo.night()
    files = {p: p.read_bytes() for p in sorted(repo.state.rglob("*")) if p.is_file()}
    repo.run("status")
    repo.run("history", "README.html")
    repo.run("audit")
    assert {p: p.read_bytes() for p in sorted(repo.state.rglob("*")) if p.is_file()} == files


@pytest.mark.parametrize("age", ["26", "h", "-1h", "1w", "", "1 h"])
def test_bad_age(repo: Repo, age: str) -> None:
    """What is no span of time is refused."""
    assert "bad-age" in repo.run("status", f"--max-age={age}", code=2)
