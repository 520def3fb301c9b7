"""Rank memories and find their communities. Contract: phases/graph.md."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from memsleep.core import pagerank_scores
from memsleep.core.communities import communities_of
from memsleep.core.graph import bridges_of, graph_of, positions
from memsleep.core.ordering import sorted_unique
from memsleep.model import Edge, Snapshot
from memsleep.proposals import Proposal, SetColumn
from memsleep.relations import MEMORY_RELATIONS
from memsleep.settings import Settings


def propose(snapshot: Snapshot, settings: Settings) -> Iterator[Proposal]:
    """Yield the columns `pagerank`, `community` and `bridge_count` over the active memories."""
    section = settings.graph
    nodes = sorted_unique(memory.path for memory in snapshot.active())
    authored, mined = authored_edges(snapshot), list(snapshot.mined)
    edges = authored + mined
    src = positions(nodes, [edge.source for edge in edges])
    dst = positions(nodes, [edge.target for edge in edges])
    strength = np.array([edge.strength for edge in edges], np.float64)
    graph = ranked = graph_of(nodes, src, dst, strength)
    if settings.pairing.undirected:
        back = slice(len(authored), None)
        ranked = graph_of(
            nodes,
            np.concatenate([src, dst[back]]),
            np.concatenate([dst, src[back]]),
            np.concatenate([strength, strength[back]]),
        )
    scores = pagerank_scores(
        ranked,
        damping=section.damping,
        max_iterations=section.max_iterations,
        tolerance=section.tolerance or 1e-9 / max(1, len(nodes)),
    )
    ranks = dict(zip(nodes, scores.tolist(), strict=True))
    communities = communities_of(
        graph, min_community_size=section.min_community_size, max_sweeps=section.max_sweeps
    )
    bridges = bridges_of(graph, communities)
    told = {"memories": len(nodes), "authored edges": len(authored), "mined edges": len(mined)}
    for name, values, reason in (
        ("pagerank", ranks, "rank by weighted links"),
        ("community", communities, "groups of memories that hold together"),
        ("bridge_count", {path: float(n) for path, n in bridges.items()}, "links across groups"),
    ):
        yield SetColumn(phase="graph", reason=reason, evidence=told, name=name, values=values)


def authored_edges(snapshot: Snapshot) -> list[Edge]:
    """Return the typed links between active memories, each (source, relation, target) once."""
    active = {memory.path for memory in snapshot.active()}
    seen: dict[tuple[str, str, str], Edge] = {}
    for path in sorted(active):
        for link in snapshot.memories[path].links:
            target = link.path
            if target is None or target == path or link.form == "anchor":
                continue
            key = (path, link.relation, target)
            if key not in seen and link.relation in MEMORY_RELATIONS and target in active:
                seen[key] = Edge(path, target, link.relation, 1.0)
    return list(seen.values())
