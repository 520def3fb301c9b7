"""Give expired memories two more weeks, or the archive. Contract: phases/reprieve.md."""

from __future__ import annotations

from collections.abc import Iterator

from memsleep.budget import allowances
from memsleep.core import ReprieveInput, reprieve_score, should_reprieve
from memsleep.instants import add_days, days_between, epoch_seconds
from memsleep.model import Memory, Snapshot, Usage
from memsleep.nights import same_night
from memsleep.phases.triage import first_seen, shield
from memsleep.proposals import Archive, Defer, Proposal, SetField, Spare
from memsleep.settings import Settings

HOURS_PER_DAY = 24


def propose(snapshot: Snapshot, settings: Settings) -> Iterator[Proposal]:
    """Yield what becomes of each expired memory and of each evict verdict."""
    leaving: list[tuple[bool, float, Archive]] = []
    for memory in snapshot.active():
        if memory.type in settings.reprieve.never:
            continue
        due = expired(memory, snapshot.now)
        if not due and memory.path not in snapshot.verdicts:
            continue
        score = _score(snapshot, memory)
        answer = (_expiry if due else _eviction)(snapshot, memory, score, settings)
        if isinstance(answer, Archive):
            leaving.append((answer.cause == "evicted", score, answer))
        elif answer is not None:
            yield answer
    yield from _within_budget(snapshot, leaving, settings)


def expired(memory: Memory, now: str) -> bool:
    """Return True when a memory states an end of validity that has been reached."""
    end = epoch_seconds(memory.valid_until) if memory.valid_until else None
    instant = epoch_seconds(now)
    return end is not None and instant is not None and end <= instant


def _score(snapshot: Snapshot, memory: Memory) -> float:
    usage = (snapshot.usage or {}).get(memory.path, Usage())
    last = usage.last_accessed_at or memory.updated or memory.created
    last = last or first_seen(snapshot, memory)
    days = days_between(last, snapshot.now) if last else 0.0
    return reprieve_score(
        ReprieveInput(
            importance=memory.importance,
            access_count=usage.access_count,
            outcome_score=usage.outcome_score,
            hours_since_access=max(0.0, (days or 0.0) * HOURS_PER_DAY),
        )
    )


def _expiry(
    snapshot: Snapshot, memory: Memory, score: float, settings: Settings
) -> Proposal | None:
    section = settings.reprieve
    evidence = {"score": round(score, 6), "reprieves": memory.reprieves}
    if should_reprieve(
        score, memory.reprieves, floor=section.floor, max_reprieves=section.max_reprieves
    ):
        until = f"{add_days(snapshot.now[:10], section.extra_days)[:10]}T00:00:00Z"
        stamps = (("updated", snapshot.now),) if settings.write.stamp_updated else ()
        return SetField(
            phase="reprieve",
            reason=f"expired, but still of use: {section.extra_days} more days",
            evidence=evidence,
            path=memory.path,
            values=(("valid_until", until), ("reprieves", str(memory.reprieves + 1)), *stamps),
        )
    kept = shield(memory)
    if kept is not None:
        return Defer(
            phase="reprieve",
            reason=f"its validity ended, but {kept}: it stays",
            evidence=evidence,
            path=memory.path,
        )
    used_up = memory.reprieves >= section.max_reprieves
    why = "its reprieves are used up" if used_up else "little use since"
    return Archive(
        phase="reprieve",
        reason=f"its validity ended and {why}",
        evidence=evidence | {"valid until": memory.valid_until or ""},
        path=memory.path,
        cause="expired",
    )


def _eviction(
    snapshot: Snapshot, memory: Memory, score: float, settings: Settings
) -> Proposal | None:
    """Answer an evict verdict: nothing while it is spared, more time, or the archive."""
    standing = (snapshot.standing or {}).get(memory.path)
    if standing and standing.spared_until and standing.spared_until > snapshot.now:
        return None
    evidence = {"score": round(score, 6), "retention": snapshot.verdicts[memory.path].score}
    if score >= settings.reprieve.floor:
        return Spare(
            phase="reprieve",
            reason="little worth keeping, but used or important",
            evidence=evidence,
            path=memory.path,
            until=add_days(snapshot.now, settings.reprieve.extra_days),
        )
    return Archive(
        phase="reprieve",
        reason=snapshot.verdicts[memory.path].reason,
        evidence=evidence,
        path=memory.path,
        cause="evicted",
    )


def _within_budget(
    snapshot: Snapshot, leaving: list[tuple[bool, float, Archive]], settings: Settings
) -> Iterator[Proposal]:
    """Yield archivings up to the budget, stated expiries first, then the least valuable."""
    leaving.sort(key=lambda item: (item[0], _value(snapshot, item), item[2].path))
    limits = allowances(snapshot, settings)
    left = min((limit.left for limit in limits), default=len(leaving))
    tight = min(limits, key=lambda limit: limit.left).name if limits else ""
    gone = snapshot.past_archives + snapshot.past_merges
    if limits and any(same_night(instant, snapshot.now) for instant in gone):
        # What went earlier tonight, merged or not, moved the ranks of the rest: a night asks once.
        left, tight = 0, "this night"
    for place, (_, _, archive) in enumerate(leaving):
        if place < left:
            yield archive
            continue
        yield Defer(
            phase="reprieve",
            reason=f"the loss budget ({tight}) is spent; it waits",
            evidence=archive.evidence,
            path=archive.path,
        )


def _value(snapshot: Snapshot, item: tuple[bool, float, Archive]) -> float:
    """Return the worth by which leaving memories queue: retention where known, else the score."""
    _, score, archive = item
    retention = snapshot.columns.get("retention", {}).get(archive.path)
    return float(retention) if isinstance(retention, float | int) else score
