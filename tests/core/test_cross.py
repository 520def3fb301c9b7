from __future__ import annotations

import numpy as np
import pytest

from memsleep.core import cosine
from memsleep.core.cross import RowTable, cross_search
from memsleep.core.near_lists import below

NOBODY = np.inf


def naive(rows, query, rank, floor, k, bound):
    """Return what `cross_search` must: by a plain loop over plain cosines."""
    best, offers = [], []
    for one in query:
        found = [(row, cosine(rows[one], rows[row])) for row in range(len(rows)) if row != one]
        near = [(row, sim) for row, sim in found if sim >= floor]
        near.sort(key=lambda item: (-item[1], rank[item[0]]))
        best += [(one, row, sim) for row, sim in near[:k]]
        offers += [(r, one, s) for r, s in near if r not in query and s > bound[r]]
    return best, sorted(offers)


def told(rows, query, rank, floor, k, bound):
    table = RowTable(rows, np.arange(len(rows)))
    best, offers = cross_search(table, np.array(query), rank, floor, k, bound)
    return (
        list(zip(best.src.tolist(), best.dst.tolist(), best.sim.tolist(), strict=True)),
        sorted(zip(offers.src.tolist(), offers.dst.tolist(), offers.sim.tolist(), strict=True)),
    )


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("k", [1, 2, 7])
def test_finds_what_a_loop_finds(seed: int, k: int) -> None:
    """A crowd above a low floor is thinned by a bound that loses nobody."""
    rng = np.random.default_rng(seed)
    rows = rng.normal(size=(150, 5)).astype(np.float32)
    rows[::9] = np.round(rows[::9])
    rows[3] = 0
    query = sorted(rng.choice(150, 12, replace=False).tolist())
    rank = rng.permutation(150)
    bound = np.maximum(rng.uniform(0, 1, 150), below(0.1))
    asked = (rows, query, rank, 0.1, k, bound)
    assert told(*asked) == naive(*asked)


@pytest.mark.parametrize("scale", [1.0, 1e-40, 1e36])
def test_a_pair_on_the_floor_is_found(scale: float) -> None:
    """The product errs by a few units of the last place; the bound makes up for it."""
    rng = np.random.default_rng(11)
    for _ in range(60):
        rows = (rng.normal(size=(6, 96)) * scale).astype(np.float32)
        rows[1:] += rows[0]
        floor = float(sorted(cosine(rows[0], row) for row in rows[1:])[2])
        asked = (rows, [0], np.arange(6), floor, 5, np.full(6, NOBODY))
        assert told(*asked) == naive(*asked)
        assert len(told(*asked)[0]) == 3


def test_what_lies_on_a_bound_is_no_news() -> None:
    """A row hears of what is above its bound, and of nothing that equals it."""
    rows = np.array([[1, 0, 0], [3, 4, 0], [3, 0, 4]], np.float32)
    bound = np.array([NOBODY, 0.6, below(0.6)])
    assert told(rows, [0], np.arange(3), 0.5, 2, bound)[1] == [(2, 0, 0.6)]


def test_rows_without_direction_have_no_partner() -> None:
    """Zero, NaN and infinite rows are near to nothing, each other included."""
    odd = np.array([[0, 0], [0, 0], [np.nan, 1], [np.inf, 1], [-np.inf, 1], [1, 1]], np.float32)
    asked = (odd, [0, 2, 3], np.arange(6), 1e-9, 3, np.full(6, below(1e-9)))
    assert told(*asked) == ([], [])
