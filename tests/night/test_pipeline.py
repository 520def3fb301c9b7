"""The loop over the phases: failures stay in their phase, the view is what the config says."""

from __future__ import annotations

import dataclasses
import gc
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from memsleep.errors import StateError
from memsleep.model import Snapshot
from memsleep.night import pipeline
from memsleep.phases import PHASES
from memsleep.proposals import Archive, Proposal
from memsleep.settings import Settings
from night_kit import copy_corpus, request_for, run_night

SECRET = "the text of a memory"


def _replaced(
    monkeypatch: pytest.MonkeyPatch,
    name: str,
    propose: Callable[[Snapshot, Settings], Iterator[Proposal]],
) -> None:
    phases = {**PHASES, name: dataclasses.replace(PHASES[name], propose=propose)}
    monkeypatch.setattr(pipeline, "PHASES", phases)


def _failing(snapshot: Snapshot, settings: Settings) -> Iterator[Proposal]:
    path = next(iter(snapshot.memories))
    yield Archive(phase="graph", reason="", path=path, cause="evicted")
    raise RuntimeError(SECRET)


def _refusing(snapshot: Snapshot, settings: Settings) -> Iterator[Proposal]:
    raise StateError("state-busy", "another process holds it")


def test_a_failing_phase_has_no_effect_and_the_others_go_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Graph fails after a first proposal: nothing of it lands, triage is skipped, decay runs."""
    _replaced(monkeypatch, "graph", _failing)
    root = copy_corpus("html-store", tmp_path)
    result, outcome = run_night(request_for(root))
    told = {phase.name: phase for phase in result.phases}
    assert told["graph"].status == "failed"
    assert told["graph"].applied == ()
    assert told["triage"].status == "skipped"
    assert "graph" in told["triage"].detail
    assert [told[name].status for name in ("pairing", "dedup", "reprieve", "integrity")] == [
        "ok"
    ] * 4
    assert outcome.failed_phases == ("graph",)
    assert outcome.exit_code() == 3
    assert outcome.artifacts["sleep.diff"]


def test_a_failure_is_told_without_the_text_of_a_memory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What an exception says may quote a memory: only its kind and place are told."""
    _replaced(monkeypatch, "graph", _failing)
    root = copy_corpus("html-store", tmp_path)
    result, outcome = run_night(request_for(root))
    detail = next(phase.detail for phase in result.phases if phase.name == "graph")
    assert detail.startswith("RuntimeError in ")
    everything = [
        outcome.output,
        *outcome.artifacts.values(),
        *(m.encode() for m in outcome.messages),
    ]
    assert not any(SECRET.encode() in part for part in everything)


def test_a_foreseen_failure_is_told_in_its_words(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An error of ours carries no memory, so its message is shown."""
    _replaced(monkeypatch, "pairing", _refusing)
    result, _ = run_night(request_for(copy_corpus("html-store", tmp_path)))
    told = {phase.name: phase for phase in result.phases}
    assert told["pairing"].detail == "state-busy: another process holds it"
    assert told["dedup"].status == "skipped"


@pytest.mark.parametrize(("view", "scored"), [("folded", False), ("start", True)])
def test_view(tmp_path: Path, view: str, scored: bool) -> None:
    """Under `folded` triage does not see what dedup archived; under `start` it still does."""
    root = copy_corpus("html-store", tmp_path)
    result, _ = run_night(request_for(root, options={"run.view": view}))
    dropped = set(result.moves) & {
        item.proposal.paths[-1] for item in result.decisions if item.proposal.kind == "merge"
    }
    assert dropped
    assert (dropped <= set(result.end.columns["retention"])) is scored


def test_order_of_the_config_is_the_order_of_the_night(tmp_path: Path) -> None:
    """Phases run as listed, and only those."""
    options = {"run.phases": ("integrity", "graph", "decay")}
    result, _ = run_night(request_for(copy_corpus("html-store", tmp_path), options=options))
    assert [phase.name for phase in result.phases] == ["integrity", "graph", "decay"]


def test_phase_that_finds_its_target_gone_counts_it_quietly(tmp_path: Path) -> None:
    """In the reference profile a later phase leaves what an earlier one moved, without a row."""
    options = {"run.profile": "reference", "dedup.threshold": -1.0, "pairing.duplicate_floor": 0.75}
    result, outcome = run_night(request_for(copy_corpus("html-store", tmp_path), options=options))
    gone = [refusal for refusal in result.refused if refusal.cause == "gone"]
    assert gone
    assert b"moved by an earlier phase" in outcome.artifacts["report.md"]


def test_what_was_read_is_left_to_the_collector_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """While the phases run the collector walks past what was read; after the night it does not."""
    standing: list[int] = []

    def watching(snapshot: Snapshot, settings: Settings) -> Iterator[Proposal]:
        standing.append(gc.get_freeze_count())
        yield from ()

    _replaced(monkeypatch, "decay", watching)
    run_night(request_for(copy_corpus("html-store", tmp_path)))
    assert standing[0] > 1000
    assert gc.get_freeze_count() == 0
