"""What earlier nights found out changes the time of pairing and dedup, never a proposal."""

from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import phases_kit as kit
from memsleep.embedders.cache import open_cache
from memsleep.embedders.near import with_near
from memsleep.known import Known
from memsleep.model import Floors, Memory, Snapshot
from memsleep.phases import dedup, pairing
from memsleep.phases.recall import Pairs, content_of, facts_of
from memsleep.proposals import Proposal, SetPairs
from memsleep.settings import Settings

HISTORIES = 200
STEPS = 3
FLOORS = Floors(duplicate=0.8, mined=0.5)
CLAIMS = (
    "The gateway keeps the old version until three probes pass",
    "The gateway keeps the old version until three probes pass, and logs it",
    "The gateway keeps the old version until four probes pass",
    "The gateway keeps the old version until three probes pass.",
    "Until three probes pass the gateway keeps the old version",
    "The staging gateway never keeps the old version",
    "Port: 8080",
    "Port: 9090",
    "Ask Anna before the release",
    "",
)
DETAILS = ("", "It runs in Berlin.", "It was seen on 2026-03-04.", "`x = 1` is the default.")
FIELDS: tuple[dict[str, Any], ...] = (
    {},
    {"pinned": True},
    {"type": "episodic"},
    {"created": "2026-01-05T00:00:00Z"},
    {"entities": ("anna",)},
    {"from_history": frozenset({"created", "updated"})},
)
SETTINGS = (
    kit.CAREFUL,
    kit.settings(dedup={"guards": ("pinned", "numbers"), "min_words": 0}),
    kit.settings(pairing={"frame": False}, dedup={"max_copies": 2}),
    kit.settings(pairing={"lexical": False, "duplicate_neighbors": 2}),
    kit.settings("reference"),
)


class History:
    """A small corpus of memories, edited step by step."""

    def __init__(self, seed: int) -> None:
        self.rng = random.Random(seed)
        self.memories: dict[str, Memory] = {}
        self.settings = kit.CAREFUL
        for _ in range(9):
            self.put()

    def put(self) -> None:
        path = f"{self.rng.choice('ab')}{self.rng.randrange(6)}.md"
        claim = self.rng.choice(CLAIMS)
        fields = self.rng.choice(FIELDS)
        body = f"{claim} {self.rng.choice(DETAILS)}".strip()
        self.memories[path] = kit.memory(path, claim, **{"body": body, **fields})

    def step(self) -> None:
        """Write or remove one or two; now and then change the settings."""
        for _ in range(self.rng.randrange(3)):
            self.put()
        if self.rng.random() < 0.3:
            self.memories.pop(self.rng.choice(sorted(self.memories)))
        if self.rng.random() < 0.3:
            self.settings = self.rng.choice(SETTINGS)

    def snapshot(self) -> Snapshot:
        memories = list(self.memories.values())
        vectors = kit.embedded(memories)
        return kit.snapshot(memories, vectors=vectors, floors=FLOORS)


def proposals(start: Snapshot, used: Settings) -> list[Proposal]:
    """Pair, then judge what was paired."""
    (found,) = pairing.propose(start, used)
    assert isinstance(found, SetPairs)
    paired = replace(start, candidates=found.candidates, mined=found.mined)
    return [found, *dedup.propose(paired, used)]


@pytest.mark.parametrize("part", range(4))
def test_edit_histories_give_what_a_night_without_a_past_gives(tmp_path: Path, part: int) -> None:
    """After every step: the same candidates, edges, merges, reviews and refusals."""
    made = known = 0
    with open_cache(tmp_path / "cache.db") as cache:
        for seed in range(part, HISTORIES, 4):
            history = History(seed)
            for _ in range(STEPS):
                plain, used = history.snapshot(), history.settings
                lists = pairing.wanted_lists(used, FLOORS)
                near = with_near(plain.vectors, *lists, cache)
                past = cache.known()
                fast = replace(plain, vectors=near.vectors, known=past)
                assert proposals(fast, used) == proposals(plain, used)
                cache.keep_known(past)
                for count in past.counts().values():
                    made, known = made + count["made"], known + count["known"]
                history.step()
    assert min(made, known) > 500  # else the histories would show nothing


def judged(first: Memory, then: Memory, **fields: Any) -> int:
    """Return how many pairs are judged: `first` with a memory, then `then` with it."""
    other = kit.memory("z.md", CLAIMS[1])
    known = Known()
    Pairs(known, {}, ("numbers",)).vetoes(first, other)
    pairs = Pairs(known, fields.get("files", {}), fields.get("guards", ("numbers",)))
    pairs.vetoes(then, other)
    return known.tables["vetoes"].made


BASE = kit.memory("a.md", CLAIMS[0], body="It runs in Berlin.")
CHANGES: tuple[dict[str, Any], ...] = (
    {"path": "b.md"},
    {"gist": CLAIMS[2]},
    {"body": "It runs in Bonn."},
    {"title": "Gateways"},
    {"type": "episodic"},
    {"created": "2026-01-05T00:00:00Z"},
    {"valid_until": "2026-01-05T00:00:00Z"},
    {"pinned": True},
    {"tags": ("x",)},
    {"entities": ("x",)},
    {"language": "de"},
    {"stated": {"title": "x"}},
    {"from_history": frozenset({"created"})},
    {"links": (kit.link("c.md"),)},
)


@pytest.mark.parametrize("change", CHANGES, ids=lambda change: next(iter(change)))
def test_any_change_of_a_memory_is_judged_anew(change: dict[str, Any]) -> None:
    """A guard may read anything of a memory, so all of it is part of the key."""
    assert judged(BASE, replace(BASE, **change)) == 2


@pytest.mark.parametrize("fields", [{"files": {"a.md": b"x"}}, {"guards": ("numbers", "dates")}])
def test_other_bytes_and_other_guards_are_judged_anew(fields: dict[str, Any]) -> None:
    assert judged(BASE, BASE, **fields) == 2


def test_the_same_memory_is_judged_once() -> None:
    """Read again it is another object with the same values."""
    assert judged(BASE, replace(BASE)) == 1


def test_the_two_sides_of_a_pair_are_told_apart() -> None:
    known = Known()
    pairs = Pairs(known, {}, ())
    other = kit.memory("z.md", CLAIMS[1])
    pairs.details(BASE, other)
    pairs.details(other, BASE)
    assert known.tables["details"].made == 2


def test_facts_are_those_of_texts() -> None:
    """Copies under other paths share them; a memory that says nothing has none."""
    known = Known()
    memories = [BASE, replace(BASE, path="b.md"), kit.memory("c.md", "", body=" . ")]
    facts = dict(facts_of(memories, known))
    assert facts["a.md"] == facts["b.md"]
    assert facts["a.md"].content != ""
    assert len(facts["a.md"].heads) == 1
    assert facts["c.md"] == ("", "", "", [])
    assert known.tables["facts"].made == 2
    assert content_of(BASE, known) == facts["a.md"].content
    assert known.tables["facts"].made == 2
