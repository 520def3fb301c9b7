"""Which decisions of a plan a person wants: `--only` and `--reject`, with what they bring along."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from difflib import get_close_matches

from memsleep.errors import UsageError
from memsleep.landing.sink import Rejection
from memsleep.plan import Plan


@dataclass(frozen=True, slots=True)
class Selection:
    """What is to land, what is not and why, and what came along."""

    accepted: frozenset[str]
    rejected: tuple[Rejection, ...]
    """Decisions that were rejected, and those that require one, in plan order."""
    pulled: tuple[tuple[str, str], ...] = ()
    """(decision, the wanted one that requires it), in plan order."""
    left_out: frozenset[str] = frozenset()
    """Ids of findings that do not land: rejected ones, and with `--only` all that it leaves out."""


def select(plan: Plan, only: Sequence[str] = (), reject: Sequence[str] = ()) -> Selection:
    """Return the decisions that are wanted.

    `only` pulls in what its decisions require; rejecting one rejects what requires it.

    Raises
    ------
    UsageError
        `decision-unknown`, or `conflicting-options` when a wanted decision requires a rejected one.
    """
    known = [decision.id for decision in plan.decisions]
    check_known(plan, [*only, *reject])
    findings = {effect.decision for effect in plan.effects} - set(known)
    wanted, pulled = _with_required(plan, only) if only else (set(known), {})
    rejected = with_dependents(plan, reject)
    if only:
        _refuse_clash(plan, wanted, rejected, frozenset(reject))
    told = tuple(
        Rejection(id=name, reason=_reason(plan, name, frozenset(reject)))
        for name in known
        if name in rejected
    )
    return Selection(
        accepted=frozenset((wanted - rejected) & set(known)),
        rejected=told,
        pulled=tuple((name, pulled[name]) for name in known if name in pulled),
        left_out=frozenset(reject) | (findings - set(only) if only else set()),
    )


def check_known(plan: Plan, names: Collection[str]) -> None:
    """Refuse an id that neither a decision nor a finding of the plan has."""
    known = {d.id for d in plan.decisions} | {effect.decision for effect in plan.effects}
    for name in names:
        if name not in known:
            near = get_close_matches(name, sorted(known), 1)
            raise UsageError(
                "decision-unknown",
                f"the plan of {plan.run} has no decision {name!r}",
                context=["nothing was changed"],
                hint=f"did you mean {near[0]}?" if near else None,
            )


def _with_required(plan: Plan, only: Sequence[str]) -> tuple[set[str], dict[str, str]]:
    wanted, pulled = set(only), {}
    for decision in reversed(plan.decisions):  # what is required comes earlier
        if decision.id in wanted:
            for name in decision.requires:
                if name not in wanted:
                    wanted.add(name)
                    pulled[name] = decision.id
    return wanted, pulled


def with_dependents(plan: Plan, names: Collection[str]) -> set[str]:
    """Return the ids together with all that require one of them."""
    found = set(names)
    for decision in plan.decisions:
        if found.intersection(decision.requires):
            found.add(decision.id)
    return found


def _refuse_clash(plan: Plan, wanted: set[str], rejected: set[str], reject: frozenset[str]) -> None:
    for decision in plan.decisions:
        if decision.id in wanted and decision.id in rejected:
            raise UsageError(
                "conflicting-options",
                f"--only wants {decision.id}, but {_reason(plan, decision.id, reject)}",
                context=["nothing was changed"],
                hint="leave out one of the two",
            )


def _reason(plan: Plan, name: str, reject: frozenset[str]) -> str:
    if name in reject:
        return "it was rejected"
    decision = plan.decision(name)
    rejected = with_dependents(plan, reject)
    need = next(n for n in decision.requires if n in rejected) if decision else name
    return f"it requires {need}, which was rejected"
