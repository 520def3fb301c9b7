"""Which memories stand in a brief, in which order. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from memsleep.core import utility_score
from memsleep.instants import add_days
from memsleep.model import Memory, Standing, Usage
from memsleep.phases.decay import effective_confidence_of
from memsleep.phases.reprieve import expired
from memsleep.search.scopes import is_of
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

    def recent(self, now: str, earliest: str) -> bool:
        """Return True when it was used or updated at or after an instant.

        Instants are compared as text, whose order is theirs in time. A use after `now` is not
        known yet.
        """
        touched = self.memory.updated or self.memory.created or self.first_seen_at
        used = self.usage.last_used_at
        return (touched is not None and touched >= earliest) or (
            used is not None and earliest <= used <= now
        )


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
    if memory.status != "active" or (memory.valid_from is not None and memory.valid_from > now):
        return False
    return not memory.archived and not (memory.valid_until and expired(memory, now))


def pinned(known: list[Known]) -> list[Known]:
    """Return the pinned memories, whatever else is true of them, in the order of their ids."""
    return [each for each in known if each.memory.pinned]


def competing(known: list[Known], now: str, settings: BriefSettings) -> list[Known]:
    """Return what competes for the limited lines, the first to stand there first."""
    earliest = add_days(now, -settings.days)
    able = [
        each
        for each in known
        if not each.memory.pinned and visible(each.memory, now) and each.recent(now, earliest)
    ]
    ranked = [(not is_of(each.memory.type, settings.first), -each.utility, each) for each in able]
    return [item[2] for item in sorted(ranked, key=lambda item: (*item[:2], item[2].memory_id))]


def promotable(able: list[Known], listed: set[str], settings: BriefSettings) -> list[Known]:
    """Return the best candidates to become a skill, of those that compete and are not listed."""
    found = [
        each
        for each in able
        if each.memory_id not in listed
        and _proved(each)
        and is_of(each.memory.type, settings.promote)
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
