"""Find pairs of memories that lie close together. Contract: phases/pairing.md."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping

from memsleep.core import NeighborOptions, cosine, top_neighbor_pairs
from memsleep.core.lexical_join import similar_sets
from memsleep.core.list_pairs import list_pairs
from memsleep.model import Edge, Floors, Memory, Pair, Snapshot
from memsleep.phases.recall import Facts, claims_of, contents_of
from memsleep.proposals import Proposal, SetPairs
from memsleep.settings import Settings
from memsleep.text import gist_words

ROWS_PER_MEMORY = 4
LARGEST_FRAME = 8
LEXICAL_FLOOR = 0.74


def propose(snapshot: Snapshot, settings: Settings) -> Iterator[Proposal]:
    """Yield one `SetPairs`: duplicate candidates and mined edges."""
    section = settings.pairing
    active = snapshot.active()
    duplicable = [m for m in active if m.type not in section.never_duplicate]
    if section.content:  # what says nothing repeats nothing, whatever its file is called
        duplicable = [m for m in duplicable if m.body.strip()]
    minable = [m for m in active if m.type not in section.never_mined]
    vector_pairs = _vector_pairs(
        snapshot,
        duplicable,
        _floor(section.duplicate_floor, snapshot.floors, "duplicate"),
        section.duplicate_neighbors,
        section.duplicate_rows,
    )
    edges = _vector_pairs(
        snapshot,
        minable,
        _floor(section.mined_floor, snapshot.floors, "mined"),
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


def _floor(setting: float | str, floors: Floors, which: str) -> float:
    if isinstance(setting, str):
        return floors.duplicate if which == "duplicate" else floors.mined
    return float(setting)


def _vector_pairs(
    snapshot: Snapshot, memories: list[Memory], floor: float, neighbors: int, rows: int
) -> list[tuple[str, str, float]]:
    position = snapshot.vectors.position
    paths = [memory.path for memory in memories if memory.path in position]
    if len(paths) < 2:
        return []
    places = [position[path] for path in paths]
    limit = rows or ROWS_PER_MEMORY * len(paths)
    options = NeighborOptions(floor=floor, per_source_k=neighbors, limit=limit)
    near = snapshot.vectors.near
    if near is not None and floor > 0:
        return list_pairs(near.lists, near.contents, places, paths, options)
    array = snapshot.vectors.array[places]
    return [(pair.src, pair.dst, pair.sim) for pair in top_neighbor_pairs(paths, array, options)]


def wanted_lists(settings: Settings, floors: Floors) -> tuple[float, int]:
    """Return the least floor and the most neighbours that the phase will ask for."""
    section = settings.pairing
    asked = (_floor(section.duplicate_floor, floors, "duplicate"), section.duplicate_neighbors)
    mined = (_floor(section.mined_floor, floors, "mined"), section.mined_neighbors)
    return min(asked[0], mined[0]), max(asked[1], mined[1])


def _mined(rows: list[tuple[str, str, float]], *, undirected: bool) -> tuple[Edge, ...]:
    """Return the rows as edges; undirected, each pair once, from the smaller path."""
    if undirected:
        once = {(a, b) if a < b else (b, a): sim for a, b, sim in rows}
        rows = [(a, b, sim) for (a, b), sim in once.items()]
    return tuple(
        [Edge(a, b, "relates_to", min(1.0, max(0.0, sim)), mined=True) for a, b, sim in rows]
    )


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
        for a, b in _equal_contents(contents_of(memories, snapshot.known)):
            found.setdefault((a, b), (1.0, "content"))
    for a, b, sim in vector_pairs:
        found.setdefault((min(a, b), max(a, b)), (sim, "vector"))
    by_words = section.lexical or section.frame
    claims = claims_of(memories, snapshot.known) if by_words else {}
    for claims_pair, origin, wanted in (
        (_agreeing_claims, "lexical", section.lexical),
        (_overlapping_claims, "lexical", section.lexical),
        (_frame_pairs, "frame", section.frame),
    ):
        for a, b in claims_pair(claims) if wanted else ():
            found.setdefault((a, b), (None, origin))
    measured = [
        Pair(a, b, similarity(snapshot, a, b) if sim is None else sim, origin)
        for (a, b), (sim, origin) in found.items()
    ]
    if not (section.content or by_words):
        return tuple(measured)  # vectors alone: in the order of each pair's first directed row
    measured.sort(key=lambda p: (p.origin != "content", -p.similarity, p.source, p.target))
    return tuple(measured)


def similarity(snapshot: Snapshot, a: str, b: str) -> float:
    """Return the cosine of two memories, or the overlap of their claims where one has no vector."""
    position = snapshot.vectors.position
    if a in position and b in position:
        array = snapshot.vectors.array
        return cosine(array[position[a]], array[position[b]])
    left, right = gist_words(snapshot.memories[a].gist), gist_words(snapshot.memories[b].gist)
    union = len(left | right)
    return len(left & right) / union if union else 0.0


def _equal_contents(contents: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Pair memories that say the same; what says nothing repeats nothing."""
    groups: dict[str, list[str]] = defaultdict(list)
    for path, content in contents.items():
        if content:
            groups[content].append(path)
    yield from _group_pairs(groups.values())


def _group_pairs(groups: Iterable[list[str]]) -> Iterator[tuple[str, str]]:
    """Pair the members of each group; in a large one only the first few are paired with all."""
    for paths in groups:
        for index, first in enumerate(paths[:LARGEST_FRAME]):
            for second in paths[index + 1 :]:
                yield min(first, second), max(first, second)


def _overlapping_claims(claims: Mapping[str, Facts]) -> Iterator[tuple[str, str]]:
    """Pair claims whose word sets overlap; those of equal sets are one group."""
    groups: dict[str, list[str]] = defaultdict(list)
    for path, found in claims.items():
        if found.words:
            groups[found.words].append(path)
    yield from _group_pairs(groups.values())
    members = {paths[0]: paths for paths in groups.values()}
    sets = {paths[0]: frozenset(words.split(" ")) for words, paths in groups.items()}
    for first, second in similar_sets(sets, LEXICAL_FLOOR, most=LARGEST_FRAME):
        for a in members[first][:LARGEST_FRAME]:
            for b in members[second][:LARGEST_FRAME]:
                yield min(a, b), max(a, b)


def _agreeing_claims(claims: Mapping[str, Facts]) -> Iterator[tuple[str, str]]:
    """Pair claims of equal words, and claims with those that they extend by a clause.

    The guards on wording let no other pair pass: what may merge is found here, whatever the
    embedder makes of it and however the night before changed the texts.
    """
    groups: dict[str, list[str]] = defaultdict(list)
    for path, found in claims.items():
        if found.heads:
            groups[found.heads[-1]].append(path)
    yield from _group_pairs(groups.values())
    for path, found in claims.items():
        for shorter in found.heads[:-1]:
            for other in groups.get(shorter, ())[:LARGEST_FRAME]:
                yield min(path, other), max(path, other)


def _frame_pairs(claims: Mapping[str, Facts]) -> Iterator[tuple[str, str]]:
    """Pair claims that fill the same slot; large groups pair neighbours in path order only."""
    groups: dict[str, list[str]] = defaultdict(list)
    for path, found in claims.items():
        if found.frame:
            groups[found.frame].append(path)
    for paths in groups.values():
        reach = len(paths) if len(paths) <= LARGEST_FRAME else 2
        for index, first in enumerate(paths):
            for second in paths[index + 1 : index + reach]:
                yield min(first, second), max(first, second)
