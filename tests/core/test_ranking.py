"""Rank fusion and diversified choice."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from memsleep.core import (
    ArmHit,
    MmrCandidate,
    apply_mmr,
    cosine,
    fuse_arms,
    fuse_lateral,
    rank_fused,
    rrf_contribution,
    rrf_score,
)


@pytest.mark.parametrize(
    ("rank", "weight", "expected"),
    [
        (1, 1.0, 1 / 61),
        (1.5, 1.0, 1 / 61.5),
        (0.9999999999999999, 1.0, None),
        (0, 1.0, None),
        (-1, 1.0, None),
        (math.nan, 1.0, None),
        (math.inf, 1.0, None),
        (1, 0.0, None),
        (1, -1.0, None),
        (1, math.inf, math.inf),
    ],
)
def test_rrf_contribution(rank: float, weight: float, expected: float | None) -> None:
    assert rrf_contribution(rank, weight) == expected


def test_rrf_contribution_lets_nan_weights_show() -> None:
    assert math.isnan(rrf_contribution(1, math.nan) or 0.0)


@pytest.mark.parametrize(
    ("rank", "weight", "k", "expected"),
    [(1, 1, 0, 1.0), (0, 1, 0, math.inf), (1, -1, -1, -math.inf), (-60, 2, 60, math.inf)],
)
def test_rrf_score_is_unguarded(rank: float, weight: float, k: float, expected: float) -> None:
    assert rrf_score(rank, weight, k) == expected


def arm(*paths: str) -> list[ArmHit]:
    return [ArmHit(path, rank) for rank, path in enumerate(paths, start=1)]


FUSED = [
    pytest.param([], [], {}, id="nothing"),
    pytest.param([arm("a")], [], {}, id="no weight"),
    pytest.param([arm("a")], [0.0], {}, id="weight zero leaves the arm out"),
    pytest.param([arm("a"), arm("b")], [1.0], {"a": 1 / 61}, id="missing weight"),
    pytest.param([arm("a")], [1.0, 9.0], {"a": 1 / 61}, id="weight without an arm"),
    pytest.param([arm("b", "a")], [2.0], {"b": 2 / 61, "a": 2 / 62}, id="one arm"),
    pytest.param([arm("a", "a")], [1.0], {"a": 1 / 61 + 1 / 62}, id="repeat in an arm adds up"),
    pytest.param([arm("a"), arm("a")], [1.0, 0.5], {"a": 1 / 61 + 0.5 / 61}, id="two arms"),
]


@pytest.mark.parametrize(("arms", "weights", "expected"), FUSED)
def test_fuse_arms(
    arms: list[list[ArmHit]], weights: list[float], expected: dict[str, float]
) -> None:
    """Paths in first-seen order."""
    fused = fuse_arms(arms, weights)
    assert list(fused.items()) == list(expected.items())


def test_rank_fused() -> None:
    """Score descending, then path by code unit; NaN after everything else."""
    fused = {"\ufb01": 0.5, "b": math.nan, "\U0001f600": 0.5, "a": math.nan, "z": 0.9, "y": -1.0}
    assert [path for path, _ in rank_fused(fused)] == ["z", "\U0001f600", "\ufb01", "y", "a", "b"]


@given(st.dictionaries(st.text(max_size=2), st.floats(-1, 1), max_size=8), st.data())
def test_rank_fused_is_a_total_order(fused: dict[str, float], data: st.DataObject) -> None:
    shuffled = dict(data.draw(st.permutations(list(fused.items()))))
    assert rank_fused(shuffled) == rank_fused(fused)


def test_fuse_lateral() -> None:
    before = {"a": 0.5}
    assert fuse_lateral(before, ["b", "a", "b"], 1.0) == {
        "a": 0.5 + 1 / 62,
        "b": 1 / 61 + 1 / 63,
    }
    assert before == {"a": 0.5}


@pytest.mark.parametrize(("order", "weight"), [([], 1.0), (["a"], 0.0), (["a"], -1.0)])
def test_fuse_lateral_without_effect(order: list[str], weight: float) -> None:
    assert fuse_lateral({"a": 0.5}, order, weight) == {"a": 0.5}


def slow_mmr(candidates: list[MmrCandidate], limit: float, lam: float) -> list[MmrCandidate]:
    """Return the choice with every penalty computed anew each round."""
    chosen: list[MmrCandidate] = []
    rest = list(candidates)
    while rest and len(chosen) < limit:

        def value(candidate: MmrCandidate) -> float:
            vectors = [c.vector for c in chosen if c.vector is not None]
            similar = [cosine(candidate.vector, v) for v in vectors] if candidate.vector else []
            return lam * candidate.score - (1 - lam) * max([0.0, *similar])

        best = max(rest, key=value)
        rest = [candidate for candidate in rest if candidate is not best]
        chosen.append(best)
    return chosen


VECTORS = st.none() | st.lists(st.sampled_from([-1.0, 0.0, 0.5, 1.0, 0.1]), min_size=1, max_size=3)
CANDIDATES = st.lists(
    st.builds(
        MmrCandidate, st.sampled_from("abcdef"), st.sampled_from([0.0, 0.5, 0.9, 0.1]), VECTORS
    ),
    max_size=9,
)


@given(CANDIDATES, st.integers(-1, 10), st.sampled_from([0.0, 0.3, 0.5, 0.99]))
def test_mmr_equals_the_definition(candidates: list[MmrCandidate], limit: int, lam: float) -> None:
    """Folding in only the newest choice is the same; the first of equals wins."""
    found = apply_mmr(candidates, limit, lam)
    expected = slow_mmr(candidates, limit, lam)
    assert [id(candidate) for candidate in found] == [id(candidate) for candidate in expected]


PLAIN = [MmrCandidate("z", 0.1), MmrCandidate("a", 0.9), MmrCandidate("m", 0.5)]


@pytest.mark.parametrize("lam", [1.0, 1.5, math.nan])
def test_mmr_relevance_alone_keeps_the_order(lam: float) -> None:
    assert apply_mmr(PLAIN, 2, lam) == PLAIN[:2]


@pytest.mark.parametrize(
    ("limit", "count"), [(0, 0), (-1, 0), (2, 2), (9, 3), (math.inf, 3), (math.nan, 0)]
)
@pytest.mark.parametrize("lam", [0.5, 1.0])
def test_mmr_limit(limit: float, count: int, lam: float) -> None:
    assert len(apply_mmr(PLAIN, limit, lam)) == count


def test_mmr_negative_similarity_is_no_bonus() -> None:
    candidates = [
        MmrCandidate("a", 0.5, [1, 0]),
        MmrCandidate("b", 0.4, [0, 1]),
        MmrCandidate("c", 0.4, [-1, 0]),
    ]
    assert [candidate.path for candidate in apply_mmr(candidates, 3)] == ["a", "b", "c"]


def test_mmr_nan_score_comes_last() -> None:
    candidates = [MmrCandidate("a", math.nan), MmrCandidate("b", 0.1)]
    assert [candidate.path for candidate in apply_mmr(candidates, 2)] == ["b", "a"]


def test_mmr_takes_arrays() -> None:
    """Stored vectors are arrays; candidates still compare."""
    candidates = [
        MmrCandidate("a", 0.5, np.array([1, 0], np.float32)),
        MmrCandidate("b", 0.4, np.array([1, 0], np.float32)),
        MmrCandidate("c", 0.3, np.array([0, 1], np.float32)),
    ]
    assert apply_mmr(candidates, 2) == [candidates[0], candidates[2]]
