"""What the night knows and decides about one memory, as plain values."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, Literal

from pydantic import BaseModel, ConfigDict, field_validator

from memsleep.core import RetentionInput, band_for
from memsleep.explain.levers import Lever, levers
from memsleep.model import Snapshot
from memsleep.night.pipeline import NightResult
from memsleep.phases.decay import effective_confidence
from memsleep.phases.triage import advisory_cause, protection, retention_facts, score
from memsleep.proposals import Proposal, Refuse, Review
from memsleep.report.part import fit_to_show
from memsleep.safety.exits import title_to_show
from memsleep.settings import Settings

SCHEMA_VERSION: Final = 1
SHOWN_NEIGHBOURS = 12


class Fact(BaseModel):
    """A closed, immutable piece of an explanation."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    @field_validator("*", mode="before")
    @classmethod
    def _text_may_be_shown(cls, value: object) -> object:
        return fit_to_show(value)


class Signal(Fact):
    """One of the eight signals: its value in [0, 1], its weight, and their product."""

    name: str
    value: float
    weight: float
    share: float


class Neighbour(Fact):
    """A memory that lies near, and why it was not merged if it was looked at."""

    path: str
    similarity: float
    how: str
    """`mined edge`, `candidate`, or both."""
    outcome: str = ""
    guards: str = ""


class LinkFact(Fact):
    """A link from or to the memory."""

    direction: Literal["out", "in"]
    relation: str
    path: str
    dangling: bool = False


class DecisionFact(Fact):
    """Something tonight's run would do with the memory."""

    id: str
    phase: str
    kind: str
    reason: str


class Explanation(Fact):
    """All of it."""

    schema_version: Literal[1] = SCHEMA_VERSION
    path: str
    title: str
    type: str
    archived: bool
    retention: float | None = None
    band: str = ""
    protected_because: str = ""
    advisory_because: str = ""
    signals: tuple[Signal, ...] = ()
    facts: dict[str, float | int | str] = {}
    confidence_stated: float | None = None
    confidence_effective: float = 1.0
    community: str = ""
    community_size: int = 0
    neighbours: tuple[Neighbour, ...] = ()
    links: tuple[LinkFact, ...] = ()
    decisions: tuple[DecisionFact, ...] = ()
    levers: tuple[Lever, ...] = ()


def explanation_of(path: str, result: NightResult, settings: Settings) -> Explanation:
    """Return the explanation of one memory of the night's start."""
    memory = result.start.memories[path]
    base = Explanation(
        path=path,
        title=title_to_show(memory),
        type=memory.type,
        archived=memory.archived,
        confidence_stated=memory.confidence if memory.states("confidence") else None,
        confidence_effective=effective_confidence(result.start, memory),
        neighbours=tuple(_neighbours(path, result)),
        links=tuple(_links(path, result.start)),
        decisions=tuple(_decisions(path, result)),
    )
    facts = dict(retention_facts(result.end)).get(path)
    return base if facts is None else _with_retention(base, facts, result.end, settings)


def _with_retention(
    base: Explanation, facts: RetentionInput, snapshot: Snapshot, settings: Settings
) -> Explanation:
    memory, scored = snapshot.memories[base.path], score(facts, snapshot, settings)
    label = snapshot.columns.get("community", {}).get(base.path)
    labels = list(snapshot.columns.get("community", {}).values())
    band = "" if memory.type in settings.triage.never else band_for(scored.value)
    return base.model_copy(
        update={
            "retention": scored.value,
            "band": band,
            "protected_because": protection(snapshot, memory, settings) or "",
            "advisory_because": advisory_cause(snapshot, settings) or "",
            "signals": tuple(
                Signal(name=n, value=v, weight=scored.weights[n], share=v * scored.weights[n])
                for n, v in scored.signals.items()
            ),
            "facts": {
                "age in days": round(facts.age_days, 2),
                "accesses": facts.access_count,
                "words": facts.word_count,
                "inbound supports": facts.reinforcement_count,
                "inbound contradictions": facts.contradiction_count,
                "bridges": facts.bridge_count,
            },
            "community": label if isinstance(label, str) else "",
            "community_size": labels.count(label) if isinstance(label, str) else 0,
            "levers": tuple(levers(facts, snapshot, settings)) if band else (),
        }
    )


def _neighbours(path: str, result: NightResult) -> Iterator[Neighbour]:
    """Yield the nearest memories, those that were looked at for merging with their outcome."""
    found: dict[str, tuple[float, str]] = {}
    for edge in result.end.mined:
        if path in {edge.source, edge.target}:
            other = edge.target if edge.source == path else edge.source
            found[other] = (edge.strength, "mined edge")
    for pair in result.end.candidates:
        if path in {pair.source, pair.target}:
            other = pair.target if pair.source == path else pair.source
            how = f"candidate ({pair.origin})"
            found[other] = (pair.similarity, f"mined edge, {how}" if other in found else how)
    outcomes = _outcomes(path, result)
    nearest = sorted(found.items(), key=lambda item: (-item[1][0], item[0]))
    for other, (similarity, how) in nearest[:SHOWN_NEIGHBOURS]:
        outcome, guards = outcomes.get(other, ("", ""))
        yield Neighbour(path=other, similarity=similarity, how=how, outcome=outcome, guards=guards)


def _outcomes(path: str, result: NightResult) -> dict[str, tuple[str, str]]:
    """Return other path -> (outcome, guards that fired) of the pairs of one memory."""
    outcomes = {}
    for item in result.applied:
        pair: Proposal = item.proposal
        if pair.phase != "dedup" or path not in pair.paths:
            continue
        other = pair.paths[1] if pair.paths[0] == path else pair.paths[0]
        outcomes[other] = (pair.kind, _told(pair))
    return outcomes


def _told(pair: Proposal) -> str:
    """Return why a pair was left apart, with the names of all guards that fired."""
    if not isinstance(pair, Refuse | Review):
        return ""
    guards = pair.evidence.get("guards")
    return f"{pair.reason} ({guards})" if guards else pair.reason


def _links(path: str, snapshot: Snapshot) -> Iterator[LinkFact]:
    for link in snapshot.memories[path].links:
        if not link.external:
            target = link.path or link.target
            yield LinkFact(
                direction="out", relation=link.relation, path=target, dangling=link.path is None
            )
    for source, memory in snapshot.memories.items():
        for link in memory.links:
            if link.path == path and source != path:
                yield LinkFact(direction="in", relation=link.relation, path=source)


def _decisions(path: str, result: NightResult) -> Iterator[DecisionFact]:
    for item in result.applied:
        proposal = item.proposal
        touched = path in proposal.paths or any(change.path == path for change in item.changes)
        if touched and not isinstance(proposal, Refuse):
            yield DecisionFact(
                id=proposal.id, phase=proposal.phase, kind=proposal.kind, reason=proposal.reason
            )
