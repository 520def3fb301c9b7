"""Graph: which links are edges, and what the columns say of known graphs."""

from __future__ import annotations

from typing import Any

import pytest

import phases_kit as kit
from memsleep.model import Edge, Memory, Snapshot
from memsleep.phases import graph
from memsleep.phases.graph import authored_edges
from memsleep.proposals import SetColumn
from memsleep.relations import MEMORY_RELATIONS
from memsleep.settings import Settings


def _columns(start: Snapshot, used: Settings = kit.CAREFUL) -> dict[str, dict[str, Any]]:
    found = list(graph.propose(start, used))
    assert all(isinstance(column, SetColumn) for column in found)
    return {column.name: dict(column.values) for column in found if isinstance(column, SetColumn)}


def _linked(*pairs: tuple[str, str], relation: str = "relates_to", also: str = "") -> list[Memory]:
    names = sorted({name for pair in pairs for name in pair} | set(also))
    return [
        kit.memory(name, name, links=tuple(kit.link(b, relation) for a, b in pairs if a == name))
        for name in names
    ]


def _mined(*rows: tuple[str, str, float]) -> tuple[Edge, ...]:
    return tuple(Edge(a, b, "relates_to", strength, mined=True) for a, b, strength in rows)


TRIANGLES = [("a", "b"), ("b", "c"), ("c", "a"), ("d", "e"), ("e", "f"), ("f", "d")]

QUIET = [
    pytest.param(kit.link("b", "about_person"), id="person"),
    pytest.param(kit.link("b", "authored_by"), id="author"),
    pytest.param(kit.link("b", "from_session"), id="session"),
    pytest.param(kit.link("b", "blocks"), id="task"),
    pytest.param(kit.link("b", "superseded_by"), id="successor"),
    pytest.param(kit.link("b", "relates_to", form="anchor"), id="anchor"),
    pytest.param(kit.link(None, target="b"), id="dangling"),
    pytest.param(kit.link("a"), id="itself"),
    pytest.param(kit.link("archive/2026/c"), id="archived-target"),
    pytest.param(kit.link("index"), id="no-memory"),
]


@pytest.mark.parametrize("link", QUIET)
def test_no_edge(link: Any) -> None:
    """A link to no active memory, or of another class, is no edge."""
    memories = [
        kit.memory("a", "a", links=(link,)),
        kit.memory("b", "b"),
        kit.memory("archive/2026/c", "c"),
    ]
    assert authored_edges(kit.snapshot(memories)) == []


@pytest.mark.parametrize("relation", sorted(MEMORY_RELATIONS))
@pytest.mark.parametrize("form", ["head", "wikilink", "inline", "front-matter"])
def test_edges(relation: str, form: str) -> None:
    """Every relation between memories is an edge of strength 1, once, in whatever form."""
    links = (kit.link("b", relation, form=form),) * 2
    memories = [kit.memory("a", "a", links=links), kit.memory("b", "b")]
    assert authored_edges(kit.snapshot(memories)) == [Edge("a", "b", relation, 1.0)]


def test_an_archived_memory_links_nothing() -> None:
    """Links of what is archived make no edges."""
    memories = [kit.memory("archive/2026/a", "a", links=(kit.link("b"),)), kit.memory("b", "b")]
    assert authored_edges(kit.snapshot(memories)) == []


def test_reference_ranks() -> None:
    """a -> b among a, b and c gives the reference's ranks."""
    ranks = _columns(kit.snapshot(_linked(("a", "b"), also="c")), kit.REFERENCE)["pagerank"]
    assert ranks == pytest.approx({"a": 0.2597402, "b": 0.4805196, "c": 0.2597402}, abs=1e-6)


def test_without_edges_all_ranks_are_equal() -> None:
    """Nobody is above the others where nothing is linked."""
    memories = [kit.memory(name, name) for name in "abcd"]
    columns = _columns(kit.snapshot(memories))
    assert set(columns["pagerank"].values()) == {0.25}
    assert set(columns["community"].values()) == {None}
    assert set(columns["bridge_count"].values()) == {0.0}


def test_communities_and_bridges() -> None:
    """Two triangles with a weak link between are two communities, and its ends are bridges."""
    start = kit.snapshot(_linked(*TRIANGLES), mined=_mined(("c", "d", 0.5)))
    columns = _columns(start)
    assert columns["community"] == dict.fromkeys("abc", "a") | dict.fromkeys("def", "d")
    assert columns["bridge_count"] == dict.fromkeys("abef", 0.0) | dict.fromkeys("cd", 1.0)


def test_a_pair_is_no_community() -> None:
    """Groups of fewer than three have no label; the setting says how many."""
    start = kit.snapshot(_linked(("a", "b")))
    assert set(_columns(start)["community"].values()) == {None}
    used = kit.settings(graph={"min_community_size": 2})
    assert set(_columns(start, used)["community"].values()) == {"a"}


def test_an_authored_link_outweighs_a_mined_one() -> None:
    """A mined edge beside an authored one changes nothing: the stronger counts."""
    memories = _linked(("a", "b"), also="c")
    alone = _columns(kit.snapshot(memories), kit.REFERENCE)
    beside = _columns(kit.snapshot(memories, mined=_mined(("a", "b", 0.9))), kit.REFERENCE)
    assert alone == beside


def test_a_mined_pair_is_followed_both_ways_in_careful() -> None:
    """One undirected row ranks both ends alike in careful; in reference it points one way."""
    memories = [kit.memory(name, name) for name in "abc"]
    start = kit.snapshot(memories, mined=_mined(("a", "b", 0.8)))
    careful = _columns(start)["pagerank"]
    assert careful["a"] == careful["b"] > careful["c"]
    reference = _columns(start, kit.REFERENCE)["pagerank"]
    assert reference["b"] > reference["a"] == reference["c"]


def test_a_mined_edge_to_what_is_gone_is_dropped() -> None:
    """An edge mined before a merge does not bring the dropped memory back."""
    memories = [kit.memory("a", "a"), kit.memory("archive/2026/b", "b")]
    columns = _columns(kit.snapshot(memories, mined=_mined(("a", "b", 0.9))))
    assert columns["pagerank"] == {"a": 1.0}


def test_order_of_files_does_not_matter() -> None:
    """The same memories in another order give the same bits."""
    memories = _linked(*TRIANGLES, ("c", "d"))
    assert _columns(kit.snapshot(memories)) == _columns(kit.snapshot(memories[::-1]))


def test_an_empty_corpus_has_empty_columns() -> None:
    """No memories, no ranks, no error."""
    assert _columns(kit.snapshot([])) == {"pagerank": {}, "community": {}, "bridge_count": {}}
