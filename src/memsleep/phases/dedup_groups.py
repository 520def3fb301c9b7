"""Duplicates of the careful profile, solved as groups before anything is proposed.

A phase cannot see its own effects, so chains (A near B near C) are solved here: every dropped
memory is held against the very keeper it goes into, as that keeper will then be, whether pairing
found the two or not.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from memsleep.core import connected_components
from memsleep.guards import CONTRADICTING, POLICY
from memsleep.model import Memory, Pair, Snapshot
from memsleep.phases.dedup_judge import Judge, Verdict, keeper_key
from memsleep.phases.pairing import similarity
from memsleep.proposals import Merge, Proposal, Refuse, Review
from memsleep.settings import Settings
from memsleep.text import paragraphs

LARGEST_GROUP = 64
"""In larger groups only pairs that pairing found are looked at, to bound the work."""


def resolve(snapshot: Snapshot, settings: Settings, limit: int) -> Iterator[Proposal]:
    """Yield one proposal per candidate pair, in their order, then the merges that groups imply."""
    judge = Judge(snapshot, settings)
    verdicts = {pair: judge.verdict(*judge.oriented(pair)) for pair in snapshot.candidates}
    merges = _groups(judge, verdicts, limit)
    told: set[str] = set()
    for pair, verdict in verdicts.items():
        keeper, dropped = judge.oriented(pair)
        fate = merges.get(dropped.path)
        if fate is not None and fate.keeper == keeper.path:
            told.add(dropped.path)
            yield _merge(fate, dropped.path, pair.similarity, pair.origin)
        else:
            yield _left_apart(pair, keeper, dropped, verdict, merges, limit)
    for path in sorted(merges.keys() - told):
        near = similarity(snapshot, merges[path].keeper, path)
        yield _merge(merges[path], path, near, "group")


@dataclass(frozen=True, slots=True)
class Fate:
    """What a dropped memory goes into, why, and which of its sentences go along."""

    keeper: str
    reason: str
    carry: tuple[str, ...]


def _groups(judge: Judge, verdicts: Mapping[Pair, Verdict], limit: int) -> dict[str, Fate]:
    """Return dropped path -> its fate, for at most `limit` memories.

    Each connected group of mergeable pairs is folded into its oldest member; what does not stand
    up to that keeper is left for the next oldest. The group of the nearest pair comes first.
    """
    mergeable = [pair for pair, verdict in verdicts.items() if verdict.outcome == "merge"]
    rank = {path: i for i, pair in reversed(list(enumerate(mergeable))) for path in _ends(pair)}
    components = connected_components([(pair.source, pair.target) for pair in mergeable])
    near = {frozenset(_ends(pair)) for pair in verdicts}
    merges: dict[str, Fate] = {}
    for paths in sorted(components, key=lambda paths: min(rank[path] for path in paths)):
        members = sorted((judge.memories[path] for path in paths), key=keeper_key)
        whole = len(paths) <= LARGEST_GROUP
        while members and len(merges) < limit:
            keeper, others = members[0], members[1:]
            others = [o for o in others if whole or frozenset((keeper.path, o.path)) in near]
            gone = _absorbed(judge, keeper, others, limit - len(merges))
            merges.update(gone)
            members = [member for member in members[1:] if member.path not in gone]
    return merges


def _absorbed(judge: Judge, keeper: Memory, others: Sequence[Memory], room: int) -> dict[str, Fate]:
    """Return what goes into one keeper; each is held against it as it will be by then.

    What one member brings along may make another fit, so the rest is asked again until nothing
    changes: else the next night would find more to do.
    """
    gone: dict[str, Fate] = {}
    waiting = list(others)
    changed = True
    while changed:
        changed = False
        for other in tuple(waiting):
            if len(gone) == room:
                return gone
            verdict = judge.verdict(keeper, other)
            if verdict.outcome == "merge":
                gone[other.path] = Fate(keeper.path, verdict.reason, verdict.carry)
                waiting.remove(other)
                grown = _grown(keeper, other, verdict.carry)
                changed = changed or grown != keeper
                keeper = grown
    return gone


def _ends(pair: Pair) -> tuple[str, str]:
    return pair.source, pair.target


def _grown(keeper: Memory, dropped: Memory, carry: Sequence[str]) -> Memory:
    """Return the keeper as it reads after the merge, as far as verdicts depend on it."""
    between = " " if keeper.dialect == "memhtml" else "\n"
    told = [" ".join(carry[at] for at in group) for group in paragraphs(carry)]
    return replace(
        keeper,
        body=between.join((keeper.body, *told)),
        entities=tuple(dict.fromkeys(keeper.entities + dropped.entities)),
    )


def _merge(fate: Fate, dropped: str, near: float, origin: str) -> Merge:
    return Merge(
        phase="dedup",
        reason=fate.reason,
        evidence={"similarity": round(near, 6), "found by": origin},
        keeper=fate.keeper,
        dropped=dropped,
        similarity=near,
        carry=fate.carry,
    )


def _fired(verdict: Verdict) -> dict[str, str]:
    """Return the names of all guards that fired, where there are any."""
    names = ", ".join(name for name, _ in verdict.vetoes)
    return {"guards": names} if names else {}


def _left_apart(
    pair: Pair,
    keeper: Memory,
    dropped: Memory,
    verdict: Verdict,
    merges: Mapping[str, Fate],
    limit: int,
) -> Proposal:
    """Return the review or the refusal of a pair that does not merge tonight."""
    evidence: dict[str, float | int | str] = {
        "similarity": round(pair.similarity, 6),
        "found by": pair.origin,
        **_fired(verdict),
    }
    vetoes = {name for name, _ in verdict.vetoes}
    disputed = not vetoes.isdisjoint(CONTRADICTING)
    # That one is pinned settles whether they merge, not which of them is true.
    open_still = verdict.outcome == "review" or (disputed and vetoes & POLICY == {"pinned"})
    if open_still:
        question = "contradiction" if disputed else "duplicate"
        return Review(
            phase="dedup",
            reason=verdict.reason,
            evidence=evidence | {"cause": verdict.cause},
            keeper=keeper.path,
            dropped=dropped.path,
            question=question,
        )
    cause, reason = verdict.cause, verdict.reason
    if verdict.outcome == "merge":
        cause, reason = "cap", "the night's limit of merges is reached"
        if {keeper.path, dropped.path} & merges.keys():
            cause, reason = "group", "one of them goes into another memory tonight"
        elif len(merges) < limit:
            cause, reason = "group", "what the keeper takes over tonight speaks against it"
    return Refuse(
        phase="dedup",
        reason=reason,
        evidence=evidence,
        keeper=keeper.path,
        dropped=dropped.path,
        cause=cause,
    )
