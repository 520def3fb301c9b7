"""The tiles see each pair once, and the engine's parts keep their promises."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from memsleep.core import slabs, tiles
from memsleep.core.blocks import even_slices
from memsleep.core.rounding import FloatType, at_or_below, row_length
from memsleep.core.scores import Scores
from memsleep.core.shelf import Ranked, Shelf, best_per_source
from memsleep.core.sums import products, row_sums
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


def part(rows: np.ndarray, places: range, k: int) -> Block:
    """Return a block of some of the rows."""
    at = np.array(places)
    return Block(rows, at, at, at, Shelf(len(at), k))


def held_numbers(blocks: Sequence[Block]) -> int:
    """Return how many numbers of scaled rows are held."""
    return sum(one._held[1].size for one in blocks if one._held is not None)


def nominated(tile: Tile) -> list[tuple[int, int]]:
    """Return the pairs that may enter a list, as places within the two blocks, in their order."""
    return sorted(
        pair
        for some in tile.nominations()
        for pair in zip(some.i.tolist(), some.j.tolist(), strict=True)
    )


def rescored(rows: np.ndarray, floor: float, k: int) -> int:
    """Return how many pairs a search rescored, with as much pruning as there is."""
    work = Work()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(slabs, "CHEAP_PAIRS", 100)
        fill_shelves([block(rows, k)], floor, k, work=work)
    assert work.pairs == len(rows) * (len(rows) - 1) // 2
    return work.rescored


def test_norms_are_found_where_they_are_asked_for() -> None:
    """In any portions, one row or many, the norm is the loop's; and no other row is read."""
    rows = np.random.default_rng(3).standard_normal((700, 33)).astype(np.float32)
    expected = row_sums(products(rows, rows))
    own = block(rows)
    for places in ([5], [699, 5, 5, 0], range(100, 400), range(700)):
        at = np.array(places)
        assert own.norms(33, at).tolist() == expected[at].tolist()
    own.source[:] = np.nan
    assert own.norms(33, slice(None)).tolist() == expected.tolist()


@pytest.mark.parametrize("scale", [1e-38, 1e-3, 1.0, 1e30])
def test_squares_lie_as_near_to_the_norms_as_the_bound_says(scale: float) -> None:
    rows = (np.random.default_rng(4).standard_normal((300, 257)) * scale).astype(np.float32)
    own = block(rows)
    squares, norms = own.squares(257), own.norms(257, slice(None))
    assert (squares != norms).any()
    assert (abs(squares - norms) <= 2 * 256 * 2.0**-53 * norms).all()


def test_squares_tell_the_same_odd_rows() -> None:
    """What is zero, infinite or undefined is so in any order."""
    odd = [[0, 0, 0], [-0.0, 1e-45, 0], [np.inf, 1, -np.inf], [np.nan, 1, 0], [np.nan, np.inf, 0]]
    own = block(np.array(odd, np.float32))
    squares, norms = own.squares(3), own.norms(3, slice(None))
    assert np.array_equal(squares, norms, equal_nan=True)


@pytest.mark.parametrize("room", [0, 40 * 16, 100 * 16, 1 << 23])
def test_rows_that_stay_scaled_change_nothing(room: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """The last blocks are scaled once, as far as there is room, and let go in the end."""
    rows = np.random.default_rng(8).standard_normal((100, 16)).astype(np.float32)
    monkeypatch.setattr(tiles, "HELD_NUMBERS", room)
    blocks = [part(rows, range(at, at + 20), 3) for at in range(0, 100, 20)]
    most = []
    fill = Tile.fill

    def watched(tile: Tile, scores: Scores) -> None:
        fill(tile, scores)
        most.append(held_numbers(blocks))

    monkeypatch.setattr(Tile, "fill", watched)
    fill_shelves(blocks, 0.1, 3)
    assert 0 < max(most) <= min(room, rows.size) + 20 * 16  # and one block at work
    assert held_numbers(blocks) == 0
    found = Ranked.joined(one.found() for one in blocks)
    whole = block(rows, 3)
    fill_shelves([whole], 0.1, 3)
    assert [part.tolist() for part in found] == [part.tolist() for part in whole.found()]


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
        assert nominated(Tile(own, own, -1.0, 99)) == [
            (a, b) for a in range(25) for b in range(a + 1, 25)
        ]
        assert nominated(Tile(own, other, -1.0, 99)) == [
            (a, b) for a in range(25) for b in range(15)
        ]


def test_a_full_list_prunes_later_tiles() -> None:
    rng = np.random.default_rng(2)
    rows = rng.standard_normal((64, 16)).astype(np.float32)
    first, second = block(rows, k=1), block(-rows, k=1)
    for shelf in (first.shelf, second.shelf):
        shelf.worst[:] = 2.0
    assert nominated(Tile(first, second, -1.0, 1)) == []


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


@given(st.integers(0, 60), st.integers(1, 20))
def test_even_slices(count: int, most: int) -> None:
    """They cover all, in order, as few as can be, and differ by one item at most."""
    parts = [range(count)[part] for part in even_slices(count, most)]
    assert [item for part in parts for item in part] == list(range(count))
    assert len(parts) == math.ceil(count / most)
    sizes = {len(part) for part in parts}
    assert max(sizes, default=0) <= most
    assert max(sizes, default=0) - min(sizes, default=0) <= 1
