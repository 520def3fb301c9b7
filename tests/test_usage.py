from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memsleep.model import Usage
from memsleep.usage import import_usage, latest, outcome_on_grid, sum_usage

EARLY, LATE = "2026-01-01T00:00:00Z", "2026-02-01T00:00:00Z"
instants = st.sampled_from([None, EARLY, LATE])
usages = st.builds(
    Usage,
    access_count=st.integers(0, 99),
    reinforcement_count=st.integers(0, 9),
    outcome_score=st.integers(-10_000, 10_000).map(lambda fp: fp / 10_000),
    last_accessed_at=instants,
    last_reinforced_at=instants,
    updated_at=instants,
    usage_count=st.integers(0, 9),
    last_used_at=instants,
    corrected_count=st.integers(0, 9),
    evidence_count=st.integers(1, 9),
)


@pytest.mark.parametrize(
    ("given_instants", "expected"),
    [((), None), ((None, None), None), ((None, EARLY), EARLY), ((LATE, EARLY), LATE)],
)
def test_latest(given_instants: tuple[str | None, ...], expected: str | None) -> None:
    """Absent stamps stay absent: none of them becomes an empty text."""
    assert latest(*given_instants) == expected


def test_sum() -> None:
    """Counts add up, stamps are the later ones, the outcome weighs by verdicts."""
    keeper = Usage(3, 1, 1.0, EARLY, None, EARLY, 2, LATE, 1, 1, (("s", 2), ("s", 3)))
    dropped = Usage(4, 3, -0.4, LATE, EARLY, LATE, 1, EARLY, 0, 2, (("s", 1), ("s", 2)))
    assert sum_usage(keeper, dropped) == Usage(
        7, 4, -0.05, LATE, EARLY, LATE, 3, LATE, 1, 3, (("s", 1), ("s", 2), ("s", 3))
    )


def test_sum_without_verdicts() -> None:
    """Without a verdict on either side the keeper's outcome stands."""
    assert sum_usage(Usage(outcome_score=0.5), Usage(outcome_score=-1.0)).outcome_score == 0.5


@pytest.mark.parametrize(
    ("left", "right", "expected"), [(0.0001, 0.0, 0.0001), (-0.0001, 0.0, 0.0), (1.0, -1.0, 0.0)]
)
def test_sum_rounds_once(left: float, right: float, expected: float) -> None:
    """Half a grid step rounds upwards."""
    usages = [Usage(reinforcement_count=1, outcome_score=value) for value in (left, right)]
    assert sum_usage(*usages).outcome_score == expected


def test_sum_keeps_the_newest_references() -> None:
    """Fifty references at most, the keeper's own before older ones of the dropped."""
    keeper = Usage(source_refs=tuple(("new", n) for n in range(30)))
    dropped = Usage(source_refs=tuple(("old", n) for n in range(30)))
    refs = sum_usage(keeper, dropped).source_refs
    assert (len(refs), refs[0], refs[-1]) == (50, ("old", 10), ("new", 29))


@given(usages, usages)
def test_sum_stays_in_range(left: Usage, right: Usage) -> None:
    """No sum leaves [-1, 1] or lies outside the two outcomes."""
    outcome = sum_usage(left, right).outcome_score
    assert min(left.outcome_score, right.outcome_score) - 1e-4 <= outcome
    assert outcome <= max(left.outcome_score, right.outcome_score) + 1e-4


@given(usages, usages)
def test_import_twice_changes_nothing(known: Usage, imported: Usage) -> None:
    """Reading an export again is as reading it once."""
    once = import_usage(known, imported)
    assert import_usage(once, imported) == once


@given(usages, usages)
def test_import_never_loses_counts(known: Usage, imported: Usage) -> None:
    """Counts and stamps only grow."""
    merged = import_usage(known, imported)
    for name in ("access_count", "reinforcement_count", "usage_count", "corrected_count"):
        assert getattr(merged, name) == max(getattr(known, name), getattr(imported, name))
    assert merged.last_accessed_at == latest(known.last_accessed_at, imported.last_accessed_at)


@pytest.mark.parametrize(
    ("ours", "theirs", "outcome"),
    [
        (None, None, -1.0),
        (EARLY, LATE, -1.0),
        (EARLY, EARLY, -1.0),
        (LATE, EARLY, 0.5),
        (LATE, None, 0.5),
    ],
)
def test_import_outcome(ours: str | None, theirs: str | None, outcome: float) -> None:
    """The imported outcome stands unless ours was changed later."""
    known = Usage(outcome_score=0.5, updated_at=ours)
    merged = import_usage(known, replace(known, outcome_score=-1.0, updated_at=theirs))
    assert merged.outcome_score == outcome


@pytest.mark.parametrize(
    ("outcome", "expected"),
    [(0.0, 0), (0.12345, 1235), (-0.5, -5000), (1.0, 10_000), (7.0, 10_000), (-7.0, -10_000)],
)
def test_grid(outcome: float, expected: int) -> None:
    """Outcomes are units of 1/10,000, cut to [-1, 1]."""
    assert outcome_on_grid(outcome) == expected
