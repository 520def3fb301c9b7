"""Plans that land: one that a person applies, and that of a killed run."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace

from memsleep.errors import UsageError
from memsleep.gitrepo import find_repository
from memsleep.landing.base import folder_source, load_base
from memsleep.landing.land import Landed
from memsleep.landing.place import Place, place_of
from memsleep.landing.rejections import question_of, rejected_decisions
from memsleep.landing.runs import PLAN, RunRecord, RunStore, free_name
from memsleep.landing.selection import Selection, select
from memsleep.model import Snapshot
from memsleep.night.briefing import write_brief
from memsleep.night.gating import NightGate
from memsleep.night.holding import held
from memsleep.night.mode import Mode, check_sink, mode_of
from memsleep.night.queueing import queue_landed
from memsleep.night.real import run_night
from memsleep.night.records import (
    branch_taken,
    close_run,
    closing,
    finish_run,
    first_status,
    land_plan,
    plan_digest,
    told,
    way_out,
)
from memsleep.plan import Plan, from_json, to_json
from memsleep.request import Outcome, RunRequest
from memsleep.state.store import open_state
from memsleep.sync.marks import mark_run


def apply_plan(
    request: RunRequest, source: bytes, name: str, only: Sequence[str], reject: Sequence[str]
) -> Outcome:
    """Land the wanted decisions of a plan; each is checked against the bytes that are there now.

    Raises
    ------
    UsageError
        The plan cannot be read, or an id is none of its.
    """
    plan = from_json(source, name)
    selection = select(plan, only, reject)
    with held(request, "memsleep apply") as (place, settle, said):
        mode, _ = mode_of(request.corpus, request.settings)
        check_sink(place, mode)
        record = _record_of(request, place, plan, mode)
        said += _selected(selection)
        _remember(request, place, record, plan, reject)
        with closing(place, record):
            base = _observed(request, place, record, plan, mode)
            commit = _head(request, mode)
            record.update(base_commit=commit or "")
            mark_run(record, request.settings.sync)
            landed = land_plan(place, record, plan, selection, mode, settle, base, commit)
            record = close_run(request, place, record, plan, landed, mode)
        return _applied(request, record, landed, said)


def _head(request: RunRequest, mode: Mode) -> str | None:
    """Return the commit that an apply rests on: the one that is there now."""
    repository = find_repository(request.corpus) if mode == "branch" else None
    return None if repository is None else repository.head_commit()


def resume_run(request: RunRequest, name: str | None) -> Outcome:
    """Finish a run that was killed: from its plan where it had one, else the night anew.

    Raises
    ------
    UsageError
        `run-unknown`, or `run-not-killed`.
    """
    with held(request, "memsleep resume") as (place, settle, said):
        store = RunStore(place)
        record = store.find(name) if name else _newest_killed(store)
        status = record.status()
        if status.state not in ("killed", "failed"):
            raise UsageError(
                "run-not-killed",
                f"{record.run_id} need not be resumed: it is {status.state}",
                context=["nothing was changed"],
            )
        mode, _ = mode_of(request.corpus, request.settings)
        if record.read(PLAN) is None:
            store.forget(record)
            again = replace(request, now=status.now)
            return run_night(again, place, settle, said, name=record.run_id)
        plan = record.plan()
        with open_state(place.database) as state:
            answers = {answer.question for answer in state.rejected()}
        reject = [d.id for d in plan.decisions if question_of(d.kind, d.paths) in answers]
        with closing(place, record):
            selection = select(plan, reject=reject)
            base = _observed(request, place, record, plan, mode)
            mark_run(record, request.settings.sync)
            gate = NightGate(request.settings, plan, hint=way_out(record))
            landed = land_plan(place, record, plan, selection, mode, settle, base, gate=gate)
            record = close_run(request, place, record, plan, landed, mode)
        said += _compared(plan, landed)
        return _applied(request, record, landed, said)


def _observed(
    request: RunRequest, place: Place, record: RunRecord, plan: Plan, mode: Mode
) -> Snapshot | None:
    """Let the state see who is there before effects land; return the base if it is still whole."""
    if mode == "branch" or record.status().landed:
        return None
    base = load_base(request.corpus, plan, folder_source(request.corpus))
    with open_state(place.database) as state:
        digests = {path: memory.content_hash for path, memory in base.memories.items()}
        state.observe(digests, plan.instant, unreadable={u.path for u in base.unreadable})
    return base


def _newest_killed(store: RunStore) -> RunRecord:
    for record in reversed(store.records()):
        if record.status().state in ("killed", "failed"):
            return record
    raise UsageError("run-not-killed", "no run was killed", context=["nothing was changed"])


def _compared(plan: Plan, landed: Landed) -> list[str]:
    """Say whether the replay from the base gave what the plan had foreseen."""
    foreseen = {(c.to or c.path): c.after for d in plan.decisions for c in d.changes}
    gone = {c.path for d in plan.decisions for c in d.changes if c.to is not None}
    made: dict[str, str] = {}
    for item in landed.folded.applied:
        made.update({(c.to or c.path): c.after for c in item.changes})
    other = sorted(p for p in made if p not in gone and made[p] != foreseen.get(p))
    if other or len(landed.folded.landed) < len(plan.decisions):
        left = len(plan.decisions) - len(landed.folded.landed)
        return [f"replayed with another result: {left} decisions left out, {len(other)} files"]
    return ["replayed from the base: the same bytes as planned"]


def _record_of(request: RunRequest, place: Place, plan: Plan, mode: Mode) -> RunRecord:
    """Return the record of a plan: the run that made it, or a new one."""
    store, digest = RunStore(place), plan_digest(plan)
    for record in reversed(store.records()):
        with suppress(UsageError):
            if record.status().plan_digest == digest:
                return record
    name = free_name(plan.run, store.known, branch_taken(place, mode))
    status = first_status(replace(request, now=plan.instant), name, mode)
    counts = dict(sorted(Counter(d.kind for d in plan.decisions).items()))
    record = store.begin(
        status.model_copy(
            update={
                "base_commit": plan.base_commit,
                "plan_digest": digest,
                "config_digest": plan.config_digest,
                "counts": counts,
            }
        )
    )
    record.write(PLAN, to_json(plan))
    return record


def _remember(
    request: RunRequest, place: Place, record: RunRecord, plan: Plan, reject: Sequence[str]
) -> None:
    reasons = dict.fromkeys(reject, "rejected")
    if reasons:
        answers = rejected_decisions(plan, reasons, record.run_id, request.now)
        with open_state(place.database) as state:
            state.reject(answers)
        rejected = {**record.status().rejected, **dict.fromkeys(reject, "it was rejected")}
        record.update(rejected=rejected)


def _selected(selection: Selection) -> list[str]:
    lines = [f"{name}: comes along, since {by} requires it" for name, by in selection.pulled]
    return lines + [f"{r.id}: rejected: {r.reason}" for r in selection.rejected]


def _applied(request: RunRequest, record: RunRecord, landed: Landed, said: list[str]) -> Outcome:
    place = place_of(request.corpus, request.state_dir)
    queued = queue_landed(request, place)
    finish_run(request, place, record, ())
    rejected = [{"id": r.id, "reason": r.reason, "path": r.path} for r in landed.rejected]
    done = landed.landing.landed_ids or landed.folded.landed
    document = {
        "schema_version": 1,
        "run": record.run_id,
        "kind": landed.landing.kind,
        "ref": landed.landing.ref,
        "landed": list(done),
        "rejected": rejected,
    }
    output = json.dumps(document, indent=2).encode("ascii") + b"\n" if request.json else b""
    return Outcome(
        output=output,
        changes=len(done),
        blocked=landed.blocked,
        messages=(*said, *told(record, landed), *queued, *write_brief(request)),
    )
