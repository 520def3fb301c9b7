"""Which of two memories is the newer, and what is offered to do about it."""

from __future__ import annotations

import shlex
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memsleep.model import Memory, Standing
from memsleep.phases.contradictions import actions_of, is_linked, key_of, newer_of
from memsleep.proposals import Review
from phases_kit import link, memory

NEWER = [
    # what a.md states, what b.md states, which is newer
    ({"created": "2026-01-02"}, {"created": "2026-01-01"}, "a.md"),
    ({"created": "2026-01-01"}, {"created": "2026-01-02"}, "b.md"),
    ({"created": "2026-01-01"}, {"created": "2025-01-01", "updated": "2026-02-01"}, "b.md"),
    ({"created": "2026-01-01T08:00:00Z"}, {"created": "2026-01-01T07:59:59Z"}, "a.md"),
    ({"created": "2026-01-01T08:00:00Z"}, {"created": "2025-12-31"}, "a.md"),
    (  # one commit touched both: what the files state says more
        {"created": "2026-01-02", "updated": "2026-02-01", "from_history": frozenset({"updated"})},
        {"created": "2026-01-01", "updated": "2026-02-01", "from_history": frozenset({"updated"})},
        "a.md",
    ),
    (
        {"created": "2026-01-02", "from_history": frozenset({"created"})},
        {"created": "2026-01-03"},
        "b.md",
    ),
]
UNKNOWN = [
    ({}, {}),
    ({"created": "2026-01-01"}, {}),
    ({}, {"updated": "2026-01-01"}),
    ({"created": "2026-01-01"}, {"created": "2026-01-01"}),
    ({"created": "2026-01-01T08:00:00Z"}, {"created": "2026-01-01"}),
    ({"event_time": "2026-01-01"}, {"event_time": "2025-01-01"}),
    ({"created": "last spring"}, {"created": "2026-01-01"}),
]


@pytest.mark.parametrize(("one", "other", "newer"), NEWER)
def test_the_newer_is_known_by_what_the_files_state(
    one: dict[str, Any], other: dict[str, Any], newer: str
) -> None:
    """The later update, or creation where nothing was updated, is the newer."""
    assert newer_of(memory("a.md", "x", **one), memory("b.md", "y", **other)) == newer


@pytest.mark.parametrize(("one", "other"), UNKNOWN)
def test_unknown_stays_unknown(one: dict[str, str], other: dict[str, str]) -> None:
    """A missing, equal or coarser date decides nothing, in either order."""
    a, b = memory("a.md", "x", **one), memory("b.md", "y", **other)
    assert newer_of(a, b) == ""
    assert newer_of(b, a) == ""


DATES = st.sampled_from([None, "2026-01-01", "2026-01-01T08:00:00Z", "2026-03-01", "2025-05-05"])


@given(DATES, DATES, DATES, DATES)
def test_the_order_of_the_two_has_no_say(a: str, b: str, c: str, d: str) -> None:
    """Whoever is asked first: the answer is the same path."""
    one = memory("a.md", "x", created=a, updated=b)
    other = memory("b.md", "y", created=c, updated=d)
    assert newer_of(one, other) == newer_of(other, one)


def _review(question: str = "contradiction", keeper: str = "a b.md") -> Review:
    return Review(phase="dedup", reason="r", keeper=keeper, dropped="c.md", question=question)


def _commands(nights: int = 0, *, linked: bool = False, newer: str = "", **more: str) -> list[str]:
    found = actions_of(_review(**more), "sleep/2026-11-30", newer, nights=nights, linked=linked)
    return [action.command for action in found]


def test_three_actions_are_offered() -> None:
    """Keep the newer, keep both, look: each a command that can be pasted as it is."""
    review = _review()
    keep, both, look = _commands(newer="a b.md")
    assert shlex.split(keep)[3:] == ["--keep", f"{review.id}:a b.md"]
    assert shlex.split(both)[3:] == ["--different", review.id]
    assert shlex.split(look)[3:] == ["--show", review.id]
    assert {tuple(shlex.split(c)[:3]) for c in (keep, both, look)} == {
        ("memsleep", "review", "sleep/2026-11-30")
    }


def test_an_unknown_age_is_said() -> None:
    """Nobody is told to keep the newer where nobody knows which it is."""
    first = actions_of(_review(), "r", "")[0]
    assert "nobody says which is newer" in first.what
    assert actions_of(_review(), "r", "c.md")[0].what == "keep the newer"


LINKS = [
    (0, False, "contradiction", False),
    (1, False, "contradiction", False),
    (2, False, "contradiction", True),
    (9, False, "contradiction", True),
    (2, True, "contradiction", False),
    (2, False, "duplicate", False),
]


@pytest.mark.parametrize(("nights", "linked", "question", "offered"), LINKS)
def test_a_link_is_offered_from_the_second_night_on(
    nights: int, linked: bool, question: str, offered: bool
) -> None:
    """One night's suspicion writes no link, nor does a pair that has one, nor a duplicate."""
    commands = _commands(nights, linked=linked, question=question)
    assert any("--link" in command for command in commands) == offered


STATED: list[tuple[list[Memory], bool]] = [
    ([memory("a.md", "x"), memory("b.md", "y")], False),
    ([memory("a.md", "x", links=(link("b.md", "contradicts"),)), memory("b.md", "y")], True),
    ([memory("a.md", "x"), memory("b.md", "y", links=(link("a.md", "contradicts"),))], True),
    ([memory("a.md", "x", links=(link("b.md", "relates_to"),)), memory("b.md", "y")], False),
    ([memory("a.md", "x", links=(link("c.md", "contradicts"),)), memory("b.md", "y")], False),
    ([memory("a.md", "x", links=(link(None, "contradicts"),)), memory("b.md", "y")], False),
]


@pytest.mark.parametrize(("pair", "linked"), STATED)
def test_a_stated_link_is_seen_on_either_side(pair: list[Memory], linked: bool) -> None:
    """Only a link of that relation between the two counts."""
    assert is_linked(*pair) == linked


def test_a_suspicion_follows_a_memory_that_moves() -> None:
    """The key is made of ids, in one order."""
    moved = {"new/a.md": Standing("a.md")}
    assert key_of(["new/a.md", "b.md"], moved) == key_of(["b.md", "a.md"], None)
    assert key_of(["a.md", "c.md"], None) != key_of(["a.md", "b.md"], None)
