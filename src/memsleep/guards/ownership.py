"""Guards on what a memory is and whose it is, before what it says."""

from __future__ import annotations

from memsleep.model import Memory


def pinned(a: Memory, b: Memory) -> str | None:
    """Refuse where either side is pinned or protected: a person decided to keep it as it is."""
    if a.pinned or b.pinned:
        return "one of them is pinned"
    if a.protected or b.protected:
        return "one of them is protected"
    return None


def scope(a: Memory, b: Memory) -> str | None:
    """Refuse across scopes (agent, project, workspace, language): copies there are meant."""
    return None if a.scope == b.scope else "they belong to different scopes"


def same_type(a: Memory, b: Memory) -> str | None:
    """Refuse across types: an event is not the rule that was drawn from it."""
    if a.type == b.type:
        return None
    first, second = sorted((a.type, b.type))
    return f"their types differ: {first} and {second}"


def validity(a: Memory, b: Memory) -> str | None:
    """Refuse where the two are valid for different times, or tell of events at different times."""
    if (a.valid_from, a.valid_until) != (b.valid_from, b.valid_until):
        return "they are valid for different times"
    if "episodic" in {a.type, b.type} and a.event_time != b.event_time:
        return "they tell of events at different times"
    return None
