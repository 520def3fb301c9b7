"""Communities by asynchronous label propagation in a fixed order."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

import numpy as np

from memsleep.core.graph import GraphEdge, IndexedGraph, index_graph
from memsleep.core.sums import Doubles, Indices, ordered_totals

MIN_COMMUNITY_SIZE: Final = 3
LABEL_PROPAGATION_MAX_SWEEPS: Final = 100
# Below this many nodes a level, array operations cost more than they save.
MIN_MEAN_LEVEL: Final = 64


def label_propagation(
    nodes: Iterable[str],
    edges: Iterable[GraphEdge],
    *,
    min_community_size: float = MIN_COMMUNITY_SIZE,
    max_sweeps: int = LABEL_PROPAGATION_MAX_SWEEPS,
) -> dict[str, str | None]:
    """Return the community of each node.

    Parameters
    ----------
    nodes, edges
        As for :func:`~memsleep.core.index_graph`; edges are then read as
        undirected, and the two directions of a pair add up.
    min_community_size : float, default 3
        Smaller communities read None.
    max_sweeps : int, default 100
        0 leaves every node on its own.

    Returns
    -------
    dict of str to (str or None)
        In node order. A community's label is its smallest member.

    Notes
    -----
    A sweep visits the nodes in order and updates in place: a node takes the label
    with the largest summed strength among its neighbours, the smallest label on a
    tie. It stops when a sweep changes nothing. A node is visited again only if a
    neighbour changed since its last visit, which cannot change the result. No two
    nodes of one dependency level are neighbours, so that a level is one array
    operation. Source: spec "Graph".

    References
    ----------
    .. [1] U. N. Raghavan, R. Albert and S. Kumara, "Near linear time algorithm to
       detect community structures in large-scale networks", Phys. Rev. E 76, 2007.

    Examples
    --------
    >>> triangle = [GraphEdge("a", "b", 1.0), GraphEdge("b", "c", 1.0), GraphEdge("c", "a", 1.0)]
    >>> label_propagation(["a", "b", "c", "d"], triangle)
    {'a': 'a', 'b': 'a', 'c': 'a', 'd': None}
    """
    graph = index_graph(nodes, edges)
    return communities_of(graph, min_community_size=min_community_size, max_sweeps=max_sweeps)


def communities_of(
    graph: IndexedGraph,
    *,
    min_community_size: float = MIN_COMMUNITY_SIZE,
    max_sweeps: int = LABEL_PROPAGATION_MAX_SWEEPS,
) -> dict[str, str | None]:
    """Return :func:`label_propagation` of an indexed graph."""
    labels = community_numbers(graph, max_sweeps=max_sweeps)
    # Labels are numbers of members, but the member that gave its name may have left.
    _, group, size = np.unique(labels, return_inverse=True, return_counts=True)
    smallest = np.full(len(size), len(labels), np.int64)
    np.minimum.at(smallest, group, np.arange(len(labels)))
    large = size >= min_community_size
    names = [
        graph.nodes[first] if is_large else None
        for first, is_large in zip(smallest.tolist(), large.tolist(), strict=True)
    ]
    return dict(zip(graph.nodes, [names[number] for number in group.tolist()], strict=True))


def community_numbers(
    graph: IndexedGraph, *, max_sweeps: int = LABEL_PROPAGATION_MAX_SWEEPS
) -> Indices:
    """Return, for each node of an indexed graph, the number of the node that named its label.

    Returns
    -------
    ndarray of shape (n_nodes,), int64
        Of every size; the node that gave its name may have left.

    Examples
    --------
    >>> graph = index_graph("abc", [GraphEdge("b", "c", 1.0)])
    >>> community_numbers(graph).tolist()
    [0, 2, 2]
    """
    return _propagate(_neighbourhoods(graph), max_sweeps)


@dataclass(frozen=True, slots=True, eq=False)
class _Neighbourhoods:
    """The neighbours of node v are neighbour[start[v]:start[v + 1]], in first-met order."""

    start: Indices  # shape (n + 1,)
    neighbour: Indices  # shape (n_entries,)
    strength: Doubles  # shape (n_entries,)

    def entries(self, nodes: Indices) -> tuple[Indices, Indices]:
        """Return, for all entries of the nodes, the node's place and the entry's."""
        degree = self.start[nodes + 1] - self.start[nodes]
        owner = np.repeat(np.arange(len(nodes)), degree)
        offset = self.start[nodes] - (np.cumsum(degree) - degree)
        return owner, np.arange(len(owner)) + offset[owner]


def _neighbourhoods(graph: IndexedGraph) -> _Neighbourhoods:
    """Return the undirected neighbourhoods.

    The order is that in which a walk over the edges meets the neighbours of a
    node: it fixes the order of the sums.
    """
    count, n_edges = len(graph.nodes), len(graph.src)
    low, high = np.minimum(graph.src, graph.dst), np.maximum(graph.src, graph.dst)
    by_pair = np.argsort(low * count + high, kind="stable")
    low, high = low[by_pair], high[by_pair]
    is_first = np.ones(n_edges, bool)
    is_first[1:] = (low[1:] != low[:-1]) | (high[1:] != high[:-1])
    pair = np.cumsum(is_first) - 1
    strength = ordered_totals(pair, graph.strength[by_pair], int(is_first.sum()))
    low, high, first_met = low[is_first], high[is_first], by_pair[is_first]
    owner, neighbour = np.concatenate([low, high]), np.concatenate([high, low])
    order = np.argsort(owner * n_edges + np.tile(first_met, 2), kind="stable")
    start = np.zeros(count + 1, np.int64)
    np.cumsum(np.bincount(owner, minlength=count), out=start[1:])
    return _Neighbourhoods(start, neighbour[order], np.tile(strength, 2)[order])


def _propagate(hoods: _Neighbourhoods, max_sweeps: int) -> Indices:
    """Return the label of each node, as the number of the node that named it."""
    levels = _levels(hoods)
    if len(levels) * MIN_MEAN_LEVEL > len(hoods.start):
        return _propagate_singly(hoods, max_sweeps)
    return _propagate_in_levels(hoods, levels, max_sweeps)


def _propagate_in_levels(hoods: _Neighbourhoods, levels: list[Indices], max_sweeps: int) -> Indices:
    """Return the labels, one array operation per level and sweep."""
    labels = np.arange(len(hoods.start) - 1)
    stale = np.diff(hoods.start) > 0
    for _ in range(max_sweeps):
        moved = False
        for level in levels:
            visited = level[stale[level]]
            if len(visited) == 0:
                continue
            stale[visited] = False
            heaviest = _heaviest_labels(hoods, visited, labels)
            changed = heaviest != labels[visited]
            labels[visited] = heaviest
            if changed.any():
                moved = True
                stale[hoods.neighbour[hoods.entries(visited[changed])[1]]] = True
        if not moved:
            break
    return labels


def _propagate_singly(hoods: _Neighbourhoods, max_sweeps: int) -> Indices:
    """Return the labels, node by node: quicker where levels are small, as in a chain."""
    start, neighbour = hoods.start.tolist(), hoods.neighbour.tolist()
    strength = hoods.strength.tolist()
    labels = list(range(len(start) - 1))
    stale = [begin < end for begin, end in pairwise(start)]
    for _ in range(max_sweeps):
        moved = False
        for node, label in enumerate(labels):
            if not stale[node]:
                continue
            stale[node] = False
            totals: dict[int, float] = {}
            for entry in range(start[node], start[node + 1]):
                other = labels[neighbour[entry]]
                totals[other] = totals.get(other, 0.0) + strength[entry]
            largest = max(totals.values())
            heaviest = min(other for other, total in totals.items() if total == largest)
            if heaviest != label:
                labels[node], moved = heaviest, True
                for entry in range(start[node], start[node + 1]):
                    stale[neighbour[entry]] = True
        if not moved:
            break
    return np.array(labels, dtype=np.int64)


def _levels(hoods: _Neighbourhoods) -> list[Indices]:
    """Return the nodes by dependency depth: each depends on smaller neighbours only."""
    count = len(hoods.start) - 1
    owner, _ = hoods.entries(np.arange(count))
    earlier = hoods.neighbour < owner
    depth = [0] * count
    for node, neighbour in zip(
        owner[earlier].tolist(), hoods.neighbour[earlier].tolist(), strict=True
    ):
        depth[node] = max(depth[node], depth[neighbour] + 1)
    by_depth = np.argsort(depth, kind="stable")
    return np.split(by_depth, np.cumsum(np.bincount(depth, minlength=1))[:-1])


def _heaviest_labels(hoods: _Neighbourhoods, nodes: Indices, labels: Indices) -> Indices:
    """Return, for nodes with neighbours, the label with the largest summed strength."""
    owner, entry = hoods.entries(nodes)
    key = owner * len(labels) + labels[hoods.neighbour[entry]]
    order = np.argsort(key, kind="stable")
    key = key[order]
    is_first = np.ones(len(key), bool)
    is_first[1:] = key[1:] != key[:-1]
    # The sort is stable, so each sum runs in the order of the entries.
    group = np.cumsum(is_first) - 1
    sums = ordered_totals(group, hoods.strength[entry][order], int(group[-1]) + 1)
    owner, label = np.divmod(key[is_first], len(labels))
    starts = np.searchsorted(owner, np.arange(len(nodes)))
    largest = np.maximum.reduceat(sums, starts)
    winners = np.flatnonzero(sums == largest[owner])
    # Labels ascend within an owner, so its first winner is the smallest.
    return label[winners[np.searchsorted(owner[winners], np.arange(len(nodes)))]]
