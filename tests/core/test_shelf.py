"""Pairs that wait with bounds end on the shelf just as if their similarity had been known."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from memsleep.core import cosine, tiles
from memsleep.core import shelf as shelf_module
from memsleep.core.blocks import Block
from memsleep.core.scores import Scores
from memsleep.core.shelf import Ranked, Shelf, Waiting, best_per_source, kth_largest
from memsleep.core.tiles import fill_shelves
from memsleep.core.work import Work

SIMS = st.sampled_from([-1.0, -0.5, -0.0, 0.0, 0.25, 0.5, 0.5 + 2**-30, 0.75, 1.0])
# (row, partner, similarity, how far below it and above it the bounds lie)
OFFERS = st.lists(
    st.tuples(
        st.integers(0, 3),
        st.integers(0, 30),
        SIMS,
        st.sampled_from([0.0, 2**-31, 0.3]),
        st.sampled_from([0.0, 2**-31, 0.3]),
    ),
    max_size=60,
    unique_by=lambda offer: offer[:2],
)


@given(OFFERS, st.integers(1, 4), st.integers(1, 9), st.booleans())
def test_waiting_loses_nothing(
    offers: list[tuple[int, int, float, float, float]], k: int, step: int, relieved: bool
) -> None:
    """Whatever the bounds, what is released holds each row's k best, and the bar is below them."""
    shelf = Shelf(4, k)
    sim_of = {(src, dst): sim for src, dst, sim, *_ in offers}

    def shelve(pairs: Waiting) -> None:
        keys = zip(pairs.src.tolist(), pairs.dst.tolist(), strict=True)
        sims = np.array([sim_of[key] for key in keys], float)
        shelf.add(Ranked(pairs.src, pairs.dst, pairs.dst, sims))

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(shelf_module, "FEW", 3)
        for start in range(0, len(offers), step):
            src, dst, sim, below, above = zip(*offers[start : start + step], strict=True)
            low, high = np.subtract(sim, below), np.add(sim, above)
            shelf.wait(Waiting(np.array(src), np.array(dst), low, high))
            if relieved:
                shelf.crowded[:] = True
                shelve(shelf.released(crowded=True))
        shelve(shelf.released(crowded=False))
    every = Ranked(*(np.array([o[at] for o in offers], int) for at in (0, 1, 1)), np.zeros(0))
    every = every._replace(sim=np.array([offer[2] for offer in offers], float))
    best = best_per_source(every, k)
    assert shelf.pairs.src.tolist() == best.src.tolist()
    assert shelf.pairs.dst.tolist() == best.dst.tolist()
    assert len(shelf.released(crowded=False).src) == 0


@given(
    st.lists(
        st.tuples(
            st.integers(0, 3), st.one_of(st.floats(-2, 2), st.sampled_from([-math.inf, -0.0, 0.0]))
        )
    ),
    st.integers(1, 4),
)
def test_kth_largest(values: list[tuple[int, float]], k: int) -> None:
    """It is the k-th largest of a row, rounded down by less than one unit of float32."""
    src = np.array([row for row, _ in values], dtype=np.int64)
    found = kth_largest(src, np.array([value for _, value in values], float), 4, k)
    for row in range(4):
        mine = sorted((value for source, value in values if source == row), reverse=True)
        true = mine[k - 1] if len(mine) >= k else -math.inf
        assert found[row] <= true
        assert found[row] >= np.nextafter(np.float32(true), np.float32(-np.inf))


def test_what_cannot_enter_is_let_go() -> None:
    """A row keeps only what may be among its best: here one pair, and one that may be better."""
    shelf = Shelf(1, 1)
    src, dst = np.zeros(4, np.int64), np.arange(4)
    low = np.array([0.5, 0.4, 0.45, 0.1])
    shelf.wait(Waiting(src, dst, low, low + np.array([0.01, 0.09, 0.06, 0.01])))
    assert shelf.released(crowded=False).dst.tolist() == [0, 2]
    assert shelf.worst.tolist() == [0.5]


def test_many_that_may_be_equal_are_found_out() -> None:
    """Rows full of partners that no bound tells apart wait in bounded numbers only."""
    rng = np.random.default_rng(5)
    near = np.outer(np.arange(1, 301), np.arange(1, 9)).astype(np.float32)  # one direction
    rows = np.concatenate([near, rng.standard_normal((20, 8)).astype(np.float32)])
    place = np.arange(len(rows))
    block, most = Block(rows, place, place, place, Shelf(len(rows), 2)), 0
    wait = block.shelf.wait

    def watched(pairs: Waiting) -> None:
        nonlocal most
        wait(pairs)
        most = max(most, sum(len(part.src) for part in block.shelf._waiting))

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(shelf_module, "FEW", 0)
        patch.setattr(shelf_module, "GROWTH", 0.0)
        patch.setattr(tiles, "OWN_COLUMNS", 16)
        patch.setattr(block.shelf, "wait", watched)
        fill_shelves([block], -1.0, 2)
    assert most < 40 * len(rows)
    assert len(block.found().src) == 2 * len(rows)


def test_a_pair_that_waits_twice_is_scored_once() -> None:
    rows = np.array([[1, 0], [1, 1], [0, 1]], np.float32)
    places = [np.array([0, 2]), np.array([1])]
    blocks = [Block(rows, place, place, place, Shelf(len(place), 2)) for place in places]
    bounds = np.array([0.5]), np.array([0.9])
    one, two = np.array([1]), np.array([0])
    blocks[0].shelf.wait(Waiting(one, np.array([1]), *bounds))  # row 2 with row 1
    blocks[1].shelf.wait(Waiting(two, np.array([2]), *bounds))
    work = Work()
    Scores(blocks).settle(0.5, work)
    assert work.rescored == 1
    found = Ranked.joined(block.found() for block in blocks)
    assert list(zip(found.src.tolist(), found.dst.tolist(), strict=True)) == [(2, 1), (1, 2)]
    assert found.sim.tolist() == [cosine([1.0, 0.0], [1.0, 1.0])] * 2
