"""The reference profile against the decisions of another implementation on 500 memories."""

from __future__ import annotations

import json
from functools import lru_cache
from pathlib import Path
from typing import Any

import pytest

from memsleep.night import NightResult
from memsleep.proposals import Archive, Merge, Refuse, SetField
from night_kit import FIXTURES, request_for, run_night

STORE = FIXTURES / "reference-store"
NOW = "2026-11-30T00:00:00Z"


@pytest.fixture(scope="module")
def night() -> NightResult:
    """The reference night over the store with the vectors that were used there."""
    options = {
        "run.profile": "reference",
        "embedder.name": "file",
        "embedder.path": str(STORE / "vectors.npz"),
    }
    return run_night(request_for(STORE / "corpus", now=NOW, options=options, out=None))[0]


@lru_cache
def _recorded() -> dict[str, Any]:
    found: dict[str, Any] = json.loads((STORE / "decisions.json").read_bytes())
    return found


def _decided(night: NightResult, phase: str) -> list[Any]:
    return [item.proposal for item in night.decisions if item.proposal.phase == phase]


def test_mined_edges_are_the_same_to_the_last_bit(night: NightResult) -> None:
    """All 106 mined edges agree, each strength bit for bit."""
    mined = json.loads((STORE / "mined_edges.json").read_bytes())
    recorded = {(edge["src"], edge["dst"]): edge["strength"] for edge in mined}
    assert len(recorded) == 106
    assert {(e.source, e.target): e.strength for e in night.end.mined} == recorded


def test_merges_are_the_same(night: NightResult) -> None:
    """All 36 merges agree, and the 15 refusals have the recorded causes."""
    merges = [p for p in _decided(night, "dedup") if isinstance(p, Merge)]
    recorded = {(m["keep"], m["drop"]) for m in _recorded()["dedup"]["merges"]}
    assert len(recorded) == 36
    assert {(merge.keeper, merge.dropped) for merge in merges} == recorded
    causes = [p.cause for p in night.found(Refuse) if isinstance(p, Refuse)]
    counts = _recorded()["counts"]["dedup-merge"]
    assert causes.count("role-guard") == counts["roleGuarded"] == 4
    assert len(causes) - 4 == counts["vetoed"] == 11


def test_evictions_are_the_same(night: NightResult) -> None:
    """173 memories score in the evict band and 166 are archived, the same ones."""
    evicted = {p.path for p in _decided(night, "triage") if isinstance(p, Archive)}
    recorded = set(_recorded()["triage"]["evicted"])
    assert len(recorded) == 166
    assert evicted == recorded
    triage = next(phase for phase in night.phases if phase.name == "triage")
    assert sum(refusal.cause == "gone" for refusal in triage.refused) == 173 - 166


def test_bands_are_counted_the_same(night: NightResult) -> None:
    """The bands hold as many memories as were recorded."""
    bands = list(night.end.columns["band"].values())
    counts = _recorded()["counts"]["retention-triage"]
    for band in ("keep", "compress", "evict"):
        assert bands.count(band) == counts[band]


def test_reprieves_and_expiries_are_the_same(night: NightResult) -> None:
    """8 memories are reprieved to the recorded date, 4 expire."""
    answers = _decided(night, "reprieve")
    given = {p.path: dict(p.values) for p in answers if isinstance(p, SetField)}
    recorded = {entry["path"]: entry for entry in _recorded()["reprieve"]["reprieved"]}
    assert len(recorded) == 8
    assert given.keys() == recorded.keys()
    for path, entry in recorded.items():
        assert given[path]["valid_until"] == entry["valid_until"]
        assert int(given[path]["reprieves"]) == entry["reprieves"]
    expired = {p.path for p in answers if isinstance(p, Archive)}
    assert len(expired) == 4
    assert expired == set(_recorded()["reprieve"]["expired"])


def test_decays_are_the_same(night: NightResult) -> None:
    """324 confidences decay to the recorded text."""
    decays = {p.path: dict(p.values)["confidence"] for p in _decided(night, "decay")}
    recorded = {path: after for path, (_, after) in _recorded()["decay"]["changed"].items()}
    assert len(recorded) == 324
    assert decays == recorded


def test_written_files_say_what_was_recorded(night: NightResult) -> None:
    """After the night the files themselves hold the decayed values and the moved dates."""
    for path, (_, after) in _recorded()["decay"]["changed"].items():
        moved = night.moves.get(path, path)
        line = f'<meta name="memhtml-confidence" content="{after}">'.encode()
        assert line in night.end.files[moved]


def test_repaired_links_are_the_same(night: NightResult) -> None:
    """The one file whose dangling link was dropped there loses it here."""
    repaired = {p.path for p in _decided(night, "integrity")}
    assert set(_recorded()["integrity"]["files_with_repaired_links"]) <= repaired


def test_comparison_can_fail(night: NightResult) -> None:
    """With a floor a hair higher, the merges are no longer the recorded ones."""
    options = {
        "run.profile": "reference",
        "embedder.name": "file",
        "embedder.path": str(STORE / "vectors.npz"),
        "pairing.duplicate_floor": 0.93,
    }
    other = run_night(request_for(STORE / "corpus", now=NOW, options=options, out=None))[0]
    assert len(_decided(other, "dedup")) != 36


def test_store_ships_whole() -> None:
    """The fixture holds 500 memories and their vectors."""
    memories = [p for p in Path(STORE / "corpus").rglob("*.html") if p.name != "README.html"]
    assert len(memories) == 500
