"""Roles are settled by the first claim, one stage for each pair."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memsleep.core import (
    MAX_MERGE_PAIRS,
    MergeDecision,
    MergePair,
    MergeText,
    exclude_self_supersede,
    merge_candidates,
    merge_outcomes,
)


def stages(*pairs: tuple[str, str] | MergePair, **options: float) -> list[str]:
    full = [p if isinstance(p, MergePair) else MergePair(p[0], p[1], 0.99) for p in pairs]
    return [outcome.stage for outcome in merge_outcomes(full, **options)]


def test_worked_roles() -> None:
    """The role guard over a chain, a self-merge and a pair at the threshold."""
    found = stages(
        ("gf", "a"),
        ("b", "gf"),
        ("gf", "c"),
        ("x", "a"),
        ("a", "y"),
        ("z", "z"),
        MergePair("q", "r", 0.92),
    )
    assert found == [
        "committed",
        "role-guard",
        "committed",
        "role-guard",
        "role-guard",
        "self",
        "threshold",
    ]


ROLES = [
    pytest.param([("a", "b"), ("a", "c")], ["committed"] * 2, id="a keeper may keep again"),
    pytest.param([("a", "b"), ("c", "b")], ["committed", "role-guard"], id="dropped once"),
    pytest.param([("a", "b"), ("c", "a")], ["committed", "role-guard"], id="keeper not dropped"),
    pytest.param([("a", "b"), ("b", "c")], ["committed", "role-guard"], id="dropped keeps nothing"),
    pytest.param([("a", "b"), ("b", "a")], ["committed", "role-guard"], id="mirror"),
    pytest.param([("a", "b"), ("a", "b")], ["committed", "role-guard"], id="repeat"),
    pytest.param([("a", "b"), ("c", "d")], ["committed"] * 2, id="apart"),
    pytest.param([("a", "a"), ("a", "b")], ["self", "committed"], id="self claims nothing"),
]


@pytest.mark.parametrize(("pairs", "expected"), ROLES)
def test_roles(pairs: list[tuple[str, str]], expected: list[str]) -> None:
    assert stages(*pairs) == expected


SAFE, UNSAFE = MergeText("safe", ""), MergeText("not safe", "")


@pytest.mark.parametrize(
    ("pair", "stage"),
    [
        pytest.param(MergePair("a", "b", 0.92), "threshold", id="at the threshold"),
        pytest.param(MergePair("a", "b", math.nextafter(0.92, 1)), "committed", id="just above"),
        pytest.param(MergePair("a", "b", math.nextafter(0.92, 0)), "threshold", id="just below"),
        pytest.param(MergePair("a", "b", math.nan), "committed", id="nan is not at or below"),
        pytest.param(MergePair("a", "b", 0.99, SAFE, UNSAFE), "vetoed", id="vetoed"),
        pytest.param(MergePair("a", "b", 0.99, SAFE, None), "committed", id="one text missing"),
        pytest.param(MergePair("a", "b", 0.99, None, UNSAFE), "committed", id="other text missing"),
        pytest.param(MergePair("a", "a", 0.99, SAFE, UNSAFE), "vetoed", id="veto before self"),
        pytest.param(MergePair("a", "b", 0.5, SAFE, UNSAFE), "threshold", id="threshold first"),
        pytest.param(MergePair("a", "b", 0.99, SAFE, SAFE), "committed", id="same text"),
    ],
)
def test_stage(pair: MergePair, stage: str) -> None:
    assert stages(pair) == [stage]


@pytest.mark.parametrize(
    ("max_pairs", "committed"),
    [(0, 0), (-1, 0), (1, 1), (1.5, 2), (2, 2), (math.inf, 3)],
)
def test_cap(max_pairs: float, committed: int) -> None:
    """The cap counts what was committed; beyond it even a weak pair reads cap."""
    found = stages(("a", "b"), ("c", "d"), ("e", "f"), max_pairs=max_pairs)
    assert found == ["committed"] * committed + ["cap"] * (3 - committed)
    weak = MergePair("g", "h", 0.1)
    capped = committed == 0
    assert stages(weak, max_pairs=max_pairs) == (["cap"] if capped else ["threshold"])


def test_refused_pairs_do_not_use_up_the_cap() -> None:
    assert stages(("a", "a"), MergePair("a", "b", 0.1), ("a", "b"), ("c", "d"), max_pairs=1) == [
        "self",
        "threshold",
        "committed",
        "cap",
    ]


def test_default_cap() -> None:
    found = stages(*[("a", f"b{index}") for index in range(MAX_MERGE_PAIRS + 1)])
    assert found == ["committed"] * MAX_MERGE_PAIRS + ["cap"]


PATHS = st.sampled_from("abcde")


@given(
    st.lists(st.builds(MergePair, PATHS, PATHS, st.sampled_from([0.5, 0.92, 0.95])), max_size=20)
)
def test_merge_laws(pairs: list[MergePair]) -> None:
    """Nothing is dropped twice, no keeper is dropped, and a prefix decides alike."""
    outcomes = merge_outcomes(pairs)
    assert [outcome.pair for outcome in outcomes] == pairs
    decisions = merge_candidates(pairs)
    dropped = [decision.drop_path for decision in decisions]
    assert len(set(dropped)) == len(dropped)
    assert not set(dropped) & {decision.keep_path for decision in decisions}
    assert decisions == [
        MergeDecision(outcome.pair.keep_path, outcome.pair.drop_path, outcome.pair.similarity)
        for outcome in outcomes
        if outcome.stage == "committed"
    ]
    for end in range(len(pairs)):
        assert merge_outcomes(pairs[:end]) == outcomes[:end]


@pytest.mark.parametrize(
    ("canonical", "members", "expected"),
    [
        ("a", [], []),
        ("a", ["a"], []),
        ("a", ["b", "a", "c", "b"], ["b", "c", "b"]),
        ("A", ["a"], ["a"]),
        ("\u00e9", ["e\u0301"], ["e\u0301"]),
    ],
)
def test_exclude_self_supersede(canonical: str, members: list[str], expected: list[str]) -> None:
    """Exact equality: no case folding, no normal form."""
    assert exclude_self_supersede(canonical, members) == expected
