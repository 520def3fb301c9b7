"""Reprieve: the salience of what expires, and its gate."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memsleep.core import ReprieveInput, reprieve_score, should_reprieve

SCORES = [
    (ReprieveInput(10, 0, 0, 0), 0.5),
    (ReprieveInput(99, 0, 0, 0), 0.5),
    (ReprieveInput(1, 0, 0, 0), 0.14),
    (ReprieveInput(-5, 0, 0, 0), 0.14),
    (ReprieveInput(5, 0, 0, 0), 0.30000000000000004),
    (ReprieveInput(5, -3, 0, 0), 0.30000000000000004),
    (ReprieveInput(5, 1, 0, 0), 0.5079441541679836),
    (ReprieveInput(5, 0, 1, 0), 0.5),
    (ReprieveInput(9, 0, -1, 0), 0.4600000000000001),
    (ReprieveInput(5, 0, 0, -10), 0.30000000000000004),
    (ReprieveInput(5, 0, 0, 27), 0.27633794943368534),
    (ReprieveInput(5, 0, 0, 1e308), 0.2),
    (ReprieveInput(5, 0, 0, 47, decay_rate=0), 0.30000000000000004),
    (ReprieveInput(5, math.inf, 0, 0), math.inf),
]


@pytest.mark.parametrize(("facts", "score"), SCORES)
def test_score(facts: ReprieveInput, score: float) -> None:
    assert reprieve_score(facts) == score


POSITIVE = st.floats(0, 1e6)


@given(st.floats(-20, 20), POSITIVE, st.floats(-1, 1), POSITIVE, POSITIVE)
def test_score_grows_with_use(
    importance: float, accesses: float, outcome: float, hours: float, more: float
) -> None:
    """More accesses never lower it, and longer neglect never raises it."""
    score = reprieve_score(ReprieveInput(importance, accesses, outcome, hours))
    assert score >= 0.04
    assert reprieve_score(ReprieveInput(importance, accesses + more, outcome, hours)) >= score
    assert reprieve_score(ReprieveInput(importance, accesses, outcome, hours + more)) <= score


@pytest.mark.parametrize(
    ("score", "count", "allowed"),
    [
        (0.5, 0, True),
        (0.5, 2, True),
        (0.5, 3, False),
        (0.5, 4, False),
        (0.4999, 0, False),
        (math.nextafter(0.5, 0), 2, False),
        (9.0, -1, True),
        (math.nan, 0, False),
        (9.0, math.nan, False),
    ],
)
def test_gate(score: float, count: float, allowed: bool) -> None:
    assert should_reprieve(score, count) is allowed


@pytest.mark.parametrize("score", [0.5, 1.0, math.inf])
def test_zero_reprieves_force_expiry(score: float) -> None:
    assert not should_reprieve(score, 0, max_reprieves=0)


def test_options() -> None:
    assert should_reprieve(0.1, 9, floor=0.1, max_reprieves=10)
    assert should_reprieve(0.6, 1e9, max_reprieves=math.inf)
    assert not should_reprieve(0.6, 0, floor=0.7)
