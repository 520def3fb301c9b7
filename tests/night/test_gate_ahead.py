"""What another process makes ready for the gate saves time; what the gate finds stays the same."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import pytest

from gate_kit import GAUGE, TOPICS, changed, crowd, say, side
from interpreter_kit import BAD_INTERPRETERS, be_interpreter
from memsleep.gate import Before, GateResult, Side, measure, side_of
from memsleep.gate.index import Ahead
from memsleep.gate.ranker import words_asked
from memsleep.night import gate_ahead
from memsleep.night.gate_ahead import GateAhead, GateStart
from memsleep.settings import EmbedderSettings, Settings
from phases_kit import snapshot


def _sides() -> tuple[Side, Side]:
    """A night that loses one memory, rewrites another and leaves the rest."""
    _, rewritten, *rest = crowd()
    now = changed(rewritten, body=f"{rewritten.body} More is known.")
    return side(crowd()), side([now, *rest])


def _measured(ahead: Ahead | None, before: Side, after: Side) -> GateResult:
    return measure(before, after, GAUGE, ahead)


def test_the_gate_finds_the_same() -> None:
    """With an index from another process and without one, rank by rank."""
    before, after = _sides()
    ahead = GateAhead(Before.of(before))
    try:
        assert _measured(ahead, before, after) == _measured(None, before, after)
    finally:
        ahead.close()


def test_the_index_is_what_the_gate_would_make() -> None:
    """Rows to the bit, postings to the last point, texts of any kind among them."""
    han = say("han.md", "\u7f13\u5b58\u5728\u51cc\u6668\u6e05\u7a7a")
    before = side([*crowd(), han, changed(han, path="empty.md", gist="", body="")])
    ahead = GateAhead(Before.of(before))
    documents = list(ahead.before.documents.documents)
    try:
        found = ahead.take({t for d in documents for t in words_asked(d.claim)} | {"nowhere"})
    finally:
        ahead.close()
    assert found is not None
    assert GAUGE.embed is not None
    assert found.rows.tobytes() == GAUGE.embed([d.claim for d in documents]).tobytes()
    assert "nowhere" not in found.postings
    assert found.count == len(documents)


@pytest.mark.parametrize("name", BAD_INTERPRETERS)
def test_a_process_that_breaks_costs_nothing_but_time(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The gate makes its own."""
    monkeypatch.setattr(gate_ahead, "ENOUGH", 1)
    monkeypatch.setattr(gate_ahead, "cores", lambda: 2)
    known, (_, after) = snapshot(crowd()), _sides()
    before = side_of(known)
    plain = _measured(None, before, after)
    be_interpreter(name, tmp_path, monkeypatch)
    with GateStart(Settings()) as start:
        start.begin(known)
        with start.taken() as ahead:
            assert _measured(ahead, before, after) == plain


def test_a_process_that_is_killed_costs_nothing_but_time() -> None:
    """Whatever it had made ready is made anew."""
    before, after = _sides()
    ahead = GateAhead(Before.of(before))
    os.kill(ahead._interpreter._process.pid, signal.SIGKILL)
    try:
        assert _measured(ahead, before, after) == _measured(None, before, after)
    finally:
        ahead.close()


def test_what_was_begun_for_another_corpus_is_not_used() -> None:
    """A landing on a folder that changed meanwhile asks by what is there."""
    before, after = _sides()
    ahead = GateAhead(Before.of(side([say("other.md", TOPICS[0])])))
    try:
        assert _measured(ahead, before, after) == _measured(None, before, after)
    finally:
        ahead.close()


def test_it_is_given_away_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """The gate adds documents of its own to it: a second look begins from nothing."""
    monkeypatch.setattr(gate_ahead, "ENOUGH", 1)
    monkeypatch.setattr(gate_ahead, "cores", lambda: 2)
    known = snapshot(crowd())
    with GateStart(Settings()) as start:
        start.begin(known)
        with start.taken() as first:
            assert first is not None
            process = first._interpreter._process
        assert process.poll() is not None
        with start.taken() as second:
            assert second is None


@pytest.mark.parametrize(
    ("enough", "cores", "embedder", "begins"),
    [
        (12, 2, "hashgram", True),
        (13, 2, "hashgram", False),  # a small corpus is asked sooner than a process starts
        (12, 1, "hashgram", False),  # nothing runs beside on one core
        (12, 2, "none", False),
        (12, 2, "file", False),
    ],
)
def test_it_begins_where_that_pays(
    enough: int, cores: int, embedder: str, begins: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Many memories, a core to spare, and an embedder whose rows depend on their text alone."""
    monkeypatch.setattr(gate_ahead, "ENOUGH", enough)
    monkeypatch.setattr(gate_ahead, "cores", lambda: cores)
    settings = Settings().model_copy(update={"embedder": EmbedderSettings(name=embedder)})
    with GateStart(settings) as start:
        start.begin(snapshot(crowd()))
        with start.taken() as ahead:
            assert (ahead is not None) == begins
