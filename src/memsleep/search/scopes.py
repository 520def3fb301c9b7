"""Which memories a question is about."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from memsleep.core.keywords import SEARCHABLE_STATUSES
from memsleep.instants import epoch_seconds, parse_instant
from memsleep.model import Memory
from memsleep.readers.markdown_values import parse_type


@dataclass(frozen=True, slots=True, kw_only=True)
class Scopes:
    """Conditions that all must hold; of several values of one kind any one suffices."""

    types: tuple[str, ...] = ()
    """As files name them: `insight` and `agent_insight` are one."""
    tags: tuple[str, ...] = ()
    entities: tuple[str, ...] = ()
    scopes: tuple[str, ...] = ()
    as_of: str | None = None
    """Instant or date at which it must have held; archived memories take part then."""
    include_archived: bool = False

    def __post_init__(self) -> None:
        """Refuse an instant that is none, which would leave the condition out unsaid."""
        if self.as_of is not None:
            parsed = parse_instant(self.as_of, option="--as-of")
            object.__setattr__(self, "as_of", parsed)

    @property
    def narrow(self) -> bool:
        """True when any condition is set."""
        return bool(self.types or self.tags or self.entities or self.scopes or self.as_of)

    def admits(self, memory: Memory) -> bool:
        """Return True when a memory is among those that were asked for."""
        if self.as_of is not None:
            if not held_at(memory, self.as_of):
                return False
        elif memory.archived:
            if not self.include_archived:
                return False
        elif memory.status not in SEARCHABLE_STATUSES:
            return False
        return (
            (not self.types or is_of(memory.type, self.types))
            and _any(self.tags, memory.tags)
            and _any(self.entities, memory.entities)
            and _any(self.scopes, (memory.scope,))
        )


def is_of(type_name: str, wanted: tuple[str, ...]) -> bool:
    """Return True when a type is one of those wanted, by whichever of its names and in any case."""
    return _canonical(type_name) in {_canonical(name) for name in wanted}


@lru_cache(maxsize=1024)
def _canonical(type_name: str) -> str:
    return parse_type(type_name).casefold()


def held_at(memory: Memory, instant: str) -> bool:
    """Return True when a memory had begun to hold and had not yet ceased to.

    It begins with `valid_from`, else with its event, else with its creation; one that says none
    of these always held. It ceases at `valid_until`.
    """
    wanted = epoch_seconds(instant) or 0
    begun = epoch_seconds(memory.valid_from or memory.event_time or memory.created or "")
    ended = epoch_seconds(memory.valid_until or "")
    return (begun is None or begun <= wanted) and (ended is None or ended > wanted)


def _any(wanted: tuple[str, ...], found: tuple[str, ...]) -> bool:
    if not wanted:
        return True
    names = {name.casefold() for name in found}
    return any(name.casefold() in names for name in wanted)
