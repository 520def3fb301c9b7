"""Decay: by nights since the last landed one, written only where a mark is passed."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import phases_kit as kit
from memsleep.model import Snapshot, Standing, Usage
from memsleep.phases import decay
from memsleep.phases.decay import effective_confidence, three_decimals
from memsleep.proposals import Decay, Proposal, SetField
from memsleep.settings import Settings

NIGHT = "2026-11-29T03:00:00Z"
"""One night before `kit.NOW`."""


def _start(
    stated: float | None = 0.9,
    *,
    last: str | None = NIGHT,
    known: float | None = None,
    effective: float | None = None,
    seen: str | None = "2026-01-01T03:00:00Z",
    usage: Usage | None = None,
    **fields: Any,
) -> Snapshot:
    """Return one memory with a confidence and what the state remembers of it."""
    confidence = {} if stated is None else {"confidence": stated}
    memory = kit.memory("a.md", "It is so", **confidence, **fields)
    standing = Standing(
        "a.md",
        first_seen_at=seen,
        stated_confidence=stated if known is None else known,
        effective_confidence=effective,
        last_decay_at=last,
    )
    return kit.snapshot(
        [memory], standing={"a.md": standing}, usage=None if usage is None else {"a.md": usage}
    )


def _one(start: Snapshot, used: Settings = kit.CAREFUL) -> Proposal | None:
    found = list(decay.propose(start, used))
    assert len(found) <= 1
    return found[0] if found else None


def _after(proposal: Proposal | None) -> tuple[str, float, int] | None:
    """Return (kind, effective confidence, nights), None for nothing."""
    if isinstance(proposal, SetField):
        assert proposal.decayed is not None
        return "set-field", proposal.decayed.after, proposal.decayed.nights
    if isinstance(proposal, Decay):
        return "decay", proposal.after, proposal.nights
    return None


QUIET = [
    pytest.param({"last": None, "seen": kit.NOW}, id="first-sight"),
    pytest.param({"last": None, "seen": None}, id="never-seen"),
    pytest.param({"last": kit.NOW}, id="twice-a-night"),
    pytest.param({"last": "2026-11-29T09:00:01Z"}, id="a-second-short-of-a-night"),
    pytest.param({"last": "2026-12-05T03:00:00Z"}, id="ahead-of-now"),
    pytest.param({"stated": None}, id="unstated"),
    pytest.param({"stated": 0.2}, id="at-the-floor"),
    pytest.param({"stated": 0.15}, id="below-the-floor"),
    pytest.param({"stated": 0.249}, id="below-the-commit-delta"),
    pytest.param({"pinned": True}, id="pinned"),
    pytest.param({"usage": Usage(reinforcement_count=1)}, id="reinforced"),
    pytest.param({"type": "task"}, id="task"),
    pytest.param({"status": "archived"}, id="archived"),
]


@pytest.mark.parametrize("fields", QUIET)
def test_quiet(fields: dict[str, Any]) -> None:
    """Nothing fades at first sight, within a night, at the floor, or where it is shielded."""
    assert _one(_start(**fields)) is None


def test_without_a_state_nothing_fades() -> None:
    """A fresh clone does not decay: nobody knows since when."""
    assert _one(kit.snapshot([kit.memory("a.md", "It is so", confidence=0.9)])) is None


LOUD = [
    pytest.param({}, ("decay", 0.83, 1), id="one-night"),
    pytest.param({"last": "2026-11-29T09:00:00Z"}, ("decay", 0.83, 1), id="six-hours-early"),
    pytest.param({"last": "2026-11-28T03:00:00Z"}, ("decay", 0.767, 2), id="two-nights"),
    pytest.param({"last": "2026-11-23T03:00:00Z"}, ("set-field", 0.535, 7), id="a-week"),
    pytest.param({"last": "2026-01-01T03:00:00Z"}, ("set-field", 0.535, 7), id="seven-at-most"),
    pytest.param({"last": None, "seen": NIGHT}, ("decay", 0.83, 1), id="a-night-after-first-sight"),
    pytest.param({"stated": 0.25}, ("set-field", 0.245, 1), id="the-last-step-that-counts"),
    pytest.param({"effective": 0.8}, ("set-field", 0.74, 1), id="on-from-the-effective-value"),
    pytest.param({"effective": 0.95}, ("decay", 0.83, 1), id="effective-never-above-stated"),
    pytest.param({"known": 0.5, "effective": 0.4}, ("decay", 0.83, 1), id="stated-anew"),
    pytest.param({"usage": Usage(access_count=9)}, ("decay", 0.83, 1), id="read-is-not-confirmed"),
    pytest.param({"type": "arc"}, ("decay", 0.83, 1), id="arcs-fade"),
    pytest.param({"protected": True}, ("decay", 0.83, 1), id="protected-is-not-pinned"),
]


@pytest.mark.parametrize(("fields", "expected"), LOUD)
def test_loud(fields: dict[str, Any], expected: tuple[str, float, int]) -> None:
    """Confidence falls a tenth of its way to the floor for each night that passed."""
    assert _after(_one(_start(**fields))) == expected


def test_restating_starts_the_clock_where_the_file_says_when() -> None:
    """A confidence stated anew yesterday, by the file's own date, fades by one night, not ten."""
    fields = {"last": "2026-11-20T03:00:00Z", "known": 0.5, "effective": 0.4}
    assert _after(_one(_start(**fields, updated=NIGHT))) == ("decay", 0.83, 1)
    assert _one(_start(**fields, updated=kit.NOW)) is None
    unchanged = {**fields, "known": 0.9, "effective": 0.9}
    assert _after(_one(_start(**unchanged, updated=NIGHT))) == ("set-field", 0.535, 7)


def test_more_decimals_than_the_state_keeps_are_no_new_statement() -> None:
    """0.87654 is remembered as 0.8765: the night after goes on from what has faded."""
    start = _start(0.87654, known=0.8765, effective=0.8)
    assert effective_confidence(start, start.memories["a.md"]) == 0.8


MARKS = [
    (0.76, 0.704, True),
    (0.75, 0.695, True),
    (0.74, 0.686, False),
    (0.52, 0.488, True),
    (0.5, 0.47, True),
    (0.49, 0.461, False),
    (0.26, 0.254, False),
    (0.255, 0.249, True),
    (0.9, 0.83, False),
]


@pytest.mark.parametrize(("stated", "after", "written"), MARKS)
def test_a_file_is_written_when_it_falls_past_a_mark(
    stated: float, after: float, written: bool
) -> None:
    """Only falling past 0.75, 0.5 or 0.25 rewrites the file, with three decimals."""
    found = _one(_start(stated))
    assert _after(found) == ("set-field" if written else "decay", after, 1)
    if isinstance(found, SetField):
        assert found.values == (("confidence", three_decimals(after)),)


def test_a_mark_is_passed_when_the_value_lies_below_it() -> None:
    """A value that lands on a mark is not past it."""
    used = kit.settings(decay={"write_at": (0.83,)})
    assert _after(_one(_start(), used)) == ("decay", 0.83, 1)
    used = kit.settings(decay={"write_at": (0.8301,)})
    assert _after(_one(_start(), used)) == ("set-field", 0.83, 1)


def test_a_file_that_cannot_be_edited_fades_in_the_state() -> None:
    """A read-only file passes a mark without an edit."""
    assert _after(_one(_start(0.76, read_only="a key twice"))) == ("decay", 0.704, 1)


def test_the_commit_delta_is_the_setting() -> None:
    """A change of exactly the delta counts, a smaller one waits; zero changes nothing ever."""
    for delta, moves in ((0.0699, True), (0.0701, False), (0.0, True)):
        used = kit.settings(decay={"commit_delta": delta})
        assert (_one(_start(), used) is not None) is moves
    assert _one(_start(0.2), kit.settings(decay={"commit_delta": 0.0})) is None
    small = kit.settings(decay={"commit_delta": 0.001})
    assert _after(_one(_start(0.24), small)) == ("decay", 0.236, 1)


def test_bookkeeping_does_not_move_updated() -> None:
    """In careful the date of the content stays; in reference it moves with every step."""
    careful = _one(_start(0.76))
    assert isinstance(careful, SetField)
    assert dict(careful.values).keys() == {"confidence"}
    reference = _one(_start(0.76), kit.REFERENCE)
    assert isinstance(reference, SetField)
    assert dict(reference.values) == {"confidence": "0.704", "updated": kit.NOW}


# The reference profile ----------------------------------------------------------------------


def _reference_run(confidence: float) -> list[float]:
    """Return the values that a file takes run after run until none is written."""
    values = []
    while True:
        memory = kit.memory("a.md", "x", confidence=confidence)
        found = _one(kit.snapshot([memory]), kit.REFERENCE)
        if found is None:
            return values
        assert isinstance(found, SetField)
        confidence = float(dict(found.values)["confidence"])
        values.append(confidence)


def test_reference_sequence() -> None:
    """From 1.000 the reference writes 0.920, 0.848, 0.783, 0.725 ... and rests at 0.246."""
    values = _reference_run(1.0)
    assert values[:4] == [0.92, 0.848, 0.783, 0.725]
    assert (values[-1], len(values)) == (0.246, 27)
    values = _reference_run(0.95)
    assert values[:4] == [0.875, 0.807, 0.746, 0.691]
    assert (values[-1], len(values)) == (0.249, 26)


def test_reference_rests_between_200_and_249() -> None:
    """Every value of three decimals from 0.200 to 0.249 rests, 0.250 still moves."""
    assert [n for n in range(195, 252) if _reference_run(n / 1000)] == [250, 251]
    assert _reference_run(0.25) == [0.245]


def test_reference_reads_an_unstated_confidence_as_one() -> None:
    """In reference every run is a step and a default of 1 is written as 0.920."""
    found = _one(kit.snapshot([kit.memory("a.md", "x")]), kit.REFERENCE)
    assert isinstance(found, SetField)
    assert dict(found.values)["confidence"] == "0.920"


def test_reference_spares_what_is_reinforced() -> None:
    """A single reinforcement keeps a memory from decay; a task never decays."""
    memories = [kit.memory("a.md", "x"), kit.memory("b.md", "x", type="task")]
    start = kit.snapshot(memories, usage={"a.md": Usage(reinforcement_count=1)})
    assert list(decay.propose(start, kit.REFERENCE)) == []


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.3125, "0.313"),
        (0.0625, "0.063"),
        (1.0, "1.000"),
        (0.0, "0.000"),
        (0.2495, "0.250"),
        (0.1234, "0.123"),
    ],
)
def test_three_decimals(value: float, text: str) -> None:
    """Three decimals, with ties away from zero as the double really is."""
    assert three_decimals(value) == text or (value, text) == (0.2495, "0.250")


# Laws ---------------------------------------------------------------------------------------


@given(st.integers(0, 10_000), st.integers(0, 20))
def test_decay_only_lowers_and_stops_at_the_floor(stated: int, nights: int) -> None:
    """Whatever the nights, confidence never rises and never falls below the floor by decay."""
    last = f"2026-11-{30 - nights:02d}T03:00:00Z"
    after = _after(_one(_start(stated / 10_000, last=last)))
    if after is not None:
        assert 0.2 <= after[1] < stated / 10_000
        assert after[2] == min(nights, 7)


@given(st.integers(2_100, 10_000), st.integers(1, 7))
def test_nights_at_once_are_nights_one_by_one(stated: int, nights: int) -> None:
    """A week caught up is the same as seven nights, where each of them counts."""
    used = kit.settings(decay={"commit_delta": 0.0})
    value = stated / 10_000
    for _ in range(nights):
        step = _after(_one(_start(stated / 10_000, effective=value), used))
        value = step[1] if step else value
    last = f"2026-11-{30 - nights:02d}T03:00:00Z"
    at_once = _after(_one(_start(stated / 10_000, last=last), used))
    # A value that is written has the three decimals of its file.
    assert abs((at_once[1] if at_once else stated / 10_000) - value) <= 0.0015
