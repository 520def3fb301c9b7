"""Reprieve: more time, the archive, or the wait for a budget."""

from __future__ import annotations

from typing import Any

import pytest

import phases_kit as kit
from memsleep.model import Memory, Snapshot, Standing, Usage, Verdict
from memsleep.phases import reprieve
from memsleep.proposals import Archive, Defer, Proposal, SetField, Spare
from memsleep.settings import Settings

OVER = "2026-11-20"
FRESH = {"updated": kit.NOW}
ROOMY = kit.settings(budget={"night_share": 1.0, "week_share": 1.0, "month_share": 1.0})


def _propose(start: Snapshot, used: Settings = kit.CAREFUL) -> list[Proposal]:
    return list(reprieve.propose(start, used))


def _expired(path: str = "a.md", **fields: Any) -> Memory:
    return kit.memory(path, "It ends", **{"valid_until": OVER, **fields})


def _kinds(start: Snapshot, used: Settings = kit.CAREFUL) -> list[tuple[str, str]]:
    return [(p.kind, p.paths[0]) for p in _propose(start, used)]


def _evictable(*paths: str, **fields: Any) -> Snapshot:
    memories = [kit.memory(path, "x", updated="2025-01-01", **fields) for path in paths]
    verdicts = {path: Verdict(path, 0.2, "retention 0.2") for path in paths}
    return kit.snapshot(memories, verdicts=verdicts)


QUIET = [
    pytest.param([kit.memory("a.md", "x")], id="no-end-stated"),
    pytest.param([_expired(valid_until="2026-12-01")], id="ends-tomorrow"),
    pytest.param([_expired(valid_until="2026-11-30T03:00:01Z")], id="ends-in-a-second"),
    pytest.param([_expired(valid_until="2026-02-30")], id="no-such-day"),
    pytest.param([_expired(type="task")], id="task"),
    pytest.param([_expired(type="arc")], id="arc"),
    pytest.param([_expired("archive/2026/a.md")], id="archived"),
    pytest.param([_expired(status="archived")], id="flagged-as-archived"),
]


@pytest.mark.parametrize("memories", QUIET)
def test_quiet(memories: list[Memory]) -> None:
    """What has not ended, cannot end or is gone is left alone."""
    assert _propose(kit.snapshot(memories)) == []


BOUNDARIES = [
    pytest.param({"importance": 10.0, **FRESH}, "set-field", id="score-of-exactly-half"),
    pytest.param({"importance": 9.99, **FRESH}, "archive", id="just-below-half"),
    pytest.param({"importance": 5.0, **FRESH}, "archive", id="importance-alone"),
    pytest.param({"importance": 10.0, "reprieves": 2, **FRESH}, "set-field", id="third-reprieve"),
    pytest.param({"importance": 10.0, "reprieves": 3, **FRESH}, "archive", id="three-is-the-limit"),
    pytest.param({"valid_until": kit.NOW, "importance": 10.0, **FRESH}, "set-field", id="ends-now"),
    pytest.param({"valid_until": "2026-11-30", **FRESH}, "archive", id="ended-at-midnight"),
]


@pytest.mark.parametrize(("fields", "kind"), BOUNDARIES)
@pytest.mark.parametrize("profile", ["careful", "reference"])
def test_boundaries(fields: dict[str, Any], kind: str, profile: str) -> None:
    """From a score of 0.5 and below three reprieves a memory gets more time."""
    start = kit.snapshot([_expired(**fields)])
    assert _kinds(start, kit.settings(profile)) == [(kind, "a.md")]


def test_use_lifts_a_memory_over_the_floor() -> None:
    """One access lifts an ordinary fresh memory to 0.508; a bad outcome does not count against."""
    for usage, kind in (
        (Usage(access_count=1, last_accessed_at=kit.NOW), "set-field"),
        (Usage(access_count=1, outcome_score=-1.0, last_accessed_at=kit.NOW), "set-field"),
        (Usage(access_count=0, last_accessed_at=kit.NOW), "archive"),
        (Usage(access_count=1, last_accessed_at="2025-01-01"), "archive"),
    ):
        start = kit.snapshot([_expired(**FRESH)], usage={"a.md": usage})
        assert _kinds(start) == [(kind, "a.md")]


def test_a_reprieve_is_two_weeks_from_tonight() -> None:
    """The new end counts from the run's date, not from the old end; `updated` stays."""
    start = kit.snapshot([_expired(importance=10.0, reprieves=1, **FRESH)])
    (found,) = _propose(start)
    assert isinstance(found, SetField)
    assert found.values == (("valid_until", "2026-12-14T00:00:00Z"), ("reprieves", "2"))
    (found,) = _propose(start, kit.REFERENCE)
    assert isinstance(found, SetField)
    assert found.values[-1] == ("updated", kit.NOW)


def test_an_archiving_says_why() -> None:
    """The reason tells used-up reprieves from little use, and the evidence when it ended."""
    reasons = []
    for reprieves in (0, 3):
        (found,) = _propose(kit.snapshot([_expired(reprieves=reprieves)]))
        assert isinstance(found, Archive)
        assert (found.cause, found.evidence["valid until"]) == ("expired", OVER)
        reasons.append(found.reason)
    assert "little use" in reasons[0]
    assert "used up" in reasons[1]


@pytest.mark.parametrize(
    ("fields", "why"),
    [
        ({"pinned": True}, "pinned"),
        ({"protected": True}, "protected"),
        ({"read_only": "x"}, "edited"),
    ],
)
def test_what_is_shielded_is_named_and_stays(fields: dict[str, Any], why: str) -> None:
    """A pinned, protected or read-only memory that has ended stays and takes no room."""
    start = kit.snapshot([_expired("a.md", **fields), _expired("b.md")])
    found = _propose(start)
    assert [(p.kind, p.paths) for p in found] == [("defer", ("a.md",)), ("archive", ("b.md",))]
    assert why in found[0].reason


# Verdicts of triage -------------------------------------------------------------------------


def test_a_verdict_leads_to_the_archive() -> None:
    """What triage gives up and nothing speaks for is archived as evicted."""
    (found,) = _propose(_evictable("a.md"))
    assert isinstance(found, Archive)
    assert found.cause == "evicted"
    assert found.evidence["retention"] == 0.2


def test_a_verdict_is_spared_from_half_a_point_on() -> None:
    """At a score of exactly 0.5 a verdict is spared for two weeks, in the state alone."""
    for importance, kind in ((10.0, "spare"), (9.99, "archive")):
        start = _evictable("a.md", importance=importance)
        start = kit.snapshot(
            start.memories.values(),
            verdicts=start.verdicts,
            usage={"a.md": Usage(last_accessed_at=kit.NOW)},
        )
        (found,) = _propose(start)
        assert found.kind == kind
        if isinstance(found, Spare):
            assert found.until == "2026-12-14T03:00:00Z"


@pytest.mark.parametrize(
    ("until", "kinds"),
    [
        ("2026-11-30T03:00:01Z", []),
        ("2026-11-30T03:00:00Z", ["archive"]),
        ("2026-11-29", ["archive"]),
        (None, ["archive"]),
    ],
)
def test_spared_until(until: str | None, kinds: list[str]) -> None:
    """A verdict is not asked again before the date until which it was spared."""
    start = _evictable("a.md")
    standing = {"a.md": Standing("a.md", spared_until=until)}
    start = kit.snapshot(start.memories.values(), verdicts=start.verdicts, standing=standing)
    assert [p.kind for p in _propose(start)] == kinds


def test_an_expiry_is_answered_as_one_even_with_a_verdict() -> None:
    """A memory that has ended and is given up leaves once, as expired; being spared is no help."""
    verdicts = {"a.md": Verdict("a.md", 0.2, "low")}
    standing = {"a.md": Standing("a.md", spared_until="2027-01-01")}
    start = kit.snapshot([_expired()], verdicts=verdicts, standing=standing)
    (found,) = _propose(start)
    assert isinstance(found, Archive)
    assert found.cause == "expired"


# Budget -------------------------------------------------------------------------------------


def _crowd(count: int, leaving: list[Memory], **fields: Any) -> Snapshot:
    """Return a corpus of `count` active memories in all, some of which are to leave."""
    others = [kit.memory(f"z{i:04d}.md", "x") for i in range(count - len(leaving))]
    return kit.snapshot([*others, *leaving], **fields)


@pytest.mark.parametrize(("count", "room"), [(10, 1), (49, 1), (99, 1), (100, 2), (150, 3)])
def test_a_night_archives_two_percent(count: int, room: int) -> None:
    """Two percent may go, rounded down, but always one; the rest waits and is named."""
    leaving = [_expired(f"{i}.md") for i in range(5)]
    found = _propose(_crowd(count, leaving))
    assert [type(p) for p in found] == [Archive] * room + [Defer] * (5 - room)
    assert all("this night" in p.reason for p in found[room:])


@pytest.mark.parametrize(
    ("instant", "spent", "room", "limit"),
    [
        ("2026-11-23T03:00:01Z", 5, 0, "7 days"),
        ("2026-11-23T03:00:01Z", 4, 1, "7 days"),
        ("2026-11-23T03:00:00Z", 5, 2, "this night"),
        ("2026-10-31T03:00:01Z", 15, 0, "30 days"),
        ("2026-10-31T03:00:01Z", 14, 1, "30 days"),
        ("2026-10-31T03:00:00Z", 15, 2, "this night"),
    ],
)
def test_a_week_and_a_month_have_limits(instant: str, spent: int, room: int, limit: str) -> None:
    """Of a hundred memories five may go in 7 days and fifteen in 30, to the second."""
    leaving = [_expired(f"{i}.md") for i in range(5)]
    found = _propose(_crowd(100, leaving, past_archives=(instant,) * spent))
    assert [p.kind for p in found] == ["archive"] * room + ["defer"] * (5 - room)
    assert all(limit in p.reason for p in found[room:])


def test_a_night_asks_once() -> None:
    """After a merge or an archiving earlier tonight nothing more goes: the ranks have moved."""
    leaving = [_expired(f"{i}.md") for i in range(5)]
    for field in ("past_archives", "past_merges"):
        start = _crowd(200, leaving, **{field: ("2026-11-30T01:00:00Z",)})
        assert {p.kind for p in _propose(start)} == {"defer"}
        assert {p.kind for p in _propose(start, kit.REFERENCE)} == {"archive"}
        start = _crowd(200, leaving, **{field: ("2026-11-29T03:00:00Z",)})
        assert [p.kind for p in _propose(start)].count("archive") >= 3


def test_without_a_budget_everything_goes() -> None:
    """In reference there is no limit."""
    start = _crowd(10, [_expired(f"{i}.md") for i in range(5)])
    assert [p.kind for p in _propose(start, kit.REFERENCE)] == ["archive"] * 5


def test_order_of_leaving() -> None:
    """Stated ends go first, then the least valuable, then the first path."""
    leaving = [
        _expired("e.md"),
        *(kit.memory(f"{n}.md", "x", updated="2025-01-01") for n in "abcd"),
    ]
    verdicts = {f"{n}.md": Verdict(f"{n}.md", 0.1, "low") for n in "abcd"}
    values = {"a.md": 0.3, "b.md": 0.1, "c.md": 0.2, "d.md": 0.1, "e.md": 0.9}
    start = kit.snapshot(leaving, verdicts=verdicts, columns={"retention": values})
    order = ["e.md", "b.md", "d.md", "c.md", "a.md"]
    assert [p.paths[0] for p in _propose(start, ROOMY)] == order
    assert _kinds(start) == [("archive", "e.md"), *(("defer", path) for path in order[1:])]


def test_more_time_takes_no_room() -> None:
    """Reprieves and spared verdicts do not count toward the budget."""
    leaving = [_expired("a.md", importance=10.0, **FRESH), _expired("b.md")]
    assert _kinds(_crowd(10, leaving)) == [("set-field", "a.md"), ("archive", "b.md")]
