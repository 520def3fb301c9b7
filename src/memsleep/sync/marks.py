"""What of a run a provider was told: one file in the folder of the run.

A run that lands while a provider is configured has a mark. What is told of it is compared with
what stands, so that a killed process leaves nothing untold and tells nothing twice.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from memsleep.fold.archive import LEDGER_NAME
from memsleep.landing.runs import RunRecord, RunStore
from memsleep.model import digest_bytes, in_archive
from memsleep.plan import Plan, PlannedChange
from memsleep.settings import SyncSettings
from memsleep.sync.protocol import WriteMode

MARK = "sync.json"


class Told(BaseModel):
    """What was told of one memory."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    decisions: tuple[str, ...] = ()
    """Ids of the run's decisions about it that stood when it was last told."""
    count: int = 0
    """How often it was told: makes the next client id another one."""


class Mark(BaseModel):
    """One run's mark."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    schema_version: Literal[1] = 1
    provider: str
    write_mode: WriteMode
    told: Mapping[str, Told] = Field(default_factory=dict)
    """Slug -> what was told."""
    known: Mapping[str, tuple[str, ...]] = Field(default_factory=dict)
    """Slug -> decisions that the provider itself asked for: telling it would be no news."""
    seen: str = ""
    """Digest of what stood when all was told; empty while something is left to tell."""


NOTHING: Final = Told()


def mark_run(record: RunRecord, sync: SyncSettings) -> None:
    """Mark a run that is about to land. What landed before is none of the provider's news."""
    if not sync.provider or read_mark(record) is not None:
        return
    status = record.status()
    known = touched(record.plan(), status.landed) if status.landed else {}
    told = {slug: Told(decisions=names) for slug, names in known.items()}
    put_mark(record, Mark(provider=sync.provider, write_mode=sync.write_mode, told=told))


def read_mark(record: RunRecord) -> Mark | None:
    """Return the mark of a run; None for a run without one, or with one that cannot be read."""
    source = record.read(MARK)
    if source is None:
        return None
    try:
        return Mark.model_validate_json(source)
    except ValidationError:
        return None


def put_mark(record: RunRecord, mark: Mark) -> None:
    """Write the mark of a run, whole or not at all."""
    record.write(MARK, mark.model_dump_json(indent=1).encode("utf-8") + b"\n")


def untold_runs(store: RunStore) -> frozenset[str]:
    """Return the runs of which something is left to tell: their records are needed for that."""
    marks = ((record.run_id, read_mark(record)) for record in store.records())
    return frozenset(name for name, mark in marks if mark is not None and not mark.seen)


def touched(plan: Plan, landed: Iterable[str]) -> dict[str, tuple[str, ...]]:
    """Return the live file -> ids of the given decisions that change it, in plan order.

    What a decision is about comes before the files that only link to it.
    """
    wanted, found = frozenset(landed), dict[str, list[str]]()
    for decision in plan.decisions:
        if decision.id not in wanted:
            continue
        slugs = dict.fromkeys(slug for change in decision.changes for slug in _slugs(change))
        about = [path for path in decision.paths if path in slugs]
        for slug in dict.fromkeys((*about, *slugs)):
            found.setdefault(slug, []).append(decision.id)
    return {slug: tuple(names) for slug, names in found.items()}


def standing_digest(landed: Iterable[str]) -> str:
    """Return a digest of which decisions stand."""
    return digest_bytes("\0".join(("standing", *landed)).encode("ascii"))


def _slugs(change: PlannedChange) -> list[str]:
    paths = [change.path, *([change.to] if change.to is not None else [])]
    return [p for p in paths if not in_archive(p) and not p.endswith(f"/{LEDGER_NAME}")]
