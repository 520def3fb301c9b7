"""Reprieve: whether an expiring memory is worth another fortnight."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from memsleep.core.elementary import exp, log1p
from memsleep.core.ieee import at_least, clamp

REPRIEVE_W_IMPORTANCE: Final = 0.4
REPRIEVE_W_ACCESS: Final = 0.3
REPRIEVE_W_OUTCOME: Final = 0.2
REPRIEVE_W_RECENCY: Final = 0.1
SALIENCE_DECAY_RATE: Final = 0.01  # per hour
REPRIEVE_FLOOR: Final = 0.5
MAX_REPRIEVES: Final = 3
REPRIEVE_DAYS: Final = 14
MIN_IMPORTANCE: Final = 1
MAX_IMPORTANCE: Final = 10


@dataclass(frozen=True, slots=True)
class ReprieveInput:
    """What the use of an expiring memory looked like."""

    importance: float  # 1 to 10
    access_count: float  # reads, >= 0
    outcome_score: float  # in [-1, 1]; below 0 counts as 0
    hours_since_access: float  # hours; below 0 counts as 0
    decay_rate: float = SALIENCE_DECAY_RATE  # per hour


def reprieve_score(facts: ReprieveInput) -> float:
    """Return the salience of an expiring memory.

    Parameters
    ----------
    facts : ReprieveInput
        A NaN gives NaN.

    Returns
    -------
    float
        At least 0.04; not bounded by 1, since accesses count by their logarithm.

    Notes
    -----
    0.4 importance/10 + 0.3 ln(1 + accesses) + 0.2 outcome + 0.1 exp(-rate hours).
    Source: spec "Reprieve".

    Examples
    --------
    >>> reprieve_score(ReprieveInput(10, 0, 0, 0))
    0.5
    """
    importance = clamp(facts.importance, MIN_IMPORTANCE, MAX_IMPORTANCE) / MAX_IMPORTANCE
    recency = exp(-facts.decay_rate * at_least(facts.hours_since_access, 0))
    return (
        REPRIEVE_W_IMPORTANCE * importance
        + REPRIEVE_W_ACCESS * log1p(at_least(facts.access_count, 0))
        + REPRIEVE_W_OUTCOME * at_least(facts.outcome_score, 0)
        + REPRIEVE_W_RECENCY * recency
    )


def should_reprieve(
    score: float,
    reprieve_count: float,
    *,
    floor: float = REPRIEVE_FLOOR,
    max_reprieves: float = MAX_REPRIEVES,
) -> bool:
    """Return whether a memory may be kept past its expiry once more.

    Parameters
    ----------
    score : float
        Salience; must reach `floor`.
    reprieve_count : float
        Reprieves so far; must be below `max_reprieves`.
    floor : float, default 0.5
    max_reprieves : float, default 3
        0 forces every expiry.

    Examples
    --------
    >>> should_reprieve(0.5, 2), should_reprieve(0.5, 3), should_reprieve(0.4999, 0)
    (True, False, False)
    """
    return score >= floor and reprieve_count < max_reprieves
