"""What a store's own rules say of its files: sizes and limits, digests that must differ.

Findings only: the fold keeps the same limits when it edits (`fold.limits`).
"""

from __future__ import annotations

from collections.abc import Mapping

from memsleep.corpus.detect import Detections
from memsleep.limits import Limits, over_limit
from memsleep.model import Memory, Problem


def size_findings(
    stores: Detections,
    memories: Mapping[str, Memory],
    files: Mapping[str, bytes],
    limits: Limits,
) -> list[Problem]:
    """Return a finding for each file that is larger than its store's program reads."""
    found = []
    for path, source in sorted(files.items()):
        memory = memories.get(path)
        if memory is not None and (memory.archived or memory.container):
            continue
        reason = over_limit(path, source, stores.of(path).dialect, limits)
        if reason:
            found.append(Problem(path, None, "over-limit", reason))
    return found


def equal_digests(memories: Mapping[str, Memory]) -> list[Problem]:
    """Name the active memories of a memhtml store whose content is equal.

    That program's index has one row a digest: with two of them, its update fails as a whole.
    """
    first: dict[str, str] = {}
    found = []
    for path, memory in sorted(memories.items()):
        if memory.dialect != "memhtml" or memory.archived or memory.type == "task":
            continue
        other = first.setdefault(memory.content_hash, path)
        if other != path:
            message = f"its content equals that of {other}; memhtml cannot index two such files"
            found.append(Problem(path, None, "equal-digest", message))
    return found
