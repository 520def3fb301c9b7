"""The tiles see each pair once, and the engine's parts keep their promises."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from memsleep.core import slabs, tiles
from memsleep.core.rounding import FloatType, at_or_below, row_length
from memsleep.core.shelf import Ranked, Shelf, best_per_source
from memsleep.core.tiles import Block, Tile, fill_shelves
from memsleep.core.work import Work


def block(rows: np.ndarray, k: int = 3) -> Block:
    places = np.arange(len(rows))
    return Block(rows, places, places, places, Shelf(len(rows), k))


@given(
    st.lists(st.floats(-1, 1), min_size=1, max_size=20),
    st.sampled_from([np.float32, np.float64]),
)
def test_at_or_below(bounds: list[float], dtype: FloatType) -> None:
    """A bound is never rounded up, and by less than one unit down."""
    bound = np.array(bounds)
    rounded = at_or_below(bound, np.dtype(dtype)).astype(np.float64)
    assert (rounded <= bound).all()
    assert (bound - rounded <= np.finfo(dtype).eps).all()


@pytest.mark.parametrize("bound", [-np.inf, np.inf])
def test_at_or_below_infinite(bound: float) -> None:
    assert at_or_below(np.array([bound]), np.dtype(np.float32)).tolist() == [bound]


def test_units_without_direction_are_zero() -> None:
    rows = np.array([[0, 0], [np.nan, 1], [np.inf, 1], [3, 4]], np.float32)
    units = block(rows).units(2, np.float32)
    assert units[:3].tolist() == [[0.0, 0.0]] * 3
    assert units[3].tolist() == pytest.approx([0.6, 0.8], rel=1e-6)


@pytest.mark.parametrize("power", [-149, -120, 127])
def test_units_of_extreme_rows(power: int) -> None:
    rows = np.array([[2.0**power, 0]], np.float32)
    length = float(np.float32(row_length(2, np.float32)))
    assert block(rows).units(2, np.float32).tolist() == [[length, 0.0]]


def nominated(tile: Tile) -> set[tuple[int, int]]:
    i, j = tile.nominate()
    return set(zip(i.tolist(), j.tolist(), strict=True))


def rescored(rows: np.ndarray, floor: float, k: int) -> int:
    """Return how many pairs a search rescored, with as much pruning as there is."""
    work = Work()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(slabs, "CHEAP_PAIRS", 100)
        fill_shelves([block(rows, k)], floor, k, work=work)
    assert work.pairs == len(rows) * (len(rows) - 1) // 2
    return work.rescored


def test_nomination_prunes() -> None:
    """Only what may enter a list is rescored: the point of the exercise."""
    rows = np.random.default_rng(0).standard_normal((400, 32)).astype(np.float32)
    assert rescored(rows, 0.99, 3) == 0
    assert rescored(rows, -1.0, 3) <= 2 * 400 * 3


def test_nomination_falls_back_to_double() -> None:
    """Rows that float32 cannot tell apart do not all have to be rescored."""
    rng = np.random.default_rng(1)
    rows = (1 + 1e-5 * rng.standard_normal((600, 64))).astype(np.float32)
    assert rescored(rows, -1.0, 3) < 5 * 600 * 3 < 600 * 599 / 2


def test_each_pair_is_nominated_once() -> None:
    """Within a block and between blocks, whatever the columns multiplied at a time."""
    rows = np.random.default_rng(0).standard_normal((40, 3)).astype(np.float32)
    own, other = block(rows[:25]), block(rows[25:])
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(tiles, "OWN_COLUMNS", 7)
        patch.setattr(tiles, "SLAB_COLUMNS", 4)
        i, j = Tile(own, own, -1.0, 99).nominate()
        assert sorted(zip(i.tolist(), j.tolist(), strict=True)) == [
            (a, b) for a in range(25) for b in range(a + 1, 25)
        ]
        i, j = Tile(own, other, -1.0, 99).nominate()
        assert sorted(zip(i.tolist(), j.tolist(), strict=True)) == [
            (a, b) for a in range(25) for b in range(15)
        ]


def test_a_full_list_prunes_later_tiles() -> None:
    rng = np.random.default_rng(2)
    rows = rng.standard_normal((64, 16)).astype(np.float32)
    first, second = block(rows, k=1), block(-rows, k=1)
    for shelf in (first.shelf, second.shelf):
        shelf.worst[:] = 2.0
    assert nominated(Tile(first, second, -1.0, 1)) == set()


def ranked(rows: Sequence[tuple[int, int, float]]) -> Ranked:
    src, rank, sim = (np.array(column) for column in zip(*rows, strict=True))
    return Ranked(src, rank, rank, sim)


OFFERS = st.lists(
    st.tuples(st.integers(0, 3), st.integers(0, 9), st.sampled_from([-1.0, 0.0, -0.0, 0.5, 0.7])),
    min_size=1,
    max_size=30,
)


@given(OFFERS, st.integers(1, 4), st.integers(1, 7))
def test_shelf_equals_sorting(offers: list[tuple[int, int, float]], k: int, step: int) -> None:
    """Offered in portions, the lists are those of sorting everything at once."""
    shelf = Shelf(4, k)
    for start in range(0, len(offers), step):
        shelf.add(ranked(offers[start : start + step]))
    whole = best_per_source(ranked(offers), k)
    assert shelf.pairs.src.tolist() == whole.src.tolist()
    assert shelf.pairs.rank.tolist() == whole.rank.tolist()
    for row in range(4):
        mine = sorted((-sim, rank) for src, rank, sim in offers if src == row)
        kept = whole.rank[whole.src == row].tolist()
        assert kept == [rank for _, rank in mine[:k]]
        assert shelf.worst[row] == (-mine[k - 1][0] if len(mine) >= k else -math.inf)


def test_shelf_ignores_an_empty_offer() -> None:
    shelf = Shelf(2, 1)
    shelf.add(Ranked.empty())
    assert shelf.worst.tolist() == [-np.inf, -np.inf]
