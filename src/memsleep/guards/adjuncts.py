"""What may stand at the front of a sentence or at its end without saying another thing."""

from __future__ import annotations

from memsleep.guards.claims import Form


def turned(front: Form, end: Form, fronting: frozenset[str]) -> bool:
    """Return True when `end` has at its end the adjunct with which `front` begins."""
    if not front or front[0] not in fronting or len(front) != len(end):
        return False
    first = front[0]
    for size in range(1, len(front) - 1):
        if end[-size] == first and end[-size:] == front[:size]:
            return end[:-size] == front[size:]
    return False


def is_adverb(token: str) -> bool:
    """Return True for an adverb that may stand before or behind its verb."""
    return token.endswith("ly") or token in {"always", "never", "often", "seldom", "usually"}
