"""Findings folded into the snapshot: columns, pairs, verdicts. No file changes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from memsleep.model import Snapshot, Standing, Verdict
from memsleep.proposals import Decay, Evict, Proposal, SetColumn, SetPairs, Spare


def with_findings(snapshot: Snapshot, proposals: Sequence[Proposal]) -> Snapshot:
    """Return the snapshot with findings in it; those that only inform change nothing."""
    verdicts = {
        p.path: Verdict(p.path, p.score, p.reason)
        for p in proposals
        if isinstance(p, Evict) and not p.advisory
    }
    columns = {p.name: p.values for p in proposals if isinstance(p, SetColumn)}
    for pairs in (p for p in proposals if isinstance(p, SetPairs)):
        snapshot = replace(snapshot, candidates=pairs.candidates, mined=pairs.mined)
    if verdicts:
        snapshot = replace(snapshot, verdicts={**snapshot.verdicts, **verdicts})
    if columns:
        snapshot = replace(snapshot, columns={**snapshot.columns, **columns})
    return _with_standing(snapshot, [p for p in proposals if isinstance(p, Decay | Spare)])


def _with_standing(snapshot: Snapshot, proposals: Sequence[Decay | Spare]) -> Snapshot:
    if snapshot.standing is None or not proposals:
        return snapshot
    standing = dict(snapshot.standing)
    for proposal in proposals:
        old = standing.get(proposal.path, Standing(memory_id=proposal.path))
        if isinstance(proposal, Spare):
            standing[proposal.path] = replace(old, spared_until=proposal.until)
            continue
        memory = snapshot.memories.get(proposal.path)
        standing[proposal.path] = replace(
            old,
            stated_confidence=memory.confidence if memory else old.stated_confidence,
            effective_confidence=proposal.after,
            last_decay_at=snapshot.now,
        )
    return replace(snapshot, standing=standing)
