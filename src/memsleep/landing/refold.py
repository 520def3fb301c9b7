"""A plan folded again from a base: exactly the accepted decisions, in the plan's order.

Pure: the base is a snapshot, the result is bytes per phase. A decision whose files are not what
it rests on is rejected with its reason, and so is what requires it; the others land.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from memsleep.errors import UsageError
from memsleep.fold import Applied, fold
from memsleep.landing.intents import proposal_of
from memsleep.landing.sink import PhaseFold, Rejection
from memsleep.model import Snapshot, digest_bytes
from memsleep.plan import Plan, PlannedDecision
from memsleep.proposals import Merge, Proposal
from memsleep.settings import Settings


@dataclass(frozen=True, slots=True)
class Refolded:
    """What the accepted decisions make of a base."""

    phases: tuple[PhaseFold, ...]
    rejected: tuple[Rejection, ...]
    """Accepted decisions that could not be folded, in plan order."""
    landed: tuple[str, ...]
    """Ids of the decisions that were folded, in plan order."""
    end: Snapshot
    applied: tuple[Applied, ...]


@dataclass(slots=True)
class _Course:
    """What is gathered while the phases are folded."""

    snapshot: Snapshot
    base: Snapshot
    unchecked: frozenset[str]
    rejected: dict[str, Rejection] = field(default_factory=dict)
    landed: set[str] = field(default_factory=set)
    phases: list[PhaseFold] = field(default_factory=list)
    applied: list[Applied] = field(default_factory=list)


def settings_of(plan: Plan) -> Settings:
    """Return the settings that a plan carries.

    Raises
    ------
    UsageError
        `plan-unreadable`, when they are none of this version.
    """
    try:
        return Settings.model_validate(plan.settings)
    except ValueError as error:
        raise UsageError(
            "plan-unreadable",
            f"the plan of {plan.run} carries settings that this version does not know",
            context=["nothing was changed"],
            hint="make a new one: memsleep run --dry-run --out DIR",
        ) from error


def refold(
    base: Snapshot, plan: Plan, accepted: frozenset[str], *, unchecked: frozenset[str] = frozenset()
) -> Refolded:
    """Fold the accepted decisions of a plan onto a base.

    The base must stand at the plan's instant and know its identities (`landing.base` sees to it).
    Decisions that have landed are `unchecked`: what they rest on may have changed since.
    """
    settings = settings_of(plan)
    course = _Course(base, base, unchecked)
    for name, decisions in _by_phase(plan, accepted):
        _phase(course, name, decisions, settings)
    order = [decision.id for decision in plan.decisions]
    return Refolded(
        phases=tuple(course.phases),
        rejected=tuple(course.rejected[name] for name in order if name in course.rejected),
        landed=tuple(name for name in order if name in course.landed),
        end=course.snapshot,
        applied=tuple(course.applied),
    )


def _by_phase(plan: Plan, accepted: frozenset[str]) -> Iterator[tuple[str, list[PlannedDecision]]]:
    phases: dict[str, list[PlannedDecision]] = {}
    for decision in plan.decisions:
        if decision.id in accepted:
            phases.setdefault(decision.phase, []).append(decision)
    yield from phases.items()


def _phase(
    course: _Course, name: str, decisions: list[PlannedDecision], settings: Settings
) -> None:
    """Fold one phase; again without what is refused and what requires it, until nothing is."""
    waiting = {d.id: d for d in decisions}
    while True:
        for decision in list(waiting.values()):
            rejection = _stale(decision, course) or _orphaned(decision, course, waiting)
            if rejection is not None:
                course.rejected[decision.id] = rejection
                del waiting[decision.id]
        if not waiting:
            return
        proposals = {d.id: proposal_of(d) for d in waiting.values()}
        folded = fold(course.snapshot, proposals.values(), settings)
        done = {item.proposal.id for item in folded.applied if item.changes}
        for refusal in folded.refused:
            course.rejected[refusal.proposal.id] = Rejection(
                id=refusal.proposal.id, reason=refusal.reason, path=refusal.path or ""
            )
        for idle in proposals.keys() - done - course.rejected.keys():
            course.rejected[idle] = Rejection(id=idle, reason="what it asks for is there already")
        if done == proposals.keys():
            break
        waiting = {key: d for key, d in waiting.items() if key in done}
    applied = tuple(item for item in folded.applied if item.changes)
    course.phases.append(phase_fold(name, course.snapshot, folded.snapshot, applied))
    course.snapshot = folded.snapshot
    course.applied.extend(applied)
    course.landed |= done


def _stale(decision: PlannedDecision, course: _Course) -> Rejection | None:
    if decision.id in course.unchecked:
        return None
    for path, digest in decision.rests_on.items():
        source = course.base.files.get(path)
        if source is None:
            reason = f"{path} is no longer there, or cannot be read"
        elif digest_bytes(source) != digest:
            reason = f"{path} has changed since the plan was made"
        else:
            continue
        return Rejection(id=decision.id, reason=reason, path=path)
    return None


def _orphaned(
    decision: PlannedDecision, course: _Course, waiting: dict[str, PlannedDecision]
) -> Rejection | None:
    for name in decision.requires:
        if name in course.landed or name in waiting:
            continue
        why = course.rejected[name].reason if name in course.rejected else "it is not to land"
        reason = f"it requires {name}, which does not land: {why}"
        return Rejection(id=decision.id, reason=reason)
    return None


def phase_fold(
    name: str, before: Snapshot, after: Snapshot, applied: Sequence[Applied]
) -> PhaseFold:
    """Return what the decisions of one phase did to files."""
    changes = [change for item in applied for change in item.changes]
    held = {c.path for c in changes if before.is_entry(c.path)}  # their file is among the changes
    both = {c.path for c in changes} | {c.to for c in changes if c.to is not None}
    touched = sorted(both - held)
    old = {path: before.files[path] for path in touched if path in before.files}
    new = {path: after.files[path] for path in touched if path in after.files}
    same = {path for path in old if new.get(path) == old[path]}
    old = {path: data for path, data in old.items() if path not in same}
    new = {path: data for path, data in new.items() if path not in same}
    moves = {c.path: c.to for c in changes if c.to is not None}
    kinds = Counter(item.proposal.kind for item in applied)
    return PhaseFold(
        name=name,
        before=old,
        after=new,
        moves={a: b for a, b in sorted(moves.items()) if a in old and a not in new and b in new},
        decisions=tuple(item.proposal.id for item in applied),
        counts=dict(sorted(kinds.items())),
        lines=tuple(_line(item.proposal) for item in applied),
    )


def _line(proposal: Proposal) -> str:
    """Return one line about a decision: paths and figures only."""
    if isinstance(proposal, Merge):
        told = f"{proposal.keeper} <- {proposal.dropped}"
        return f"{told}  similarity {proposal.similarity:.3f}  [{proposal.id}]"
    return f"{proposal.kind} {proposal.paths[0]}  [{proposal.id}]"


def as_one(name: str, phases: Sequence[PhaseFold]) -> PhaseFold:
    """Return several phases as one: from the bytes before the first to those after the last."""
    before: dict[str, bytes] = {}
    now: dict[str, bytes | None] = {}
    moves: dict[str, str] = {}
    for phase in phases:
        for path, data in phase.before.items():
            if path not in now:
                before[path] = data
            now[path] = None
        now.update(phase.after)
        back = {new: old for old, new in moves.items()}
        for old, new in phase.moves.items():
            moves[back.get(old, old)] = new
    after = {path: data for path, data in sorted(now.items()) if data is not None}
    same = {path for path in before if after.get(path) == before[path]}
    total: Counter[str] = Counter()
    for phase in phases:
        total.update(phase.counts)
    return PhaseFold(
        name=name,
        before={path: data for path, data in sorted(before.items()) if path not in same},
        after={path: data for path, data in after.items() if path not in same},
        moves={a: b for a, b in sorted(moves.items()) if a in before and b in after},
        decisions=tuple(d for phase in phases for d in phase.decisions),
        counts=dict(sorted(total.items())),
        lines=tuple(line for phase in phases for line in phase.lines),
    )
