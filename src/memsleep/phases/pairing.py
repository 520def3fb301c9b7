"""Find pairs of memories that lie close together. Contract: phases/pairing.md."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator

import numpy as np
from numpy.typing import NDArray

from memsleep.core import NeighborOptions, cosine, top_neighbor_pairs
from memsleep.guards.tokens import canonical_tokens
from memsleep.guards.wording import slot
from memsleep.model import Edge, Memory, Pair, Snapshot
from memsleep.phases.lexical_join import similar_sets
from memsleep.proposals import Proposal, SetPairs
from memsleep.settings import Settings
from memsleep.text import content_key, gist_words

ROWS_PER_MEMORY = 4
LARGEST_FRAME = 8
LEXICAL_FLOOR = 0.74


def propose(snapshot: Snapshot, settings: Settings) -> Iterator[Proposal]:
    """Yield one `SetPairs`: duplicate candidates and mined edges."""
    section = settings.pairing
    active = snapshot.active()
    duplicable = [m for m in active if m.type not in section.never_duplicate]
    minable = [m for m in active if m.type not in section.never_mined]
    vector_pairs = _vector_pairs(
        snapshot,
        duplicable,
        _floor(section.duplicate_floor, snapshot, "duplicate"),
        section.duplicate_neighbors,
        section.duplicate_rows,
    )
    edges = _vector_pairs(
        snapshot,
        minable,
        _floor(section.mined_floor, snapshot, "mined"),
        section.mined_neighbors,
        section.mined_rows,
    )
    yield SetPairs(
        phase="pairing",
        reason="memories whose vectors, contents, words or slots are close",
        evidence={"memories": len(active)},
        candidates=_candidates(snapshot, duplicable, vector_pairs, settings),
        mined=_mined(edges, undirected=section.undirected),
    )


def _floor(setting: float | str, snapshot: Snapshot, which: str) -> float:
    if isinstance(setting, str):
        floors = snapshot.floors
        return floors.duplicate if which == "duplicate" else floors.mined
    return float(setting)


def _rows(snapshot: Snapshot, memories: Iterable[Memory]) -> tuple[list[str], NDArray[np.float32]]:
    position = snapshot.vectors.position
    paths = [memory.path for memory in memories if memory.path in position]
    return paths, snapshot.vectors.array[[position[path] for path in paths]]


def _vector_pairs(
    snapshot: Snapshot, memories: list[Memory], floor: float, neighbors: int, rows: int
) -> list[tuple[str, str, float]]:
    paths, array = _rows(snapshot, memories)
    if len(paths) < 2:
        return []
    limit = rows or ROWS_PER_MEMORY * len(paths)
    options = NeighborOptions(floor=floor, per_source_k=neighbors, limit=limit)
    return [(pair.src, pair.dst, pair.sim) for pair in top_neighbor_pairs(paths, array, options)]


def _mined(rows: list[tuple[str, str, float]], *, undirected: bool) -> tuple[Edge, ...]:
    if not undirected:
        return tuple(Edge(a, b, "relates_to", _strength(sim), mined=True) for a, b, sim in rows)
    once = {(min(a, b), max(a, b)): sim for a, b, sim in rows}
    return tuple(
        Edge(a, b, "relates_to", _strength(sim), mined=True) for (a, b), sim in once.items()
    )


def _strength(similarity: float) -> float:
    return min(1.0, max(0.0, similarity))


def _candidates(
    snapshot: Snapshot,
    memories: list[Memory],
    vector_pairs: list[tuple[str, str, float]],
    settings: Settings,
) -> tuple[Pair, ...]:
    """Return each unordered pair once: equal contents, then by similarity as it was found."""
    section = settings.pairing
    found: dict[tuple[str, str], tuple[float | None, str]] = {}
    if section.content:
        for a, b in _equal_pairs(memories, content_key):
            found.setdefault((a, b), (1.0, "content"))
    for a, b, sim in vector_pairs:
        found.setdefault((min(a, b), max(a, b)), (sim, "vector"))
    if section.lexical:
        for a, b in _equal_pairs(memories, lambda memory: " ".join(canonical_tokens(memory.body))):
            found.setdefault((a, b), (None, "lexical"))
        for a, b in similar_sets({m.path: gist_words(m.gist) for m in memories}, LEXICAL_FLOOR):
            found.setdefault((a, b), (None, "lexical"))
    if section.frame:
        for a, b in _frame_pairs(memories):
            found.setdefault((a, b), (None, "frame"))
    measured = [
        Pair(a, b, _similarity(snapshot, a, b) if sim is None else sim, origin)
        for (a, b), (sim, origin) in found.items()
    ]
    if not (section.content or section.lexical or section.frame):
        return tuple(measured)  # vectors alone: in the order of each pair's first directed row
    measured.sort(key=lambda p: (p.origin != "content", -p.similarity, p.source, p.target))
    return tuple(measured)


def _similarity(snapshot: Snapshot, a: str, b: str) -> float:
    position = snapshot.vectors.position
    if a in position and b in position:
        array = snapshot.vectors.array
        return cosine(array[position[a]], array[position[b]])
    left, right = gist_words(snapshot.memories[a].gist), gist_words(snapshot.memories[b].gist)
    union = len(left | right)
    return len(left & right) / union if union else 0.0


def _equal_pairs(
    memories: list[Memory], key_of: Callable[[Memory], str]
) -> Iterator[tuple[str, str]]:
    """Pair memories of equal key; in a large group only the first few are paired with all."""
    groups: dict[str, list[str]] = defaultdict(list)
    for memory in memories:
        key = key_of(memory)
        if key:
            groups[key].append(memory.path)
    for paths in groups.values():
        for index, first in enumerate(paths[:LARGEST_FRAME]):
            for second in paths[index + 1 :]:
                yield min(first, second), max(first, second)


def _frame_pairs(memories: list[Memory]) -> Iterator[tuple[str, str]]:
    """Pair claims that fill the same slot; large groups pair neighbours in path order only."""
    groups: dict[str, list[str]] = defaultdict(list)
    for memory in memories:
        found = slot(memory.gist)
        if found is not None:
            groups[found[0]].append(memory.path)
    for paths in groups.values():
        reach = len(paths) if len(paths) <= LARGEST_FRAME else 2
        for index, first in enumerate(paths):
            for second in paths[index + 1 : index + reach]:
                yield min(first, second), max(first, second)
