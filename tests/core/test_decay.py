"""Decay and outcome on the fixed-point grid."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memsleep.core import (
    NEG_ONE_FP,
    SCALE,
    apply_negative_hits_fp,
    apply_outcomes_fp,
    decay_confidence,
    decay_confidence_fp,
    decay_confidence_n,
    decay_confidence_n_fp,
    ewma_step_fp,
    from_fp,
    is_committable_confidence_change,
    to_fp,
)

ALPHAS = st.integers(0, SCALE)
VALUES = st.integers(-SCALE, SCALE)
UNIT = st.integers(0, SCALE)


@pytest.mark.parametrize(
    ("value", "grid"),
    [
        (0.5, 5000),
        (0.00005, 1),
        (-0.00005, 0),
        (-0.00015, -1),
        (0.00015, 1),
        (0.00025, 3),
        (4.9999999999999996e-05, 0),
        (450359962849.21466, 4503599628492147),
        (-1.0, -10_000),
        (0, 0),
    ],
)
def test_to_fp(value: float, grid: int) -> None:
    """The double product is rounded, halves up, and the result is an int."""
    assert to_fp(value) == grid
    assert type(to_fp(value)) is int


@pytest.mark.parametrize("value", [math.inf, -math.inf])
def test_to_fp_infinite(value: float) -> None:
    assert to_fp(value) == value


def test_to_fp_nan() -> None:
    assert math.isnan(to_fp(math.nan))


@given(VALUES)
def test_grid_values_survive(value_fp: int) -> None:
    assert to_fp(from_fp(value_fp)) == value_fp


@pytest.mark.parametrize(
    ("alpha_fp", "prev_fp", "signal_fp", "expected"),
    [
        (3000, 0, 10_000, 3000),
        (3000, -1, 0, -1),
        (3000, 1, 0, 0),
        (0, 7, 10_000, 7),
        (10_000, 7, -3, -3),
        (1, 0, -1, -1),
    ],
)
def test_ewma_step(alpha_fp: int, prev_fp: int, signal_fp: int, expected: int) -> None:
    """Rounds down, so a small loss does not vanish."""
    assert ewma_step_fp(alpha_fp, prev_fp, signal_fp) == expected


@given(ALPHAS, VALUES, VALUES)
def test_ewma_step_stays_between(alpha_fp: int, prev_fp: int, signal_fp: int) -> None:
    step = ewma_step_fp(alpha_fp, prev_fp, signal_fp)
    assert min(prev_fp, signal_fp) <= step <= max(prev_fp, signal_fp)


@given(ALPHAS, VALUES, st.lists(VALUES, max_size=8), st.integers(0, 8))
def test_a_batch_equals_single_steps(
    alpha_fp: int, prev_fp: int, signals: list[int], cut: int
) -> None:
    first = apply_outcomes_fp(alpha_fp, prev_fp, signals[:cut])
    assert apply_outcomes_fp(alpha_fp, first, signals[cut:]) == apply_outcomes_fp(
        alpha_fp, prev_fp, signals
    )


@given(ALPHAS, VALUES, st.integers(-3, 40))
def test_negative_hits(alpha_fp: int, prev_fp: int, hits: int) -> None:
    """So many negative outcomes; none for 0 and below."""
    assert apply_negative_hits_fp(alpha_fp, prev_fp, hits) == apply_outcomes_fp(
        alpha_fp, prev_fp, [NEG_ONE_FP] * hits
    )


@pytest.mark.parametrize(
    ("hits", "as_whole"), [(0.9, 0), (1.9, 1), (2.0, 2), (-0.0, 0), (math.nan, 0)]
)
def test_fractional_hits_are_cut_off(hits: float, as_whole: int) -> None:
    assert apply_negative_hits_fp(3000, 500, hits) == apply_negative_hits_fp(3000, 500, as_whole)


def test_countless_hits_end() -> None:
    """A fixed point is recognised: no count takes long."""
    assert apply_negative_hits_fp(3000, 9000, 10**18) == NEG_ONE_FP
    assert apply_negative_hits_fp(3000, 9000, math.inf) == NEG_ONE_FP
    assert decay_confidence_n_fp(1000, 9000, 2000, math.inf) == 2000
    assert apply_negative_hits_fp(0, 9000, math.inf) == 9000


@given(ALPHAS, UNIT, UNIT, st.integers(-2, 60))
def test_decay_laws(alpha_fp: int, conf_fp: int, floor_fp: int, cycles: int) -> None:
    """Never rises, never passes the floor, never lifts what is below it; folds step by step."""
    once = decay_confidence_fp(alpha_fp, conf_fp, floor_fp)
    assert min(conf_fp, floor_fp) <= once <= conf_fp
    if conf_fp <= floor_fp:
        assert once == conf_fp
    folded = conf_fp
    for _ in range(cycles):
        folded = decay_confidence_fp(alpha_fp, folded, floor_fp)
    assert decay_confidence_n_fp(alpha_fp, conf_fp, floor_fp, cycles) == folded


@pytest.mark.parametrize(("cycles", "as_whole"), [(0.5, 1), (1.0, 1), (1.2, 2), (0.0, 0), (-1, 0)])
def test_a_begun_cycle_counts(cycles: float, as_whole: int) -> None:
    assert decay_confidence_n_fp(1000, 9000, 2000, cycles) == decay_confidence_n_fp(
        1000, 9000, 2000, as_whole
    )


@pytest.mark.parametrize(
    ("confidence", "after"),
    [(0.9, 0.83), (0.2, 0.2), (0.1, 0.1), (1.0, 0.92), (0.2001, 0.2), (0.0, 0.0)],
)
def test_decay_confidence(confidence: float, after: float) -> None:
    assert decay_confidence(confidence) == after
    assert decay_confidence_n(confidence, 1) == after


def test_decay_options() -> None:
    assert decay_confidence(0.8, alpha=1.0) == 0.2
    assert decay_confidence(0.8, alpha=0.0) == 0.8
    assert decay_confidence(0.8, alpha=0.5, floor=0.4) == 0.6
    assert decay_confidence_n(0.9, 2, alpha=0.1, floor=0.2) == 0.767


@pytest.mark.parametrize("confidence", [math.inf, -math.inf])
def test_decay_of_infinity(confidence: float) -> None:
    assert decay_confidence(confidence) == confidence


def test_decay_of_nan() -> None:
    assert math.isnan(decay_confidence(math.nan))


@pytest.mark.parametrize(
    ("before", "after", "committable"),
    [
        (0.5, 0.494, True),
        (0.494, 0.5, True),
        (0.0, 0.005, True),
        (0.0, math.nextafter(0.005, 0), False),
        (0.5, 0.496, False),
        (0.5, 0.5, False),
        (math.nan, 0.0, False),
        (math.inf, math.inf, False),
    ],
)
def test_committable(before: float, after: float, committable: bool) -> None:
    assert is_committable_confidence_change(before, after) is committable
