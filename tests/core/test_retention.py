"""Retention: signals, weights, score and bands."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memsleep.core import (
    DEFAULT_WEIGHTS,
    SIGNAL_NAMES,
    WEIGHT_PROFILES,
    RetentionInput,
    band_for,
    composite_score,
    compute_signals,
    half_life_for,
    profile_weight_sum,
    score_retention,
    weights_for,
)

BARE = RetentionInput("semantic", 0, 0, 1.0, 0.0, 0.0, 0, 0, 0, 0)

WORKED = [
    pytest.param({}, 0.3, "evict", id="semantic bare"),
    pytest.param(
        {"age_days": 90, "confidence": 0.5, "word_count": 50, "graph_rank": 1, "max_graph_rank": 1},
        0.425,
        "compress",
        id="semantic middling",
    ),
    pytest.param(
        {
            "access_count": 10,
            "graph_rank": 2,
            "max_graph_rank": 2,
            "bridge_count": 5,
            "reinforcement_count": 5,
            "word_count": 100,
        },
        1.0,
        "keep",
        id="semantic saturated",
    ),
    pytest.param(
        {
            "memory_type": "episodic",
            "age_days": 10,
            "confidence": 0.8,
            "word_count": 9,
            "access_count": 3,
        },
        0.3581,
        "compress",
        id="episodic",
    ),
    pytest.param(
        {
            "memory_type": "procedural",
            "age_days": 400,
            "confidence": 0.245,
            "word_count": 40,
            "graph_rank": 1,
            "max_graph_rank": 2,
            "contradiction_count": 1,
        },
        0.2184,
        "evict",
        id="procedural",
    ),
    pytest.param(
        {
            "memory_type": "verdict",
            "age_days": 30,
            "confidence": 0.9,
            "word_count": 120,
            "bridge_count": 2,
            "reinforcement_count": 1,
            "access_count": 4,
        },
        0.53,
        "compress",
        id="unlisted type",
    ),
    pytest.param(
        {
            "memory_type": "error_pattern",
            "age_days": 14,
            "confidence": 0.245,
            "word_count": 20,
            "contradiction_count": 3,
        },
        0.1445,
        "evict",
        id="error pattern",
    ),
]


@pytest.mark.parametrize(("facts", "score", "action"), WORKED)
def test_worked_values(facts: dict[str, Any], score: float, action: str) -> None:
    result = score_retention(replace(BARE, **facts))
    assert (result.score, result.action) == (score, action)


SIGNALS = [
    ("recency", {"age_days": 90}, 0.5),
    ("recency", {"age_days": 180}, 0.25),
    ("recency", {"age_days": 45}, 0.7071067811865475),
    ("recency", {"age_days": 0}, 1.0),
    ("recency", {"age_days": 0.9}, 0.9930924954370359),
    ("recency", {"age_days": -5}, 1.0),
    ("recency", {"age_days": 1e9}, 0.0),
    ("recency", {"age_days": 1e9, "memory_type": "procedural"}, 1.0),
    ("recency", {"age_days": 1e9, "memory_type": "task"}, 1.0),
    ("recency", {"age_days": 30, "memory_type": "verdict"}, 0.5),
    ("access_frequency", {"access_count": 3}, 0.3),
    ("access_frequency", {"access_count": 10}, 1.0),
    ("access_frequency", {"access_count": 11}, 1.0),
    ("access_frequency", {"access_count": -1}, 0.0),
    ("confidence", {"confidence": 1.2}, 1.0),
    ("confidence", {"confidence": -0.2}, 0.0),
    ("pagerank", {"graph_rank": 1, "max_graph_rank": 4}, 0.25),
    ("pagerank", {"graph_rank": 9, "max_graph_rank": 4}, 1.0),
    ("pagerank", {"graph_rank": -1, "max_graph_rank": 4}, 0.0),
    ("pagerank", {"graph_rank": 1, "max_graph_rank": 0}, 0.0),
    ("pagerank", {"graph_rank": -1, "max_graph_rank": -2}, 0.0),
    ("bridge_importance", {"bridge_count": 4}, 0.8),
    ("bridge_importance", {"bridge_count": 6}, 1.0),
    ("bridge_importance", {"bridge_count": -6}, 0.0),
    ("reinforcement_count", {"reinforcement_count": 1}, 0.2),
    ("reinforcement_count", {"reinforcement_count": 6}, 1.0),
    ("reinforcement_count", {"reinforcement_count": -1}, 0.0),
    ("content_density", {"word_count": 5}, 0.025),
    ("content_density", {"word_count": 9}, 0.081),
    ("content_density", {"word_count": 10}, 0.1),
    ("content_density", {"word_count": 50}, 0.5),
    ("content_density", {"word_count": 100}, 1.0),
    ("content_density", {"word_count": 101}, 1.0),
    ("content_density", {"word_count": -50}, 0.0),
    ("contested_status", {"contradiction_count": 0}, 1.0),
    ("contested_status", {"contradiction_count": 3}, 0.0),
    ("contested_status", {"contradiction_count": 4}, 0.0),
    ("contested_status", {"contradiction_count": -1}, 1.0),
]


@pytest.mark.parametrize(("name", "facts", "expected"), SIGNALS)
def test_signal(name: str, facts: dict[str, Any], expected: float) -> None:
    """One signal moves; the others stay at the bare memory's values."""
    signals = compute_signals(replace(BARE, **facts))
    assert signals[name] == expected
    others = {"memory_type", *facts} - {"memory_type"}
    bare = compute_signals(BARE)
    assert len(others) <= 2
    assert {n: v for n, v in signals.items() if n != name} == {
        n: v for n, v in bare.items() if n != name
    }


NUMBERS = st.floats(-1e6, 1e6)


@given(
    st.builds(
        RetentionInput,
        st.sampled_from([*WEIGHT_PROFILES, "task", "verdict"]),
        *[NUMBERS] * 9,
    )
)
def test_everything_is_in_the_unit_interval(facts: RetentionInput) -> None:
    """Eight signals in order and a score, all in [0, 1], and the band of the score."""
    result = score_retention(facts)
    assert tuple(result.signals) == SIGNAL_NAMES
    assert all(0.0 <= value <= 1.0 for value in result.signals.values())
    assert 0.0 <= result.score <= 1.0
    assert result.action == band_for(result.score)
    assert result.score == round(result.score, 4)


@pytest.mark.parametrize("name", ["age_days", "access_count", "confidence", "word_count"])
def test_nan_is_not_hidden(name: str) -> None:
    """An unknown number poisons the score, and a poisoned score keeps nothing."""
    result = score_retention(replace(BARE, **{name: math.nan}))
    assert math.isnan(result.score)
    assert result.action == "evict"


@pytest.mark.parametrize("profile", [*WEIGHT_PROFILES.values(), DEFAULT_WEIGHTS])
def test_profile_sums_to_one(profile: dict[str, float]) -> None:
    assert profile_weight_sum(profile) == 1.0
    assert tuple(profile) == SIGNAL_NAMES


def test_profiles_cannot_be_changed() -> None:
    """A caller gets a copy; the tables are read-only."""
    weights_for("arc")["recency"] = 9.0
    assert weights_for("arc")["recency"] == 0.1
    with pytest.raises(TypeError):
        WEIGHT_PROFILES["arc"] = {}  # type: ignore[index]
    with pytest.raises(TypeError):
        DEFAULT_WEIGHTS["recency"] = 1.0  # type: ignore[index]


@pytest.mark.parametrize(
    ("memory_type", "days"),
    [
        ("episodic", 10),
        ("semantic", 90),
        ("procedural", None),
        ("arc", 30),
        ("error_pattern", 14),
        ("task", None),
        ("Episodic", 30),
        ("", 30),
    ],
)
def test_half_life(memory_type: str, days: float | None) -> None:
    assert half_life_for(memory_type) == days


def test_unlisted_type_has_the_default_weights() -> None:
    assert weights_for("EPISODIC") == dict(DEFAULT_WEIGHTS)
    assert weights_for("task") == dict(DEFAULT_WEIGHTS)


@pytest.mark.parametrize(
    ("score", "action"),
    [
        (1.0, "keep"),
        (0.7001, "keep"),
        (math.nextafter(0.7, 1), "keep"),
        (0.7, "compress"),
        (0.3001, "compress"),
        (math.nextafter(0.3, 1), "compress"),
        (0.3, "evict"),
        (0.0, "evict"),
        (-1.0, "evict"),
        (math.nan, "evict"),
    ],
)
def test_band(score: float, action: str) -> None:
    assert band_for(score) == action


def only(name: str, value: float) -> dict[str, float]:
    return {**dict.fromkeys(SIGNAL_NAMES, 0.0), name: value}


@pytest.mark.parametrize(
    ("value", "expected"),
    [(0.00005, 0.0001), (0.49995, 0.5), (0.00015, 0.0001), (0.00025, 0.0003), (-0.00015, -0.0001)],
)
def test_composite_rounds_halves_up(value: float, expected: float) -> None:
    """The double product decides, halves go up: neither to even nor by decimals."""
    assert composite_score(only("confidence", value), only("confidence", 1.0)) == expected


def test_composite_sum_is_compensated() -> None:
    """A plain sum of these products rounds to another value."""
    signals = dict(zip(SIGNAL_NAMES, [1e16, 1.0, -1e16, 0, 0, 0, 0, 0], strict=True))
    assert composite_score(signals, dict.fromkeys(SIGNAL_NAMES, 1.0)) == 1.0
