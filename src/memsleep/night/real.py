"""Nights that land: from a run to what it proved."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace
from pathlib import Path

from memsleep.corpus.source import Source
from memsleep.errors import UsageError
from memsleep.fold.archive import run_id
from memsleep.gate.told import GateRefusedError, headline
from memsleep.gitrepo import find_repository
from memsleep.instants import add_days
from memsleep.landing.auditing import Audit, as_document, audit_run
from memsleep.landing.directory import Settle
from memsleep.landing.land import Landed
from memsleep.landing.place import Place
from memsleep.landing.refold import Refolded
from memsleep.landing.runs import PLAN, RunRecord, RunStore, free_name
from memsleep.landing.selection import select
from memsleep.landing.sink import Landing
from memsleep.model import Snapshot
from memsleep.night import propose_night
from memsleep.night.briefing import write_brief
from memsleep.night.gate_ahead import GateStart
from memsleep.night.gating import NightGate
from memsleep.night.holding import held
from memsleep.night.keeping import keep_parses
from memsleep.night.mode import Mode, check_sink, mode_of
from memsleep.night.outputs import artifacts_of, patch_of
from memsleep.night.pipeline import NightResult
from memsleep.night.planning import plan_of
from memsleep.night.prepare import Prepared
from memsleep.night.queueing import queue_landed
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
from memsleep.night.reporting import report_of
from memsleep.night.suspecting import remember
from memsleep.plan import Plan, to_json
from memsleep.report.data import Report
from memsleep.report.json import to_json as report_to_json
from memsleep.report.terminal import summary_lines
from memsleep.request import Outcome, RunRequest
from memsleep.scratch import scratch_folder
from memsleep.state.store import open_state
from memsleep.sync.marks import mark_run

AUDIT = "audit.json"


def real_run(request: RunRequest) -> Outcome:
    """Run one night and land it.

    Raises
    ------
    MemsleepError
        What stands in the way; nothing was changed, or the next start makes it whole.
    """
    with held(request, "memsleep run") as (place, settle, said):
        return run_night(request, place, settle, said, name=None)


def run_night(
    request: RunRequest, place: Place, settle: Settle, said: list[str], name: str | None
) -> Outcome:
    """Run one night where the corpus is held; `name` is that of the run which it is anew."""
    _refuse_time(request, place)
    mode, source = mode_of(request.corpus, request.settings)
    check_sink(place, mode)
    store = RunStore(place)
    name = name or free_name(run_id(request.now), store.known, branch_taken(place, mode))
    record = store.begin(first_status(request, name, mode))
    with (
        closing(place, record),
        scratch_folder(request.corpus) as scratch,
        GateStart(request.settings) as start,
    ):
        prepared, result = propose_night(request, scratch, source=source, live=True, gate=start)
        _keep(request, place, source, scratch, prepared, result)
        plan = plan_of(prepared, result, request.settings)
        request.progress.start("landing")
        _record(record, plan)
        gate = NightGate(request.settings, plan, hint=way_out(record), start=start)
        if mode == "branch" and plan.decisions:  # a merge is what lands it, and asks again
            gate.look(result.start, result.end)
        mark_run(record, request.settings.sync)
        landed, refused = _landed(place, record, plan, mode, settle, result.start, gate)
        record = close_run(request, place, record, plan, landed, mode, refused=refused is not None)
        queued = queue_landed(request, place)
        report = report_of(prepared, result, request.settings, run=record.run_id, gate=gate.result)
        artifacts = artifacts_of(plan, report, patch_of(result))
        for file, content in artifacts.items():
            if file != PLAN:
                record.write(file, content)
        proof = _audited(place, record)
        request.progress.finish()
    failed = tuple(p.name for p in result.phases if p.status == "failed")
    outcome = Outcome(
        output=_printed(request, report),
        artifacts=artifacts if request.out is not None else {},
        changes=len(landed.landing.landed_ids),
        unreadable=len(prepared.corpus.unreadable),
        failed_phases=failed,
        blocked=landed.blocked,
        losses=len(proof.proof.losses) if proof else 0,
        refused=refused is not None,
        messages=(
            *said,
            *prepared.remarks,
            *told(record, landed),
            *queued,
            *_proven(proof),
            *_gated(gate, refused),
        ),
    )
    finish_run(request, place, record, failed)
    return replace(outcome, messages=(*outcome.messages, *write_brief(request)))


def _keep(
    request: RunRequest,
    place: Place,
    source: Source,
    scratch: Path,
    prepared: Prepared,
    result: NightResult,
) -> None:
    """Keep what the next night need not find out again, and what this one suspects."""
    with open_state(place.database) as state:
        remember(state, prepared, result)
    if not prepared.cache_failed:
        keep_parses(request, source, scratch, result)


def _record(record: RunRecord, plan: Plan) -> None:
    """Have the plan on disk before anything of it lands."""
    record.write(PLAN, to_json(plan))
    record.update(
        base_commit=plan.base_commit,
        plan_digest=plan_digest(plan),
        config_digest=plan.config_digest,
        counts=dict(sorted(Counter(d.kind for d in plan.decisions).items())),
    )


def _landed(
    place: Place,
    record: RunRecord,
    plan: Plan,
    mode: Mode,
    settle: Settle,
    start: Snapshot,
    gate: NightGate,
) -> tuple[Landed, GateRefusedError | None]:
    """Land the whole plan; where the gate refuses it, return why, and that nothing landed."""
    try:
        return land_plan(place, record, plan, select(plan), mode, settle, start, gate=gate), None
    except GateRefusedError as error:
        return Landed(Landing(kind="nothing"), Refolded((), (), (), start, ()), ()), error


def _gated(gate: NightGate, refused: GateRefusedError | None) -> list[str]:
    """Return what the gate said: all of it where it refused, a line where a merge will be."""
    if refused is not None:
        return refused.lines()
    if gate.result is None:
        return []
    if gate.result.passed:
        return [f"gate: {headline(gate.result)}"]
    return [f"gate: it would refuse this: {headline(gate.result)}", "to see more: memsleep gate"]


def _audited(place: Place, record: RunRecord) -> Audit | None:
    """Prove that the run lost nothing, and keep the proof; None where it changed nothing."""
    status = record.status()
    if not status.landed or (status.mode == "branch" and not status.ref):
        return None
    proof = audit_run(place, find_repository(place.corpus), record)
    document = json.dumps(dict(as_document(proof)), indent=1, ensure_ascii=True)
    record.write(AUDIT, document.encode("ascii") + b"\n")
    return proof


def _proven(audit: Audit | None) -> list[str]:
    if audit is None:
        return []
    lines = [f"{loss.place}: {loss.kind} is missing" for loss in audit.proof.losses]
    return [*lines, f"audit: {audit.proof.told}"]


def _refuse_time(request: RunRequest, place: Place) -> None:
    """Refuse a night before the last one that landed, or far ahead of the clock."""
    if request.clock and request.now > add_days(request.clock, 1):
        raise UsageError(
            "now-ahead-of-clock",
            f"--now {request.now} is more than a day ahead of the clock, {request.clock}",
            context=["nothing was changed"],
            hint="leave it out, or propose only: --dry-run",
        )
    if not place.database.exists():
        return
    with open_state(place.database) as state:
        last = state.last_landed_at()
    if last is not None and request.now < last:
        raise UsageError(
            "now-before-last-run",
            f"--now {request.now} is before the last run that landed, {last}",
            context=["nothing was changed"],
            hint="leave it out, or propose only: --dry-run",
        )


def _printed(request: RunRequest, report: Report) -> bytes:
    if request.json:
        return report_to_json(report)
    lines = [] if request.quiet else summary_lines(report)
    return "".join(f"{line}\n" for line in lines).encode("utf-8", "backslashreplace")
