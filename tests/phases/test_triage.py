"""Triage: scores, bands, verdicts, and what is never given up."""

from __future__ import annotations

from typing import Any

import pytest

import phases_kit as kit
from memsleep.core import RetentionInput, weights_for
from memsleep.model import Memory, Snapshot, Standing, Usage
from memsleep.phases import triage
from memsleep.phases.triage import advisory_cause, age_days, protection, retention_facts, spread
from memsleep.proposals import Archive, Evict, Proposal, SetColumn
from memsleep.settings import Settings

OLD = {"created": "2025-01-01", "updated": "2025-01-01", "confidence": 0.2}
KNOWN: dict[str, Usage] = {}


def _low(path: str = "a.md", **fields: Any) -> Memory:
    """Return a memory that falls into the evict band: old, short, doubtful, alone."""
    return kit.memory(path, "It was so", **{"type": "episodic", **OLD, **fields})


def _start(*memories: Memory, **fields: Any) -> Snapshot:
    return kit.snapshot(memories, **{"usage": KNOWN, **fields})


def _propose(start: Snapshot, used: Settings = kit.CAREFUL) -> list[Proposal]:
    return list(triage.propose(start, used))


def _evicts(start: Snapshot, used: Settings = kit.CAREFUL) -> list[Evict]:
    return [p for p in _propose(start, used) if isinstance(p, Evict)]


def _columns(start: Snapshot, used: Settings = kit.CAREFUL) -> dict[str, Any]:
    return {p.name: dict(p.values) for p in _propose(start, used) if isinstance(p, SetColumn)}


def _facts(kind: str, **values: Any) -> RetentionInput:
    known: dict[str, Any] = {
        "age_days": 0.0,
        "access_count": 0,
        "confidence": 1.0,
        "graph_rank": 0.0,
        "max_graph_rank": 0.0,
        "bridge_count": 0,
        "reinforcement_count": 0,
        "word_count": 0,
        "contradiction_count": 0,
    }
    return RetentionInput(memory_type=kind, **{**known, **values})


GOLDEN = [
    (_facts("semantic"), 0.3, "evict"),
    (
        _facts(
            "semantic",
            age_days=90.0,
            confidence=0.5,
            word_count=50,
            graph_rank=1.0,
            max_graph_rank=1.0,
        ),
        0.425,
        "compress",
    ),
    (
        _facts(
            "semantic",
            access_count=10,
            graph_rank=1.0,
            max_graph_rank=1.0,
            bridge_count=5,
            reinforcement_count=5,
            word_count=100,
        ),
        1.0,
        "keep",
    ),
    (
        _facts("episodic", age_days=10.0, confidence=0.8, word_count=9, access_count=3),
        0.3581,
        "compress",
    ),
    (
        _facts(
            "procedural",
            age_days=400.0,
            confidence=0.245,
            word_count=40,
            graph_rank=0.5,
            max_graph_rank=1.0,
            contradiction_count=1,
        ),
        0.2184,
        "evict",
    ),
    (
        _facts(
            "verdict",
            age_days=30.0,
            confidence=0.9,
            word_count=120,
            bridge_count=2,
            reinforcement_count=1,
            access_count=4,
        ),
        0.53,
        "compress",
    ),
    (
        _facts(
            "error_pattern", age_days=14.0, confidence=0.245, word_count=20, contradiction_count=3
        ),
        0.1445,
        "evict",
    ),
]


@pytest.mark.parametrize(("facts", "value", "band"), GOLDEN)
def test_reference_values(facts: RetentionInput, value: float, band: str) -> None:
    """The composite is the reference's to four decimals where usage is known."""
    from memsleep.core import band_for

    score = triage.score(facts, _start(), kit.CAREFUL)
    assert score.value == value
    assert band_for(score.value) == band
    assert sum(score.weights.values()) == pytest.approx(1.0)


QUIET = [
    pytest.param(_low(confidence=1.0, updated=kit.NOW, importance=10.0), {}, id="not-so-low"),
    pytest.param(_low(pinned=True), {}, id="pinned"),
    pytest.param(_low(protected=True), {}, id="protected"),
    pytest.param(_low(read_only="a key twice"), {}, id="read-only"),
    pytest.param(_low(type="task"), {}, id="task"),
    pytest.param(_low(type="arc"), {}, id="arc"),
    pytest.param(_low("archive/2026/a.md"), {}, id="archived"),
    pytest.param(_low(created="2026-11-16T03:00:01Z"), {}, id="thirteen-days-old"),
    pytest.param(_low(created="2027-01-01"), {}, id="created-in-the-future"),
    pytest.param(_low(created=None), {}, id="age-unknown-without-a-state"),
    pytest.param(
        _low(created=None),
        {"standing": {"a.md": Standing("a.md", first_seen_at="2026-11-20")}},
        id="age-unknown-seen-lately",
    ),
]


@pytest.mark.parametrize(("memory", "fields"), QUIET)
def test_quiet(memory: Memory, fields: dict[str, Any]) -> None:
    """What is worth something, protected or young is never given up, whatever its score."""
    assert _evicts(_start(memory, **fields)) == []


LOUD = [
    pytest.param(_low(), {}, id="low"),
    pytest.param(_low(created="2026-11-16T03:00:00Z"), {}, id="fourteen-days-old"),
    pytest.param(
        _low(created=None),
        {"standing": {"a.md": Standing("a.md", first_seen_at="2026-11-16T03:00:00Z")}},
        id="age-unknown-seen-long-ago",
    ),
]


@pytest.mark.parametrize(("memory", "fields"), LOUD)
def test_loud(memory: Memory, fields: dict[str, Any]) -> None:
    """A low memory beyond its grace gets a verdict that is acted on, with its eight signals."""
    (found,) = _evicts(_start(memory, **fields))
    assert (found.path, found.advisory) == ("a.md", False)
    assert found.score <= 0.3
    assert found.evidence["retention"] == found.score
    assert set(weights_for("episodic")) < set(found.evidence)


def test_columns_hold_every_judged_memory() -> None:
    """Tasks and arcs have no band; everything else has a score and a band, in path order."""
    memories = [_low("b.md"), _low("a.md"), _low("c.md", type="task"), _low("archive/2026/d.md")]
    columns = _columns(_start(*memories))
    assert list(columns["retention"]) == ["a.md", "b.md"]
    assert columns["band"] == {"a.md": "evict", "b.md": "evict"}


def test_what_is_protected_still_has_its_band() -> None:
    """Protection keeps a memory from the verdict, not from its score."""
    assert _columns(_start(_low(pinned=True)))["band"] == {"a.md": "evict"}


ADVISORY = [
    pytest.param({}, {}, None, id="known-usage"),
    pytest.param({"usage": None}, {}, "nothing is known", id="unknown-usage"),
    pytest.param({"first_night": True}, {}, "first night", id="first-night"),
    pytest.param({}, {"apply": "never"}, "the config", id="never"),
    pytest.param({"usage": None}, {"apply": "always"}, None, id="always"),
    pytest.param(
        {"first_night": True},
        {"apply": "always"},
        "first night",
        id="first-night-always",
    ),
    pytest.param(
        {"first_night": True},
        {"first_night_advisory": False},
        None,
        id="first-night-off",
    ),
]


@pytest.mark.parametrize(("fields", "section", "cause"), ADVISORY)
def test_advisory(fields: dict[str, Any], section: dict[str, Any], cause: str | None) -> None:
    """Verdicts are only told on a first night, without usage, or when the config says so."""
    used = kit.settings(triage=section)
    start = _start(_low(), **fields)
    (found,) = _evicts(start, used)
    assert found.advisory is (cause is not None)
    told = advisory_cause(start, used)
    assert told is None if cause is None else cause in str(told)


def test_unknown_usage_is_spread() -> None:
    """Without usage the access weight goes to the other signals in proportion; the sum stays 1."""
    weights = weights_for("semantic")
    found = spread(weights, "access_frequency")
    assert found["access_frequency"] == 0
    assert sum(found.values()) == pytest.approx(1.0)
    assert found["pagerank"] / found["confidence"] == weights["pagerank"] / weights["confidence"]
    facts = _facts("semantic", confidence=1.0, word_count=100)
    for usage, setting, value in (
        (None, "spread", 0.4706),
        (None, "zero", 0.4),
        ({}, "spread", 0.4),
    ):
        used = kit.settings(triage={"unknown_usage": setting})
        assert triage.score(facts, _start(usage=usage), used).value == value


def test_reinforcement_keeps_its_weight_without_usage() -> None:
    """Inbound supports are known from links, so their weight is not spread away."""
    weights = triage.score(_facts("semantic"), _start(usage=None), kit.CAREFUL).weights
    assert weights["reinforcement_count"] > weights_for("semantic")["reinforcement_count"]


# Facts --------------------------------------------------------------------------------------


def _fact(start: Snapshot, path: str = "a.md") -> RetentionInput:
    return dict(retention_facts(start))[path]


def test_links_are_counted_inbound_and_from_active_memories() -> None:
    """Supports and contradictions count once per active source, anchors and mined edges never."""
    sources = [
        kit.memory("b.md", "b", links=(kit.link("a.md", "supports"), kit.link("a.md", "supports"))),
        kit.memory("c.md", "c", links=(kit.link("a.md", "contradicts"),)),
        kit.memory("d.md", "d", links=(kit.link("a.md", "supports", form="anchor"),)),
        kit.memory("archive/2026/e.md", "e", links=(kit.link("a.md", "supports"),)),
        kit.memory("a.md", "a", links=(kit.link("a.md", "supports"), kit.link("c.md", "supports"))),
    ]
    found = _fact(_start(*sources))
    assert (found.reinforcement_count, found.contradiction_count) == (1, 1)
    assert _fact(_start(*sources), "c.md").reinforcement_count == 1


def test_columns_of_the_graph_are_read() -> None:
    """Rank is relative to the highest of the night; a memory without one has none."""
    columns = {"pagerank": {"a.md": 0.25, "b.md": 0.5}, "bridge_count": {"a.md": 3.0}}
    start = _start(kit.memory("a.md", "a"), kit.memory("b.md", "b"), columns=columns)
    assert (_fact(start).graph_rank, _fact(start).max_graph_rank) == (0.25, 0.5)
    assert (_fact(start).bridge_count, _fact(start, "b.md").bridge_count) == (3.0, 0.0)
    assert _fact(_start(kit.memory("a.md", "a"))).max_graph_rank == 0.0


def test_confidence_is_the_effective_one() -> None:
    """What has faded in the state counts, not what the file still says."""
    standing = Standing("a.md", stated_confidence=0.9, effective_confidence=0.4)
    start = _start(kit.memory("a.md", "a", confidence=0.9), standing={"a.md": standing})
    assert _fact(start).confidence == 0.4


@pytest.mark.parametrize(
    ("fields", "seen", "days"),
    [
        ({"updated": "2026-11-29T03:00:00Z", "created": "2020-01-01"}, None, 1.0),
        ({"created": "2026-11-20T03:00:00Z"}, None, 10.0),
        ({"updated": "2027-01-01"}, None, 0.0),
        ({}, "2026-11-25T03:00:00Z", 5.0),
        ({}, None, 0.0),
        ({"updated": "no date"}, None, 0.0),
    ],
)
def test_age(fields: dict[str, Any], seen: str | None, days: float) -> None:
    """Age counts from the content's date; unknown counts from first sight and is never old."""
    memory = kit.memory("a.md", "a", **fields)
    standing = {"a.md": Standing("a.md", first_seen_at=seen)} if seen else None
    assert age_days(_start(memory, standing=standing), memory) == days


def test_grace_can_be_turned_off() -> None:
    """With no days of grace even a memory of today may go; a pinned one still may not."""
    used = kit.settings(triage={"grace_days": 0})
    start = _start(_low(created=kit.NOW))
    assert protection(start, start.memories["a.md"], used) is None
    assert protection(start, _low(pinned=True), used) == "it is pinned"


# Who archives -------------------------------------------------------------------------------


def test_reference_archives_by_itself() -> None:
    """In reference triage archives, on a first night and without usage too."""
    found = _propose(_start(_low(), usage=None, first_night=True), kit.REFERENCE)
    assert [p.kind for p in found] == ["set-column", "set-column", "archive"]
    assert isinstance(found[-1], Archive)
    assert found[-1].cause == "evicted"


@pytest.mark.parametrize(
    ("section", "budget", "kind"),
    [
        ({"answered_by": "triage", "apply": "always"}, False, "archive"),
        ({"answered_by": "triage", "apply": "always"}, True, "evict"),
        ({"answered_by": "triage", "apply": "never"}, False, "evict"),
        ({"answered_by": "reprieve", "apply": "always"}, False, "evict"),
    ],
)
def test_only_reprieve_archives_within_a_budget(
    section: dict[str, Any], budget: bool, kind: str
) -> None:
    """Triage archives by itself only where nothing limits it and its verdicts are acted on."""
    used = kit.settings(triage=section, budget={"enabled": budget})
    assert _propose(_start(_low()), used)[-1].kind == kind
