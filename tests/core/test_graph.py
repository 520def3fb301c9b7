"""The normal form of a graph, bridges, and the networkx view."""

from __future__ import annotations

import math
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import memsleep.core
from core import oracles
from core.strategies import graphs
from memsleep.core import GraphEdge, bridge_counts, index_graph, to_networkx

Graph = tuple[list[str], list[GraphEdge]]


def edges_of(graph: memsleep.core.IndexedGraph) -> list[GraphEdge]:
    return [
        GraphEdge(graph.nodes[src], graph.nodes[dst], strength)
        for src, dst, strength in zip(
            graph.src.tolist(), graph.dst.tolist(), graph.strength.tolist(), strict=True
        )
    ]


@given(graphs())
def test_normal_form(graph: Graph) -> None:
    """The array form equals the definition, and normalising twice changes nothing."""
    indexed = index_graph(*graph)
    assert (indexed.nodes, edges_of(indexed)) == oracles.folded(*graph)
    again = index_graph(indexed.nodes, edges_of(indexed))
    assert edges_of(again) == edges_of(indexed)


@pytest.mark.parametrize(
    "edge",
    [
        pytest.param(GraphEdge("a", "a", 1.0), id="self-loop"),
        pytest.param(GraphEdge("a", "x", 1.0), id="absent target"),
        pytest.param(GraphEdge("x", "a", 1.0), id="absent source"),
    ],
)
def test_dropped(edge: GraphEdge) -> None:
    assert edges_of(index_graph(["a", "b"], [edge])) == []


def test_parallel_edges_fold_to_the_largest() -> None:
    """Not to the sum, not to the last; the other direction is another edge."""
    edges = [GraphEdge("a", "b", 0.4), GraphEdge("a", "b", 0.9), GraphEdge("a", "b", 0.5)]
    folded = edges_of(index_graph(["a", "b"], [*edges, GraphEdge("b", "a", 0.1)]))
    assert folded == [GraphEdge("a", "b", 0.9), GraphEdge("b", "a", 0.1)]


@pytest.mark.parametrize("strength", [math.nan, math.inf, -math.inf])
def test_strength_must_be_finite(strength: float) -> None:
    with pytest.raises(ValueError, match="a -> b must be finite"):
        index_graph(["a", "b"], [GraphEdge("a", "b", strength)])


BRIDGES = [
    pytest.param({"a": "x", "b": "y"}, {"a": 1, "b": 1, "c": 0}, id="crossing"),
    pytest.param({"a": "x", "b": "x"}, {"a": 0, "b": 0, "c": 0}, id="same"),
    pytest.param({"a": "x", "b": None}, {"a": 0, "b": 0, "c": 0}, id="none"),
    pytest.param({"a": "x"}, {"a": 0, "b": 0, "c": 0}, id="absent"),
    pytest.param({"a": "x", "b": "y", "c": "x"}, {"a": 1, "b": 2, "c": 1}, id="both ends count"),
]


@pytest.mark.parametrize(("communities", "expected"), BRIDGES)
def test_bridge_counts(communities: dict[str, str | None], expected: dict[str, int]) -> None:
    edges = [GraphEdge("a", "b", 0.0), GraphEdge("a", "b", 1.0), GraphEdge("b", "c", 0.5)]
    assert bridge_counts("cab", edges, communities) == expected


def test_mirrored_bridge_counts_twice() -> None:
    edges = [GraphEdge("a", "b", 1.0), GraphEdge("b", "a", 1.0)]
    assert bridge_counts("ab", edges, {"a": "x", "b": "y"}) == {"a": 2, "b": 2}


@given(graphs(), st.integers(1, 3))
def test_bridge_counts_add_up(graph: Graph, modulus: int) -> None:
    """The counts sum to twice the number of crossing edges."""
    nodes, edges = graph
    communities = {node: str(len(node) % modulus) for node in nodes}
    _, folded = oracles.folded(nodes, edges)
    crossing = sum(communities[edge.src] != communities[edge.dst] for edge in folded)
    assert sum(bridge_counts(nodes, edges, communities).values()) == 2 * crossing


@given(graphs())
def test_to_networkx(graph: Graph) -> None:
    names, folded = oracles.folded(*graph)
    view = to_networkx(*graph)
    assert list(view.nodes) == names
    assert [
        GraphEdge(src, dst, data["weight"]) for src, dst, data in view.edges(data=True)
    ] == folded


def test_networkx_is_imported_only_when_asked_for() -> None:
    """Most commands never need it, and it is slow to import."""
    program = "import sys, memsleep.core; sys.exit('networkx' in sys.modules)"
    source = str(Path(memsleep.core.__file__).parents[2])
    subprocess.run([sys.executable, "-c", program], env={"PYTHONPATH": source}, check=True)
