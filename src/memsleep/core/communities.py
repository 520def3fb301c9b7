"""Communities by asynchronous label propagation in a fixed order."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

import numpy as np

from memsleep.core.graph import GraphEdge, IndexedGraph, index_graph
from memsleep.core.sums import Doubles, Indices, ordered_totals

MIN_COMMUNITY_SIZE: Final = 3
LABEL_PROPAGATION_MAX_SWEEPS: Final = 100


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
    labels = _propagate(_neighbourhoods(graph), max_sweeps)
    # Labels are numbers of members, but the member that gave its name may have left.
    _, group, size = np.unique(labels, return_inverse=True, return_counts=True)
    smallest = np.full(len(size), len(labels), np.int64)
    np.minimum.at(smallest, group, np.arange(len(labels)))
    large = size >= min_community_size
    return {
        node: graph.nodes[smallest[number]] if large[number] else None
        for node, number in zip(graph.nodes, group.tolist(), strict=True)
    }


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
    count = len(graph.nodes)
    ends = np.stack([graph.src, graph.dst], axis=1).ravel()
    others = np.stack([graph.dst, graph.src], axis=1).ravel()
    _, first, entry = np.unique(ends * count + others, return_index=True, return_inverse=True)
    merged = ordered_totals(entry, np.repeat(graph.strength, 2), len(first))
    order = np.lexsort((first, ends[first]))
    degree = np.bincount(ends[first], minlength=count)
    start = np.concatenate([[0], np.cumsum(degree)]).astype(np.int64)
    return _Neighbourhoods(start, others[first][order], merged[order])


def _propagate(hoods: _Neighbourhoods, max_sweeps: int) -> Indices:
    """Return the label of each node, as the number of the node that named it."""
    labels = np.arange(len(hoods.start) - 1)
    levels = _levels(hoods)
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
