"""What landing a night would change in the state."""

from __future__ import annotations

from memsleep.night.pipeline import NightResult
from memsleep.proposals import Decay, Merge, Proposal, SetField, Spare
from memsleep.state.effects import (
    DecayEffect,
    Effect,
    MergeEffect,
    MoveEffect,
    SpareEffect,
)


def effects_of(result: NightResult) -> tuple[Effect, ...]:
    """Return the effects of all that was applied, in order: usage first, then the moves."""
    return tuple(effect for _, effect in owned_effects(result))


def owned_effects(result: NightResult) -> tuple[tuple[str, Effect], ...]:
    """Return the effects with the id of the decision or finding that each belongs to."""
    effects: list[tuple[str, Effect]] = []
    for item in result.applied:
        own = _effects(item.proposal, result)
        moved = [change for change in item.changes if change.to is not None]
        own.extend(MoveEffect(change.path, change.to) for change in moved if change.to)
        effects.extend((item.proposal.id, effect) for effect in own)
    return tuple(effects)


def _effects(proposal: Proposal, result: NightResult) -> list[Effect]:
    if isinstance(proposal, Merge):
        return [MergeEffect(proposal.keeper, proposal.dropped)]
    if isinstance(proposal, Spare):
        return [SpareEffect(proposal.path, proposal.until)]
    decay = proposal.decayed if isinstance(proposal, SetField) else proposal
    if isinstance(decay, Decay) and result.start.standing is not None:
        memory = result.end.memories.get(decay.path)
        stated = memory.confidence if memory and memory.states("confidence") else None
        return [DecayEffect(decay.path, stated, decay.after, result.start.now)]
    return []
