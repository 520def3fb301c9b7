"""The night in words."""

from __future__ import annotations

import pytest

from memsleep.report import words
from memsleep.report.data import Candidates, Check, Phase, Totals, UnreadableFile
from report.sample import DECISIONS, REVIEWS, empty_report, sample_report


@pytest.mark.parametrize(
    ("totals", "pairs", "sentence"),
    [
        (Totals(), 0, "A quiet night: nothing changed; nothing needs you."),
        (Totals(), 1, "A quiet night: nothing changed; 1 pair needs you."),
        (Totals(merged=1, keepers=1), 0, "1 memory merged into another; nothing needs you."),
        (Totals(merged=2, keepers=1), 0, "2 memories merged into 1 other; nothing needs you."),
        (
            Totals(merged=14, keepers=9, evicted=1, expired=1, reprieved=3, decayed=5),
            2,
            (
                "14 memories merged into 9 others, 2 archived, 3 reprieved, 5 faded a little; 2 "
                "pairs need you."
            ),
        ),
        (Totals(evicted=1), 0, "1 memory archived; nothing needs you."),
        (Totals(links_rewritten=1), 0, "1 link mended; nothing needs you."),
        (Totals(decayed=1200), 0, "1,200 memories faded a little; nothing needs you."),
    ],
)
def test_headline(totals: Totals, pairs: int, sentence: str) -> None:
    """One sentence says what changed and whether anybody is needed."""
    assert words.headline(sample_report(totals=totals, reviews=REVIEWS[:pairs])) == sentence


def test_alerts() -> None:
    """A failed check, a failed phase, a wrong sum and unreadable files are said at the top."""
    assert words.alerts(empty_report()) == []
    report = sample_report(
        checks=(Check(name="nothing lost", passed=False, detail="2 sentences."),),
        phases=(
            Phase(name="triage", status="failed", detail="no graph"),
            Phase(name="decay", status="skipped"),
        ),
        candidates=Candidates(candidates=5, merged=3),
        unreadable=(
            UnreadableFile(path="a", reasons=("b",)),
            UnreadableFile(path="c", reasons=("d",)),
        ),
    )
    assert words.alerts(report) == [
        "The check `nothing lost` failed: 2 sentences.",
        "The phase `triage` failed and changed nothing: no graph",
        (
            "The candidate pairs do not add up: "
            "3 merged + 0 for review + 0 refused = 3, not 5 candidate pairs"
        ),
        "2 files could not be read and were left alone.",
    ]


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.98249, "0.982"),
        (1.0, "1"),
        (0.5, "0.5"),
        (12000, "12,000"),
        (-0.0001, "0"),
        ("x", "x"),
        (0.0, "0"),
        (0.9999, "1"),
        (100.0, "100"),
    ],
)
def test_number(value: float | str, text: str) -> None:
    """Figures have three decimals at most and no idle zeros."""
    assert words.number(value) == text


@pytest.mark.parametrize(
    ("instant", "text"),
    [
        ("2026-03-01T03:00:00Z", "1 March 2026, 03:00 UTC"),
        ("2026-12-24", "24 December 2026"),
        ("2026-13-01", "2026-13-01"),
        ("soon", "soon"),
        ("", ""),
    ],
)
def test_moment(instant: str, text: str) -> None:
    """Instants are written as people write them; anything else stays as it is."""
    assert words.moment(instant) == text


def test_signed() -> None:
    """Differences carry their sign."""
    assert [words.signed(value) for value in (5, -1200, 0)] == ["+5", "\u22121,200", "0"]


def test_groups_keep_the_order_of_the_plan() -> None:
    """Decisions of one heading stand together only where the plan has them together."""
    mixed = (DECISIONS[0], DECISIONS[3], DECISIONS[1])
    assert [heading for heading, _ in words.grouped(mixed)] == [
        "Merged",
        "Archived: its date has passed",
        "Merged",
    ]


def test_unknown_kinds_have_a_heading() -> None:
    """A kind that is not known yet is still named."""
    odd = DECISIONS[0].model_copy(update={"kind": "fold-up"})
    assert words.label(odd) == "Fold up"
