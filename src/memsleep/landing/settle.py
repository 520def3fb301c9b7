"""What the state and a run's record learn when files have landed, or were taken back.

Every step can be taken twice: a start that finds it half done takes it again.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence

from memsleep.access.landed import versions_of
from memsleep.fold import Applied
from memsleep.landing.journal import Settlement
from memsleep.landing.place import Place
from memsleep.landing.rejections import rejected_decisions
from memsleep.landing.runs import PLAN, RunStore
from memsleep.plan import Plan, PlannedEffect, effect_kind, values_of
from memsleep.state.effects import (
    DecayEffect,
    Effect,
    MergeEffect,
    MoveEffect,
    SpareEffect,
)
from memsleep.state.rejecting import Rejected
from memsleep.state.store import State, open_state

_KINDS: dict[str, Callable[..., Effect]] = {
    "decay": DecayEffect,
    "spare": SpareEffect,
    "move": MoveEffect,
    "merge": MergeEffect,
}


def effects_from(planned: Iterable[PlannedEffect]) -> tuple[Effect, ...]:
    """Return the effects that a plan or a journal names."""
    found = []
    for effect in planned:
        values = dict(effect.values)
        if effect.kind == "decay":
            values.setdefault("stated", None)
        found.append(_KINDS[effect.kind](**values))
    return tuple(found)


def due_effects(
    plan: Plan, landed: Collection[str], applied: Sequence[Applied], left_out: frozenset[str]
) -> tuple[PlannedEffect, ...]:
    """Return the effects of what landed: as planned, but moves as they were made.

    Findings land with the run unless a person left them out.
    """
    decisions, landing = {decision.id for decision in plan.decisions}, frozenset(landed)
    moved = {
        item.proposal.id: [
            PlannedEffect(
                kind=effect_kind("MoveEffect"),
                decision=item.proposal.id,
                values=values_of(MoveEffect(change.path, change.to)),
            )
            for change in item.changes
            if change.to is not None
        ]
        for item in applied
    }
    groups: dict[str, list[PlannedEffect]] = {}
    for effect in plan.effects:
        own = effect.decision in decisions
        if effect.decision in left_out or (own and effect.decision not in landing):
            continue
        group = groups.setdefault(effect.decision, [])
        if effect.kind != "move":
            group.append(effect)
    for name, moves in moved.items():
        groups.setdefault(name, []).extend(moves)
    return tuple(effect for group in groups.values() for effect in group)


def settler(place: Place, *, ended_at: str) -> Callable[[Settlement], None]:
    """Return what settles a landing of this place."""

    def settle(settlement: Settlement) -> None:
        if settlement.action == "merge":
            return  # the branch says what has landed
        effects = effects_from(settlement.effects)
        with open_state(place.database) as state:
            if settlement.action == "apply":
                state.apply_effects(
                    settlement.run_id, effects, settlement.now, night=settlement.night
                )
            else:
                state.revert_effects(settlement.run_id, effects, settlement.now)
            _add_versions(state, place, settlement)
            if settlement.rejected:
                state.reject(_answers(place, settlement))
        _record(place, settlement, ended_at)

    return settle


def _add_versions(state: State, place: Place, settlement: Settlement) -> None:
    """Add a link to the chain of every memory whose file is another one now."""
    record = next((r for r in RunStore(place).records() if r.run_id == settlement.run_id), None)
    if record is None or record.read(PLAN) is None:
        return
    back = settlement.action == "undo"
    changes = versions_of(place.corpus, record.plan(), settlement.decisions, taken_back=back)
    state.add_versions(changes, settlement.run_id, settlement.now)


def _answers(place: Place, settlement: Settlement) -> list[Rejected]:
    record = RunStore(place).find(settlement.run_id)
    return rejected_decisions(record.plan(), settlement.rejected, settlement.run_id, settlement.now)


def _record(place: Place, settlement: Settlement, ended_at: str) -> None:
    record = next((r for r in RunStore(place).records() if r.run_id == settlement.run_id), None)
    if record is None:
        return
    status = record.status()
    known = set(settlement.decisions)
    if settlement.action == "apply":
        landed = tuple(dict.fromkeys([*status.landed, *settlement.decisions]))
        record.update(
            state="landed", landed=landed, ended_at=ended_at,
            undone=tuple(name for name in status.undone if name not in known),
            files=settlement.files,
        )  # fmt: skip
    else:
        landed = tuple(name for name in status.landed if name not in known)
        undone = tuple(dict.fromkeys([*status.undone, *settlement.decisions]))
        state = "landed" if landed else "undone"
        record.update(state=state, landed=landed, undone=undone, files=settlement.files)
