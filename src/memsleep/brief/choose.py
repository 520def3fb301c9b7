"""Which memories stand in a brief, in which order. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from memsleep.core import utility_score
from memsleep.instants import days_between, epoch_seconds
from memsleep.model import Memory, Standing, Usage
from memsleep.phases.decay import effective_confidence_of
from memsleep.phases.reprieve import expired
from memsleep.settings import BriefSettings

NO_USE = Usage()
PROMOTED = 3
PROMOTION_EVIDENCE = 2
PROMOTION_USES = 1
PROMOTION_SESSIONS = 2


@dataclass(frozen=True, slots=True)
class Known:
    """One memory with what is known beside its file."""

    memory: Memory
    memory_id: str
    usage: Usage
    confidence: float
    """Stated, less the decay that has landed."""
    first_seen_at: str | None

    @property
    def utility(self) -> float:
        """How useful it has proved."""
        use = self.usage
        return utility_score(
            self.confidence, use.evidence_count, use.usage_count, use.corrected_count
        )

    def recent(self, now: str, days: int) -> bool:
        """Return True when it was used or updated within so many days; exactly so many is."""
        stamps = [self.memory.updated or self.memory.created or self.first_seen_at]
        if self.usage.last_used_at is not None and self.usage.last_used_at <= now:
            stamps.append(self.usage.last_used_at)
        elapsed = [days_between(stamp, now) for stamp in stamps if stamp is not None]
        return any(passed is not None and passed <= days for passed in elapsed)


def known_memories(
    memories: Mapping[str, Memory], usage: Mapping[str, Usage], standing: Mapping[str, Standing]
) -> list[Known]:
    """Return the memories that are not archived, in the order of their ids."""
    found = []
    for path, memory in memories.items():
        if memory.archived:
            continue
        row = standing.get(path)
        found.append(
            Known(
                memory,
                row.memory_id if row else path,
                usage.get(path, NO_USE),
                effective_confidence_of(memory, row),
                row.first_seen_at if row else None,
            )
        )
    return sorted(found, key=lambda known: known.memory_id)


def visible(memory: Memory, now: str) -> bool:
    """Return True when a memory is active, has begun to hold and has not ceased to."""
    if memory.archived or memory.status != "active" or expired(memory, now):
        return False
    begins, instant = epoch_seconds(memory.valid_from or ""), epoch_seconds(now)
    return begins is None or instant is None or begins <= instant


def pinned(known: list[Known]) -> list[Known]:
    """Return the pinned memories, whatever else is true of them, in the order of their ids."""
    return [each for each in known if each.memory.pinned]


def competing(known: list[Known], now: str, settings: BriefSettings) -> list[Known]:
    """Return what competes for the limited lines, the first to stand there first."""
    able = [
        each
        for each in known
        if not each.memory.pinned and visible(each.memory, now) and each.recent(now, settings.days)
    ]
    return sorted(
        able,
        key=lambda each: (each.memory.type not in settings.first, -each.utility, each.memory_id),
    )


def promotable(able: list[Known], listed: set[str], settings: BriefSettings) -> list[Known]:
    """Return the best candidates to become a skill, of those that compete and are not listed."""
    found = [
        each
        for each in able
        if each.memory_id not in listed and _proved(each) and each.memory.type in settings.promote
    ]
    return sorted(found, key=lambda each: (-each.utility, each.memory_id))


def _proved(known: Known) -> bool:
    use = known.usage
    sessions = {session for session, _ in (*known.memory.source_refs, *use.source_refs)}
    return (
        (use.evidence_count >= PROMOTION_EVIDENCE or use.usage_count >= PROMOTION_USES)
        and len(sessions) >= PROMOTION_SESSIONS
        and use.corrected_count == 0
    )
