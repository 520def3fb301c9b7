"""The lateral arm: what lies beside the hits, by links, without holding a word of the question."""

from __future__ import annotations

from collections.abc import Mapping

from memsleep.core import GraphEdge, pagerank
from memsleep.model import Memory
from memsleep.relations import MEMORY_RELATIONS

HOPS = 2
MAX_NODES = 400
TOLERANCE = 1e-9


class LinkIndex:
    """Who links whom, both ways, so that one changed memory costs only its own links."""

    def __init__(self) -> None:
        self._out: dict[str, frozenset[str]] = {}
        self._in: dict[str, set[str]] = {}

    def write(self, memory: Memory) -> None:
        """Add or change the links of one memory."""
        self.remove(memory.path)
        targets = frozenset(
            link.path
            for link in memory.links
            if link.path not in (None, memory.path)
            and link.form != "anchor"
            and link.relation in MEMORY_RELATIONS
        )
        self._out[memory.path] = frozenset(target for target in targets if target is not None)
        for target in self._out[memory.path]:
            self._in.setdefault(target, set()).add(memory.path)

    def remove(self, path: str) -> None:
        """Forget the links of one memory; those of others to it stay, as they do in the files."""
        for target in self._out.pop(path, frozenset()):
            self._in[target].discard(path)

    def near(self, seeds: Mapping[str, float]) -> list[tuple[str, float]]:
        """Return (path, rank) by personalised PageRank around the seeds, the best first.

        Looks two links far, at most 400 memories, those nearest to the best seeds first.
        """
        order = sorted(seeds, key=lambda path: (-seeds[path], path))
        nodes = dict.fromkeys(path for path in order if path in self._out)
        ring = list(nodes)
        for _ in range(HOPS):
            beyond: dict[str, None] = {}
            for path in ring:
                for other in sorted(self._out[path] | self._in.get(path, set())):
                    if other in self._out and other not in nodes and other not in beyond:
                        beyond[other] = None
            ring = list(beyond)[: MAX_NODES - len(nodes)]
            nodes.update(dict.fromkeys(ring))
        edges = [
            GraphEdge(a, b, 1.0)
            for source in nodes
            for target in sorted(self._out[source])
            if target in nodes
            for a, b in ((source, target), (target, source))
        ]
        if not edges:
            return []
        wanted = {path: seeds[path] for path in order}
        ranks = pagerank(nodes, edges, seeds=wanted, tolerance=TOLERANCE)
        found = [(path, rank) for path, rank in ranks.items() if rank > 0]
        return sorted(found, key=lambda item: (-item[1], item[0]))
