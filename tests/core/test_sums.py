"""Array sums equal a plain loop, bit for bit."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from memsleep.core.sums import ordered_sum, ordered_totals, row_sums

VALUES = st.lists(st.floats(-1e9, 1e9), max_size=60)


def loop(values: list[float]) -> float:
    total = 0.0
    for value in values:
        total += value
    return total


@given(VALUES)
def test_ordered_sum(values: list[float]) -> None:
    assert ordered_sum(np.array(values)) == loop(values)


def test_long_sum_is_not_pairwise() -> None:
    """A sum long enough for pairwise addition keeps the index order."""
    values = np.random.default_rng(5).standard_normal(10_000)
    assert ordered_sum(values) == loop(values.tolist())
    assert ordered_sum(values) != np.sum(values)


@pytest.mark.parametrize("n_rows", [1, 63, 127, 128, 129, 511, 513, 1100])
@pytest.mark.parametrize("n_columns", [0, 1, 40])
def test_rows_one_by_one(n_rows: int, n_columns: int) -> None:
    """Few rows or many, each sum is the loop's, and starts from a positive zero."""
    terms = np.random.default_rng(n_rows).standard_normal((n_rows, n_columns)) ** 5
    terms[0] = -0.0
    sums = row_sums(terms.copy())
    assert sums.tolist() == [loop(row) for row in terms.tolist()]
    assert math.copysign(1, sums[0]) == 1


def test_single_row_and_column_keep_the_order() -> None:
    """Shapes that numpy could collapse into one axis change nothing."""
    values = np.random.default_rng(6).standard_normal(1_000)
    assert row_sums(values[np.newaxis, :].copy())[0] == loop(values.tolist())
    assert row_sums(values[:, np.newaxis].copy()).tolist() == values.tolist()


def test_row_sums_of_no_columns() -> None:
    assert row_sums(np.zeros((3, 0))).tolist() == [0.0, 0.0, 0.0]


def test_minus_zeros_sum_to_zero() -> None:
    assert math.copysign(1.0, row_sums(np.array([[-0.0, -0.0]]))[0]) == 1.0


@pytest.mark.parametrize("values", [[np.inf, -np.inf], [np.nan, 1.0]])
def test_undefined_sums_do_not_warn(values: list[float]) -> None:
    assert math.isnan(ordered_sum(np.array(values)))


@given(st.lists(st.tuples(st.integers(0, 4), st.floats(-1e9, 1e9)), max_size=60))
def test_ordered_totals(items: list[tuple[int, float]]) -> None:
    """Each place holds its weights added in input order."""
    index = np.array([place for place, _ in items], np.int64)
    totals = ordered_totals(index, np.array([weight for _, weight in items], float), 5)
    assert totals.tolist() == [loop([w for p, w in items if p == place]) for place in range(5)]
