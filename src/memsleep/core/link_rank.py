"""PageRank by weighted power iteration, in a fixed order of summation."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

import numpy as np

from memsleep.core.graph import GraphEdge, IndexedGraph, index_graph
from memsleep.core.sums import Doubles, Indices, ordered_sum, ordered_totals

PAGERANK_DAMPING: Final = 0.85
PAGERANK_MAX_ITERATIONS: Final = 100
PAGERANK_TOLERANCE: Final = 1e-6


def pagerank(
    nodes: Iterable[str],
    edges: Iterable[GraphEdge],
    *,
    damping: float = PAGERANK_DAMPING,
    seeds: Mapping[str, float] | None = None,
    max_iterations: int = PAGERANK_MAX_ITERATIONS,
    tolerance: float = PAGERANK_TOLERANCE,
) -> dict[str, float]:
    """Return the weighted PageRank of each node.

    Parameters
    ----------
    nodes, edges
        As for :func:`~memsleep.core.index_graph`.
    damping : float, default 0.85
        Share of the mass that follows links, in [0, 1].
    seeds : mapping of str to float, optional
        Where the rest of the mass goes: positive weights of present nodes, in
        proportion. None, or no such weight: everywhere alike.
    max_iterations : int, default 100
        The last iterate is returned when they are used up.
    tolerance : float, default 1e-6
        Iteration stops when the L1 change is below `tolerance` times the number of
        nodes. At 100,000 nodes the default stops after two rounds: pass 1e-9 / n
        where the scores themselves matter.

    Returns
    -------
    dict of str to float
        In node order; scores sum to 1.

    Notes
    -----
    Starts from the teleport distribution. A node without outgoing weight passes
    its mass to that distribution. Source: spec "Graph".

    References
    ----------
    .. [1] L. Page, S. Brin, R. Motwani and T. Winograd, "The PageRank Citation
       Ranking: Bringing Order to the Web", Stanford, 1999.

    Examples
    --------
    >>> pagerank(["a", "b"], [GraphEdge("a", "b", 1.0), GraphEdge("b", "a", 1.0)])
    {'a': 0.5, 'b': 0.5}
    """
    graph = index_graph(nodes, edges)
    scores = pagerank_scores(
        graph,
        damping=damping,
        seeds=seeds,
        max_iterations=max_iterations,
        tolerance=tolerance,
    )
    return dict(zip(graph.nodes, scores.tolist(), strict=True))


def pagerank_scores(
    graph: IndexedGraph,
    *,
    damping: float = PAGERANK_DAMPING,
    seeds: Mapping[str, float] | None = None,
    max_iterations: int = PAGERANK_MAX_ITERATIONS,
    tolerance: float = PAGERANK_TOLERANCE,
) -> Doubles:
    """Return :func:`pagerank` of an indexed graph, as an array in node order.

    Returns
    -------
    ndarray of shape (n_nodes,), float64

    Examples
    --------
    >>> graph = index_graph(["a", "b"], [])
    >>> pagerank_scores(graph).tolist()
    [0.5, 0.5]
    """
    count = len(graph.nodes)
    if count == 0:
        return np.zeros(0)
    teleport = _teleport(graph.nodes, seeds)
    flow = _flow(graph)
    scores = teleport
    with np.errstate(all="ignore"):
        for _ in range(max_iterations):
            arriving = flow.inflow(scores) + flow.dangling_mass(scores) * teleport
            updated = damping * arriving + (1 - damping) * teleport
            change = ordered_sum(np.abs(updated - scores))
            scores = updated
            if change < tolerance * count:
                break
    return scores


@dataclass(frozen=True, slots=True, eq=False)
class _Flow:
    """How mass moves along the edges in one round."""

    src: Indices  # edges whose source has outgoing strength
    dst: Indices
    strength: Doubles
    total: Doubles  # outgoing strength of each edge's source
    dangling: Indices  # nodes without outgoing strength

    def inflow(self, scores: Doubles) -> Doubles:
        """Return what arrives at each node, added in edge order."""
        share = scores[self.src] * self.strength / self.total
        return ordered_totals(self.dst, share, len(scores))

    def dangling_mass(self, scores: Doubles) -> float:
        """Return the mass on dangling nodes, added in node order."""
        return ordered_sum(scores[self.dangling])


def _flow(graph: IndexedGraph) -> _Flow:
    """Return the constants of the iteration."""
    total = ordered_totals(graph.src, graph.strength, len(graph.nodes))
    live = total[graph.src] != 0
    src = graph.src[live]
    return _Flow(src, graph.dst[live], graph.strength[live], total[src], np.flatnonzero(total == 0))


def _teleport(nodes: list[str], seeds: Mapping[str, float] | None) -> Doubles:
    """Return the teleport distribution; the seed total is summed in the given order."""
    position = {node: index for index, node in enumerate(nodes)}
    usable = {
        position[node]: float(weight)
        for node, weight in (seeds or {}).items()
        if node in position and weight > 0
    }
    if not usable:
        return np.full(len(nodes), 1.0 / len(nodes))
    weights = np.array(list(usable.values()))
    teleport = np.zeros(len(nodes))
    teleport[list(usable)] = weights / ordered_sum(weights)
    return teleport
