"""The similarity space: total, symmetric, bounded, and the same in batches."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from memsleep.core import compensated_sum, cosine, cosine_distance
from memsleep.core.similarity import cosine_ratio, cosine_rows

ANY = st.lists(st.floats(), max_size=8)
PAIRS = st.integers(1, 8).flatmap(
    lambda n: st.tuples(*[st.lists(st.floats(width=32), min_size=n, max_size=n)] * 2)
)


@pytest.mark.parametrize(
    ("a", "b", "expected"),
    [
        pytest.param([1, 2], [2, 4], 0.9999999999999998, id="parallel, as the roots round"),
        pytest.param([1, 0], [0, 1], 0.0, id="orthogonal"),
        pytest.param([1, 0], [-3, 0], -1.0, id="opposite"),
        pytest.param([3, 4], [3, 4], 1.0, id="same"),
        pytest.param([], [], 0.0, id="empty"),
        pytest.param([1], [], 0.0, id="nothing in common"),
        pytest.param([0, 0], [1, 1], 0.0, id="zero norm"),
        pytest.param([1, 0, 9], [1, 0], 1.0, id="common prefix"),
        pytest.param([math.nan], [1], 0.0, id="nan"),
        pytest.param([math.inf], [1], 0.0, id="infinity"),
        pytest.param([1e200, 1], [1e200, 1], 0.0, id="overflowing norms"),
        pytest.param([10**400], [1], 0.0, id="integer beyond the doubles"),
        pytest.param([-(10**400)], [1], 0.0, id="negative integer beyond the doubles"),
        pytest.param([1.2e-161] * 2, [1.2e-161] * 2, 1.0, id="subnormal squares are clamped"),
    ],
)
def test_cosine(a: list[float], b: list[float], expected: float) -> None:
    assert cosine(a, b) == expected


def test_roots_are_taken_apart() -> None:
    """sqrt(na) * sqrt(nb) and sqrt(na * nb) differ in the last bit here."""
    a, b = [1.0, 2.0], [2.0, 4.0]
    assert cosine(a, b) != 10 / math.sqrt(5.0 * 20.0)


def test_float32_is_widened_first() -> None:
    """Products of float32 components are exact in double precision."""
    a, b = np.array([0.1, 0.7], np.float32), np.array([0.3, -0.2], np.float32)
    assert cosine(a, b) == cosine(a.astype(np.float64), b.astype(np.float64))
    assert cosine(a, b) == cosine(a.tolist(), b.tolist())


@given(ANY, ANY)
def test_cosine_is_total(a: list[float], b: list[float]) -> None:
    """Any numbers give a number in [-1, 1], the same both ways round."""
    assert -1.0 <= cosine(a, b) <= 1.0
    assert cosine(a, b) == cosine(b, a)
    assert cosine_distance(a, b) == 1 - cosine(a, b)


@given(PAIRS, st.integers(-60, 60))
def test_cosine_ignores_a_power_of_two(pair: tuple[list[float], list[float]], power: int) -> None:
    """Scaling by an even power of two is exact, so it changes no bit."""
    a, b = ([math.fmod(x, 1e3) if math.isfinite(x) else x for x in side] for side in pair)
    big = [x for x in a if x == 0 or abs(x) > 1e-30]
    other = b[: len(big)]
    assert cosine([x * 2.0 ** (2 * power) for x in big], other) == cosine(big, other)


@given(st.lists(PAIRS, min_size=1, max_size=5))
def test_cosine_rows(pairs: list[tuple[list[float], list[float]]]) -> None:
    """A batch equals single calls bit for bit."""
    for a, b in pairs:
        batch = cosine_rows(np.array([a], np.float64), np.array([b, a], np.float64))
        assert batch.tolist() == [cosine(a, b), cosine(a, a)]


def test_cosine_ratio_zero_norm_comes_first() -> None:
    """A zero norm gives 0 even against a NaN; a NaN alone stays NaN."""
    nan, one = np.array([np.nan]), np.array([1.0])
    assert cosine_ratio(nan, np.array([0.0]), nan).tolist() == [0.0]
    assert cosine_ratio(nan, nan, np.array([0.0])).tolist() == [0.0]
    assert np.isnan(cosine_ratio(nan, nan, one)).all()


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ([], 0.0),
        ([1.0, 1e100, 1.0, -1e100], 2.0),
        ([1e100, 1.0, -1e100], 1.0),
        ([0.1] * 10, 1.0),
        ([-0.0], 0.0),
    ],
)
def test_compensated_sum(values: list[float], expected: float) -> None:
    assert compensated_sum(values) == expected


@pytest.mark.parametrize("values", [[math.inf], [1e308, 1e308], [math.nan]])
def test_compensated_sum_overflow(values: list[float]) -> None:
    """Unlike fsum, an infinity gives NaN."""
    assert math.isnan(compensated_sum(values))


def test_compensated_sum_is_not_fsum() -> None:
    """One correction term is not the exact sum: the golden values need the former."""
    values = [1e100, 1e50, 1.0, -1e50, -1e100]
    assert (compensated_sum(values), math.fsum(values)) == (0.0, 1.0)


@given(st.lists(st.floats(-1e6, 1e6), max_size=50))
def test_compensated_sum_is_close(values: list[float]) -> None:
    """The error is about that of one rounding plus a second-order term."""
    exact = sum(map(Fraction, values), Fraction(0))
    scale = sum(abs(Fraction(value)) for value in values)
    error = abs(Fraction(compensated_sum(values)) - exact)
    assert error <= abs(exact) * Fraction(2) ** -52 + scale * Fraction(2) ** -90
