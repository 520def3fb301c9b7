"""PageRank and label propagation on a large graph, beside networkx and the definition.

Usage: python benchmarks/graph.py [--nodes 100000] [--edges 1000000] [--runs 5] [--seed 7]

The graph has planted groups: four of five links stay within one of `nodes / 50` of them.
The definition is the plain loop of the rules: full sweeps, one edge after the other. The
result must be the same, bit for bit, or the command fails. networkx walks in a random
order, so that its groups are compared in number only.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import time
from collections.abc import Callable
from typing import TypeVar

import networkx as nx
import numpy as np

from memsleep.core import GraphEdge, IndexedGraph, index_graph, label_propagation, pagerank_scores
from memsleep.core.communities import community_numbers
from memsleep.core.link_rank import PAGERANK_DAMPING

Result = TypeVar("Result")
NODES_PER_GROUP = 50
SHARE_WITHIN = 0.8


def planted(n_nodes: int, n_edges: int, seed: int) -> tuple[list[str], list[GraphEdge]]:
    """Return nodes and weighted links."""
    rng = np.random.default_rng(seed)
    group = rng.integers(0, max(1, n_nodes // NODES_PER_GROUP), n_nodes)
    members = np.argsort(group, kind="stable")
    first = np.searchsorted(group[members], group)
    size = np.bincount(group)[group]
    src = rng.integers(0, n_nodes, n_edges)
    near = members[first[src] + (rng.random(n_edges) * size[src]).astype(np.int64)]
    far = rng.integers(0, n_nodes, n_edges)
    dst = np.where(rng.random(n_edges) < SHARE_WITHIN, near, far)
    names = [f"facts/{number:07d}.md" for number in range(n_nodes)]
    columns = zip(src.tolist(), dst.tolist(), rng.random(n_edges).tolist(), strict=True)
    return names, [GraphEdge(names[a], names[b], strength) for a, b, strength in columns]


def timed(action: Callable[[], Result], runs: int) -> tuple[Result, dict[str, float]]:
    """Return the result, and the median and the smallest of the wall and CPU seconds."""
    wall, cpu = [], []
    for _ in range(runs):
        begun, worked = time.perf_counter(), time.process_time()
        result = action()
        wall.append(time.perf_counter() - begun)
        cpu.append(time.process_time() - worked)
    return result, {
        "runs": runs,
        "wall_s_median": round(statistics.median(wall), 4),
        "wall_s_best": round(min(wall), 4),
        "cpu_s_median": round(statistics.median(cpu), 4),
    }


def defined_ranks(graph: IndexedGraph, tolerance: float) -> list[float]:
    """Return PageRank by plain loops."""
    count = len(graph.nodes)
    edges = list(zip(graph.src.tolist(), graph.dst.tolist(), graph.strength.tolist(), strict=True))
    outgoing = [0.0] * count
    for src, _, strength in edges:
        outgoing[src] += strength
    teleport = 1.0 / count
    scores = [teleport] * count
    for _ in range(100):
        dangling = 0.0
        for node in range(count):
            if outgoing[node] == 0:
                dangling += scores[node]
        inflow = [0.0] * count
        for src, dst, strength in edges:
            if outgoing[src] != 0:
                inflow[dst] += scores[src] * strength / outgoing[src]
        change, updated = 0.0, []
        for node in range(count):
            arriving = inflow[node] + dangling * teleport
            value = PAGERANK_DAMPING * arriving + (1 - PAGERANK_DAMPING) * teleport
            updated.append(value)
            change += abs(value - scores[node])
        scores = updated
        if change < tolerance * count:
            break
    return scores


def defined_communities(graph: IndexedGraph) -> list[int]:
    """Return the labels by full sweeps over every node, in order."""
    hoods: list[dict[int, float]] = [{} for _ in graph.nodes]
    for src, dst, strength in zip(
        graph.src.tolist(), graph.dst.tolist(), graph.strength.tolist(), strict=True
    ):
        hoods[src][dst] = hoods[src].get(dst, 0.0) + strength
        hoods[dst][src] = hoods[dst].get(src, 0.0) + strength
    labels = list(range(len(graph.nodes)))
    for _ in range(100):
        moved = False
        for node, hood in enumerate(hoods):
            totals: dict[int, float] = {}
            for other, strength in hood.items():
                label = labels[other]
                totals[label] = totals.get(label, 0.0) + strength
            if totals:
                largest = max(totals.values())
                label = min(label for label, total in totals.items() if total == largest)
                moved |= label != labels[node]
                labels[node] = label
        if not moved:
            break
    return labels


def undirected(graph: IndexedGraph) -> nx.Graph:
    """Return the graph as networkx's communities want it, both directions added up."""
    result = nx.Graph()
    result.add_nodes_from(range(len(graph.nodes)))
    for src, dst, strength in zip(
        graph.src.tolist(), graph.dst.tolist(), graph.strength.tolist(), strict=True
    ):
        before = result.get_edge_data(src, dst, {"weight": 0.0})["weight"]
        result.add_edge(src, dst, weight=before + strength)
    return result


def directed(graph: IndexedGraph) -> nx.DiGraph:
    """Return the graph as networkx's PageRank wants it."""
    result = nx.DiGraph()
    result.add_nodes_from(range(len(graph.nodes)))
    result.add_weighted_edges_from(
        zip(graph.src.tolist(), graph.dst.tolist(), graph.strength.tolist(), strict=True)
    )
    return result


def ranks(graph: IndexedGraph, runs: int) -> dict[str, object]:
    """Return the figures of PageRank, at the default tolerance and at that of a careful night."""
    view = directed(graph)
    figures: dict[str, object] = {}
    for name, tolerance in (("default", 1e-6), ("careful", 1e-9 / len(graph.nodes))):
        ours, spent = timed(lambda t=tolerance: pagerank_scores(graph, tolerance=t), runs)
        theirs, beside = timed(
            lambda t=tolerance: nx.pagerank(view, tol=t, max_iter=1000), max(1, runs // 2)
        )
        figures[name] = {
            "tolerance": tolerance,
            "memsleep": spent,
            "networkx.pagerank": beside,
            "times_faster": round(beside["wall_s_median"] / spent["wall_s_median"], 1),
            "largest_difference": max(
                abs(ours[node] - score) for node, score in theirs.items()
            ).item(),
            "equal_to_definition": ours.tolist() == defined_ranks(graph, tolerance),
        }
    return figures


def communities(graph: IndexedGraph, runs: int) -> dict[str, object]:
    """Return the figures of label propagation."""
    ours, spent = timed(lambda: community_numbers(graph), runs)
    view = undirected(graph)
    theirs, beside = timed(
        lambda: list(nx.community.asyn_lpa_communities(view, weight="weight", seed=1)), 1
    )
    defined, slow = timed(lambda: defined_communities(graph), 1)
    return {
        "memsleep": spent,
        "networkx.asyn_lpa_communities": beside,
        "full sweeps in a loop": slow,
        "times_faster": round(beside["wall_s_median"] / spent["wall_s_median"], 1),
        "groups": len(set(ours.tolist())),
        "groups_of_networkx": len(theirs),
        "equal_to_definition": ours.tolist() == defined,
    }


def main() -> int:
    """Measure and print one JSON document."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--nodes", type=int, default=100_000)
    parser.add_argument("--edges", type=int, default=1_000_000)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--seed", type=int, default=7)
    given = parser.parse_args()
    names, edges = planted(given.nodes, given.edges, given.seed)
    graph, indexing = timed(lambda: index_graph(names, edges), 2)
    _, whole = timed(lambda: label_propagation(names, edges), 1)
    document = {
        "benchmark": "graph",
        "nodes": given.nodes,
        "edges": len(graph.src),
        "networkx": nx.__version__,
        "numpy": np.__version__,
        "index_graph": indexing,
        "label_propagation with its index_graph": whole,
        "pagerank": ranks(graph, given.runs),
        "label_propagation": communities(graph, given.runs),
    }
    print(json.dumps(document, indent=1))
    return 0 if json.dumps(document).count('"equal_to_definition": true') == 3 else 1


if __name__ == "__main__":
    sys.exit(main())
