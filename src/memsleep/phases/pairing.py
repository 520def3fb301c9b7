"""Find pairs of memories that lie close together. Contract: phases/pairing.md."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Container, Iterable, Iterator, Sequence
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from memsleep.core import NeighborOptions, NeighborPair, cosine, top_neighbor_pairs
from memsleep.core.lexical_join import similar_sets
from memsleep.core.list_pairs import list_rows
from memsleep.model import Edge, Floors, Memory, Pair, Snapshot
from memsleep.phases.recall import Facts, facts_of
from memsleep.proposals import Proposal, SetPairs
from memsleep.settings import Settings
from memsleep.text import gist_words

FactsByPath: TypeAlias = Sequence[tuple[str, Facts]]
ROWS_PER_MEMORY = 4
LARGEST_FRAME = 8
LEXICAL_FLOOR = 0.74


def propose(snapshot: Snapshot, settings: Settings) -> Iterator[Proposal]:
    """Yield one `SetPairs`: duplicate candidates and mined edges."""
    section = settings.pairing
    active = snapshot.active()
    repeatable = duplicable(snapshot, settings)
    minable = [m for m in active if m.type not in section.never_mined]
    vector_pairs = _vector_pairs(
        snapshot,
        repeatable,
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
        candidates=_candidates(snapshot, repeatable, vector_pairs, settings),
        mined=_mined(edges, undirected=section.undirected),
    )


def duplicable(snapshot: Snapshot, settings: Settings) -> list[Memory]:
    """Return the memories that may be duplicates, in path order."""
    section = settings.pairing
    found = [m for m in snapshot.active() if m.type not in section.never_duplicate]
    if section.content:  # what says nothing repeats nothing, whatever its file is called
        found = [m for m in found if m.body.strip()]
    return found


def asks_words(settings: Settings) -> bool:
    """Return True where pairs are looked for by contents, words or slots as well."""
    section = settings.pairing
    return section.content or section.lexical or section.frame


def _floor(setting: float | str, floors: Floors, which: str) -> float:
    if isinstance(setting, str):
        return floors.duplicate if which == "duplicate" else floors.mined
    return float(setting)


class _Rows(NamedTuple):
    """Directed pairs, as places in a list of paths."""

    paths: list[str]
    src: NDArray[np.int64]
    dst: NDArray[np.int64]
    sim: NDArray[np.float64]

    def each(self) -> Iterator[tuple[str, str, float]]:
        """Yield (source, target, similarity)."""
        names = self.paths.__getitem__
        sources, targets = map(names, self.src.tolist()), map(names, self.dst.tolist())
        return zip(sources, targets, self.sim.tolist(), strict=True)

    def once(self) -> _Rows:
        """Return the first row of each unordered pair, from the smaller path; both say the same."""
        rank = np.empty(len(self.paths), np.int64)
        rank[sorted(range(len(self.paths)), key=self.paths.__getitem__)] = np.arange(len(rank))
        turned = rank[self.src] > rank[self.dst]
        low, high = np.where(turned, (self.dst, self.src), (self.src, self.dst))
        _, first = np.unique(low * len(self.paths) + high, return_index=True)
        first.sort()
        return _Rows(self.paths, low[first], high[first], self.sim[first])


def _vector_pairs(
    snapshot: Snapshot, memories: list[Memory], floor: float, neighbors: int, rows: int
) -> _Rows:
    position = snapshot.vectors.position
    paths = [memory.path for memory in memories if memory.path in position]
    places = [position[path] for path in paths]
    limit = rows or ROWS_PER_MEMORY * len(paths)
    options = NeighborOptions(floor=floor, per_source_k=neighbors, limit=limit)
    near = snapshot.vectors.near
    if near is not None and floor > 0 and len(paths) > 1:
        found = list_rows(near.lists, near.contents, places, paths, options)
        return _Rows(paths, found.src, found.dst, found.sim)
    pairs = top_neighbor_pairs(paths, snapshot.vectors.array[places], options)
    place = {path: at for at, path in enumerate(paths)}
    src, dst = (np.array([place[name] for name in end], np.int64) for end in _ends(pairs))
    return _Rows(paths, src, dst, np.array([pair.sim for pair in pairs], np.float64))


def _ends(pairs: Sequence[NeighborPair]) -> tuple[list[str], list[str]]:
    return [pair.src for pair in pairs], [pair.dst for pair in pairs]


def wanted_lists(settings: Settings, floors: Floors) -> tuple[float, int]:
    """Return the least floor and the most neighbours that the phase will ask for."""
    section = settings.pairing
    asked = (_floor(section.duplicate_floor, floors, "duplicate"), section.duplicate_neighbors)
    mined = (_floor(section.mined_floor, floors, "mined"), section.mined_neighbors)
    return min(asked[0], mined[0]), max(asked[1], mined[1])


def _mined(rows: _Rows, *, undirected: bool) -> tuple[Edge, ...]:
    """Return the rows as edges; undirected, each pair once, from the smaller path."""
    rows = rows.once() if undirected else rows
    strong = rows._replace(sim=np.clip(rows.sim, 0.0, 1.0) + 0.0)  # -0.0 becomes 0.0
    return tuple([Edge(a, b, "relates_to", sim, True) for a, b, sim in strong.each()])


def _candidates(
    snapshot: Snapshot,
    memories: list[Memory],
    vector_pairs: _Rows,
    settings: Settings,
) -> tuple[Pair, ...]:
    """Return each unordered pair once: equal contents, then by similarity as it was found."""
    section = settings.pairing
    found: dict[tuple[str, str], tuple[float | None, str]] = {}
    by_words = asks_words(settings)
    facts = facts_of(memories, snapshot.known) if by_words else []
    if section.content:
        for a, b in _equal_contents(facts):
            found.setdefault((a, b), (1.0, "content"))
    for a, b, sim in vector_pairs.each():
        found.setdefault((min(a, b), max(a, b)), (sim, "vector"))
    for claims_pair, origin, wanted in (
        (_agreeing_claims, "lexical", section.lexical),
        (_overlapping_claims, "lexical", section.lexical),
        (_frame_pairs, "frame", section.frame),
    ):
        for a, b in claims_pair(facts) if wanted else ():
            found.setdefault((a, b), (None, origin))
    measured = [
        Pair(a, b, similarity(snapshot, a, b) if sim is None else sim, origin)
        for (a, b), (sim, origin) in found.items()
    ]
    if not by_words:
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


def _equal_contents(facts: FactsByPath) -> Iterator[tuple[str, str]]:
    """Pair memories that say the same; what says nothing repeats nothing."""
    groups = _groups([(path, found.content) for path, found in facts])
    yield from _group_pairs(groups.values())


def _groups(keyed: list[tuple[str, str]], alone: Container[str] = ()) -> dict[str, list[str]]:
    """Return key -> paths in their order, of keys that several paths have and of those `alone`.

    Most keys have one path: a list for each would take longer than all the rest.
    """
    count = Counter([key for _, key in keyed])
    groups: dict[str, list[str]] = defaultdict(list)
    for path, key in keyed:
        if key and (count[key] > 1 or key in alone):
            groups[key].append(path)
    return groups


def _group_pairs(groups: Iterable[list[str]]) -> Iterator[tuple[str, str]]:
    """Pair the members of each group; in a large one only the first few are paired with all."""
    for paths in groups:
        for index, first in enumerate(paths[:LARGEST_FRAME]):
            for second in paths[index + 1 :]:
                yield min(first, second), max(first, second)


def _overlapping_claims(facts: FactsByPath) -> Iterator[tuple[str, str]]:
    """Pair claims whose word sets overlap; those of equal sets are one group."""
    groups = _groups([(path, found.words) for path, found in facts])
    yield from _group_pairs(groups.values())
    first_of: dict[str, str] = {}
    for path, found in facts:
        first_of.setdefault(found.words, path)
    first_of.pop("", None)
    words_of = {path: words for words, path in first_of.items()}
    sets = {path: frozenset(words.split(" ")) for path, words in words_of.items()}
    for first, second in similar_sets(sets, LEXICAL_FLOOR, most=LARGEST_FRAME):
        for a in groups.get(words_of[first], [first])[:LARGEST_FRAME]:
            for b in groups.get(words_of[second], [second])[:LARGEST_FRAME]:
                yield min(a, b), max(a, b)


def _agreeing_claims(facts: FactsByPath) -> Iterator[tuple[str, str]]:
    """Pair claims of equal words, and claims with those that they extend by a clause.

    The guards on wording let no other pair pass: what may merge is found here, whatever the
    embedder makes of it and however the night before changed the texts.
    """
    longer = [(path, found.heads[:-1]) for path, found in facts if len(found.heads) > 1]
    shorter = {head for _, heads in longer for head in heads}
    groups = _groups([(path, found.heads[-1]) for path, found in facts if found.heads], shorter)
    yield from _group_pairs(paths for paths in groups.values() if len(paths) > 1)
    for path, heads in longer:
        for head in heads:
            for other in groups.get(head, ())[:LARGEST_FRAME]:
                yield min(path, other), max(path, other)


def _frame_pairs(facts: FactsByPath) -> Iterator[tuple[str, str]]:
    """Pair claims that fill the same slot; large groups pair neighbours in path order only."""
    for paths in _groups([(path, found.frame) for path, found in facts]).values():
        reach = len(paths) if len(paths) <= LARGEST_FRAME else 2
        for index, first in enumerate(paths):
            for second in paths[index + 1 : index + reach]:
                yield min(first, second), max(first, second)
