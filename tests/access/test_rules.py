from __future__ import annotations

import pytest

from memsleep.access.rules import cited, corrected, counts_again, net_use, reinforced
from memsleep.model import Usage

FIRST = "2026-11-30T03:00:00Z"


@pytest.mark.parametrize(
    ("last", "now", "counts"),
    [
        (None, FIRST, True),
        (FIRST, "2026-11-30T03:14:59Z", False),
        (FIRST, "2026-11-30T03:15:00Z", True),
        (FIRST, "2026-11-30T03:15:01Z", True),
        (FIRST, FIRST, False),
        (FIRST, "2026-11-30T02:00:00Z", False),
        ("2026-11-29", FIRST, True),
        ("no instant", FIRST, True),
    ],
)
def test_cooldown(last: str | None, now: str, counts: bool) -> None:
    """Exactly 900 s after the last counted access counts; a second less, or the past, does not."""
    assert counts_again(last, now) is counts


@pytest.mark.parametrize(
    ("signal", "outcome", "reinforced_count"),
    [("positive", 0.3, 1), ("negative", -0.3, 0), ("neutral", 0.0, 0)],
)
def test_first_signal(signal: str, outcome: float, reinforced_count: int) -> None:
    """A first verdict moves the average by its share, and only a positive one confirms."""
    after = reinforced(Usage(), signal, FIRST)  # type: ignore[arg-type]
    assert after.counted
    assert after.usage.access_count == 1
    assert after.usage.outcome_score == outcome
    assert after.usage.reinforcement_count == reinforced_count
    assert after.usage.last_accessed_at == after.usage.updated_at == FIRST
    assert after.usage.last_reinforced_at == (None if signal == "neutral" else FIRST)


def test_average_is_rounded_once_a_step() -> None:
    """Steps go over the grid of 1/10,000: 0.3, 0.51, 0.657, then a negative one."""
    usage, seen = Usage(), []
    for day, signal in enumerate(("positive", "positive", "positive", "negative"), 1):
        usage = reinforced(usage, signal, f"2026-11-{day:02}").usage  # type: ignore[arg-type]
        seen.append(usage.outcome_score)
    assert seen == [0.3, 0.51, 0.657, 0.1599]
    assert usage.reinforcement_count == 3


def test_a_verdict_within_the_cooldown_is_not_lost() -> None:
    """Reading and judging a minute later counts one access and the whole verdict."""
    read = reinforced(Usage(), "neutral", FIRST).usage
    judged = reinforced(read, "positive", "2026-11-30T03:01:00Z")
    assert not judged.counted
    assert (judged.usage.access_count, judged.usage.outcome_score) == (1, 0.3)
    assert judged.usage.last_accessed_at == FIRST


def test_neutral_within_the_cooldown_changes_nothing() -> None:
    """A second look is no second access."""
    read = reinforced(Usage(), "neutral", FIRST).usage
    again = reinforced(read, "neutral", "2026-11-30T03:14:59Z")
    assert again.usage == read


def test_citations() -> None:
    """A citation counts and is stamped; corrections beyond the citations leave a net use of 0."""
    usage = cited(Usage(), FIRST)
    assert (usage.usage_count, usage.last_used_at) == (1, FIRST)
    assert net_use(usage) == 1
    usage = corrected(corrected(usage, FIRST), FIRST)
    assert (usage.usage_count, usage.corrected_count, net_use(usage)) == (1, 2, 0)
    assert cited(usage, "2026-01-01").last_used_at == FIRST
