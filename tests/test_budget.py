"""The loss budget in numbers."""

from __future__ import annotations

import pytest

import phases_kit as kit
from memsleep.budget import Allowance, allowances
from memsleep.model import Snapshot


def _corpus(active: int, past: tuple[str, ...] = (), archived: int = 0) -> Snapshot:
    memories = [kit.memory(f"{i}.md", "x") for i in range(active)]
    memories += [kit.memory(f"archive/2026/{i}.md", "x") for i in range(archived)]
    return kit.snapshot(memories, past_archives=past)


@pytest.mark.parametrize(
    ("active", "limits"),
    [
        (0, (1, 1, 1)),
        (1, (1, 1, 1)),
        (19, (1, 1, 2)),
        (20, (1, 1, 3)),
        (40, (1, 2, 6)),
        (50, (1, 2, 7)),
        (100, (2, 5, 15)),
        (199, (3, 9, 29)),
        (1000, (20, 50, 150)),
    ],
)
def test_limits(active: int, limits: tuple[int, int, int]) -> None:
    """Two, five and fifteen percent, rounded down, at least one; archived ones do not count."""
    found = allowances(_corpus(active, archived=300), kit.CAREFUL)
    assert tuple(limit.limit for limit in found) == limits
    assert [limit.name for limit in found] == ["this night", "in 7 days", "in 30 days"]


def test_what_is_spent() -> None:
    """An archiving counts in each window that it lies in, and not once it has left it."""
    past = (
        "2026-11-30T01:00:00Z",
        "2026-11-29T03:00:00Z",
        "2026-11-23T03:00:01Z",
        "2026-11-23T03:00:00Z",
        "2026-10-31T03:00:01Z",
        "2026-10-31T03:00:00Z",
        "2026-12-01T00:00:00Z",
        "no date",
    )
    assert [limit.spent for limit in allowances(_corpus(100, past), kit.CAREFUL)] == [1, 3, 5]


def test_left_is_never_negative() -> None:
    """More spent than allowed leaves nothing, not less."""
    assert Allowance("x", 2, 5).left == 0
    assert Allowance("x", 5, 2).left == 3


def test_no_budget_no_limits() -> None:
    """Where the budget is off there is nothing to keep to."""
    assert allowances(_corpus(10), kit.settings(budget={"enabled": False})) == ()


def test_a_share_of_a_third_is_not_cut_by_rounding() -> None:
    """0.29 of 100 is 29, though 0.29 * 100 is a little less in binary."""
    for share, limit in ((0.07, 7), (0.29, 29), (0.57, 57), (1.0, 100)):
        used = kit.settings(budget={"night_share": share})
        assert allowances(_corpus(100), used)[0].limit == limit
