"""The salience arm: of what was found, what is used and recent comes first."""

from __future__ import annotations

from memsleep.access.rules import net_use
from memsleep.core.elementary import exp, log1p
from memsleep.instants import days_between
from memsleep.model import Memory, Usage

HALF_LIFE_DAYS = 30.0
_LN2 = 0.6931471805599453
NO_USE = Usage()


def salience(memory: Memory, usage: Usage, now: str) -> float:
    """Return how much a memory stands out now, in [0, 3).

    The sum of three shares below 1: recency (half after 30 days without a touch), use (accesses,
    and citations that stood count three times), and the outcome of its use.
    """
    stamps = [
        stamp
        for stamp in (memory.updated, memory.created, usage.last_accessed_at, usage.last_used_at)
        if stamp is not None and stamp <= now
    ]
    days = days_between(max(stamps), now) if stamps else None
    recent = exp(-_LN2 * max(days, 0.0) / HALF_LIFE_DAYS) if days is not None else 0.0
    used = log1p(usage.access_count + 3 * net_use(usage))
    return recent + used / (1 + used) + (usage.outcome_score + 1) / 2
