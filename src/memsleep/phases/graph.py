"""Rank memories and find their communities. Contract: phases/graph.md."""

from __future__ import annotations

from collections.abc import Iterator

from memsleep.core import GraphEdge, bridge_counts, label_propagation, pagerank
from memsleep.model import Edge, Snapshot
from memsleep.proposals import Proposal, SetColumn
from memsleep.relations import MEMORY_RELATIONS
from memsleep.settings import Settings


def propose(snapshot: Snapshot, settings: Settings) -> Iterator[Proposal]:
    """Yield the columns `pagerank`, `community` and `bridge_count` over the active memories."""
    section = settings.graph
    nodes = [memory.path for memory in snapshot.active()]
    authored, mined = authored_edges(snapshot), list(snapshot.mined)
    once = [_plain(edge) for edge in authored + mined]
    mirrored = [GraphEdge(e.target, e.source, e.strength) for e in mined]
    ranked = once + mirrored if settings.pairing.undirected else once
    tolerance = section.tolerance or 1e-9 / max(1, len(nodes))
    ranks = pagerank(
        nodes,
        ranked,
        damping=section.damping,
        max_iterations=section.max_iterations,
        tolerance=tolerance,
    )
    communities = label_propagation(
        nodes, once, min_community_size=section.min_community_size, max_sweeps=section.max_sweeps
    )
    bridges = bridge_counts(nodes, once, communities)
    told = {"memories": len(nodes), "authored edges": len(authored), "mined edges": len(mined)}
    for name, values, reason in (
        ("pagerank", dict(ranks), "rank by weighted links"),
        ("community", dict(communities), "groups of memories that hold together"),
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
            if target is None or target == path or target not in active:
                continue
            if link.form != "anchor" and link.relation in MEMORY_RELATIONS:
                key = (path, link.relation, target)
                seen.setdefault(key, Edge(path, target, link.relation, 1.0))
    return list(seen.values())


def _plain(edge: Edge) -> GraphEdge:
    return GraphEdge(edge.source, edge.target, edge.strength)
