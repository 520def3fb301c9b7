"""The record of a run: how it begins, what its landing makes of it, how it ends."""

from __future__ import annotations

import hashlib
import json
import shlex
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

from memsleep.counted import counted
from memsleep.errors import MemsleepError
from memsleep.instants import add_days
from memsleep.landing.branch import branch_sink
from memsleep.landing.directory import Settle
from memsleep.landing.land import Gate, Landed, Landfall
from memsleep.landing.place import Place, write_whole
from memsleep.landing.runs import PLAN, RunRecord, RunState, RunStore, Status
from memsleep.landing.selection import Selection
from memsleep.landing.sink import RunMeta
from memsleep.model import Snapshot
from memsleep.night.mode import Mode
from memsleep.plan import Plan, to_json
from memsleep.request import RunRequest
from memsleep.state.store import Run, open_state
from memsleep.sync.marks import untold_runs

HEARTBEAT = "heartbeat.json"


def land_plan(
    place: Place,
    record: RunRecord,
    plan: Plan,
    selection: Selection,
    mode: Mode,
    settle: Settle,
    base: Snapshot | None,
    commit: str | None = None,
    *,
    gate: Gate | None = None,
) -> Landed:
    """Land on what the plan was made on, or on another commit."""
    meta = RunMeta(
        run_id=record.run_id,
        now=plan.instant,
        base_commit=commit or plan.base_commit or None,
        config_digest=plan.config_digest,
        plan_digest=plan_digest(plan),
        counts=record.status().counts,
    )
    landfall = Landfall(place, record, plan, selection, meta, settle, base, gate)
    return landfall.on_branch() if mode == "branch" else landfall.in_place()


def plan_digest(plan: Plan) -> str:
    """Return the SHA-256 of a plan's JSON."""
    return hashlib.sha256(to_json(plan)).hexdigest()


def told(record: RunRecord, landed: Landed) -> list[str]:
    """Return what became of a landing, one line each."""
    landing, count = landed.landing, counted(len(landed.folded.landed), "decision")
    lines = [f"{r.id}: did not land: {r.reason}" for r in landed.rejected]
    if landing.ref:
        lines.append(f"on {record.run_id}, {count}: memsleep merge {record.run_id}")
    elif landing.kind == "directory":
        lines.append(f"landed: {count}; to take it back: memsleep undo {record.run_id}")
    else:
        lines.append("nothing landed" if lines else "no file had to change")
    return [*lines, *landing.messages]


def close_run(
    request: RunRequest,
    place: Place,
    record: RunRecord,
    plan: Plan,
    landed: Landed,
    mode: Mode,
    *,
    refused: bool = False,
) -> RunRecord:
    """Write down what became of a run, under the name that its sink took."""
    landing, store = landed.landing, RunStore(place)
    rejected = {**record.status().rejected, **{r.id: r.reason for r in landed.rejected}}
    ended = request.clock or request.now
    state: RunState = "refused" if refused else "nothing"
    if landing.ref:
        if not store.known(landing.run_id):
            record = store.renamed(record, landing.run_id)
        state = "branch" if record.run_id == landing.run_id else "nothing"
    elif record.status().landed:
        state = "landed"
    landed_ids = record.status().landed if mode == "directory" else landed.folded.landed
    record.update(
        state=state,
        ended_at=ended,
        ref=landing.ref or "",
        tip=landing.tip or "",
        landed=landed_ids,
        rejected=rejected,
        messages=landing.messages,
    )
    status = record.status()
    with open_state(place.database) as known:
        known.record_run(
            Run(
                run_id=record.run_id,
                night=plan.instant[:10],
                now=plan.instant,
                started_at=status.started_at,
                status=state,
                ended_at=ended,
                counts=status.counts,
                plan_digest=status.plan_digest,
                base=status.base_commit,
            )
        )
    return record


def finish_run(
    request: RunRequest, place: Place, record: RunRecord, failed: tuple[str, ...]
) -> None:
    """Write the heartbeat and let old runs go."""
    status = record.status()
    beat = {
        "schema_version": 1,
        "run": record.run_id,
        "state": status.state,
        "now": status.now,
        "started_at": status.started_at,
        "ended_at": request.clock or request.now,
        "failed_phases": list(failed),
    }
    write_whole(place.folder / HEARTBEAT, json.dumps(beat, indent=1).encode("ascii") + b"\n")
    section = request.settings.runs
    store = RunStore(place)
    store.rotate(section.keep, untold_runs(store))
    store.drop_before(add_days(request.now, -section.before_days))


@contextmanager
def closing(place: Place, record: RunRecord) -> Iterator[None]:
    """Close the record of a run that fails; one that is killed is closed by the next start."""
    try:
        yield
    except BaseException:
        if not place.journal.exists():
            with suppress(OSError, MemsleepError):
                record.update(state="failed")
        raise


def first_status(request: RunRequest, name: str, mode: Mode) -> Status:
    """Return the status of a run that begins."""
    return Status(
        run=name,
        state="running",
        now=request.now,
        started_at=request.clock or request.now,
        mode=mode,
    )


def branch_taken(place: Place, mode: Mode) -> Callable[[str], bool]:
    """Return the question whether a branch of a run's name is there already."""
    if mode == "branch":
        return branch_sink(place.corpus).is_taken
    return lambda _name: False


def way_out(record: RunRecord) -> str:
    """Return the command by which a person lands what the gate has nothing against."""
    plan = shlex.quote(str(record.folder / PLAN))
    return f"to land the rest yourself: memsleep apply {plan} --reject ID"
