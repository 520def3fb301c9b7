"""What would move a memory to another band: the least change of one fact at a time."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from pydantic import BaseModel, ConfigDict

from memsleep.core import RetentionInput, band_for
from memsleep.model import Snapshot
from memsleep.phases.triage import score
from memsleep.settings import Settings

HORIZON_DAYS = 3650
MAX_COUNT = 100


class Lever(BaseModel):
    """One fact, what it would have to be, and the band that follows."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    what: str
    value: float
    band: str


def levers(facts: RetentionInput, snapshot: Snapshot, settings: Settings) -> Iterator[Lever]:
    """Yield the least accesses, supports, confidence or age that changes the band by itself."""

    def band(changed: RetentionInput) -> str:
        return band_for(score(changed, snapshot, settings).value)

    now = band(facts)
    tries: dict[str, list[tuple[float, RetentionInput]]] = {
        "accesses": [
            (n, replace(facts, access_count=n))
            for n in range(int(facts.access_count) + 1, int(facts.access_count) + MAX_COUNT)
        ],
        "inbound supports": [
            (n, replace(facts, reinforcement_count=n))
            for n in range(int(facts.reinforcement_count) + 1, MAX_COUNT)
        ],
        "confidence": [
            (n / 100, replace(facts, confidence=n / 100))
            for n in range(int(facts.confidence * 100) + 1, 101)
        ],
    }
    for what, changed in tries.items():
        crossing = next(((n, band(f)) for n, f in changed if band(f) != now), None)
        if crossing is not None:
            yield Lever(what=what, value=crossing[0], band=crossing[1])
    yield from _by_age(facts, now, band)


def _by_age(
    facts: RetentionInput, now: str, band_of: Callable[[RetentionInput], str]
) -> Iterator[Lever]:
    """Yield the first day, if nothing else happens, on which the band is another one.

    Retention only falls with age, so the day is found by halving.
    """
    if band_of(replace(facts, age_days=facts.age_days + HORIZON_DAYS)) == now:
        return
    low, high = 0, HORIZON_DAYS
    while high - low > 1:
        middle = (low + high) // 2
        same = band_of(replace(facts, age_days=facts.age_days + middle)) == now
        low, high = (middle, high) if same else (low, middle)
    after = band_of(replace(facts, age_days=facts.age_days + high))
    yield Lever(what="days from now without a change", value=high, band=after)
