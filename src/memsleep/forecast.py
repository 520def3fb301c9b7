"""What falls below which band when, if nothing is used from now on."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Final, Literal

from memsleep.core import RetentionInput, band_for, decay_confidence_n
from memsleep.instants import add_days, days_between
from memsleep.model import Memory, Snapshot
from memsleep.phases.decay import effective_confidence
from memsleep.phases.triage import protection, retention_facts, score
from memsleep.safety.exits import title_to_show
from memsleep.settings import Settings

MAX_DAYS: Final = 3650
ForecastEvent = Literal["compress", "evict", "expires", "fades"]


@dataclass(frozen=True, slots=True)
class Forecast:
    """One thing that happens to one memory if nobody uses it."""

    path: str
    title: str
    event: ForecastEvent
    """`compress` or `evict`: it falls into that band; `expires`; `fades`: past a mark."""
    day: int
    """Days from now, from 1."""
    date: str
    """UTC date on which it is so for the first time."""
    detail: str = ""
    protected: str = ""
    """Why it would stay all the same; empty when nothing protects it."""


def forecast_of(snapshot: Snapshot, settings: Settings, days: int) -> list[Forecast]:
    """Return what will happen within so many days, the soonest first.

    The snapshot has been through the graph phase: ranks and bridges are held as they are, while
    ages grow and confidence fades by the nights. A memory is named once for each band it falls to.
    """
    found: list[Forecast] = []
    facts = dict(retention_facts(snapshot))
    for memory in snapshot.active():
        if memory.type not in settings.triage.never:
            found.extend(_bands(snapshot, memory, facts[memory.path], settings, days))
        found.extend(_expiry(snapshot, memory, settings, days))
        found.extend(_fading(snapshot, memory, settings, days))
    return sorted(found, key=lambda item: (item.day, item.path, item.event))


def _bands(
    snapshot: Snapshot, memory: Memory, facts: RetentionInput, settings: Settings, days: int
) -> Iterator[Forecast]:
    def band(day: int) -> str:
        later = replace(
            facts,
            age_days=facts.age_days + day,
            confidence=confidence_after(snapshot, memory, settings, day),
        )
        return band_for(score(later, snapshot, settings).value)

    order = ("keep", "compress", "evict")
    now = order.index(band(0))
    for place in range(now + 1, len(order)):
        day = _first_day(lambda day, place=place: order.index(band(day)) >= place, days)  # type: ignore[misc]
        if day is None:
            return
        if order.index(band(day)) != place:
            continue  # it falls through this band into the next
        later = replace(snapshot, now=add_days(snapshot.now, day))
        yield Forecast(
            path=memory.path,
            title=title_to_show(memory),
            event="compress" if place == 1 else "evict",
            day=day,
            date=later.now[:10],
            detail=f"from the band {order[now]}",
            protected=protection(later, memory, settings) or "",
        )


def _first_day(reached: Callable[[int], bool], days: int) -> int | None:
    """Return the first day of 1..days on which it is reached; it stays so from then on."""
    if days < 1 or not reached(days):
        return None
    low, high = 0, days
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if reached(middle) else (middle, high)
    return high


def confidence_after(snapshot: Snapshot, memory: Memory, settings: Settings, day: int) -> float:
    """Return the confidence that a memory will have after so many nights without a use."""
    now = effective_confidence(snapshot, memory)
    if day < 1 or not _fades(snapshot, memory, settings):
        return now
    section = settings.decay
    return decay_confidence_n(now, day, alpha=section.alpha, floor=section.floor)


def _fades(snapshot: Snapshot, memory: Memory, settings: Settings) -> bool:
    usage = (snapshot.usage or {}).get(memory.path)
    reinforced = usage is not None and usage.reinforcement_count > 0
    if memory.type in settings.decay.never or reinforced or memory.pinned:
        return False
    if settings.decay.clock == "runs":
        return True
    return snapshot.standing is not None and memory.states("confidence")


def _expiry(
    snapshot: Snapshot, memory: Memory, settings: Settings, days: int
) -> Iterator[Forecast]:
    left = days_between(snapshot.now, memory.valid_until or "")
    if left is None or not 0 < left <= days or memory.type in settings.reprieve.never:
        return
    day = max(1, math.ceil(left))
    yield Forecast(
        path=memory.path,
        title=title_to_show(memory),
        event="expires",
        day=day,
        date=(memory.valid_until or "")[:10],
        detail=f"reprieved {memory.reprieves} of {settings.reprieve.max_reprieves} times",
        protected="it is pinned" if memory.pinned else "",
    )


def _fading(
    snapshot: Snapshot, memory: Memory, settings: Settings, days: int
) -> Iterator[Forecast]:
    now = effective_confidence(snapshot, memory)
    for mark in settings.decay.write_at:
        if now < mark:
            continue

        def below(day: int, mark: float = mark) -> bool:
            return confidence_after(snapshot, memory, settings, day) < mark

        day = _first_day(below, days)
        if day is not None:
            date = add_days(snapshot.now, day)[:10]
            yield Forecast(
                memory.path,
                title_to_show(memory),
                "fades",
                day,
                date,
                f"confidence falls below {mark:g}",
            )
