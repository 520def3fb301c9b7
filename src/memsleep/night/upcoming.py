"""What expires or fades in the next two weeks if nobody uses it."""

from __future__ import annotations

from collections.abc import Iterator

from memsleep.core import decay_confidence_n
from memsleep.instants import add_days
from memsleep.model import Memory, Snapshot
from memsleep.phases.decay import effective_confidence
from memsleep.report.data import Upcoming
from memsleep.safety.exits import title_to_show
from memsleep.settings import Settings

HORIZON_DAYS = 14


def upcoming(snapshot: Snapshot, settings: Settings) -> Iterator[Upcoming]:
    """Yield what is due, the soonest first."""
    horizon = add_days(snapshot.now, HORIZON_DAYS)
    found: list[Upcoming] = []
    for memory in snapshot.active():
        if memory.valid_until and snapshot.now < memory.valid_until <= horizon:
            found.append(
                Upcoming(
                    path=memory.path,
                    title=title_to_show(memory),
                    what="expires",
                    date=memory.valid_until[:10],
                )
            )
        fading = _fading(snapshot, memory, settings)
        if fading is not None:
            found.append(fading)
    yield from sorted(found, key=lambda item: (item.date, item.path))


def _fading(snapshot: Snapshot, memory: Memory, settings: Settings) -> Upcoming | None:
    """Return when a stated confidence falls past the next mark, None when not soon or never."""
    section = settings.decay
    usage = (snapshot.usage or {}).get(memory.path)
    if (
        section.clock != "nights"
        or snapshot.standing is None
        or memory.pinned
        or memory.type in section.never
        or not memory.states("confidence")
        or (usage is not None and usage.reinforcement_count > 0)
    ):
        return None
    now = effective_confidence(snapshot, memory)

    def passed(nights: int) -> float | None:
        then = decay_confidence_n(now, nights, alpha=section.alpha, floor=section.floor)
        return next((m for m in section.write_at if memory.confidence >= m > then), None)

    if passed(HORIZON_DAYS) is None:
        return None  # it never rises: what is passed stays passed
    for nights in range(1, HORIZON_DAYS + 1):
        mark = passed(nights)
        if mark is not None:
            return Upcoming(
                path=memory.path,
                title=title_to_show(memory),
                what="fades",
                date=add_days(snapshot.now, nights)[:10],
                detail=f"confidence falls below {mark:g}",
            )
    return None
