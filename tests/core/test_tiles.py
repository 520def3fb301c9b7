"""The nomination bound is a bound, and the engine's parts keep their promises."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from memsleep.core import tiles
from memsleep.core.shelf import Ranked, Shelf, best_per_source
from memsleep.core.similarity import cosine
from memsleep.core.tiles import Block, Tile, product_error


def block(rows: np.ndarray, k: int = 3) -> Block:
    places = np.arange(len(rows))
    return Block(rows, places, places, places, Shelf(len(rows), k))


@pytest.mark.parametrize("width", [1, 8, 64, 512])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_product_error_holds(width: int, dtype: tiles.FloatType) -> None:
    """No product of unit rows is farther from the reported similarity than the bound."""
    rng = np.random.default_rng(width)
    rows = (rng.standard_normal((60, width)) ** 3).astype(np.float32)
    rows[30:] = rows[:30] * (1 + 1e-3 * rng.standard_normal((30, width))).astype(np.float32)
    own = block(rows)
    approx = own.units(width, dtype) @ own.units(width, dtype).T
    exact = np.array([[cosine(a, b) for b in rows] for a in rows])
    assert np.abs(approx - exact).max() <= product_error(width, dtype)


def test_product_error_of_absurd_width() -> None:
    """Where no bound can be given, everything is nominated."""
    assert product_error(10**8, np.float32) == np.inf


def test_worst_order_of_addition_is_covered() -> None:
    """Adding the largest terms first, one at a time, stays within the bound too."""
    rng = np.random.default_rng(9)
    rows = rng.standard_normal((2, 2048)).astype(np.float32)
    left, right = block(rows).units(2048, np.float32)
    products = (left * right).astype(np.float32)
    orders = (np.argsort(products), np.argsort(-np.abs(products)), np.arange(2048))
    for order in orders:
        total = np.add.accumulate(products[order], dtype=np.float32)[-1]
        assert abs(float(total) - cosine(*rows)) <= product_error(2048, np.float32)


@given(
    st.lists(st.floats(-1, 1), min_size=1, max_size=20),
    st.sampled_from([np.float32, np.float64]),
)
def test_at_or_below(bounds: list[float], dtype: tiles.FloatType) -> None:
    """A bound is never rounded up, and by less than one unit down."""
    bound = np.array(bounds)
    rounded = tiles._at_or_below(bound, np.dtype(dtype)).astype(np.float64)
    assert (rounded <= bound).all()
    assert (bound - rounded <= np.finfo(dtype).eps).all()


@pytest.mark.parametrize("bound", [-np.inf, np.inf])
def test_at_or_below_infinite(bound: float) -> None:
    assert tiles._at_or_below(np.array([bound]), np.dtype(np.float32)).tolist() == [bound]


def test_units_without_direction_are_zero() -> None:
    rows = np.array([[0, 0], [np.nan, 1], [np.inf, 1], [3, 4]], np.float32)
    units = block(rows).units(2, np.float32)
    assert units[:3].tolist() == [[0.0, 0.0]] * 3
    assert units[3].tolist() == pytest.approx([0.6, 0.8])


@pytest.mark.parametrize("power", [-149, -120, 127])
def test_units_of_extreme_rows(power: int) -> None:
    rows = np.array([[2.0**power, 0]], np.float32)
    assert block(rows).units(2, np.float32).tolist() == [[1.0, 0.0]]


def nominated(tile: Tile) -> set[tuple[int, int]]:
    i, j = tile.nominate()
    return set(zip(i.tolist(), j.tolist(), strict=True))


def test_nomination_prunes() -> None:
    """Only what may enter a list is rescored: the point of the exercise."""
    rng = np.random.default_rng(0)
    own = block(rng.standard_normal((400, 32)).astype(np.float32))
    assert len(nominated(Tile(own, own, 0.99, 3))) == 0
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(tiles, "CHEAP_PAIRS", 100)
        assert len(nominated(Tile(own, own, -1.0, 3))) <= 400 * 3


def test_nomination_falls_back_to_double() -> None:
    """Rows that float32 cannot tell apart do not all have to be rescored."""
    rng = np.random.default_rng(1)
    rows = (1 + 1e-5 * rng.standard_normal((600, 64))).astype(np.float32)
    own = block(rows)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(tiles, "CHEAP_PAIRS", 100)
        assert len(nominated(Tile(own, own, -1.0, 3))) < 600 * 3 * 2 < 600 * 599 / 2


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
