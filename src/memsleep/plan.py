"""The plan of a night: decisions as intents, in order, with the digests they rest on."""

from __future__ import annotations

import dataclasses
import json
from typing import Any, Final, Literal

from pydantic import BaseModel, ConfigDict, Field

SCHEMA_VERSION: Final = 1


class PlanPart(BaseModel):
    """A closed, immutable piece of the plan."""

    model_config = ConfigDict(extra="forbid", frozen=True, use_attribute_docstrings=True)


class PlannedChange(PlanPart):
    """What a decision does to one file."""

    path: str
    action: Literal["edit", "move", "create"]
    before: str | None = None
    """SHA-256 of the bytes before; null for a new file."""
    after: str
    """SHA-256 of the bytes after."""
    to: str | None = None
    """Where a moved file lies then."""


class PlannedDecision(PlanPart):
    """One decision: what is meant, why, what it rests on and what it does."""

    id: str
    phase: str
    kind: str
    paths: tuple[str, ...]
    reason: str
    evidence: dict[str, float | int | str] = Field(default_factory=dict)
    intent: dict[str, Any] = Field(default_factory=dict)
    """The values of the proposal beyond its paths: with them it can be folded again."""
    rests_on: dict[str, str] = Field(default_factory=dict)
    """Path -> SHA-256 at the night's start of every file the decision was taken on."""
    requires: tuple[str, ...] = ()
    """Ids of earlier decisions that move, merge or edit one of its files."""
    changes: tuple[PlannedChange, ...]


class PlannedEffect(PlanPart):
    """One change of the state that takes place when the run has landed."""

    kind: Literal["decay", "spare", "move", "merge"]
    values: dict[str, float | str | None]


class Plan(PlanPart):
    """A night that has not landed."""

    schema_version: Literal[1] = SCHEMA_VERSION
    tool_version: str
    run: str
    """Id of the run, which is also its branch."""
    instant: str
    profile: str
    corpus_digest: str
    base_commit: str = ""
    """Commit the corpus was read from; empty outside git."""
    config_digest: str
    embedder: str
    decisions: tuple[PlannedDecision, ...] = ()
    effects: tuple[PlannedEffect, ...] = ()


def to_json(plan: Plan) -> bytes:
    """Return the plan as JSON: fixed key order, LF, UTF-8."""
    text = json.dumps(plan.model_dump(mode="json"), ensure_ascii=False, indent=1)
    return text.encode("utf-8") + b"\n"


def json_schema() -> dict[str, Any]:
    """Return the JSON Schema of a plan."""
    return Plan.model_json_schema()


def effect_kind(name: str) -> Literal["decay", "spare", "move", "merge"]:
    """Return the kind of an effect from the name of its class."""
    kinds: dict[str, Literal["decay", "spare", "move", "merge"]] = {
        "DecayEffect": "decay",
        "SpareEffect": "spare",
        "MoveEffect": "move",
        "MergeEffect": "merge",
    }
    return kinds[name]


def values_of(item: object, *, without: frozenset[str] = frozenset()) -> dict[str, Any]:
    """Return the fields of a dataclass as JSON values, nested ones too."""
    assert dataclasses.is_dataclass(item)
    assert not isinstance(item, type)
    values = dataclasses.asdict(item)
    return {key: value for key, value in values.items() if key not in without and value is not None}
