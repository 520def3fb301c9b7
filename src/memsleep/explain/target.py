"""Which memory somebody means."""

from __future__ import annotations

import os
import posixpath
import shlex
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
            hint=shlex.join(["memsleep", "explain", known[0]]),
        )
    why = _no_memory(target, corpus, result)
    if why:
        raise UsageError("memory-unknown", f"{target!r} is no memory", context=(why,))
    nearest = NearestNames((_stem(path), path) for path in memories).nearest(_stem(target))
    raise UsageError(
        "memory-unknown",
        f"no memory is named {target!r}",
        context=("expected a path below the corpus, a short id, or the id of a decision",),
        hint=shlex.join(["memsleep", "explain", nearest]) if nearest else None,
    )


def _no_memory(target: str, corpus: Path, result: NightResult) -> str:
    """Say why a file of the corpus is no memory; empty for what is no file of it."""
    start = result.start
    names = (target.removeprefix("./"), _below(target, corpus))
    for file in start.unreadable:
        if file.path in names:
            return f"{file.path}: {file.reason}"
    for name in names:
        if name in start.references:
            return f"{name}: read for its links only"
        if name and name in start.taken:
            return f"{name}: not read as a memory (the report counts what is left out, by cause)"
    return ""


def _stem(path: str) -> str:
    return posixpath.splitext(posixpath.basename(path))[0]


def _below(target: str, corpus: Path) -> str:
    """Return a file's path below the corpus, empty when it lies elsewhere."""
    try:
        return Path(os.path.realpath(target)).relative_to(os.path.realpath(corpus)).as_posix()
    except ValueError:
        return ""
