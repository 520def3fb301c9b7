"""How a corpus is doing: its last nights, what waits, what is stuck. Nothing is changed."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass

from memsleep.counted import counted
from memsleep.errors import UsageError
from memsleep.gitrepo import Repository, history
from memsleep.instants import days_between
from memsleep.landing.branch import PREFIX
from memsleep.landing.landed import judge
from memsleep.landing.lock import is_held
from memsleep.landing.pending_undo import pending_undos
from memsleep.landing.place import Place
from memsleep.landing.runs import RunRecord, RunStore, Status

STUCK_HOURS = 20
_SUCCEEDED = ("nothing", "landed", "branch", "merged", "discarded", "undone")
_AGE = re.compile(r"(\d{1,6})([smhd])\Z", re.ASCII)
_SECONDS = {"s": 1, "m": 60, "h": 3600, "d": 86400}


@dataclass(frozen=True, slots=True)
class Waiting:
    """A branch that nobody has merged."""

    run: str
    decisions: int
    landed: int
    """How many of them are in HEAD all the same."""
    evidence: str


@dataclass(frozen=True, slots=True)
class Condition:
    """What `memsleep status` tells."""

    last: Status | None
    """The newest run."""
    last_success: str | None
    """When the newest successful run ended."""
    age_seconds: int | None
    runs: int
    waiting: tuple[Waiting, ...]
    troubles: tuple[str, ...]
    """One line each; any of them makes the command exit 1."""


def seconds_of(text: str) -> int:
    """Return a span such as `26h` in seconds.

    Raises
    ------
    UsageError
        `bad-age`.

    Examples
    --------
    >>> seconds_of("26h"), seconds_of("2d")
    (93600, 172800)
    """
    match = _AGE.match(text)
    if match is None:
        raise UsageError(
            "bad-age",
            f"expected an age such as 26h, 90m or 2d, found {text[:20]!r}",
            hint="pass --max-age 26h",
        )
    return int(match[1]) * _SECONDS[match[2]]


def condition_of(
    place: Place, repository: Repository | None, *, now: str, max_age: int | None
) -> Condition:
    """Look at the records of a corpus, and at its branches."""
    found = list(_statuses(place))
    statuses = [status for _, status in found]
    ended = [s.ended_at for s in statuses if s.state in _SUCCEEDED and s.ended_at]
    last_success = max(ended, default=None)
    days = None if last_success is None else days_between(last_success, now)
    age = None if days is None else round(days * 86400)
    troubles = [*_too_old(age, max_age), *_stuck(place, found, now), *_unreadable(place)]
    if _is_half_landed(place):
        troubles.append("a landing was killed half way; the next command makes it whole")
    if statuses and statuses[-1].state in ("failed", "killed"):
        troubles.append(f"{statuses[-1].run}: {statuses[-1].state}")
    if statuses and statuses[-1].state == "refused":
        troubles.append(f"{statuses[-1].run}: the gate refused it, and nothing landed")
    waiting = () if repository is None else tuple(_waiting(repository, found))
    last = statuses[-1] if statuses else None
    return Condition(last, last_success, age, len(statuses), waiting, tuple(troubles))


def _statuses(place: Place) -> Iterator[tuple[RunRecord, Status]]:
    for record in RunStore(place).records():
        with suppress(UsageError):
            yield record, record.status()


def _unreadable(place: Place) -> Iterator[str]:
    for record in RunStore(place).records():
        try:
            record.status()
        except UsageError as error:
            if record.folder.exists():  # else a night took it away since the names were read
                yield f"{record.run_id}: {error.message}"


def _too_old(age: int | None, max_age: int | None) -> Iterator[str]:
    if max_age is None:
        return
    if age is None:
        yield "no run has ever succeeded here"
    elif age > max_age:
        yield f"the last successful run ended {_told(age)} ago, more than {_told(max_age)}"


def _stuck(place: Place, found: list[tuple[RunRecord, Status]], now: str) -> Iterator[str]:
    """Give the runs that say they are running and are dead, or have been at it for too long."""
    for record, status in found:
        if status.state != "running":
            continue
        if not is_held(place):
            if _is_still_running(record):
                yield f"{status.run}: started {status.started_at}, and its process is gone"
            continue
        days = days_between(status.started_at, now)
        if days is not None and days * 24 > STUCK_HOURS:
            yield f"{status.run}: running for more than {STUCK_HOURS} hours"


def _is_still_running(record: RunRecord) -> bool:
    """Ask again what a record says: the run may have ended since, and let go of the corpus."""
    with suppress(UsageError):
        return record.status().state == "running"
    return False


def _is_half_landed(place: Place) -> bool:
    """Return True when a journal is left; one that goes away while we look was no dead one's."""
    return place.journal.exists() and not is_held(place) and place.journal.exists()


def _waiting(repository: Repository, found: list[tuple[RunRecord, Status]]) -> Iterator[Waiting]:
    shallow = history.is_shallow(repository)
    for record, status in found:
        yield from _waiting_undos(repository, record)
        if status.state != "branch":
            continue
        with suppress(UsageError):
            verdict = judge(repository, record.plan(), status)
            evidence = "not merged"
            if verdict.complete:
                evidence = "it has landed; the next run notes it"
            elif verdict.landed:
                evidence = "its results are partly in HEAD"
            elif verdict.gone:
                evidence = "its branch is gone; the next run forgets it"
            if shallow and not verdict.complete:
                evidence += " (a shallow clone: older commits are not known)"
            yield Waiting(status.run, len(status.landed), len(verdict.landed), evidence)


def _waiting_undos(repository: Repository, record: RunRecord) -> Iterator[Waiting]:
    for pending in pending_undos(record):
        there = history.resolve_commit(repository, pending.ref) is not None
        evidence = "not merged" if there else "its branch is gone; the next run forgets it"
        yield Waiting(pending.ref.removeprefix(PREFIX), len(pending.decisions), 0, evidence)


def _told(seconds: int) -> str:
    """Return a span in its largest unit.

    Examples
    --------
    >>> _told(93600), _told(172800), _told(90)
    ('26 h', '2 d', '90 s')
    """
    if seconds >= 172800:
        return f"{seconds // 86400} d"
    if seconds >= 7200:
        return f"{seconds // 3600} h"
    return f"{seconds // 60} min" if seconds >= 120 else f"{seconds} s"


def as_document(condition: Condition) -> dict[str, object]:
    """Return the condition as the JSON document of `memsleep status --json`."""
    last = condition.last
    return {
        "schema_version": 1,
        "last_run": None
        if last is None
        else {
            "run": last.run,
            "state": last.state,
            "started_at": last.started_at,
            "ended_at": last.ended_at,
            "landed": len(last.landed),
            "rejected": len(last.rejected),
        },
        "last_success": condition.last_success,
        "age_seconds": condition.age_seconds,
        "runs": condition.runs,
        "waiting": [
            {"run": w.run, "decisions": w.decisions, "landed": w.landed, "evidence": w.evidence}
            for w in condition.waiting
        ],
        "troubles": list(condition.troubles),
    }


def as_lines(condition: Condition) -> list[str]:
    """Return the condition for a person."""
    last = condition.last
    if last is None:
        lines = ["no run yet"]
    else:
        count = counted(len(last.landed), "decision or finding", "decisions and findings")
        lines = [f"last run: {last.run}, {last.state}, {count}"]
    if condition.age_seconds is not None:
        lines.append(f"last success: {condition.last_success}, {_told(condition.age_seconds)} ago")
    lines.append(f"runs kept: {condition.runs}")
    for w in condition.waiting:
        lines.append(f"waiting: {w.run}, {counted(w.decisions, 'decision')}: {w.evidence}")
    return lines + [f"trouble: {line}" for line in condition.troubles]
