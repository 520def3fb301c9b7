"""The vectors of a night and their neighbour lists, from caches where there are any."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from memsleep.core.work import Work, counted
from memsleep.embedders.base import Embedder
from memsleep.embedders.cache import VectorCache
from memsleep.embedders.choose import embedder_named
from memsleep.embedders.near import with_near
from memsleep.embedders.vectors import check_coverage, vectors_for
from memsleep.model import NO_FLOORS, Floors, Memory, Problem, Vectors
from memsleep.phases.pairing import wanted_lists
from memsleep.request import RunRequest
from memsleep.settings import Settings

REFERENCE_FLOORS = Floors(duplicate=0.92, mined=0.85)
NO_CALIBRATED_FLOORS = (
    "the vectors come from a file without calibrated floors: 0.92 and 0.85 are used; "
    "set pairing.duplicate_floor and pairing.mined_floor"
)


@dataclass(frozen=True, slots=True)
class NightVectors:
    """What the night knows of nearness."""

    vectors: Vectors
    floors: Floors
    notes: tuple[str, ...]
    """What the night has to do without."""
    problems: tuple[Problem, ...]
    remarks: tuple[str, ...]
    """For standard error."""


def night_vectors(
    request: RunRequest,
    memories: Mapping[str, Memory],
    scratch: Path,
    cache: VectorCache | None,
) -> NightVectors:
    """Return a vector of each memory that may be paired, with neighbour lists.

    What is made goes to the cache, unless it is a dry run's copy.
    """
    settings = request.settings
    section = settings.embedder
    path = Path(section.path) if section.path else None
    remarks: list[str] = []
    request.progress.start("vectors")
    embedder = embedder_named(section.name, path=path, scratch=scratch)
    floors, notes = _floors(embedder, settings)

    def advance(count: int, total: int) -> None:
        if count:
            request.progress.advance(count)
        else:
            request.progress.start("vectors", total)

    vectors = vectors_for(_wanted(memories, settings), embedder, cache, advance)
    problems = check_coverage(
        vectors, fail_below=section.min_coverage, warn_below=section.warn_coverage
    )
    request.progress.finish()
    if "pairing" in settings.run.phases:
        request.progress.start("neighbours")
        near = with_near(vectors, *wanted_lists(settings, floors), cache)
        vectors = near.vectors
        if near.work is not None:
            counted(Work(results={"lists": {"made": near.work.made, "known": near.work.kept}}))
        if near.damaged:
            remarks.append("the kept neighbour lists are damaged: all pairs are compared anew")
        request.progress.finish()
    return NightVectors(vectors, floors, tuple(notes), problems, tuple(remarks))


def _wanted(memories: Mapping[str, Memory], settings: Settings) -> Sequence[Memory]:
    pairing = settings.pairing
    nobody = set(pairing.never_duplicate) & set(pairing.never_mined)
    return [m for m in memories.values() if not m.archived and m.type not in nobody]


def _floors(embedder: Embedder, settings: Settings) -> tuple[Floors, list[str]]:
    """Return the floors that the embedder's vectors mean something at, and what to say of them."""
    name, pairing = settings.embedder.name, settings.pairing
    if embedder.floors is not None:
        return Floors(embedder.floors.duplicate, embedder.floors.mined), []
    if name == "none":
        return NO_FLOORS, ["no embedder: memories are paired by equal words and slots only"]
    if name != "file":
        return NO_FLOORS, []
    if "embedder" not in {pairing.duplicate_floor, pairing.mined_floor}:
        return REFERENCE_FLOORS, []
    return REFERENCE_FLOORS, [NO_CALIBRATED_FLOORS]
