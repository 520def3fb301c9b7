"""Label propagation: the result of full sweeps, by either of its two ways."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core import oracles
from core.strategies import graphs
from core.test_link_rank import random_graph
from memsleep.core import GraphEdge, bridge_counts, communities, label_propagation

Graph = tuple[list[str], list[GraphEdge]]


def edges(*links: str, strength: float = 1.0) -> list[GraphEdge]:
    return [GraphEdge(link[0], link[1], strength) for link in links]


@pytest.fixture(params=[pytest.param(0, id="in levels"), pytest.param(10**9, id="singly")])
def _way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Run a test by array operations per level, then node by node."""
    monkeypatch.setattr(communities, "MIN_MEAN_LEVEL", request.param)


@given(graphs(), st.integers(0, 4), st.integers(0, 5))
def test_equals_full_sweeps(graph: Graph, min_community_size: int, max_sweeps: int) -> None:
    """Skipping nodes with an unchanged neighbourhood changes nothing."""
    options = {"min_community_size": min_community_size, "max_sweeps": max_sweeps}
    expected = list(oracles.label_propagation(*graph, **options).items())
    for limit in (0, 10**9):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(communities, "MIN_MEAN_LEVEL", limit)
            assert list(label_propagation(*graph, **options).items()) == expected


@pytest.mark.usefixtures("_way")
@pytest.mark.parametrize("seed", range(3))
def test_equals_full_sweeps_on_larger_graphs(seed: int) -> None:
    graph = random_graph(400, 900, seed)
    assert label_propagation(*graph) == oracles.label_propagation(*graph)


@pytest.mark.usefixtures("_way")
def test_chain_longer_than_any_level() -> None:
    """Labels that have to travel against the order need many sweeps."""
    nodes = [f"n{index:04d}" for index in range(500)]
    chain = [GraphEdge(a, b, float(index)) for index, (a, b) in enumerate(pairwise(nodes))]
    found = label_propagation(nodes, chain, max_sweeps=40)
    assert found == oracles.label_propagation(nodes, chain, max_sweeps=40)


TRIANGLES = edges("ab", "bc", "ca", "de", "ef", "fd")


@pytest.mark.usefixtures("_way")
class TestWorkedValues:
    def test_two_triangles_and_a_weak_bridge(self) -> None:
        bridged = [*TRIANGLES, *edges("cd", strength=0.5)]
        found = label_propagation("abcdef", bridged)
        assert found == {**dict.fromkeys("abc", "a"), **dict.fromkeys("def", "d")}
        assert bridge_counts("abcdef", bridged, found) == {
            **dict.fromkeys("abef", 0),
            **dict.fromkeys("cd", 1),
        }

    def test_mirroring_the_bridge_moves_the_partition(self) -> None:
        """Both directions of a pair add up, so a mirrored half weighs as much as a whole."""
        mirrored = [*TRIANGLES, *edges("cd", "dc", strength=0.5)]
        assert label_propagation("abcdef", mirrored) == dict.fromkeys("abcdef", "a")

    def test_path_is_one_community(self) -> None:
        path = edges("ab", "bc", "cd", "de", "ef")
        assert label_propagation("abcdef", path) == dict.fromkeys("abcdef", "a")

    def test_lone_pair_is_none(self) -> None:
        assert label_propagation("ab", edges("ab")) == {"a": None, "b": None}
        assert label_propagation("ab", edges("ab"), min_community_size=2) == dict.fromkeys(
            "ab", "a"
        )

    def test_isolated_node_keeps_its_own(self) -> None:
        assert label_propagation("ba", [], min_community_size=1) == {"a": "a", "b": "b"}
        assert label_propagation("ba", [], min_community_size=2) == {"a": None, "b": None}

    def test_no_sweep_leaves_every_node_alone(self) -> None:
        found = label_propagation("abc", edges("ab", "bc"), max_sweeps=0, min_community_size=1)
        assert found == {"a": "a", "b": "b", "c": "c"}

    def test_tie_takes_the_smallest_label(self) -> None:
        """Neither the first one met nor the largest: z meets the label of b before that of a."""
        pairs = [GraphEdge("a", "aa", 5.0), GraphEdge("b", "bb", 5.0)]
        tied = [GraphEdge("b", "z", 0.5), GraphEdge("z", "a", 0.5)]
        found = label_propagation(["a", "aa", "b", "bb", "z"], [*pairs, *tied])
        assert found == {"a": "a", "aa": "a", "b": None, "bb": None, "z": "a"}

    def test_float_sums_decide(self) -> None:
        """0.1 + 0.2 beats 0.3 by one bit: the sums run in index order."""
        links = [
            GraphEdge("z", "a", 0.1),
            GraphEdge("z", "b", 0.2),
            GraphEdge("z", "c", 0.3),
            GraphEdge("a", "b", 5.0),
            GraphEdge("c", "d", 5.0),
        ]
        assert label_propagation("abcdz", links, min_community_size=1)["z"] == "a"

    @pytest.mark.parametrize(
        ("links", "winner"),
        [
            pytest.param("za zb zc", "a", id="0.1 + 0.2 + 0.3 is above 0.6"),
            pytest.param("bz cz za", "A", id="0.2 + 0.3 + 0.1, as the edges are met, is 0.6"),
        ],
    )
    def test_order_of_the_sum_decides(self, links: str, winner: str) -> None:
        """Neighbours are added as the sorted edges meet them; A would win a tie."""
        strength = {"a": 0.1, "b": 0.2, "c": 0.3}
        summed = [
            GraphEdge(src, dst, strength[src if dst == "z" else dst]) for src, dst in links.split()
        ]
        groups = [("A", "AA"), ("a", "b"), ("b", "c"), ("a", "c")]
        strong = [GraphEdge(src, dst, 5.0) for src, dst in groups]
        nodes = ["A", "AA", "a", "b", "c", "z"]
        found = label_propagation(
            nodes, [*summed, *strong, GraphEdge("z", "A", 0.6)], min_community_size=1
        )
        assert found["z"] == winner

    def test_community_is_named_by_its_smallest_member(self) -> None:
        """A label is a member, though the node that gave it may have moved on."""
        graph = random_graph(120, 200, 11)
        found = label_propagation(*graph, min_community_size=1)
        for label in set(found.values()):
            assert label == min(node for node in found if found[node] == label)


def test_empty() -> None:
    assert label_propagation([], []) == {}


@given(graphs(), st.data())
def test_input_order_does_not_matter(graph: Graph, data: st.DataObject) -> None:
    nodes, links = graph
    shuffled = data.draw(st.permutations(nodes)), data.draw(st.permutations(links))
    assert label_propagation(*shuffled) == label_propagation(*graph)


@given(graphs(), st.integers(1, 4))
def test_communities_are_connected_enough(graph: Graph, size: int) -> None:
    """A reported community has the minimum size, and its label is one of its members."""
    found = label_propagation(*graph, min_community_size=size)
    for label in set(found.values()) - {None}:
        members = [node for node in found if found[node] == label]
        assert len(members) >= size
        assert label in members


@given(graphs())
def test_levels_hold_no_neighbours(graph: Graph) -> None:
    """No two nodes of a level are linked, and every node is in exactly one level."""
    indexed = communities.index_graph(*graph)
    hoods = communities._neighbourhoods(indexed)
    levels = communities._levels(hoods)
    assert sorted(np.concatenate(levels).tolist()) == list(range(len(indexed.nodes)))
    for level in levels:
        assert not np.isin(hoods.neighbour[hoods.entries(level)[1]], level).any()


@given(graphs(), st.integers(0, 5))
def test_numbers_name_the_labels(graph: Graph, max_sweeps: int) -> None:
    """The index form has the same groups."""
    indexed = communities.index_graph(*graph)
    numbers = communities.community_numbers(indexed, max_sweeps=max_sweeps).tolist()
    named = label_propagation(*graph, min_community_size=1, max_sweeps=max_sweeps)
    first = {number: numbers.index(number) for number in numbers}
    assert [indexed.nodes[first[number]] for number in numbers] == list(named.values())


def test_only_changed_neighbourhoods_are_visited(monkeypatch: pytest.MonkeyPatch) -> None:
    """After the first sweep most nodes have nothing new to look at."""
    indexed = communities.index_graph(*random_graph(400, 900, 0))
    settled = communities.community_numbers(indexed).tolist()
    sweeps = next(
        count
        for count in range(100)
        if communities.community_numbers(indexed, max_sweeps=count).tolist() == settled
    )
    visited = []
    heaviest = communities._heaviest_labels

    def counted(hoods, nodes, labels):  # type: ignore[no-untyped-def]
        visited.append(len(nodes))
        return heaviest(hoods, nodes, labels)

    monkeypatch.setattr(communities, "MIN_MEAN_LEVEL", 0)
    monkeypatch.setattr(communities, "_heaviest_labels", counted)
    assert communities.community_numbers(indexed).tolist() == settled
    assert sweeps > 2
    assert 400 - 20 < sum(visited) < 0.7 * 400 * (sweeps + 1)
