"""PageRank: the definition's bits, networkx's values, and its laws."""

from __future__ import annotations

import math

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core import oracles
from core.strategies import KEYS, graphs
from memsleep.core import GraphEdge, index_graph, pagerank, pagerank_scores, to_networkx

Graph = tuple[list[str], list[GraphEdge]]
SEEDS = st.none() | st.dictionaries(
    KEYS, st.sampled_from([-1.0, 0.0, 0.1, 0.2, 3.0, math.nan]), max_size=4
)


@given(
    graphs(),
    SEEDS,
    st.sampled_from([0.0, 0.5, 0.85, 1.0]),
    st.integers(0, 30),
    st.sampled_from([-1.0, 0.0, 1e-6, 0.1]),
)
def test_equals_the_loops(
    graph: Graph,
    seeds: dict[str, float] | None,
    damping: float,
    max_iterations: int,
    tolerance: float,
) -> None:
    """Array operations in index order give the bits of plain loops."""
    options = {
        "seeds": seeds,
        "damping": damping,
        "max_iterations": max_iterations,
        "tolerance": tolerance,
    }
    assert list(pagerank(*graph, **options).items()) == list(
        oracles.pagerank(*graph, **options).items()
    )


def random_graph(n_nodes: int, n_edges: int, seed: int) -> Graph:
    rng = np.random.default_rng(seed)
    nodes = [f"n{index:03d}" for index in range(n_nodes)]
    ends = rng.integers(0, n_nodes, (n_edges, 2)).tolist()
    weights = rng.random(n_edges).tolist()
    edges = [
        GraphEdge(nodes[src], nodes[dst], weight)
        for (src, dst), weight in zip(ends, weights, strict=True)
    ]
    return nodes, edges


@pytest.mark.parametrize("seed", range(3))
def test_equals_the_loops_on_large_sums(seed: int) -> None:
    """Long sums would betray another order of addition."""
    graph = random_graph(300, 2000, seed)
    assert pagerank(*graph) == oracles.pagerank(*graph)


@pytest.mark.parametrize("seed", range(4))
def test_agrees_with_networkx(seed: int) -> None:
    """Same fixed point, dangling nodes included, within 1e-9 a node."""
    nodes, edges = random_graph(80, 200, seed)
    ours = pagerank(nodes, edges, tolerance=1e-16, max_iterations=1000)
    theirs = nx.pagerank(to_networkx(nodes, edges), alpha=0.85, tol=1e-15, max_iter=1000)
    assert max(abs(ours[node] - theirs[node]) for node in nodes) < 1e-9


@pytest.mark.parametrize("seed", range(3))
def test_agrees_with_networkx_on_seeds(seed: int) -> None:
    nodes, edges = random_graph(40, 120, seed)
    seeds = {nodes[1]: 1.0, nodes[7]: 2.0}
    ours = pagerank(nodes, edges, seeds=seeds, tolerance=1e-16, max_iterations=1000)
    theirs = nx.pagerank(to_networkx(nodes, edges), personalization=seeds, tol=1e-15, max_iter=1000)
    assert max(abs(ours[node] - theirs[node]) for node in nodes) < 1e-9


def test_published_example() -> None:
    """The six-node example of A. Langville and C. Meyer, "Google's PageRank and Beyond" (2006).

    The node without links out is dangling on purpose; scores to 4 places.
    """
    links = [(1, 2), (1, 3), (3, 1), (3, 2), (3, 5), (4, 5), (4, 6), (5, 4), (5, 6), (6, 4)]
    edges = [GraphEdge(str(src), str(dst), 1.0) for src, dst in links]
    scores = pagerank("123456", edges, damping=0.9, tolerance=1e-15, max_iterations=1000)
    expected = [0.03721, 0.05396, 0.04151, 0.3751, 0.206, 0.2862]
    assert list(scores.values()) == pytest.approx(expected, abs=5e-5)


WORKED = [
    pytest.param([GraphEdge("a", "b", 1.0)], [0.2597402, 0.4805196, 0.2597402], id="one link"),
    pytest.param(
        [
            GraphEdge("a", "b", 0.5),
            GraphEdge("a", "b", 0.9),
            GraphEdge("a", "c", 0.1),
            GraphEdge("a", "a", 1.0),
            GraphEdge("a", "x", 1.0),
        ],
        [0.2597402, 0.4584417, 0.2818181],
        id="parallel, self-loop and absent",
    ),
]


@pytest.mark.parametrize(("edges", "expected"), WORKED)
def test_worked_values(edges: list[GraphEdge], expected: list[float]) -> None:
    scores = pagerank("abc", edges)
    assert list(scores.values()) == pytest.approx(expected, abs=5e-8)


@given(graphs(), SEEDS)
def test_scores_sum_to_one(graph: Graph, seeds: dict[str, float] | None) -> None:
    scores = pagerank(*graph, seeds=seeds)
    assert not scores or math.fsum(scores.values()) == pytest.approx(1.0, abs=1e-12)
    assert all(score >= 0 for score in scores.values())


@given(graphs(), st.data())
def test_input_order_does_not_matter(graph: Graph, data: st.DataObject) -> None:
    nodes, edges = graph
    shuffled = data.draw(st.permutations(nodes)), data.draw(st.permutations(edges))
    assert pagerank(*shuffled) == pagerank(*graph)


@pytest.mark.parametrize(
    "seeds",
    [
        pytest.param({}, id="none"),
        pytest.param({"nowhere": 1.0}, id="absent"),
        pytest.param({"a": 0.0, "b": -1.0}, id="not positive"),
        pytest.param({"a": math.nan}, id="nan"),
    ],
)
def test_unusable_seeds_are_uniform(seeds: dict[str, float]) -> None:
    edges = [GraphEdge("a", "b", 1.0)]
    assert pagerank("ab", edges, seeds=seeds) == pagerank("ab", edges)


def test_no_iteration_gives_the_teleport_distribution() -> None:
    edges = [GraphEdge("a", "b", 1.0)]
    assert pagerank("ab", edges, max_iterations=0, seeds={"a": 1.0, "b": 3.0}) == {
        "a": 0.25,
        "b": 0.75,
    }


def test_tolerance_scales_with_the_number_of_nodes() -> None:
    """The change of the first round lies between tolerance and tolerance * n."""
    edges = [GraphEdge("a", "b", 1.0)]
    change = sum(abs(score - 0.5) for score in pagerank("ab", edges, max_iterations=1).values())
    tolerance = change * 0.6
    assert pagerank("ab", edges, tolerance=tolerance) == pagerank("ab", edges, max_iterations=1)


def test_cancelling_strengths_are_dangling() -> None:
    """Outgoing strengths that sum to 0 must not divide by it."""
    edges = [GraphEdge("a", "b", 0.5), GraphEdge("a", "c", -0.5)]
    assert pagerank("abc", edges) == pagerank("abc", [])


def test_scores_of_an_indexed_graph() -> None:
    graph = random_graph(30, 90, 0)
    assert pagerank_scores(index_graph(*graph)).tolist() == list(pagerank(*graph).values())
    assert pagerank_scores(index_graph([], [])).tolist() == []
