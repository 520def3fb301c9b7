"""Which memory somebody means."""

from __future__ import annotations

import posixpath
from pathlib import Path

from memsleep.errors import UsageError
from memsleep.nearest import NearestNames
from memsleep.night.pipeline import NightResult
from memsleep.state.identity import short_id


def memory_named(target: str, corpus: Path, result: NightResult) -> str:
    """Return the path, at the night's start, of the memory that is meant."""
    memories = result.start.memories
    for name in (target.removeprefix("./"), _below(target, corpus)):
        if name in memories:
            return name
    wanted = target.strip("[]").removeprefix("m:")
    standing = result.start.standing or {}
    ids = {path: standing[path].memory_id if path in standing else path for path in memories}
    found = [path for path, memory_id in ids.items() if short_id(memory_id) == wanted]
    found += [item.proposal.paths[0] for item in result.applied if item.proposal.id == wanted]
    if not found:
        found = [path for path in memories if _stem(path) == _stem(target)]
    known = sorted({path for path in found if path in memories})
    if len(known) == 1:
        return known[0]
    if known:
        raise UsageError(
            "memory-ambiguous",
            f"{target!r} could be {len(known)} memories",
            context=known[:8],
            hint=f"memsleep explain {known[0]}",
        )
    nearest = NearestNames((_stem(path), path) for path in memories).nearest(_stem(target))
    raise UsageError(
        "memory-unknown",
        f"no memory is named {target!r}",
        context=("expected a path below the corpus, a short id, or the id of a decision",),
        hint=f"memsleep explain {nearest}" if nearest else None,
    )


def _stem(path: str) -> str:
    return posixpath.splitext(posixpath.basename(path))[0]


def _below(target: str, corpus: Path) -> str:
    """Return a file's path below the corpus, empty when it lies elsewhere."""
    try:
        return Path(target).resolve().relative_to(corpus.resolve()).as_posix()
    except ValueError:
        return ""
