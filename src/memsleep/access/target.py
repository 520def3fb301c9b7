"""Which memory of an open corpus somebody means."""

from __future__ import annotations

import posixpath
from pathlib import Path

from memsleep.access.opened import OpenCorpus
from memsleep.errors import UsageError
from memsleep.nearest import NearestNames


def path_named(corpus: OpenCorpus, target: str) -> str:
    """Return the path of the memory that a path, a file, a short id or a file name means.

    Raises
    ------
    UsageError
        `memory-unknown` or `memory-ambiguous`.
    """
    for name in (target.removeprefix("./"), _below(target, corpus.root)):
        if name in corpus.memories:
            return name
    wanted = target.strip("[]").removeprefix("m:")
    found = corpus.paths_by_short_id().get(wanted, [])
    found = found or [path for path, memory_id in corpus.ids().items() if memory_id == target]
    found = found or [path for path in corpus.memories if _stem(path) == _stem(target)]
    if len(found) == 1:
        return found[0]
    if found:
        raise UsageError(
            "memory-ambiguous",
            f"{target!r} could be {len(found)} memories",
            context=sorted(found)[:8],
            hint=f"give the whole path, such as {sorted(found)[0]}",
        )
    names = NearestNames((_stem(path), path) for path in corpus.memories)
    nearest = names.nearest(_stem(target))
    raise UsageError(
        "memory-unknown",
        f"no memory is named {target!r}",
        context=("expected a path below the corpus, a short id, or a file name",),
        hint=f"did you mean {nearest}?" if nearest else None,
    )


def _stem(path: str) -> str:
    return posixpath.splitext(posixpath.basename(path))[0]


def _below(target: str, root: Path) -> str:
    """Return a file's path below the corpus, empty when it lies elsewhere."""
    try:
        return Path(target).resolve().relative_to(root.resolve()).as_posix()
    except (ValueError, OSError):
        return ""
