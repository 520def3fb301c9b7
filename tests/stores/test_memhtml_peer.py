"""A memhtml store keeps working: its usage is read, its index never breaks, its pages stay."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from corpus_kit import write
from memsleep.fold import fold
from memsleep.model import Usage
from memsleep.proposals import Archive, Merge
from memsleep.settings import Settings
from memsleep.state.peer import PEER_PATH, read_peer_state
from night_kit import request_for, run_night, tree
from phases_kit import html
from stores_kit import load, snapshot_of

ROW = ("areas/a.html", 7, 2, 0.4, "2026-11-01T00:00:00Z", None, "2026-11-02T00:00:00Z")
SCHEMA = (
    "CREATE TABLE access (path TEXT PRIMARY KEY, access_count INTEGER, reinforcement_count"
    " INTEGER, outcome_score REAL, last_accessed_at TEXT, last_reinforced_at TEXT, updated_at TEXT"
    " NOT NULL)"
)


def store(root: Path, *rows: tuple[object, ...]) -> Path:
    """Make a store with a state database of these rows."""
    write(root, {"areas/a.html": html("A claim of its own."), "areas/b.html": html("Bees swarm.")})
    (root / ".memhtml/state").mkdir(parents=True)
    with closing(sqlite3.connect(root / PEER_PATH)) as connection:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute(SCHEMA)
        connection.executemany("INSERT INTO access VALUES (?, ?, ?, ?, ?, ?, ?)", rows)
        connection.commit()
    return root


def test_the_database_is_read_from_a_copy(tmp_path: Path) -> None:
    """Its rows count, and neither it nor its folder changes by a byte."""
    root = store(tmp_path / "corpus", ROW)
    before = tree(root)
    found = read_peer_state(root, tmp_path / "scratch")
    assert found.usage == {
        "areas/a.html": Usage(7, 2, 0.4, "2026-11-01T00:00:00Z", None, "2026-11-02T00:00:00Z")
    }
    assert not found.problems
    assert tree(root) == before


def test_a_night_knows_the_use(tmp_path: Path) -> None:
    """The database and the export are one: the higher count, the later word."""
    root = store(tmp_path / "corpus", ROW)
    export = '{"path":"areas/a.html","accessCount":9,"updatedAt":"2026-01-01T00:00:00Z"}\n'
    write(root, {".memhtml/state/access.jsonl": export})
    before = tree(root)
    result, _ = run_night(request_for(root))
    assert result.start.usage is not None
    use = result.start.usage["areas/a.html"]
    assert (use.access_count, use.reinforcement_count, use.outcome_score) == (9, 2, 0.4)
    assert tree(root) == before


@pytest.mark.parametrize("content", [b"SQLite format 3\0", b"no database at all, but text" * 9])
def test_a_foreign_database_is_a_remark(tmp_path: Path, content: bytes) -> None:
    """What cannot be read is named; the night goes on."""
    root = tmp_path / "corpus"
    write(root, {"areas/a.html": html("A claim."), PEER_PATH: content})
    found = read_peer_state(root, tmp_path / "scratch")
    assert found.usage == {}
    assert [problem.code for problem in found.problems] == ["peer-state-unreadable"]
    result, _ = run_night(request_for(root))
    assert "peer-state-unreadable" in {problem.code for problem in result.start.problems}


def test_no_database_is_nothing(tmp_path: Path) -> None:
    """A store without one, and a link in its place, say nothing."""
    assert read_peer_state(tmp_path, tmp_path / "s").usage == {}
    (tmp_path / ".memhtml").mkdir()
    (tmp_path / PEER_PATH).symlink_to("/etc/hostname")
    assert read_peer_state(tmp_path, tmp_path / "s").problems == ()


def test_equal_digests_are_found(tmp_path: Path) -> None:
    """Two active files of one content are named; an archived twin and a task are not."""
    twin = html("One claim, twice.")
    task = html(
        "One claim, twice.", '<meta name="memhtml-task-status" content="todo">', kind="task"
    )
    files = {"areas/a.html": twin, "areas/b.html": twin, "archive/2026/areas/a.html": twin}
    write(tmp_path, files | {"areas/c.html": task})
    problems = [p for p in load(tmp_path).problems if p.code == "equal-digest"]
    assert [problem.path for problem in problems] == ["areas/b.html"]
    assert "areas/a.html" in problems[0].message


def test_equal_digests_are_never_made(tmp_path: Path) -> None:
    """Carrying a sentence into a keeper may not make it the twin of a third file."""
    claim, more = "The pump is oiled in spring.", "Twice a year is too often."
    files = {
        "areas/keeper.html": html(claim),
        "areas/dropped.html": html("The pump is oiled in spring, they say."),
        "areas/third.html": html(claim, body=f"</p>\n<p>{more}"),
    }
    start = snapshot_of(tmp_path, files)
    merge = Merge(
        phase="t", reason="r", keeper="areas/keeper.html", dropped="areas/dropped.html",
        similarity=1.0, carry=(more,), take_over=False,
    )  # fmt: skip
    refused = fold(start, [merge], Settings()).refused
    assert [refusal.cause for refusal in refused] == ["edit-refused"]
    assert "areas/third.html" in refused[0].reason
    gone = Archive(phase="t", reason="r", path="areas/third.html", cause="evicted")
    assert not fold(start, [gone], Settings()).refused
    after = fold(fold(start, [gone], Settings()).snapshot, [merge], Settings())
    assert not after.refused


def test_generated_pages_stay(tmp_path: Path) -> None:
    """Listings and the site map keep their bytes, though they link to what moves."""
    root = tmp_path / "corpus"
    expired = html(
        "A parking permit.",
        '<meta name="memhtml-valid-until" content="2026-02-01">',
        '<meta name="memhtml-importance" content="1">',
    )
    pages = {
        "areas/index.html": '<!doctype html><title>areas</title><a href="/areas/a.html">a</a>\n',
        "index.html": '<!doctype html><title>root</title><a href="/areas/a.html">a</a>\n',
        "sitemap.xml": "<urlset><url><loc>/areas/a.html</loc></url></urlset>\n",
    }
    write(root, {"areas/a.html": expired, "areas/b.html": html("Bees."), **pages})
    result, outcome = run_night(request_for(root))
    assert result.moves == {"areas/a.html": "archive/2026/areas/a.html"}
    assert all(
        f"diff --git a/{page} ".encode() not in outcome.artifacts["sleep.diff"] for page in pages
    )
