"""The loss budget: how many memories one night may archive. Merges count apart."""

from __future__ import annotations

import math
from dataclasses import dataclass

from memsleep.instants import days_between
from memsleep.model import Snapshot
from memsleep.nights import same_night
from memsleep.settings import Settings

WEEK_DAYS, MONTH_DAYS = 7, 30


@dataclass(frozen=True, slots=True)
class Allowance:
    """One limit: how many archivings it allows, and how many are spent before tonight's."""

    name: str
    limit: int
    spent: int

    @property
    def left(self) -> int:
        """How many more may go."""
        return max(0, self.limit - self.spent)


def allowances(snapshot: Snapshot, settings: Settings) -> tuple[Allowance, ...]:
    """Return the limits of the night, of 7 and of 30 days; none when the budget is off."""
    section = settings.budget
    if not section.enabled:
        return ()
    active = len(snapshot.active())
    past = snapshot.past_archives

    def spent_in(days: int) -> int:
        ages = (days_between(instant, snapshot.now) for instant in past)
        return sum(age is not None and 0 <= age < days for age in ages)

    tonight = sum(same_night(instant, snapshot.now) for instant in past)
    return (
        Allowance("this night", _limit(section.night_share, active), tonight),
        Allowance("in 7 days", _limit(section.week_share, active), spent_in(WEEK_DAYS)),
        Allowance("in 30 days", _limit(section.month_share, active), spent_in(MONTH_DAYS)),
    )


def _limit(share: float, active: int) -> int:
    """Return floor(share), at least 1: a small corpus must be able to lose something."""
    return max(1, math.floor(share * active + 1e-9))
