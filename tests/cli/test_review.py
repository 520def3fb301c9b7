"""`memsleep review`: one by one in a terminal, or by options; left and taken up again."""

from __future__ import annotations

import json
import os
import pty
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from cli_kit import environment
from corpus_kit import git
from git_night_kit import RUN, Repo
from landing_kit import set_identity


@pytest.fixture
def repo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Repo:
    set_identity(tmp_path / "home")
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    found = Repo(tmp_path)
    found.night()
    return found


def items(repo: Repo, run: str = RUN) -> list[dict[str, Any]]:
    found = json.loads(repo.run("review", run, "--list", "--json"))["items"]
    assert isinstance(found, list)
    return found


def in_terminal(repo: Repo, keys: str) -> str:
    """Run the review with a terminal as its input."""
    master, slave = pty.openpty()
    os.write(master, keys.encode())
    words = ["review", "--corpus", str(repo.root), "--state-dir", str(repo.state)]
    done = subprocess.run(
        [sys.executable, "-m", "memsleep", *words],
        stdin=slave, capture_output=True, env=environment(repo.home), timeout=120,
    )  # fmt: skip
    os.close(master)
    os.close(slave)
    assert done.returncode == 0, done.stderr.decode()
    return (done.stdout + done.stderr).decode()


def test_lists_decisions_and_pairs_without_a_terminal(repo: Repo) -> None:
    """Nobody is asked where nobody can answer."""
    found = items(repo)
    assert {item["kind"] for item in found} == {"decision", "pair"}
    assert {item["answer"] for item in found} == {None}
    assert repo.run("review").count("\n") == len(found)


def test_accept_reject_skip_quit_and_resume(repo: Repo) -> None:
    """Answers are kept, the rejected decision is taken back, the rest is asked again."""
    first, second, third = [item["id"] for item in items(repo)][:3]
    said = in_terminal(repo, "a\nr\ns\nq\n")
    assert re.search(rf"{first}  dedup: merge", said)
    assert "similarity: " in said
    assert said.count("  --- ") >= 4
    again = {item["id"]: item["answer"] for item in items(repo, f"{RUN}-2")}
    assert (again[first], again[second], again[third]) == ("accept", "reject", None)
    assert second not in repo.status(f"{RUN}-2")["landed"]
    assert first in repo.status(f"{RUN}-2")["landed"]
    said = in_terminal(repo, "q\n")
    assert f"\n{third}  " in said.replace("\r", "")
    assert f"\n{first}  " not in said.replace("\r", "")


def test_by_options(repo: Repo) -> None:
    """--reject takes back, --different is remembered for good, an unknown id is refused."""
    found = items(repo)
    decision = next(item["id"] for item in found if item["kind"] == "decision")
    pair = next(item for item in found if item["kind"] == "pair")
    repo.run("review", RUN, "--reject", decision, "--different", pair["id"])
    assert git(repo.root, "branch", "--list", "--format=%(refname:short)", "sleep/*") == (
        f"{RUN}-2\n".encode()
    )
    repo.run("run", ".", "--now", "2026-12-01T03:00:00Z", "--quiet")
    later = items(repo, "sleep/2026-12-01")
    assert pair["head"] not in [item["head"] for item in later]
    assert decision not in [item["id"] for item in later]
    assert "decision-unknown" in repo.run("review", "--reject", "0" * 12, code=2)
    assert "review-wrong-answer" in repo.run("review", RUN + "-2", "--different", decision, code=2)


def test_what_was_taken_back_is_not_open(repo: Repo) -> None:
    """Nobody is asked about a decision that an undo holds, or has taken back; the others stay."""
    repo.run("merge")
    first, *others = [item["id"] for item in items(repo) if item["kind"] == "decision"]
    undo = "sleep/undo-2026-11-30"
    repo.run("undo", first)
    for told in (f"{undo} takes it back", "it was taken back"):
        closed = {item["id"]: item["closed"] for item in items(repo)}
        assert closed[first] == told
        assert {closed[name] for name in others} == {""}
        assert f"{first}  closed ({told})" in repo.run("review", "--list")
        repo.run("review", "--accept", first, code=2)
        repo.run("merge", undo)


def test_a_memory_cannot_steer_the_terminal() -> None:
    """Control characters of a text are shown escaped."""
    from memsleep.cli.review import as_text
    from memsleep.night.reviewing import Item
    from memsleep.report.data import Text

    text = Text(path="a\x1b[2J.md", body="x\x1b]0;title\x07\r\ny")
    shown = as_text(Item("1", "pair", "h\x1b[1m", "r", {}, (text,)))
    assert "\x1b" not in shown
    assert "\r" not in shown
