"""What a killed landing left: rolled forward to the whole, or back to nothing, and said.

Forward when every file is one that the landing knows, as it was or as it shall be. Back when
somebody wrote one of them meanwhile; what they wrote stays.
"""

from __future__ import annotations

import contextlib

from memsleep.counted import counted
from memsleep.errors import UsageError
from memsleep.landing.directory import Settle, Steps, take
from memsleep.landing.journal import Entry, read_journal
from memsleep.landing.place import Place
from memsleep.landing.runs import RunRecord, RunStore
from memsleep.landing.writer import BlockedError, ChangedError, Writer
from memsleep.model import digest_bytes


def recover(place: Place, settle: Settle) -> list[str]:
    """Bring the corpus to a whole state; return what was done, one line each.

    The caller holds the lock, so whoever began is dead.
    """
    said = []
    journal = read_journal(place.journal)
    if journal is not None:
        with Writer(place.corpus) as writer:
            said = _recover(Steps(writer, place, journal), settle)
    return said + _close_killed(place)


def _recover(steps: Steps, settle: Settle) -> list[str]:
    run_id = steps.journal.settlement.run_id
    count = len(steps.journal.entries)
    record = _record(steps.place, run_id)
    if steps.journal.state == "staging":
        steps.unstage()
        return [f"{run_id} was killed before it changed anything: nothing to take back"]
    if steps.journal.state == "committed":
        foreign = [e.path for e in steps.journal.entries if _place_of(steps.writer, e) == "foreign"]
        back = _roll_back if foreign else _roll_forward
        taken_back = back(steps, foreign)
        if taken_back is not None:
            return [f"{run_id} was killed while it landed: rolled back, {taken_back}"]
    settle(steps.journal.settlement)
    late = steps.clean(record)
    new = counted(count, "file is", "files are")
    return [f"{run_id} was killed while it landed: rolled forward, {new} new", *late]


def _place_of(writer: Writer, entry: Entry) -> str:
    """Say where an entry stands: `before`, `after`, or `foreign`."""
    held = writer.staged(entry.path, entry.temp)  # finishes an emulated exchange
    try:
        live = writer.read(entry.path)
    except BlockedError:
        return "foreign"
    digest = None if live is None else digest_bytes(live)
    staged = None if held is None else digest_bytes(held)
    if digest == entry.after:
        return "after"
    return "before" if digest == entry.before and staged == entry.after else "foreign"


def _roll_forward(steps: Steps, _foreign: list[str]) -> str | None:
    """Take the steps that are left; None when all are taken, else how it was rolled back."""
    waiting = [e for e in steps.journal.entries if _place_of(steps.writer, e) == "before"]
    rest = steps.journal.model_copy(update={"entries": tuple(waiting)})
    taken = [entry for entry in steps.journal.entries if entry not in waiting]
    for entry in rest.entries:
        try:
            take(steps.writer, entry)
        except (ChangedError, BlockedError):
            steps.take_back(taken)
            steps.unstage()
            return f"since {entry.path} was being written"
        taken.append(entry)
    steps.finish()
    return None


def _roll_back(steps: Steps, foreign: list[str]) -> str:
    taken = [e for e in steps.journal.entries if _place_of(steps.writer, e) == "after"]
    record = _record(steps.place, steps.journal.settlement.run_id)
    for entry in taken:
        _stage_before(steps.writer, entry, record)
    steps.take_back(taken)
    steps.unstage()
    return f"since somebody wrote {', '.join(foreign)} meanwhile; that stays"


def _stage_before(writer: Writer, entry: Entry, record: RunRecord | None) -> None:
    """Where somebody took the old file from beside the new one, take its bytes from the run."""
    if entry.before is None or record is None or writer.staged(entry.path, entry.temp) is not None:
        return
    kept = record.before(entry.before)
    if kept is not None:
        like = None if entry.after is None else entry.path
        writer.stage(entry.path, entry.temp, kept, like)


def _record(place: Place, run_id: str) -> RunRecord | None:
    with contextlib.suppress(UsageError):
        return RunStore(place).find(run_id) if run_id else None
    return None


def _close_killed(place: Place) -> list[str]:
    """Close the records of runs that say they are running: we hold the lock, so they are dead."""
    said = []
    for record in RunStore(place).records():
        with contextlib.suppress(UsageError):
            if record.status().state == "running":
                record.update(state="killed")
                name = record.run_id
                said.append(f"{name} was killed; resume it: memsleep resume {name}")
    return said
