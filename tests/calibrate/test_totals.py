"""Counts over judged pairs."""

from __future__ import annotations

import pytest
from scipy.stats import binomtest

from memsleep.calibrate.judging import JudgedPair
from memsleep.calibrate.totals import five_numbers, totals_of, wilson


def _pair(label: str, outcome: str, *guards: str, kind: str = "") -> JudgedPair:
    return JudgedPair(1, label, kind, 0.5, "none", guards, outcome, "", "")


@pytest.mark.parametrize(("count", "of"), [(0, 10), (10, 10), (5, 10), (2, 400), (1, 1)])
def test_wilson(count: int, of: int) -> None:
    """The interval is scipy's, and never leaves [0, 1]."""
    share = wilson(count, of)
    oracle = binomtest(count, of).proportion_ci(0.95, method="wilson")
    assert (share.low, share.high) == pytest.approx((oracle.low, oracle.high), abs=1e-6)


def test_no_pair_has_no_share() -> None:
    """Nothing is known about nothing."""
    assert wilson(0, 0).share is wilson(0, 0).low is None
    assert five_numbers([]) == ()


def test_totals() -> None:
    """Precision counts told pairs only, recall those that say the same, guards by label."""
    found = totals_of(
        [
            _pair("same", "merge", kind="dates"),
            _pair("same", "review", "numbers", kind="case"),
            _pair("different", "merge"),
            _pair("contradiction", "refuse", "negation", "numbers"),
            _pair("complements", "merge"),
            _pair("", "merge"),
        ]
    )
    assert (found.wrong.count, found.wrong.of) == (1, 2)
    assert (found.precision.count, found.precision.of) == (1, 2)
    assert (found.recall.count, found.recall.of) == (1, 2)
    assert [(row.label, row.pairs) for row in found.by_label] == [
        ("", 1), ("complements", 1), ("contradiction", 1), ("different", 1), ("same", 2),
    ]  # fmt: skip
    assert [row.kind for row in found.by_kind if row.label == "same"] == ["case", "dates"]
    assert found.guards == {
        "negation": {"contradiction": 1},
        "numbers": {"contradiction": 1, "same": 1},
    }
    assert five_numbers([3.0, 1.0, 2.0]) == (1.0, 1.0, 2.0, 3.0, 3.0)


@pytest.mark.parametrize(
    ("label", "wrong"),
    [
        ("contradiction", 1), ("CONTRADICTION", 1), ("neutral", 1), ("not_entailment", 1),
        ("0", 1), ("false", 1), ("no", 1), ("2", 1), ("REFUTES", 1), ("supersedes", 1),
        ("entailment", 0), ("Entailment", 0), ("complements", 0), ("", 0),
        ("same", 0), ("Duplicate", 0), ("1", 0), ("true", 0), ("yes", 0), ("paraphrase", 0),
    ],
)  # fmt: skip
def test_labels_that_must_not_merge(label: str, wrong: int) -> None:
    """Whatever is not named as the same, or as more of it, is another fact."""
    assert totals_of([_pair(label, "merge")]).wrong.count == wrong
