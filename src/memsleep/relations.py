"""The relations that a link may state, in their classes."""

from __future__ import annotations

MEMORY_RELATIONS = frozenset(
    {
        "supersedes",
        "contradicts",
        "caused_by",
        "leads_to",
        "part_of",
        "relates_to",
        "example_of",
        "supports",
        "laterally_related",
    }
)
"""Relations between memories: only these make edges of the graph."""
