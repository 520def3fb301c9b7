"""What expires or fades in the next two weeks if nobody uses it."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Literal

from memsleep.core import decay_confidence
from memsleep.instants import add_days
from memsleep.model import Memory, Snapshot
from memsleep.phases.decay import effective_confidence
from memsleep.report.data import Upcoming
from memsleep.report.words import ROWS_SHOWN
from memsleep.safety.exits import title_to_show
from memsleep.settings import Settings

HORIZON_DAYS = 14
Due = tuple[str, str, Literal["expires", "fades"], str]
"""Date, path, what happens, in words."""


def upcoming(snapshot: Snapshot, settings: Settings) -> Iterator[Upcoming]:
    """Yield what is due, the soonest first; those that a page shows have their titles."""
    horizon = add_days(snapshot.now, HORIZON_DAYS)
    active = snapshot.active()
    found = sorted(due for memory in active for due in _due(snapshot, memory, settings, horizon))
    for place, (date, path, what, detail) in enumerate(found):
        title = title_to_show(snapshot.memories[path]) if place < ROWS_SHOWN else ""
        yield Upcoming(path=path, title=title, what=what, date=date, detail=detail)


def _due(snapshot: Snapshot, memory: Memory, settings: Settings, horizon: str) -> Iterator[Due]:
    if memory.valid_until and snapshot.now < memory.valid_until <= horizon:
        yield memory.valid_until[:10], memory.path, "expires", ""
    fading = _fading(snapshot, memory, settings)
    if fading is not None:
        nights, detail = fading
        yield add_days(snapshot.now, nights)[:10], memory.path, "fades", detail


def _fading(snapshot: Snapshot, memory: Memory, settings: Settings) -> tuple[int, str] | None:
    """Return after how many nights a stated confidence falls past the next mark, and which.

    None when it does not soon, or never.
    """
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
    marks = [mark for mark in section.write_at if memory.confidence >= mark]
    for nights, then in enumerate(_to_come(now, section.alpha, section.floor), 1):
        mark = next((mark for mark in marks if mark > then), None)
        if mark is not None:
            return nights, f"confidence falls below {mark:g}"
    return None


@lru_cache(maxsize=16_384)  # more than the grid of confidences has values
def _to_come(confidence: float, alpha: float, floor: float) -> tuple[float, ...]:
    """Return a confidence after 1, 2, ... nights without confirmation, up to the horizon."""
    then = []
    for _ in range(HORIZON_DAYS):
        confidence = decay_confidence(confidence, alpha=alpha, floor=floor)
        then.append(confidence)
    return tuple(then)
