"""`memsleep history`: one memory under all the paths it had."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from corpus_kit import commit, git
from git_night_kit import RUN, Repo
from landing_kit import set_identity


@pytest.fixture
def repo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Repo:
    set_identity(tmp_path / "home")
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    found = Repo(tmp_path)
    found.night()
    return found


def events(repo: Repo, path: str) -> list[dict[str, Any]]:
    found = json.loads(repo.run("history", path, "--json"))["events"]
    assert isinstance(found, list)
    return found


def archived(repo: Repo) -> tuple[str, str, str]:
    """Return (id, path, new path) of a decision that archives a memory."""
    decision = next(d for d in repo.plan()["decisions"] if d["kind"] == "archive")
    to = next(c["to"] for c in decision["changes"] if c["to"])
    return decision["id"], decision["paths"][0], to


def test_commits_decisions_and_ledger_under_both_paths(repo: Repo) -> None:
    """The same history is told from the old path and from the new one, in order of time."""
    name, path, to = archived(repo)
    assert [e["what"] for e in events(repo, path)] == ["committed", "on a branch"]
    repo.run("merge")
    told = events(repo, path)
    assert [e["what"] for e in told] == ["committed", "archived", "landed"]
    assert [e["id"] for e in told][1:] == [name, name]
    assert told == sorted(told, key=lambda event: event["when"])
    assert events(repo, to) == told
    commit(repo.root, {to: (repo.root / to).read_bytes() + b"\n"})
    assert sum(e["what"] == "committed" for e in events(repo, path)) == 2


def test_what_was_taken_back(repo: Repo) -> None:
    """A decision that was undone is told as such."""
    name, path, _ = archived(repo)
    repo.run("undo", RUN, name)
    assert [(e["what"], e["id"]) for e in events(repo, path)][1:] == [("undone", name)]


def test_a_run_of_another_machine(repo: Repo) -> None:
    """Without its record a run is known by the trailer of its commit and by the ledger."""
    import shutil

    _, path, _ = archived(repo)
    repo.run("merge")
    shutil.rmtree(repo.state / "runs")
    told = events(repo, path)
    assert ("committed", RUN) in [(e["what"], e["run"]) for e in told]
    assert "archived" in [e["what"] for e in told]


def test_names_cannot_steer_the_terminal(repo: Repo) -> None:
    """A subject or a path with control characters is shown escaped."""
    commit(repo.root, {"areas/x\x1b[2J.html": "x"})
    git(repo.root, "commit", "--quiet", "--amend", "-m", "red \x1b[31m subject")
    assert "\x1b" not in repo.run("history", "areas/x\x1b[2J.html")


def test_an_unknown_path(repo: Repo) -> None:
    """Nothing is known of it: that is said, and is no empty history."""
    assert "memory-unknown" in repo.run("history", "areas/nothing.html", code=2)


def test_every_version_its_cause_and_its_run(repo: Repo) -> None:
    """The chain of the state is told from both paths and by the short id, without any text."""
    from memsleep.state.identity import short_id

    _, path, to = archived(repo)
    repo.run("merge")
    told = json.loads(repo.run("history", path, "--json"))["versions"]
    assert [(v["revision"], v["cause"], v["run"]) for v in told] == [
        (1, "insert", None),
        (2, "archive", RUN),
    ]
    assert [v["path"] for v in told] == [path, to]
    assert not any("gist" in v for v in told)
    for name in (to, f"m:{short_id(path)}", short_id(path)):
        assert json.loads(repo.run("history", name, "--json"))["versions"] == told
    lines = repo.run("history", path).split("\n")
    assert any("  version 1  " in line and line.endswith("  insert") for line in lines)
    assert any("  version 2  " in line and f"archive  ({RUN})" in line for line in lines)
