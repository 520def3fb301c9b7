"""What one event of use does to what is known of a memory's use. Pure; no database, no clock."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

from memsleep.core import ReinforceSignal, ewma_step_fp, from_fp, signal_value, to_fp
from memsleep.core.reinforce import REINFORCE_COOLDOWN_S
from memsleep.instants import epoch_seconds
from memsleep.model import Usage
from memsleep.usage import latest

OUTCOME_ALPHA: Final = 0.3


@dataclass(frozen=True, slots=True)
class Reinforced:
    """What a signal changed."""

    usage: Usage
    counted: bool
    """False when the access fell within the cooldown of the last counted one."""


def reinforced(usage: Usage, signal: ReinforceSignal, now: str) -> Reinforced:
    """Return the use of a memory after one access with a signal.

    The cooldown holds back the count and the stamp of the access, never the verdict: whoever reads
    a memory and judges it a minute later has judged it.
    """
    counted = counts_again(usage.last_accessed_at, now)
    value = signal_value(signal)
    changed = usage
    if counted:
        changed = replace(changed, access_count=usage.access_count + 1, last_accessed_at=now)
    if value:
        outcome = ewma_step_fp(to_fp(OUTCOME_ALPHA), to_fp(usage.outcome_score), to_fp(value))
        changed = replace(
            changed,
            outcome_score=from_fp(outcome),
            reinforcement_count=usage.reinforcement_count + (value > 0),
            last_reinforced_at=latest(usage.last_reinforced_at, now),
        )
    if changed is not usage:
        changed = replace(changed, updated_at=latest(usage.updated_at, now))
    return Reinforced(changed, counted)


def counts_again(last: str | None, now: str) -> bool:
    """Return True when an access counts: the first one, or 900 s or more after the last counted.

    Examples
    --------
    >>> counts_again("2026-01-01T00:00:00Z", "2026-01-01T00:15:00Z")
    True
    >>> counts_again("2026-01-01T00:00:00Z", "2026-01-01T00:14:59Z")
    False
    """
    before, after = epoch_seconds(last or ""), epoch_seconds(now)
    return before is None or after is None or after - before >= REINFORCE_COOLDOWN_S


def cited(usage: Usage, now: str) -> Usage:
    """Return the use of a memory after an answer rested on it."""
    return replace(
        usage,
        usage_count=usage.usage_count + 1,
        last_used_at=latest(usage.last_used_at, now),
        updated_at=latest(usage.updated_at, now),
    )


def corrected(usage: Usage, now: str) -> Usage:
    """Return the use of a memory after the user put right an answer that rested on it."""
    return replace(
        usage,
        corrected_count=usage.corrected_count + 1,
        updated_at=latest(usage.updated_at, now),
    )


def net_use(usage: Usage) -> int:
    """Return the citations that stood, never below 0."""
    return max(usage.usage_count - usage.corrected_count, 0)
