"""Nights that land: a run, a plan that is applied, a killed run that is resumed."""

from __future__ import annotations

import hashlib
import json
import shlex
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path

from memsleep.errors import MemsleepError, UsageError
from memsleep.fold.archive import run_id
from memsleep.gate.told import GateRefusedError, headline
from memsleep.gitrepo import find_repository
from memsleep.instants import add_days
from memsleep.landing.auditing import Audit, as_document, audit_run
from memsleep.landing.base import folder_source, load_base
from memsleep.landing.branch import branch_sink
from memsleep.landing.directory import Settle
from memsleep.landing.land import Gate, Landed, Landfall
from memsleep.landing.landed import settle_branches
from memsleep.landing.lock import locked
from memsleep.landing.place import Place, place_of, write_whole
from memsleep.landing.recovery import recover
from memsleep.landing.refold import Refolded
from memsleep.landing.rejections import question_of, rejected_decisions
from memsleep.landing.runs import PLAN, RunRecord, RunState, RunStore, Status, free_name
from memsleep.landing.selection import Selection, select
from memsleep.landing.settle import settler
from memsleep.landing.sink import Landing, RunMeta
from memsleep.model import Snapshot
from memsleep.night import propose_night
from memsleep.night.briefing import write_brief
from memsleep.night.gating import NightGate
from memsleep.night.keeping import keep_parses
from memsleep.night.mode import Mode, check_sink, mode_of
from memsleep.night.outputs import artifacts_of, patch_of
from memsleep.night.planning import plan_of
from memsleep.night.queueing import queue_landed
from memsleep.night.reporting import report_of
from memsleep.night.suspecting import remember
from memsleep.plan import Plan, from_json, to_json
from memsleep.report.data import Report
from memsleep.report.json import to_json as report_to_json
from memsleep.report.terminal import summary_lines
from memsleep.request import Outcome, RunRequest
from memsleep.state.network import refuse_network_folder
from memsleep.state.store import Run, open_state
from memsleep.sync.marks import mark_run, untold_runs

AUDIT = "audit.json"
HEARTBEAT = "heartbeat.json"


def real_run(request: RunRequest) -> Outcome:
    """Run one night and land it.

    Raises
    ------
    MemsleepError
        What stands in the way; nothing was changed, or the next start makes it whole.
    """
    with held(request, "memsleep run") as (place, settle, said):
        return _night(request, place, settle, said, name=None)


@contextmanager
def held(request: RunRequest, what: str) -> Iterator[tuple[Place, Settle, list[str]]]:
    """Hold the corpus, with whatever a killed run left made whole."""
    place = place_of(request.corpus, request.state_dir)
    refuse_network_folder(place.folder)
    started = request.clock or request.now
    with locked(place, what=what, started_at=started, break_lock=request.break_lock):
        settle = settler(place, ended_at=started)
        said = recover(place, settle)
        repository = find_repository(request.corpus)
        if repository is not None:
            said += settle_branches(place, repository, now=started)
        yield place, settle, said


def _night(
    request: RunRequest, place: Place, settle: Settle, said: list[str], name: str | None
) -> Outcome:
    _refuse_time(request, place)
    mode, source = mode_of(request.corpus, request.settings)
    check_sink(place, mode)
    store = RunStore(place)
    name = name or free_name(run_id(request.now), store.known, _branch_taken(place, mode))
    record = store.begin(_first_status(request, name, mode))
    with _closing(place, record), tempfile.TemporaryDirectory(prefix="memsleep-") as scratch:
        prepared, result = propose_night(request, Path(scratch), source=source, live=True)
        with open_state(place.database) as state:
            remember(state, prepared, result)
        keep_parses(request, source, Path(scratch), result)
        plan = plan_of(prepared, result, request.settings)
        request.progress.start("landing")
        record.write(PLAN, to_json(plan))
        record.update(
            base_commit=plan.base_commit,
            plan_digest=plan_digest(plan),
            config_digest=plan.config_digest,
            counts=dict(sorted(Counter(d.kind for d in plan.decisions).items())),
        )
        gate = NightGate(request.settings, plan, hint=_way_out(record))
        if mode == "branch" and plan.decisions:  # a merge is what lands it, and asks again
            gate.look(result.start, result.end)
        mark_run(record, request.settings.sync)
        refused: GateRefusedError | None = None
        try:
            landed = _land(place, record, plan, select(plan), mode, settle, result.start, gate=gate)
        except GateRefusedError as error:
            refused = error
            landed = Landed(Landing(kind="nothing"), Refolded((), (), (), result.start, ()), ())
        record = _close(request, place, record, plan, landed, mode, refused=refused is not None)
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
        messages=(*said, *_told(record, landed), *queued, *_proven(proof), *_gated(gate, refused)),
    )
    _finish(request, place, record, failed)
    return replace(outcome, messages=(*outcome.messages, *write_brief(request)))


def _way_out(record: RunRecord) -> str:
    """Return the command by which a person lands what the gate has nothing against."""
    plan = shlex.quote(str(record.folder / PLAN))
    return f"to land the rest yourself: memsleep apply {plan} --reject ID"


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


def _land(
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
        with _closing(place, record):
            base = _observed(request, place, record, plan, mode)
            commit = _head(request, mode)
            record.update(base_commit=commit or "")
            mark_run(record, request.settings.sync)
            landed = _land(place, record, plan, selection, mode, settle, base, commit)
            record = _close(request, place, record, plan, landed, mode)
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
            return _night(again, place, settle, said, name=record.run_id)
        plan = record.plan()
        with open_state(place.database) as state:
            answers = {answer.question for answer in state.rejected()}
        reject = [d.id for d in plan.decisions if question_of(d.kind, d.paths) in answers]
        with _closing(place, record):
            selection = select(plan, reject=reject)
            base = _observed(request, place, record, plan, mode)
            mark_run(record, request.settings.sync)
            gate = NightGate(request.settings, plan, hint=_way_out(record))
            landed = _land(place, record, plan, selection, mode, settle, base, gate=gate)
            record = _close(request, place, record, plan, landed, mode)
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
    name = free_name(plan.run, store.known, _branch_taken(place, mode))
    status = _first_status(replace(request, now=plan.instant), name, mode)
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
    _finish(request, place, record, ())
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
        messages=(*said, *_told(record, landed), *queued, *write_brief(request)),
    )


def _told(record: RunRecord, landed: Landed) -> list[str]:
    """Return what became of a landing, one line each."""
    landing, count = landed.landing, len(landed.folded.landed)
    lines = [f"{r.id}: did not land: {r.reason}" for r in landed.rejected]
    if landing.ref:
        lines.append(f"{count} decisions are on {record.run_id}: memsleep merge {record.run_id}")
    elif landing.kind == "directory":
        lines.append(f"{count} decisions landed: take them back with memsleep undo {record.run_id}")
    else:
        lines.append("no file had to change")
    return [*lines, *landing.messages]


def _close(
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


def _finish(request: RunRequest, place: Place, record: RunRecord, failed: tuple[str, ...]) -> None:
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
def _closing(place: Place, record: RunRecord) -> Iterator[None]:
    """Close the record of a run that fails; one that is killed is closed by the next start."""
    try:
        yield
    except BaseException:
        if not place.journal.exists():
            with suppress(OSError, MemsleepError):
                record.update(state="failed")
        raise


def _first_status(request: RunRequest, name: str, mode: Mode) -> Status:
    return Status(
        run=name,
        state="running",
        now=request.now,
        started_at=request.clock or request.now,
        mode=mode,
    )


def _branch_taken(place: Place, mode: Mode) -> Callable[[str], bool]:
    if mode == "branch":
        return branch_sink(place.corpus).is_taken
    return lambda _name: False


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
