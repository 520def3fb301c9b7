"""Rounding, limits, division and slices for every double."""

from __future__ import annotations

import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memsleep.core.ieee import at_least, at_most, clamp, cut, divide, round_half_up


def bits(value: float) -> tuple[float, float]:
    """Return a value that also compares the sign of zero."""
    return value, math.copysign(1.0, value)


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        pytest.param(0.5, 1.0, id="half up"),
        pytest.param(2.5, 3.0, id="not to even"),
        pytest.param(-0.5, -0.0, id="negative half to minus zero"),
        pytest.param(-1.5, -1.0, id="negative half up"),
        pytest.param(-1.5000000000000002, -2.0, id="just below a negative half"),
        pytest.param(0.49999999999999994, 0.0, id="largest below one half"),
        pytest.param(-0.3, -0.0, id="keeps the sign of zero"),
        pytest.param(0.0, 0.0, id="zero"),
        pytest.param(-0.0, -0.0, id="minus zero"),
        pytest.param(2.0**52 + 1, 2.0**52 + 1, id="odd above 2**52"),
        pytest.param(-(2.0**52) - 1, -(2.0**52) - 1, id="odd below -2**52"),
        pytest.param(1e300, 1e300, id="huge"),
        pytest.param(math.inf, math.inf, id="infinity"),
        pytest.param(-math.inf, -math.inf, id="minus infinity"),
    ],
)
def test_round_half_up(value: float, expected: float) -> None:
    """Halves go up; nothing else is disturbed."""
    assert bits(round_half_up(value)) == bits(expected)


def test_round_half_up_keeps_nan() -> None:
    assert math.isnan(round_half_up(math.nan))


@given(st.floats(-1e15, 1e15))
def test_rounding_is_nearest(value: float) -> None:
    """The result is whole and within one half, the upper one of two."""
    rounded = round_half_up(value)
    assert rounded == int(rounded)
    assert -0.5 < rounded - value <= 0.5


def test_limits_propagate_nan() -> None:
    """A NaN value is never hidden by a limit."""
    assert all(math.isnan(limited) for limited in (at_least(math.nan, 0), at_most(math.nan, 1)))
    assert math.isnan(clamp(math.nan))


def test_minus_zero_is_raised_to_zero() -> None:
    """The larger of -0.0 and 0.0 is 0.0: a signal is never minus zero."""
    assert bits(at_least(-0.0, 0)) == bits(0.0)
    assert bits(clamp(-0.0)) == bits(0.0)


@given(st.floats(allow_nan=False))
def test_clamp_bounds(value: float) -> None:
    assert 0.0 <= clamp(value) <= 1.0
    assert clamp(value) == min(max(value, 0.0), 1.0)


@pytest.mark.parametrize(
    ("numerator", "denominator", "expected"),
    [
        (1.0, 0.0, math.inf),
        (1.0, -0.0, -math.inf),
        (-1.0, 0.0, -math.inf),
        (-1.0, -0.0, math.inf),
        (math.inf, 0.0, math.inf),
        (6.0, 4.0, 1.5),
        (0.0, -2.0, -0.0),
    ],
)
def test_divide(numerator: float, denominator: float, expected: float) -> None:
    assert bits(divide(numerator, denominator)) == bits(expected)


@pytest.mark.parametrize("numerator", [0.0, -0.0, math.nan])
def test_divide_undefined(numerator: float) -> None:
    assert math.isnan(divide(numerator, 0.0))


@pytest.mark.parametrize(
    ("limit", "expected"),
    [
        (2, "ab"),
        (2.9, "ab"),
        (0, ""),
        (-0.5, ""),
        (-1, "abc"),
        (-9, ""),
        (9, "abcd"),
        (math.inf, "abcd"),
        (-math.inf, ""),
        (math.nan, ""),
    ],
)
def test_cut(limit: Any, expected: str) -> None:
    assert cut("abcd", limit) == list(expected)
