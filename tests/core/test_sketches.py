"""Sketches never rule out a pair, and are used only where they save work."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core import oracles
from core.blas_kit import WAYS
from core.strategies import keyed_rows
from core.test_rounding import KINDS, spread
from memsleep.core import (
    NeighborOptions,
    cosine,
    neighbors,
    sketches,
    slabs,
    tiles,
    top_neighbor_pairs,
)
from memsleep.core.blocks import Block
from memsleep.core.shelf import Shelf
from memsleep.core.sketches import attach_sketches, pays, sketch_of, sketch_scale
from memsleep.core.tiles import fill_shelves
from memsleep.core.work import Work


def block(rows: np.ndarray, k: int = 3) -> Block:
    places = np.arange(len(rows))
    return Block(rows, places, places, places, Shelf(len(rows), k))


def basis_of(rows: np.ndarray, kind: str) -> np.ndarray:
    """Return a few directions, orthonormal or not."""
    width = rows.shape[1]
    count = min(5, width)
    if kind == "principal":
        own = block(rows)
        leading = sketches._leading(own.units(width, np.float64))
        return sketches._orthonormal(leading[:count])
    return {
        "first components": np.eye(width)[:count],
        "not orthonormal": np.ones((count, width)),
        "slightly off": np.eye(width)[:count] * (1 + 1e-11),
        "nan": np.full((count, width), np.nan),
        "none": np.zeros((0, width)),
    }[kind]


BASES = ["principal", "first components", "not orthonormal", "slightly off", "nan", "none"]


@pytest.mark.parametrize("basis", BASES)
@pytest.mark.parametrize("kind", KINDS)
def test_product_is_never_too_small(kind: str, basis: str) -> None:
    """Whatever the rows, the directions and the order of addition."""
    for width in (3, 64):
        rows = spread(width, kind)
        sketch = sketch_of(block(rows), basis_of(rows, basis))
        square, error = sketch_scale(sketch.shape[1])
        exact = np.array([[cosine(a, b) for b in rows] for a in rows])
        for multiply in WAYS:
            upper = np.empty((len(rows), len(rows)), np.float32)
            multiply(sketch, sketch, upper)
            assert (upper >= square * exact - error).all(), multiply.__name__


def test_rows_within_the_span_have_no_rest() -> None:
    """There the product is the similarity itself, so that the bound has to hold on both sides."""
    rng = np.random.default_rng(0)
    rows = np.zeros((40, 30), np.float32)
    rows[:, :4] = rng.standard_normal((40, 4))
    sketch = sketch_of(block(rows), np.eye(30)[:4])
    assert (sketch[:, 4] < 2e-5).all()
    square, error = sketch_scale(5)
    exact = np.array([[cosine(a, b) for b in rows] for a in rows])
    assert np.abs(sketch @ sketch.T - square * exact).max() <= error + 1e-9


def test_rows_without_a_direction() -> None:
    """A zero row has similarity 0 to every row, and so has its sketch."""
    rows = np.array([[0, 0, 0], [np.nan, 1, 0], [np.inf, 1, 0], [1, 1, 1]], np.float32)
    sketch = sketch_of(block(rows), np.eye(3)[:2])
    assert not sketch[:3].any()
    assert sketch[3].all()


def force(patch: pytest.MonkeyPatch, *widths: int) -> None:
    """Use sketches wherever they are possible at all."""
    patch.setattr(sketches, "LEAST_WORK", 0)
    patch.setattr(sketches, "WORTH_IT", math.inf)
    patch.setattr(sketches, "SKETCH_WIDTHS", widths)


@given(
    keyed_rows(mixed_lengths=True, odd=True),
    st.sampled_from([0.01, 0.5, 0.9, 1.0, 1e-300]),
    st.sampled_from([1, 2, 50]),
    st.sampled_from([2, 3, 4096]),
)
def test_equals_the_double_loop(
    table: tuple[list[str], list[np.ndarray]], floor: float, k: int, height: int
) -> None:
    options = NeighborOptions(floor, k)
    with pytest.MonkeyPatch.context() as patch:
        force(patch, 2, 3)
        patch.setattr(neighbors, "BLOCK_ROWS", height)
        patch.setattr(tiles, "OWN_COLUMNS", 2)
        patch.setattr(slabs, "CHEAP_PAIRS", 0)
        found = top_neighbor_pairs(*table, options)
    assert found == oracles.top_neighbor_pairs(*table, options)


def planted(n: int, width: int, kind: str) -> np.ndarray:
    """Return rows of which a tenth has a near duplicate."""
    rng = np.random.default_rng(n)
    rows = rng.standard_normal((n, width))
    if kind == "few directions":
        rows = rng.standard_normal((n, 6)) @ rng.standard_normal((6, width)) + 0.1 * rows
    rows[-n // 10 :] = rows[: n // 10] + 0.1 * rng.standard_normal((n // 10, width))
    return rows.astype(np.float32)


@pytest.mark.parametrize("kind", ["random", "few directions"])
@pytest.mark.parametrize("floor", [0.6, 0.92, 0.99])
@pytest.mark.parametrize("height", [100, 4096])
def test_equals_the_search_without(floor: float, kind: str, height: int) -> None:
    """Full-width rows, whether they are left out by their sketches or not."""
    rows = planted(600, 128, kind)
    names = [f"{number:04d}" for number in range(600)]
    expected = top_neighbor_pairs(names, rows, NeighborOptions(floor, 4))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(neighbors, "BLOCK_ROWS", height)
        force(patch, 16, 32, 64)
        assert top_neighbor_pairs(names, rows, NeighborOptions(floor, 4)) == expected
    assert expected


def searched(rows: np.ndarray, floor: float, height: int = 200) -> Work:
    """Return the counts of a search that may choose."""
    work = Work()
    blocks = [block(rows[start : start + height]) for start in range(0, len(rows), height)]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sketches, "LEAST_WORK", 0)
        fill_shelves(blocks, floor, 3, work=work)
    return work


def test_high_floors_multiply_less() -> None:
    """The point of the exercise: most rows are left out after a third of the work or less."""
    for kind in ("random", "few directions"):
        work = searched(planted(600, 384, kind), 0.97)
        assert 0 < work.sketch_width <= 128
        assert work.multiplied < 0.4 * work.pairs
        assert work.to_json()["sketch_width"] == work.sketch_width


def test_few_pairs_are_computed_at_once() -> None:
    """Where most rows of a slab survive, but few of their pairs, no full product is needed."""
    rng = np.random.default_rng(3)
    rows = np.tile(rng.standard_normal((600, 384)), (2, 1))
    rows = (rows + 0.4 * rng.standard_normal(rows.shape)).astype(np.float32)
    work = searched(rows, 0.9, height=600)
    assert 0 < work.direct <= work.rescored
    assert work.multiplied < 0.2 * work.pairs


@pytest.mark.parametrize("height", [100, 4096])
@pytest.mark.parametrize("floor", [0.5, 0.9, 0.99])
@pytest.mark.parametrize("rescoring", [1, 200, 10**9])
def test_both_ways_equal_the_search_without(
    rescoring: int, floor: float, height: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Pairs at once always, sometimes or never: the same lists."""
    rows = planted(300, 96, "few directions")
    names = [f"{number:04d}" for number in range(300)]
    expected = top_neighbor_pairs(names, rows, NeighborOptions(floor, 4))
    monkeypatch.setattr(slabs, "RESCORING", rescoring)
    monkeypatch.setattr(neighbors, "BLOCK_ROWS", height)
    force(monkeypatch, 16, 32)
    assert top_neighbor_pairs(names, rows, NeighborOptions(floor, 4)) == expected


@pytest.mark.parametrize("floor", [-1.0, 0.0, 0.2, 0.5])
def test_low_floors_do_without(floor: float) -> None:
    """Where the sample says that nothing can be left out, nothing is tried."""
    work = searched(planted(500, 128, "random"), floor)
    assert work.sketch_width == work.sketched == 0
    assert work.multiplied >= work.pairs


def test_small_searches_do_without() -> None:
    work = Work()
    fill_shelves([block(planted(500, 384, "random"))], 0.99, 3, work=work)
    assert work.sketched == 0


def test_rows_too_wide_do_without(monkeypatch: pytest.MonkeyPatch) -> None:
    """The slack was derived for so many components and no more."""
    monkeypatch.setattr(sketches, "LARGEST_WIDTH", 383)
    assert searched(planted(500, 384, "random"), 0.99).sketched == 0


def test_a_choice_that_does_not_pay_is_dropped() -> None:
    """A sample may mislead: here it sees none of the rows that are all alike."""
    rng = np.random.default_rng(5)
    alike = rng.standard_normal(384) + 0.05 * rng.standard_normal((900, 384))
    sample = block(rng.standard_normal((300, 384)).astype(np.float32)).units(384, np.float64)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sketches, "_sample", lambda *_: sample)
        work = searched(alike.astype(np.float32), 0.97, height=100)
    assert work.sketch_width > 0
    assert work.sketched < 0.5 * work.pairs
    assert not pays(work)


def test_the_choice_is_a_function_of_the_rows() -> None:
    one, other = (searched(planted(400, 384, "few directions"), 0.9) for _ in range(2))
    assert one == other


def test_no_work_was_wasted_yet() -> None:
    assert pays(Work())
    attach_sketches([], 0.9, Work())


def test_no_directions_no_sketches(monkeypatch: pytest.MonkeyPatch) -> None:
    """An eigenvalue routine that gives up costs time only."""

    def give_up(_: np.ndarray) -> None:
        raise np.linalg.LinAlgError

    monkeypatch.setattr(np.linalg, "eigh", give_up)
    assert searched(planted(500, 384, "random"), 0.99).sketched == 0
