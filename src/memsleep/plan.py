"""The plan of a night: decisions as intents, in order, with the digests they rest on."""

from __future__ import annotations

import dataclasses
from typing import Annotated, Any, Final, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from memsleep.errors import UsageError

SCHEMA_VERSION: Final = 1
PULL_PHASE: Final = "sync"
"""Phase of the decisions that archive what a memory service holds no longer."""

Instant = Annotated[str, Field(pattern=r"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$")]
Digest = Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]
DecisionId = Annotated[str, Field(pattern=r"^[0-9a-f]{12}$")]
RunName = Annotated[str, Field(pattern=r"^sleep/[0-9]{4}-[0-9]{2}-[0-9]{2}(-[0-9]+)?$")]


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

    id: DecisionId
    phase: str
    kind: Literal["add-link", "archive", "merge", "remove-link", "retarget-link", "set-field"]
    paths: tuple[str, ...]
    reason: str
    evidence: dict[str, float | int | str] = Field(default_factory=dict)
    intent: dict[str, Any] = Field(default_factory=dict)
    """The values of the proposal beyond its paths: with them it can be folded again."""
    rests_on: dict[str, Digest] = Field(default_factory=dict)
    """Path -> SHA-256 at the night's start of every file the decision was taken on."""
    requires: tuple[DecisionId, ...] = ()
    """Ids of earlier decisions that move, merge or edit one of its files."""
    assumes: tuple[DecisionId, ...] = ()
    """Ids of earlier decisions that changed what it was ranked among, not its own files."""
    changes: tuple[PlannedChange, ...]


class PlannedEffect(PlanPart):
    """One change of the state that takes place when the run has landed."""

    kind: Literal["decay", "spare", "move", "merge"]
    decision: DecisionId
    """Id of the decision, or of the finding, that it belongs to."""
    values: dict[str, float | str | None]


class PlannedContradiction(PlanPart):
    """Two memories that cannot both be true: nothing is done, a person is asked."""

    id: DecisionId
    paths: tuple[str, str]
    newer: str | None = None
    """Path of the newer one; null when that is not known."""
    reason: str
    claims: tuple[str, str]
    """What they say; empty for one that holds a secret."""
    rests_on: dict[str, Digest] = Field(default_factory=dict)
    """Path -> SHA-256 at the night's start: a change of either closes the question."""
    nights: int = 0
    """Nights over a changed corpus that found it; 0 when nobody counts."""
    actions: tuple[str, ...] = ()
    """What could be done about it, as commands."""


class Plan(PlanPart):
    """A night that has not landed."""

    schema_version: Literal[1] = SCHEMA_VERSION
    tool_version: str
    run: RunName
    """Name of the night, which is also the stem of its branch."""
    instant: Instant
    profile: str
    corpus_digest: Digest
    source: Literal["git", "folder"]
    """Where the corpus was read from: HEAD's tree, or the disk."""
    base_commit: Annotated[str, Field(pattern=r"^([0-9a-f]{40}|[0-9a-f]{64})?$")] = ""
    """Commit the corpus was read from; empty outside git."""
    config_digest: str
    settings: dict[str, dict[str, Any]] = Field(default_factory=dict)
    """The sections that reading and folding depend on, as they were in force."""
    identities: dict[str, str] = Field(default_factory=dict)
    """Path -> id of the memories that have moved since they were first seen."""
    embedder: str
    decisions: tuple[PlannedDecision, ...] = ()
    effects: tuple[PlannedEffect, ...] = ()
    contradictions: tuple[PlannedContradiction, ...] = ()

    @property
    def is_night(self) -> bool:
        """True for a night's plan, False for what a service deleted: that is no night."""
        return not self.decisions or any(d.phase != PULL_PHASE for d in self.decisions)

    def decision(self, name: str) -> PlannedDecision | None:
        """Return a decision by its id."""
        return next((d for d in self.decisions if d.id == name), None)


def from_json(source: bytes, name: str) -> Plan:
    """Return the plan that a file holds.

    Raises
    ------
    UsageError
        `plan-unreadable`, for what is no plan of this version.
    """
    try:
        return Plan.model_validate_json(source)
    except ValidationError as error:
        first = error.errors(include_input=False, include_url=False)[0]
        where = ".".join(str(step) for step in first["loc"]) or "the document"
        raise UsageError(
            "plan-unreadable",
            f"{name} is no plan of version {SCHEMA_VERSION}: {where}: {first['msg']}",
            context=["nothing was changed"],
            hint="make a new one: memsleep run --dry-run --out DIR",
        ) from error


def to_json(plan: Plan) -> bytes:
    """Return the plan as JSON: fixed key order, LF, UTF-8."""
    return plan.model_dump_json(indent=1).encode("utf-8") + b"\n"


def json_schema() -> dict[str, Any]:
    """Return the JSON Schema of a plan, as `docs/schemas/plan.schema.json` holds it."""
    schema = Plan.model_json_schema()
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **schema}


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
