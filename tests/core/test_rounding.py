"""The bound is a bound for every order of addition, and no looser than it has to be."""

from __future__ import annotations

import math
from itertools import combinations, permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core import oracles
from core.blas_kit import WAYS, Multiply, largest_first, one_by_one
from core.strategies import keyed_rows
from memsleep.core import NeighborOptions, cosine, slabs, top_neighbor_pairs
from memsleep.core.blocks import Block
from memsleep.core.rounding import FloatType, product_error, row_length
from memsleep.core.shelf import Shelf

HALF_STEP = 2.0**-25  # half the distance between float32 numbers below 1
WIDTHS = [2, 3, 17, 64, 384]


def units(rows: np.ndarray, dtype: FloatType) -> np.ndarray:
    places = np.arange(len(rows))
    return Block(rows, places, places, places, Shelf(len(rows), 1)).units(rows.shape[1], dtype)


def errors(rows: np.ndarray, multiply: Multiply, dtype: FloatType) -> np.ndarray:
    """Return how far the products lie above the scaled similarities."""
    scaled = units(rows, dtype)
    approx = np.empty((len(rows), len(rows)), dtype)
    with np.errstate(all="ignore"):
        multiply(scaled, scaled, approx)
    exact = np.array([[cosine(a, b) for b in rows] for a in rows])
    return approx.astype(float) - row_length(rows.shape[1], dtype) ** 2 * exact


def tailed(width: int, share: float, ratio: float = 1.0) -> np.ndarray:
    """Return a row with one large component and a tail of equal small ones.

    In index order, each term of a product of such rows is `share` of the half step below 1 when
    the other row has the same tail: below 1 it is lost, above 1 it counts for twice as much.
    """
    tail = math.sqrt(share * HALF_STEP) / row_length(width, np.float32) * ratio
    row = np.full(width, tail)
    row[0] = math.sqrt(1 - (width - 1) * tail**2)
    return row.astype(np.float32)


def spread(width: int, kind: str) -> np.ndarray:
    """Return rows that are hard on a sum, with near copies."""
    rng = np.random.default_rng(width)
    rows = {
        "heavy tails": rng.standard_normal((8, width)) ** 5,
        "equal": np.ones((8, width)) + 1e-6 * rng.standard_normal((8, width)),
        "alternating": np.tile((-1.0) ** np.arange(width), (8, 1)) * rng.random((8, width)),
        "falling": 2.0 ** -np.minimum(np.arange(width), 140) * rng.random((8, width)),
        "tailed": np.stack([tailed(width, share) for share in np.linspace(0.9, 1.1, 8)]),
        "not unit": 1e6 * rng.standard_normal((8, width)),
        "tiny": 1e-41 * rng.standard_normal((8, width)),
        "huge": 3e37 * rng.uniform(-1, 1, (8, width)),
        "mixed sizes": 2.0 ** rng.integers(-120, 120, (8, width)),
    }[kind].astype(np.float32)
    near = rows * (1 + 1e-3 * rng.standard_normal(rows.shape)).astype(np.float32)
    return np.concatenate([rows, near])


KINDS = [
    "heavy tails",
    "equal",
    "alternating",
    "falling",
    "tailed",
    "not unit",
    "tiny",
    "huge",
    "mixed sizes",
]


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("kind", KINDS)
def test_bound_holds(kind: str, width: int) -> None:
    """No order of addition brings a product farther from the similarity than the bound."""
    for multiply in WAYS:
        for dtype in (np.float32, np.float64):
            worst = np.abs(errors(spread(width, kind), multiply, dtype)).max()
            assert worst <= product_error(width, dtype), multiply.__name__


@given(keyed_rows(), st.sampled_from(WAYS))
def test_bound_holds_for_any_rows(
    table: tuple[list[str], list[np.ndarray]], multiply: Multiply
) -> None:
    rows = np.stack(table[1]) if table[1] else np.zeros((0, 3), np.float32)
    if len(rows) and rows.shape[1]:
        error = np.abs(errors(rows, multiply, np.float32)).max()
        assert error <= product_error(rows.shape[1], np.float32)


@pytest.mark.parametrize("width", [64, 384, 1024])
@pytest.mark.parametrize("share", [0.999, 1.001])
def test_bound_is_nearly_reached(width: int, share: float) -> None:
    """Terms that are all lost, or all rounded up, come close: no factor is given away."""
    rows = np.stack([tailed(width, share)])
    error = errors(rows, one_by_one, np.float32)[0, 0]
    assert 0.75 < abs(error) / product_error(width, np.float32) <= 1
    assert (error < 0) == (share < 1)


def test_bound_of_absurd_width() -> None:
    """Where no bound can be given, everything is nominated."""
    assert product_error(10**6, np.float32) == math.inf
    assert product_error(10**6, np.float64) < 1e-9


def halve(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(slabs, "product_error", lambda *given: product_error(*given) / 2)


def found_by(
    rows: np.ndarray, options: NeighborOptions, multiply: Multiply, *, halved: bool = False
) -> list[tuple[str, str]]:
    """Return the pairs found with another library, and with half the bound if wanted."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(slabs, "multiply", multiply)
        patch.setattr(slabs, "CHEAP_PAIRS", 0)
        if halved:
            halve(patch)
        names = [str(number) for number in range(len(rows))]
        return [(pair.src, pair.dst) for pair in top_neighbor_pairs(names, rows, options)]


@pytest.mark.parametrize("width", [64, 384, 1024])
@pytest.mark.parametrize("multiply", [one_by_one, largest_first])
def test_pair_at_the_floor_needs_the_whole_bound(width: int, multiply: Multiply) -> None:
    """A pair on the floor, its product as low as it can get, is found; halved, lost."""
    rows = np.stack([tailed(width, 0.998), tailed(width, 0.999)])
    options = NeighborOptions(cosine(*rows), 1)
    assert found_by(rows, options, multiply) == [("0", "1"), ("1", "0")]
    assert found_by(rows, options, multiply, halved=True) == []


@pytest.mark.parametrize("width", [64, 384, 1024])
def test_best_partner_needs_the_whole_bound(width: int) -> None:
    """The best partner's product is too small, the second's too large; halved, it is lost."""
    rows = np.stack([tailed(width, 1.0), tailed(width, 1.002, 1.0005), tailed(width, 0.999)])
    assert cosine(rows[0], rows[1]) < cosine(rows[0], rows[2])
    above = errors(rows, one_by_one, np.float32)[0]
    assert above[2] < 0 < above[1]
    options = NeighborOptions(-1.0, 1)
    assert ("0", "2") in found_by(rows, options, one_by_one)
    assert ("0", "2") not in found_by(rows, options, one_by_one, halved=True)


def ulps_apart(width: int, count: int) -> np.ndarray:
    """Return a row of equal components and shuffles of another row.

    All products with the first are the same number; the sums in index order differ by ulps.
    """
    rng = np.random.default_rng(width)
    other = (rng.random(width) * 2.0 ** -rng.integers(0, 9, width)).astype(np.float32)
    return np.stack(
        [np.full(width, 1 / 3, np.float32), *(rng.permutation(other) for _ in range(count))]
    )


@pytest.mark.parametrize("multiply", [np.matmul, *WAYS])
@pytest.mark.parametrize("width", [33, 200])
def test_ulps_about_the_kth_best(width: int, multiply: Multiply) -> None:
    """Partners whose similarities differ in the last bits are ordered by those bits."""
    rows = ulps_apart(width, 20)
    sims = [cosine(rows[0], row) for row in rows[1:]]
    assert len(set(sims)) > 3
    assert max(sims) - min(sims) < 40 * math.ulp(1.0)
    if multiply is np.matmul:
        multiply = slabs.multiply
    names = [f"{number:02d}" for number in range(len(rows))]
    for k in (1, 3, 10):
        options = NeighborOptions(-1.0, k)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(slabs, "multiply", multiply)
            patch.setattr(slabs, "CHEAP_PAIRS", 0)
            found = top_neighbor_pairs(names, rows, options)
        assert found == oracles.top_neighbor_pairs(names, rows, options)


@pytest.mark.parametrize("multiply", WAYS)
def test_ulps_about_the_floor(multiply: Multiply) -> None:
    """A floor among similarities that differ in the last bits parts them exactly."""
    rows = ulps_apart(50, 12)
    for sim in sorted({cosine(rows[0], row) for row in rows[1:]}):
        for floor in (math.nextafter(sim, 0), sim, math.nextafter(sim, 2)):
            found = found_by(rows, NeighborOptions(floor, 99), multiply)
            wanted = {
                (str(a), str(b))
                for one, other in combinations(range(len(rows)), 2)
                for a, b in permutations((one, other))
                if cosine(rows[one], rows[other]) >= floor
            }
            assert set(found) == wanted


@given(keyed_rows(odd=True), st.sampled_from(WAYS), st.sampled_from([-1.0, 0.0, 0.7, 1.0]))
def test_library_does_not_matter(
    table: tuple[list[str], list[np.ndarray]], multiply: Multiply, floor: float
) -> None:
    """Any order of addition gives the bits of the double loop."""
    options = NeighborOptions(floor, 2)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(slabs, "multiply", multiply)
        patch.setattr(slabs, "CHEAP_PAIRS", 0)
        found = top_neighbor_pairs(*table, options)
    assert found == oracles.top_neighbor_pairs(*table, options)
