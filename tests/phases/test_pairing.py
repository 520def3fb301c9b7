"""Pairing: which pairs are candidates, why, in which order, and which edges are mined."""

from __future__ import annotations

from typing import Any

import pytest

import phases_kit as kit
from memsleep.model import Floors, Memory, Snapshot
from memsleep.phases import pairing
from memsleep.proposals import SetPairs
from memsleep.settings import Settings

ONLY_VECTORS = kit.settings(pairing={"content": False, "lexical": False, "frame": False})
FLOORS = Floors(duplicate=0.6, mined=0.6)


def _pairs(start: Snapshot, used: Settings = kit.CAREFUL) -> SetPairs:
    (found,) = pairing.propose(start, used)
    assert isinstance(found, SetPairs)
    return found


def _origins(start: Snapshot, used: Settings = kit.CAREFUL) -> list[tuple[str, str, str]]:
    return [(p.source, p.target, p.origin) for p in _pairs(start, used).candidates]


def _by_vectors(rows: dict[str, tuple[float, ...]], **fields: Any) -> Snapshot:
    memories = [kit.memory(path, name) for path, name in zip(sorted(rows), NAMES, strict=False)]
    return kit.snapshot(memories, vectors=kit.vectors(rows), floors=FLOORS, **fields)


NAMES = "alder birch cedar dogwood elms firs ginkgo hazel ivies juniper kapok larch".split()
A, B, C = (1.0, 0.0, 0.0), (0.95, 0.312, 0.0), (0.9, 0.43, 0.0)
LONG = "The gateway keeps the old version until the new one has answered three probes"
NO_NUMBER = "The gateway holds the old version while the new one is asked"

QUIET = [
    pytest.param([], id="nothing"),
    pytest.param([kit.memory("a.md", LONG)], id="one"),
    pytest.param([kit.memory("a.md", LONG), kit.memory("b.md", NO_NUMBER)], id="other-words"),
    pytest.param([kit.memory("a.md", ""), kit.memory("b.md", "")], id="empty-equals-nothing"),
    pytest.param([kit.memory("a.md", "..."), kit.memory("b.md", " ! ")], id="no-word-in-either"),
    pytest.param(
        [kit.memory("a.md", LONG), kit.memory("archive/2026/a.md", LONG)], id="one-is-archived"
    ),
    pytest.param(
        [kit.memory("a.md", LONG, type="task"), kit.memory("b.md", LONG, type="task")], id="tasks"
    ),
    pytest.param(
        [kit.memory("a.md", LONG, type="arc"), kit.memory("b.md", LONG, type="arc")], id="arcs"
    ),
]


@pytest.mark.parametrize("memories", QUIET)
def test_quiet(memories: list[Memory]) -> None:
    """No pair is found where nothing is alike, or where one side may not be paired."""
    found = _pairs(kit.snapshot(memories))
    assert (found.candidates, found.mined) == ((), ())


LOUD = [
    pytest.param(LONG, f"{LONG}.", "content", id="equal-but-for-a-stop"),
    pytest.param(LONG, LONG.upper(), "content", id="equal-but-for-case"),
    pytest.param("It doesn't retry", "It does not retry", "lexical", id="equal-words"),
    pytest.param("Keys are short", "Keys are short, in the cache", "lexical", id="a-clause-more"),
    pytest.param(
        "one two three four five six seven eight",
        "one two three four five six seven nine",
        "lexical",
        id="overlap",
    ),
    pytest.param("The bucket lives in Oslo", "The bucket lives in Bergen", "frame", id="slot"),
]


@pytest.mark.parametrize(("first", "second", "origin"), LOUD)
def test_loud_without_vectors(first: str, second: str, origin: str) -> None:
    """What is equal, says the same words or fills one slot is a pair without any embedder."""
    start = kit.snapshot([kit.memory("b.md", first), kit.memory("a.md", second)])
    assert _origins(start) == [("a.md", "b.md", origin)]


@pytest.mark.parametrize("name", ["content", "lexical", "frame"])
def test_each_way_can_be_turned_off(name: str) -> None:
    """Without its setting, a way of finding pairs finds none."""
    used = kit.settings(pairing={"content": False, "lexical": False, "frame": False, name: True})
    texts = {
        "content": (LONG, f"{LONG}."),
        "lexical": ("Keys are short", "Keys are short, in the cache"),
        "frame": ("The bucket lives in Oslo", "The bucket lives in Bergen"),
    }
    for other, (first, second) in texts.items():
        start = kit.snapshot([kit.memory("a.md", first), kit.memory("b.md", second)])
        found = {origin for *_, origin in _origins(start, used)}
        assert found <= {name}
        assert bool(found) is ((name, other) in {(name, name), ("lexical", "content")})


def test_overlap_is_inclusive_at_its_floor() -> None:
    """Word sets that overlap by exactly 0.74 are a pair; by less they are none."""
    words = [f"word{i:02d}x" for i in range(50)]
    for shared, is_pair in ((37, True), (36, False)):
        first = " ".join(words[:50])
        second = " ".join(words[:shared])
        start = kit.snapshot([kit.memory("a.md", first), kit.memory("b.md", f"{second}")])
        assert bool(_pairs(start).candidates) is is_pair


def test_floor_is_inclusive() -> None:
    """A cosine of exactly the floor is a candidate and a mined edge; a hair less is neither."""
    start = _by_vectors({"a.md": (1.0, 0.0), "b.md": (3.0, 4.0)})
    found = _pairs(start)
    assert [(p.similarity, p.origin) for p in found.candidates] == [(0.6, "vector")]
    assert [edge.strength for edge in found.mined] == [0.6]
    above = kit.settings(pairing={"duplicate_floor": 0.6000001, "mined_floor": 0.6000001})
    found = _pairs(start, above)
    assert (found.candidates, found.mined) == ((), ())


def test_floors_are_the_embedders_unless_the_config_says_so() -> None:
    """`embedder` takes the snapshot's floors, a number takes their place."""
    start = _by_vectors({"a.md": (1.0, 0.0), "b.md": (3.0, 4.0)})
    low = kit.settings(pairing={"duplicate_floor": 0.7, "mined_floor": 0.5})
    found = _pairs(start, low)
    assert (len(found.candidates), len(found.mined)) == (0, 1)


def test_neighbours_are_kept_per_memory_in_both_directions() -> None:
    """With k = 1, a pair stays if either side has it first; in reference each row is an edge."""
    start = _by_vectors({"a.md": A, "b.md": B, "c.md": C})
    one = {"duplicate_neighbors": 1, "mined_neighbors": 1, "content": False}
    careful = _pairs(start, kit.settings(pairing=one))
    both = [("b.md", "c.md"), ("a.md", "b.md")]
    assert [(p.source, p.target) for p in careful.candidates] == both
    assert [(e.source, e.target) for e in careful.mined] == both
    reference = _pairs(start, kit.settings("reference", pairing=one))
    rows = [(e.source, e.target) for e in reference.mined]
    assert rows == [("b.md", "c.md"), ("c.md", "b.md"), ("a.md", "b.md")]
    assert [(p.source, p.target) for p in reference.candidates] == both


def test_the_strongest_rows_survive_a_limit_wherever_they_lie() -> None:
    """A limit cuts the weakest directed rows, not the last paths."""
    rows = {"a.md": A, "b.md": C, "y.md": (0.0, 0.0, 1.0), "z.md": (0.0, 0.01, 1.0)}
    start = _by_vectors(rows)
    used = kit.settings(pairing={"duplicate_rows": 2, "mined_rows": 2, "content": False})
    found = _pairs(start, used)
    assert [(p.source, p.target) for p in found.candidates] == [("y.md", "z.md")]
    assert [(e.source, e.target) for e in found.mined] == [("y.md", "z.md")]


def test_a_pair_is_told_once_by_its_strongest_reason() -> None:
    """A pair that is found in several ways is one candidate: equal contents first."""
    memories = [kit.memory(path, LONG) for path in ("a.md", "b.md")]
    rows = {"a.md": (1.0, 0.0), "b.md": (1.0, 0.0)}
    start = kit.snapshot(memories, vectors=kit.vectors(rows), floors=FLOORS)
    (pair,) = _pairs(start).candidates
    assert (pair.similarity, pair.origin) == (1.0, "content")


def test_equal_contents_come_before_nearer_vectors() -> None:
    """Candidates are in the order of equality, then similarity, then paths."""
    memories = [
        kit.memory("a.md", "The bucket lives in Oslo"),
        kit.memory("b.md", "The bucket lives in Bergen"),
        kit.memory("y.md", LONG),
        kit.memory("z.md", LONG),
    ]
    start = kit.snapshot(memories)
    assert _origins(start) == [("y.md", "z.md", "content"), ("a.md", "b.md", "frame")]


def test_types_are_left_out_by_the_settings() -> None:
    """Arcs are mined but not paired; tasks neither; an emptied list lets them in."""
    rows = {"a.md": (1.0, 0.0), "b.md": (1.0, 0.1)}
    for kind, counts in (("arc", (0, 1)), ("task", (0, 0)), ("semantic", (1, 1))):
        memories = [kit.memory(path, path, type=kind) for path in rows]
        start = kit.snapshot(memories, vectors=kit.vectors(rows), floors=FLOORS)
        found = _pairs(start)
        assert (len(found.candidates), len(found.mined)) == counts
        open_to_all = kit.settings(pairing={"never_duplicate": (), "never_mined": ()})
        found = _pairs(start, open_to_all)
        assert (len(found.candidates), len(found.mined)) == (1, 1)


def test_a_memory_without_a_vector_is_paired_by_its_words() -> None:
    """Where one side has no vector the similarity is the overlap of the claims."""
    claims = {"a.md": "The bucket lives in Oslo", "b.md": "The bucket lives in Rome"}
    memories = [kit.memory(path, claim) for path, claim in claims.items()]
    start = kit.snapshot(memories, vectors=kit.vectors({"a.md": (1.0, 0.0)}), floors=FLOORS)
    (pair,) = _pairs(start).candidates
    assert pair.similarity == pytest.approx(3 / 5)


def test_a_large_group_of_one_slot_is_not_all_paired() -> None:
    """Up to eight equal slots are all pairs; more are paired with the next in path order."""
    for size, expected in ((8, 28), (9, 8), (40, 39)):
        memories = [
            kit.memory(f"{i:02d}.md", f"The bucket lives in place{i:02d}q") for i in range(size)
        ]
        assert len(_pairs(kit.snapshot(memories)).candidates) == expected


def test_a_large_group_of_equal_contents_hangs_together() -> None:
    """In a large group the first eight are paired with all, so that it stays one group."""
    memories = [kit.memory(f"{i:03d}.md", LONG) for i in range(100)]
    found = _pairs(kit.snapshot(memories)).candidates
    assert len(found) == sum(99 - i for i in range(8))
    assert {p.target for p in found if p.source == "000.md"} == {m.path for m in memories[1:]}


def test_what_the_guards_let_pass_is_always_found() -> None:
    """A claim that another extends is found though their vectors are far apart."""
    claims = ["Keys are short", "Keys are short, in the cache, as measured on the new host"]
    memories = [kit.memory(f"{i}.md", claim) for i, claim in enumerate(claims)]
    rows = {"0.md": (1.0, 0.0), "1.md": (0.0, 1.0)}
    start = kit.snapshot(memories, vectors=kit.vectors(rows), floors=FLOORS)
    (pair,) = _pairs(start).candidates
    assert (pair.origin, pair.similarity) == ("lexical", 0.0)


def test_order_of_memories_does_not_matter() -> None:
    """The same memories in another order give the same pairs."""
    rows = {f"{i}.md": (float(i % 3), float(i % 5), 1.0) for i in range(12)}
    start = _by_vectors(rows)
    memories = reversed(list(start.memories.values()))
    turned = kit.snapshot(memories, vectors=start.vectors, floors=FLOORS)
    assert _pairs(start) == _pairs(turned)


@pytest.mark.parametrize(
    "claim",
    [
        "Notes of the whole team in the big room",
        "Notes of the whole team about topic{} in the big room",
        "Notes of the whole team, number {}, in the big room",
        "The owner of the service is person{}",
    ],
)
def test_candidates_of_a_template_grow_with_the_corpus(claim: str) -> None:
    """However alike all memories are, each has a bounded number of candidates."""
    counts = []
    for size in (200, 400):
        memories = [kit.memory(f"{i:03d}.md", claim.format(i)) for i in range(size)]
        counts.append(len(_pairs(kit.snapshot(memories)).candidates))
        assert counts[-1] <= 9 * size
    assert counts[1] <= 2.1 * counts[0]


@pytest.mark.parametrize("body", ["", "\n", "---\n---\n", "---\ntitle: Untitled\n---\n\n"])
def test_empty_memories_are_no_pair(body: str) -> None:
    """Pages that say nothing repeat nothing, though their names are alike."""
    names = ("Untitled.md", "Untitled 1.md", "Untitled 2.md")
    start = kit.corpus(dict.fromkeys(names, body))
    assert _pairs(start).candidates == ()
