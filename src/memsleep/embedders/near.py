"""Neighbour lists of a night's vectors: taken from the cache, brought up to date, kept again."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

from memsleep.core.near_lists import (
    Contents,
    ListWork,
    Near,
    NearLists,
    updated_lists,
)
from memsleep.embedders.cache import VectorCache
from memsleep.model import Vectors

MOST_NEIGHBORS: Final = 64
"""Longer lists are not kept: they would take more room than the vectors."""
SPARE: Final = 6
"""Entries beyond those that a night asks for: so many partners may go before a list is too short
and its memory is searched anew. A night after a change of 1 % takes one in ten lists one entry."""


@dataclass(frozen=True, slots=True)
class NearVectors:
    """Vectors with their lists, and what that took."""

    vectors: Vectors
    work: ListWork | None = None
    """None where no lists are kept: a floor that lists cannot serve, or too many neighbours."""
    damaged: bool = False
    """True when the cache held lists that are not what was written; they were made anew."""


def with_near(
    vectors: Vectors, floor: float, neighbors: int, cache: VectorCache | None
) -> NearVectors:
    """Return the vectors with neighbour lists that serve a floor and a number of neighbours.

    Parameters
    ----------
    floor : float
        The least that will be asked for.
    neighbors : int
        The most that will be asked for.
    cache : VectorCache or None
        Where earlier nights left their lists, and where these go.
    """
    if not 0 < floor <= 1 or neighbors > MOST_NEIGHBORS or len(vectors.paths) < 2:
        return NearVectors(vectors)
    contents = Contents.of(vectors.array)
    kept = cache.lists(vectors.identity) if cache is not None else None
    old = NearLists.empty() if kept is None else kept.lists
    lists, work = updated_lists(old, contents, floor, neighbors + SPARE, neighbors)
    if cache is not None and cache.keeps and not _same(old, lists):
        cache.keep_lists(vectors.identity, lists)
    near = replace(vectors, near=Near(contents, lists))
    return NearVectors(near, work, damaged=kept is not None and kept.damaged)


def _same(old: NearLists, new: NearLists) -> bool:
    """Return True when there is nothing to write."""
    return old.digests == new.digests and all(
        len(a) == len(b) and bool((a == b).all())
        for a, b in zip(
            (old.partner, old.sim, old.bound, old.start),
            (new.partner, new.sim, new.bound, new.start),
            strict=True,
        )
    )
