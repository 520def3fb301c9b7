"""Score retention and say what may go. Contract: phases/triage.md."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from memsleep.core import (
    RetentionInput,
    band_for,
    composite_score,
    compute_signals,
    weights_for,
)
from memsleep.instants import days_between
from memsleep.model import Memory, Snapshot, Usage
from memsleep.phases.decay import confidence_tonight, effective_confidence
from memsleep.phases.graph import authored_edges
from memsleep.proposals import Archive, Evict, Proposal, SetColumn
from memsleep.settings import Settings

NO_USAGE = Usage()


def propose(snapshot: Snapshot, settings: Settings) -> Iterator[Proposal]:
    """Yield the columns `retention` and `band`, and an `Evict` for what may go."""
    scores = dict(_scores(snapshot, settings))
    judged = {
        path: score
        for path, score in scores.items()
        if snapshot.memories[path].type not in settings.triage.never
    }
    bands = {path: band_for(score.value) for path, score in judged.items()}
    counts: dict[str, int] = dict(sorted(Counter(bands.values()).items()))
    told = {"memories": len(judged), **counts}
    columns: Mapping[str, Mapping[str, float | str | None]] = {
        "retention": {path: score.value for path, score in judged.items()},
        "band": dict(bands),
    }
    for name, values in columns.items():
        yield SetColumn(
            phase="triage",
            reason="eight signals, weighted by type",
            evidence=told,
            name=name,
            values=values,
        )
    for path, band in bands.items():
        if band == "evict" and not protection(snapshot, snapshot.memories[path], settings):
            yield from _verdict(snapshot, path, scores[path], settings)


@dataclass(frozen=True, slots=True)
class Score:
    """A memory's retention: the composite, in [0, 1] with 4 decimals, and its parts."""

    value: float
    signals: Mapping[str, float]
    weights: Mapping[str, float]


def _verdict(snapshot: Snapshot, path: str, score: Score, settings: Settings) -> Iterator[Proposal]:
    reason = f"retention {score.value:.4f} is in the evict band (at most 0.3)"
    evidence = {name: round(value, 6) for name, value in score.signals.items()}
    advisory = advisory_cause(snapshot, settings) is not None
    # Only reprieve keeps to a budget, so where there is one it answers.
    by_itself = settings.triage.answered_by == "triage" and not settings.budget.enabled
    if by_itself and not advisory:
        yield Archive(
            phase="triage",
            reason=reason,
            evidence=evidence | {"retention": score.value},
            path=path,
            cause="evicted",
        )
        return
    yield Evict(
        phase="triage",
        reason=reason,
        evidence=evidence | {"retention": score.value},
        path=path,
        score=score.value,
        advisory=advisory,
    )


def advisory_cause(snapshot: Snapshot, settings: Settings) -> str | None:
    """Return why evict verdicts are only told tonight, or None when they are acted on."""
    section = settings.triage
    if section.apply == "never":
        return "the config says so"
    if section.first_night_advisory and snapshot.first_night:
        return "it is the first night on this corpus"
    if section.apply == "known-usage" and snapshot.usage is None:
        return "nothing is known about the use of these memories"
    return None


def shield(memory: Memory) -> str | None:
    """Return what keeps a memory from the archive whatever happens, or None."""
    if memory.pinned:
        return "it is pinned"
    if memory.protected:
        return "its path is protected"
    if memory.read_only:
        return f"its file cannot be edited: {memory.read_only}"
    return None


def protection(snapshot: Snapshot, memory: Memory, settings: Settings) -> str | None:
    """Return what keeps a memory from being evicted whatever its score, or None."""
    kept = shield(memory)
    if kept is not None:
        return kept
    grace_days = settings.triage.grace_days
    born = memory.created or first_seen(snapshot, memory)
    age_days = days_between(born, snapshot.now) if born else 0.0
    if grace_days and (age_days is None or age_days < grace_days):
        return f"it is younger than {grace_days} days"
    return None


def first_seen(snapshot: Snapshot, memory: Memory) -> str | None:
    """Return when the state first saw a memory, None without a state."""
    standing = (snapshot.standing or {}).get(memory.path)
    return standing.first_seen_at if standing else None


def _scores(snapshot: Snapshot, settings: Settings) -> Iterator[tuple[str, Score]]:
    for path, facts in retention_facts(snapshot, settings):
        yield path, score(facts, snapshot, settings)


def score(facts: RetentionInput, snapshot: Snapshot, settings: Settings) -> Score:
    """Return the retention of one memory from its facts, with the parts that make it up."""
    weights = weights_for(facts.memory_type)
    if snapshot.usage is None and settings.triage.unknown_usage == "spread":
        weights = spread(weights, "access_frequency")
    signals = compute_signals(facts)
    return Score(composite_score(signals, weights), signals, weights)


def retention_facts(
    snapshot: Snapshot, settings: Settings | None = None
) -> Iterator[tuple[str, RetentionInput]]:
    """Yield what is known of each active memory's worth, in path order.

    With settings, confidence is what this night's decay leaves, though it comes later: a second
    run of the night must not judge otherwise. Without, it is what has been decayed so far.
    """
    active = snapshot.active()
    ranks = snapshot.columns.get("pagerank", {})
    bridges = snapshot.columns.get("bridge_count", {})
    top = max((_number(ranks.get(memory.path)) for memory in active), default=0.0)
    supports, contradictions = _inbound(snapshot)
    for memory in active:
        usage = NO_USAGE if snapshot.usage is None else snapshot.usage.get(memory.path, NO_USAGE)
        yield (
            memory.path,
            RetentionInput(
                memory_type=memory.type,
                age_days=age_days(snapshot, memory),
                access_count=usage.access_count,
                confidence=(
                    confidence_tonight(snapshot, memory, settings)
                    if settings
                    else effective_confidence(snapshot, memory)
                ),
                graph_rank=_number(ranks.get(memory.path)),
                max_graph_rank=top,
                bridge_count=_number(bridges.get(memory.path)),
                reinforcement_count=supports[memory.path],
                word_count=memory.word_count,
                contradiction_count=contradictions[memory.path],
            ),
        )


def spread(weights: Mapping[str, float], name: str) -> dict[str, float]:
    """Return weights in which an unknown signal counts nothing and the others share its weight.

    Examples
    --------
    >>> spread({"a": 0.5, "b": 0.25, "c": 0.25}, "c")
    {'a': 0.6666666666666666, 'b': 0.3333333333333333, 'c': 0.0}
    """
    rest = 1.0 - weights[name]
    return {key: 0.0 if key == name else weight / rest for key, weight in weights.items()}


def age_days(snapshot: Snapshot, memory: Memory) -> float:
    """Return the days since the content last changed; unknown counts from first sight."""
    known = memory.updated or memory.created or first_seen(snapshot, memory)
    days = days_between(known, snapshot.now) if known else None
    return max(0.0, days) if days is not None else 0.0


def _inbound(snapshot: Snapshot) -> tuple[Counter[str], Counter[str]]:
    """Return inbound supports and inbound authored contradictions, by memory."""
    supports: Counter[str] = Counter()
    contradictions: Counter[str] = Counter()
    for edge in authored_edges(snapshot):
        if edge.relation == "supports":
            supports[edge.target] += 1
        elif edge.relation == "contradicts":
            contradictions[edge.target] += 1
    return supports, contradictions


def _number(value: float | str | None) -> float:
    return value if isinstance(value, float | int) else 0.0
