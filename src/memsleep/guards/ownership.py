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
    return None if a.type == b.type else f"their types differ: {a.type} and {b.type}"


def validity(a: Memory, b: Memory) -> str | None:
    """Refuse where the two are valid for different times."""
    if (a.valid_from, a.valid_until) == (b.valid_from, b.valid_until):
        return None
    return "they are valid for different times"
