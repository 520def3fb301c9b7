"""Taking back what a run landed: in the folder, or as a branch where it landed on one."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence

from memsleep.counted import counted
from memsleep.errors import UsageError
from memsleep.gitrepo import find_repository
from memsleep.landing.runs import RunRecord, RunStore
from memsleep.landing.undo import Undone, undo
from memsleep.landing.undo_branch import undo_on_branch
from memsleep.night.briefing import write_brief
from memsleep.night.holding import held
from memsleep.night.queueing import queue_landed
from memsleep.request import Outcome, RunRequest

_ID = re.compile(r"[0-9a-f]{12}\Z")


def undo_run(
    request: RunRequest, name: str | None, ids: Sequence[str], *, with_dependents: bool
) -> Outcome:
    """Take back decisions of a run, all of them without ids.

    Raises
    ------
    MemsleepError
        What stands in the way of all of it; nothing was changed.
    """
    if name is not None and _ID.match(name):
        ids, name = [name, *ids], None
    with held(request, "memsleep undo") as (place, settle, said):
        repository = find_repository(request.corpus)
        record = RunStore(place).find(name) if name else _newest_landed(RunStore(place), ids)
        if record.status().mode == "branch" and repository is not None:
            done = undo_on_branch(
                place, repository, record, ids, with_them=with_dependents, now=request.now
            )
            said += [*done.messages, *queue_landed(request, place)]
            return _outcome(request, record, done.undone, tuple(said))
        undone = undo(place, record, ids, with_them=with_dependents, now=request.now, settle=settle)
        said += queue_landed(request, place)
    said += write_brief(request)
    return _outcome(request, record, undone, tuple(said))


def _outcome(
    request: RunRequest, record: RunRecord, undone: Undone, said: tuple[str, ...]
) -> Outcome:
    return Outcome(
        output=_document(record.run_id, undone) if request.json else b"",
        changes=len(undone.decisions),
        blocked=len(undone.refused),
        messages=(*said, *_told(record.run_id, undone)),
    )


def _newest_landed(store: RunStore, ids: Sequence[str]) -> RunRecord:
    """Return the newest run of which something, or one of the ids, has landed.

    Raises
    ------
    UsageError
        `run-unknown`, or `run-not-landed`, where all of it is taken back already.
    """
    records = store.records()
    for record in reversed(records):
        landed = set(record.status().landed)
        if landed and (not ids or landed.intersection(ids)):
            return record
    if records and not ids:
        raise UsageError(
            "run-not-landed",
            f"no run ({len(records)} known) has anything left to take back",
            context=["nothing was changed"],
            hint="to see how they ended: memsleep status",
        )
    return store.find()


def _told(run_id: str, undone: Undone) -> list[str]:
    lines = [f"{r.id}: stays: {r.reason}" for r in undone.refused]
    one, many = "decision or finding", "decisions and findings"
    return [*lines, f"taken back of {run_id}: {counted(len(undone.decisions), one, many)}"]


def _document(run_id: str, undone: Undone) -> bytes:
    refused = [{"id": r.id, "reason": r.reason, "path": r.path} for r in undone.refused]
    document = {
        "schema_version": 1,
        "run": run_id,
        "undone": list(undone.decisions),
        "refused": refused,
    }
    return json.dumps(document, indent=2).encode("ascii") + b"\n"
