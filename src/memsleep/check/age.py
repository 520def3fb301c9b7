"""Which of two memories is the older one: the younger bears a finding about both."""

from __future__ import annotations

from memsleep.model import Memory

UNKNOWN_AGE = "9999"  # sorts after every instant


def age_key(memory: Memory) -> tuple[str, str]:
    """Return the key by which memories are ordered from old to young."""
    return memory.created or UNKNOWN_AGE, memory.path
