from __future__ import annotations

from pathlib import Path

import pytest

from memsleep import api
from memsleep.brief.lines import CITATION, FRAME
from memsleep.recall import recalled
from memsleep.settings import RecallSettings, Settings
from memsleep.state.identity import short_id
from usage_kit import NOW, corpus_of, note

KEY = "AKIA" + "QYLPMN5HFIQR7XYA"
FILES = {f"{n:02}.md": note(f"Deploy window rule number {n}.") for n in range(60)}


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory):  # type: ignore[no-untyped-def]
    with corpus_of(tmp_path_factory.mktemp("recall"), FILES) as opened:
        yield opened


def test_types_of_the_settings_go_by_any_name(tmp_path: Path) -> None:
    """`fact` and `bug` in the config mean what files of the other name hold."""
    files = {
        "a.md": note("Webhook retries stop after three.", type="failure"),
        "b.md": note("Webhook retries hid an outage once.", type="semantic"),
    }
    for first, path in (("Fact", "b.md"), ("bug", "a.md")):
        settings = Settings(recall=RecallSettings(first=(first,)))
        with corpus_of(tmp_path, files, settings=settings) as opened:
            assert recalled(opened, "webhook retries", NOW, limit=1).hits[0].path == path


def test_the_block(tmp_path: Path) -> None:
    """Frame, one line a hit, citation; failures, insights and facts before the rest."""
    files = {
        "a.md": note("Webhook retries stop after three.", type="episodic"),
        "b.md": note("Webhook retries hid an outage once.", type="failure"),
        "c.md": note("Lanyards are blue.", type="failure"),
    }
    with corpus_of(tmp_path, files) as opened:
        block = recalled(opened, "  webhook retries ", NOW, limit=2, min_score=0.02)
        assert block.text.split("\n") == [
            FRAME,
            f"- [m:{short_id('b.md')}] Webhook retries hid an outage once. (updated 10 days ago)",
            f"- [m:{short_id('a.md')}] Webhook retries stop after three. (updated 10 days ago)",
            CITATION,
            "",
        ]
        assert block.characters == len(block.text)


@pytest.mark.parametrize(
    ("query", "answers"),
    [
        ("", False),
        ("   ", False),
        ("d", False),
        ("deploy " + "x" * 193, True),
        ("deploy " + "x" * 194, False),
        (" " * 50 + "deploy" + " " * 300, True),
    ],
)
def test_length_of_the_question(corpus, query: str, answers: bool) -> None:  # type: ignore[no-untyped-def]
    """1 to 200 characters after trimming; a single letter finds nothing here."""
    assert bool(recalled(corpus, query, NOW).text) is answers


@pytest.mark.parametrize(("limit", "pool"), [(1, 4), (3, 12), (12, 48), (13, 50), (50, 50)])
def test_pool(corpus, limit: int, pool: int) -> None:  # type: ignore[no-untyped-def]
    """The pool is four times the block, at most 50, and all of it is logged."""
    block = recalled(corpus, "deploy window rule", NOW, limit=limit)
    assert len(block.pool.hits) == pool
    assert len(block.hits) == limit


def test_the_pool_is_logged(tmp_path: Path) -> None:
    """Every memory of the pool is logged as `recall`, those that are not shown too."""
    with corpus_of(tmp_path, FILES) as opened:
        block = api.recall(opened, "deploy window rule", now=NOW, session="s1")
        events = opened.state.accesses()
        assert len(events) == len(block.pool.hits) == 12
        assert {(event.op, event.session_id) for event in events} == {("recall", "s1")}


def test_nothing_left_nothing_said(corpus) -> None:  # type: ignore[no-untyped-def]
    """A score that no hit reaches leaves no block, not even a frame."""
    assert recalled(corpus, "deploy window", NOW, min_score=9).text == ""
    assert recalled(corpus, "deploy window", NOW, limit=0).text == ""


def test_a_secret_is_passed_over(tmp_path: Path) -> None:
    """The next hit takes its place, and the diagnosis names path and kind."""
    files = {
        "key.md": note(f"The bucket key is {KEY}."),
        "ok.md": note("The bucket lies in Zurich."),
    }
    with corpus_of(tmp_path, files) as opened:
        block = recalled(opened, "bucket key", NOW, limit=1)
        assert [hit.path for hit in block.hits] == ["ok.md"]
        assert [problem.path for problem in block.problems] == ["key.md"]
        assert KEY not in repr(block)


def test_the_same_state_gives_the_same_block(corpus) -> None:  # type: ignore[no-untyped-def]
    """Asking changes no answer."""
    assert recalled(corpus, "rule number 7", NOW) == recalled(corpus, "rule number 7", NOW)
