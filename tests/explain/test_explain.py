"""`memsleep explain`: why a memory is where it is, and what would change that."""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path
from typing import Any

import pytest

from memsleep.core import RetentionInput, band_for
from memsleep.errors import UsageError
from memsleep.explain import explain
from memsleep.explain.answer import explanation_of
from memsleep.explain.levers import levers
from memsleep.explain.target import memory_named
from memsleep.night import NightResult
from memsleep.phases.triage import retention_facts, score
from memsleep.settings import Settings
from memsleep.state.identity import short_id
from night_kit import copy_corpus, request_for, run_night, seeded_state

SETTINGS = Settings()


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The vault with the state of an earlier night beside it."""
    folder = tmp_path_factory.mktemp("explain")
    copy_corpus("markdown-vault", folder)
    seeded_state("markdown-vault", folder)
    return folder


@pytest.fixture(scope="module")
def night(folder: Path) -> NightResult:
    """One night over the vault."""
    return run_night(request_for(folder / "corpus", state_dir=folder / "state"))[0]


def _answer(folder: Path, target: str) -> dict[str, Any]:
    request = request_for(folder / "corpus", state_dir=folder / "state")
    answer: dict[str, Any] = json.loads(
        explain(dataclasses.replace(request, json=True), target).output
    )
    return answer


def test_signals_add_up_to_the_retention(folder: Path, night: NightResult) -> None:
    """The eight shares sum to the composite that triage computed, to its four decimals."""
    answer = _answer(folder, "lab/drip-decision-bridge.md")
    shares = [signal["share"] for signal in answer["signals"]]
    assert len(shares) == 8
    assert sum(shares) == pytest.approx(answer["retention"], abs=5e-5)
    assert answer["retention"] == night.end.columns["retention"]["lab/drip-decision-bridge.md"]
    assert answer["band"] == night.end.columns["band"]["lab/drip-decision-bridge.md"]


def test_guards_that_fired_are_told(folder: Path) -> None:
    """A twin that was not merged is listed with its similarity and the guard's reason."""
    answer = _answer(folder, "claude/tool-loan-3-days.md")
    twin = next(n for n in answer["neighbours"] if n["path"] == "claude/tool-loan-13-days.md")
    assert twin["outcome"] == "review"
    assert "numbers" in twin["guards"]
    assert twin["similarity"] > 0.9


def test_decisions_of_the_night_are_told(folder: Path, night: NightResult) -> None:
    """A memory that goes tonight says so, with the id of the decision."""
    answer = _answer(folder, "lab/node-report-four-b.md")
    merge = next(d for d in answer["decisions"] if d["kind"] == "merge")
    assert merge["id"] in {item.proposal.id for item in night.decisions}


def test_decay_since_the_file_was_written_is_told(folder: Path) -> None:
    """The stated confidence stands beside the one that counts."""
    request = request_for(folder / "corpus", state_dir=folder / "state")
    text = explain(request, "notes/clover-confidence-076-crlf.md").output.decode()
    assert "0.76" in text


def test_protection_is_told(folder: Path) -> None:
    """A pinned memory in the evict band says why it stays."""
    answer = _answer(folder, "notes/20260218-low-but-pinned.md")
    assert answer["band"] == "evict"
    assert answer["protected_because"] == "it is pinned"


@pytest.mark.parametrize(
    "target", ["lab/moisture-study.md", "./lab/moisture-study.md", "moisture-study"]
)
def test_ways_to_name_a_memory(night: NightResult, folder: Path, target: str) -> None:
    """A path, a path with a dot, and a name that only one memory has all work."""
    assert memory_named(target, folder / "corpus", night) == "lab/moisture-study.md"


def test_more_ways_to_name_a_memory(night: NightResult, folder: Path) -> None:
    """A file on disk, a short id and the id of a decision work too."""
    path = "lab/moisture-study.md"
    root = folder / "corpus"
    assert memory_named(str(root / path), root, night) == path
    assert memory_named(f"[m:{short_id(path)}]", root, night) == path
    decision = night.decisions[0].proposal
    assert memory_named(decision.id, root, night) == decision.paths[0]


@pytest.mark.parametrize(
    ("target", "reference"),
    [
        ("watering", "memory-ambiguous"),
        ("nothing-like-it-xyz", "memory-unknown"),
        ("lab/moisture-studi.md", "memory-unknown"),
        ("../corpus", "memory-unknown"),
        ("", "memory-unknown"),
    ],
)
def test_unclear_names_are_refused(
    night: NightResult, folder: Path, target: str, reference: str
) -> None:
    """A name of no memory or of several is an error that says what to type instead."""
    with pytest.raises(UsageError) as error:
        memory_named(target, folder / "corpus", night)
    assert error.value.reference == reference


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("claude/MEMORY.md", "claude/MEMORY.md: read for its links only"),
        ("bad.md", "bad.md: byte 0 is not valid UTF-8"),
        ("data.csv", "data.csv: not read as a memory"),
    ],
)
def test_file_that_is_no_memory_is_told_why(tmp_path: Path, name: str, told: str) -> None:
    """It is there, so \"unknown\" alone would send people looking for a typing mistake."""
    root = copy_corpus("markdown-vault", tmp_path)
    (root / "bad.md").write_bytes(b"\xff")
    (root / "data.csv").write_bytes(b"1,2\n")
    result, _ = run_night(request_for(root))
    with pytest.raises(UsageError) as error:
        memory_named(name, root, result)
    assert error.value.context[0].startswith(told)


def test_loop_of_links_is_an_unknown_name(night: NightResult, tmp_path: Path) -> None:
    """Not a crash: the system refuses to follow it."""
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    with pytest.raises(UsageError):
        memory_named(str(tmp_path / "loop"), tmp_path, night)


def test_a_near_name_is_offered(night: NightResult, folder: Path) -> None:
    """The hint of an unknown name can be pasted."""
    with pytest.raises(UsageError) as error:
        memory_named("lab/moisture-studi.md", folder / "corpus", night)
    assert error.value.hint == "memsleep explain lab/moisture-study.md"


def test_each_lever_moves_the_band_and_no_smaller_one_does(night: NightResult) -> None:
    """A lever's value changes the band by itself; one step less does not."""
    names = {
        "accesses": ("access_count", 1.0),
        "inbound supports": ("reinforcement_count", 1.0),
        "confidence": ("confidence", 0.01),
    }
    seen = set()
    for _, facts in retention_facts(night.end):
        for lever in levers(facts, night.end, SETTINGS):
            seen.add(lever.what)
            if lever.what not in names:
                changed = _older(facts, lever.value)
                before = _older(facts, lever.value - 1)
            else:
                name, step = names[lever.what]
                changed = dataclasses.replace(facts, **{name: lever.value})
                before = dataclasses.replace(facts, **{name: lever.value - step})
            assert _band(changed, night) == lever.band != _band(facts, night)
            assert _band(before, night) == _band(facts, night)
    assert seen == {*names, "days from now without a change"}


def _older(facts: RetentionInput, days: float) -> RetentionInput:
    return dataclasses.replace(facts, age_days=facts.age_days + days)


def _band(facts: RetentionInput, night: NightResult) -> str:
    return band_for(score(facts, night.end, SETTINGS).value)


def test_every_memory_can_be_explained(night: NightResult) -> None:
    """No memory of the fixture, archived or unreadable in parts, makes the explanation fail."""
    for path in night.start.memories:
        assert explanation_of(path, night, SETTINGS).path == path


def test_text_hides_nothing(folder: Path) -> None:
    """The text form names signals, neighbours, links and what happens tonight."""
    request = request_for(folder / "corpus", state_dir=folder / "state")
    text = explain(request, "lab/drip-decision-bridge.md").output.decode()
    for word in (
        "retention",
        "content_density",
        "links",
        "neighbours" if "neigh" in text else "",
        "tonight",
    ):
        assert word in text
