"""The link graph: one normal form, bridges, and a networkx view."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from memsleep.core.ordering import sorted_unique
from memsleep.core.sums import Doubles, Indices

if TYPE_CHECKING:
    import networkx as nx  # type: ignore[import-untyped]


@dataclass(frozen=True, slots=True)
class GraphEdge:
    """A directed link between two memories."""

    src: str
    dst: str
    strength: float  # in [0, 1]


@dataclass(frozen=True, slots=True, eq=False)
class IndexedGraph:
    """A graph in normal form, on index arrays.

    Nodes are distinct and in code unit order. There are no self-loops, no edges
    to absent nodes and no parallel edges; edges are in (src, dst) order. That
    order fixes every floating-point sum that follows.
    """

    nodes: list[str]
    src: Indices  # shape (n_edges,), positions in `nodes`
    dst: Indices  # shape (n_edges,)
    strength: Doubles  # shape (n_edges,)


def index_graph(nodes: Iterable[str], edges: Iterable[GraphEdge]) -> IndexedGraph:
    """Return the normal form of a graph.

    Parameters
    ----------
    nodes : iterable of str
        Repeats count once.
    edges : iterable of GraphEdge
        Self-loops and edges with an absent end are dropped; parallel edges of one
        ordered pair fold to the largest strength.

    Returns
    -------
    IndexedGraph

    Raises
    ------
    ValueError
        If a strength is NaN or infinite: it would spread over every score.

    Examples
    --------
    >>> edges = [GraphEdge("b", "a", 0.2), GraphEdge("b", "a", 0.7), GraphEdge("a", "x", 1.0)]
    >>> graph = index_graph(["b", "a", "b"], edges)
    >>> graph.nodes, graph.src.tolist(), graph.dst.tolist(), graph.strength.tolist()
    (['a', 'b'], [1], [0], [0.7])
    """
    names = sorted_unique(nodes)
    edges = list(edges)
    src = positions(names, [edge.src for edge in edges])
    dst = positions(names, [edge.dst for edge in edges])
    strength = np.array([edge.strength for edge in edges], np.float64)
    if not np.isfinite(strength).all():
        bad = edges[int(np.flatnonzero(~np.isfinite(strength))[0])]
        raise ValueError(f"strength of {bad.src} -> {bad.dst} must be finite, got {bad.strength}")
    return graph_of(names, src, dst, strength)


def positions(names: Sequence[str], wanted: Sequence[str]) -> Indices:
    """Return the place of each wanted name, -1 for one that is absent.

    Examples
    --------
    >>> positions(["a", "b"], ["b", "c"]).tolist()
    [1, -1]
    """
    position = {name: index for index, name in enumerate(names)}
    return np.array([position.get(name, -1) for name in wanted], np.int64)


def graph_of(names: list[str], src: Indices, dst: Indices, strength: Doubles) -> IndexedGraph:
    """Return the normal form of a graph whose edges are places of distinct names in order.

    Parameters
    ----------
    names : list of str
        As :func:`~memsleep.core.ordering.sorted_unique` gives them.
    src, dst : ndarray of shape (n,), int64
        -1 for an end that is absent.
    strength : ndarray of shape (n,), float64
        Finite.

    Examples
    --------
    >>> graph_of(["a", "b"], np.array([0, 1]), np.array([1, -1]), np.ones(2)).dst.tolist()
    [1]
    """
    kept = (src >= 0) & (dst >= 0) & (src != dst)
    return IndexedGraph(names, *_folded(src[kept], dst[kept], strength[kept], len(names)))


def bridge_counts(
    nodes: Iterable[str],
    edges: Iterable[GraphEdge],
    communities: Mapping[str, str | None],
) -> dict[str, int]:
    """Count, per node, the edges that join two different communities.

    Parameters
    ----------
    nodes, edges
        As for :func:`index_graph`.
    communities : mapping of str to str or None
        The label of each node; None or absent for no community.

    Returns
    -------
    dict of str to int
        In node order. Both ends of a crossing edge count it, so a mirrored link
        counts twice; the strength does not matter.

    Examples
    --------
    >>> bridge_counts(["a", "b"], [GraphEdge("a", "b", 1.0)], {"a": "x", "b": "y"})
    {'a': 1, 'b': 1}
    """
    return bridges_of(index_graph(nodes, edges), communities)


def bridges_of(graph: IndexedGraph, communities: Mapping[str, str | None]) -> dict[str, int]:
    """Return :func:`bridge_counts` of an indexed graph."""
    labels = [communities.get(node) for node in graph.nodes]
    numbers = {label: number for number, label in enumerate(dict.fromkeys(labels))}
    number = np.array([-1 if label is None else numbers[label] for label in labels], np.int64)
    at_src, at_dst = number[graph.src], number[graph.dst]
    crossing = (at_src >= 0) & (at_dst >= 0) & (at_src != at_dst)
    ends = np.concatenate([graph.src[crossing], graph.dst[crossing]])
    counts = np.bincount(ends, minlength=len(graph.nodes))
    return dict(zip(graph.nodes, counts.tolist(), strict=True))


def to_networkx(nodes: Iterable[str], edges: Iterable[GraphEdge]) -> nx.DiGraph:
    """Return the normal form as a networkx graph, for analysis beyond this package.

    Returns
    -------
    networkx.DiGraph
        Nodes and edges in normal order; the strength is the attribute ``weight``.

    Examples
    --------
    >>> to_networkx(["a", "b"], [GraphEdge("a", "b", 0.5)]).edges["a", "b"]["weight"]
    0.5
    """
    import networkx  # here, since importing it takes longer than most runs need it for

    graph = index_graph(nodes, edges)
    result: nx.DiGraph = networkx.DiGraph()
    result.add_nodes_from(graph.nodes)
    result.add_weighted_edges_from(
        (graph.nodes[src], graph.nodes[dst], strength)
        for src, dst, strength in zip(
            graph.src.tolist(), graph.dst.tolist(), graph.strength.tolist(), strict=True
        )
    )
    return result


def _folded(
    src: Indices, dst: Indices, strength: Doubles, n_nodes: int
) -> tuple[Indices, Indices, Doubles]:
    """Return the edges in (src, dst) order, parallel ones folded to the largest."""
    pair = src * n_nodes + dst  # one key: a third of the time of sorting by two
    order = np.argsort(pair, kind="stable")
    src, dst, strength, pair = src[order], dst[order], strength[order], pair[order]
    is_first = np.ones(len(src), bool)
    is_first[1:] = pair[1:] != pair[:-1]
    starts = np.flatnonzero(is_first)
    if len(starts):
        strength = np.maximum.reduceat(strength, starts)
    return src[starts], dst[starts], strength
