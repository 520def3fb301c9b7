"""A decision of a plan and the proposal that it was: the same thing, both ways, a closed set."""

from __future__ import annotations

from typing import Any, NotRequired

from pydantic import ConfigDict, TypeAdapter, ValidationError, with_config
from typing_extensions import TypedDict

from memsleep.dialects.base import FieldName
from memsleep.errors import UsageError
from memsleep.plan import PlannedDecision
from memsleep.proposals import (
    AddLink,
    Archive,
    Decay,
    Merge,
    Proposal,
    RemoveLink,
    RetargetLink,
    SetField,
)


@with_config(ConfigDict(extra="forbid"))
class _Decayed(TypedDict):
    reason: str
    evidence: dict[str, float | int | str]
    before: float
    after: float
    nights: int


@with_config(ConfigDict(extra="forbid"))
class _SetField(TypedDict):
    values: list[tuple[FieldName, str]]
    decayed: _Decayed | None


@with_config(ConfigDict(extra="forbid"))
class _Archive(TypedDict):
    cause: str


@with_config(ConfigDict(extra="forbid"))
class _Merge(TypedDict):
    similarity: float
    carry: list[str]
    take_over: bool
    superseded: NotRequired[bool]


@with_config(ConfigDict(extra="forbid"))
class _AddLink(TypedDict):
    relation: str


@with_config(ConfigDict(extra="forbid"))
class _RetargetLink(TypedDict):
    target_path: str


@with_config(ConfigDict(extra="forbid"))
class _RemoveLink(TypedDict):
    pass


_INTENTS: dict[str, TypeAdapter[Any]] = {
    "add-link": TypeAdapter(_AddLink),
    "set-field": TypeAdapter(_SetField),
    "archive": TypeAdapter(_Archive),
    "merge": TypeAdapter(_Merge),
    "retarget-link": TypeAdapter(_RetargetLink),
    "remove-link": TypeAdapter(_RemoveLink),
}


def intent_of(proposal: Proposal) -> dict[str, Any]:
    """Return what a proposal says beyond its phase, reason, evidence and paths, as JSON values."""
    if isinstance(proposal, SetField):
        decayed = proposal.decayed
        told = None if decayed is None else _decayed(decayed)
        return {"values": [list(pair) for pair in proposal.values], "decayed": told}
    if isinstance(proposal, Archive):
        return {"cause": proposal.cause}
    if isinstance(proposal, Merge):
        intent = {
            "similarity": proposal.similarity,
            "carry": list(proposal.carry),
            "take_over": proposal.take_over,
        }
        return {**intent, "superseded": True} if proposal.superseded else intent
    if isinstance(proposal, AddLink):
        return {"relation": proposal.relation}
    if isinstance(proposal, RetargetLink):
        return {"target_path": proposal.target_path}
    if isinstance(proposal, RemoveLink):
        return {}
    raise TypeError(f"no intent for {type(proposal).__name__}")


def _decayed(decay: Decay) -> dict[str, Any]:
    return {
        "reason": decay.reason,
        "evidence": dict(decay.evidence),
        "before": decay.before,
        "after": decay.after,
        "nights": decay.nights,
    }


def proposal_of(decision: PlannedDecision) -> Proposal:
    """Return the proposal that a decision was.

    Raises
    ------
    UsageError
        `plan-inconsistent`, when the intent is not one of its kind or the id is of another.
    """
    try:
        intent = _INTENTS[decision.kind].validate_python(decision.intent)
        proposal = _built(decision, intent)
    except (ValidationError, IndexError, ValueError) as error:
        raise _inconsistent(decision) from error
    if proposal.id != decision.id or proposal.paths != decision.paths:
        raise _inconsistent(decision)
    return proposal


def _built(decision: PlannedDecision, intent: dict[str, Any]) -> Proposal:
    shared: dict[str, Any] = {
        "phase": decision.phase,
        "reason": decision.reason,
        "evidence": dict(decision.evidence),
    }
    paths = decision.paths
    match decision.kind:
        case "merge":
            keeper, dropped = paths
            carry = tuple(intent.pop("carry"))
            return Merge(keeper=keeper, dropped=dropped, carry=carry, **intent, **shared)
        case "add-link":
            return AddLink(path=paths[0], target=paths[1], **intent, **shared)
        case "archive":
            return Archive(path=paths[0], cause=intent["cause"], **shared)
        case "set-field":
            decayed = intent["decayed"]
            decay = Decay(phase=decision.phase, path=paths[0], **decayed) if decayed else None
            values = tuple((name, value) for name, value in intent["values"])
            return SetField(path=paths[0], values=values, decayed=decay, **shared)
        case "retarget-link":
            return RetargetLink(path=paths[0], target=paths[1], **intent, **shared)
        case "remove-link":
            return RemoveLink(path=paths[0], target=paths[1], **shared)


def _inconsistent(decision: PlannedDecision) -> UsageError:
    return UsageError(
        "plan-inconsistent",
        f"decision {decision.id} of the plan contradicts itself: its intent is not that of a "
        f"{decision.kind}, or its id is of other paths",
        context=["nothing was changed"],
        hint="make a new plan: memsleep run --dry-run --out DIR",
    )
