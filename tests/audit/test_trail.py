"""Where the files of a run went: as if every step looked through all moves so far."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memsleep.audit.trail import Trail

Steps = Sequence[Sequence[tuple[str, str]]]


@pytest.mark.parametrize(
    ("steps", "moves"),
    [
        ([], {}),
        ([[("a", "b")]], {"a": "b"}),
        ([[("a", "b")], [("b", "c")]], {"a": "c"}),
        ([[("a", "b")], [("c", "a")]], {"a": "b", "c": "a"}),
        ([[("a", "b"), ("b", "a")]], {"a": "b", "b": "a"}),
        ([[("a", "b"), ("b", "a")], [("a", "x")]], {"a": "b", "b": "x"}),
        ([[("a", "b")], [("b", "a")]], {"a": "a"}),
    ],
)
def test_moves(steps: Steps, moves: dict[str, str]) -> None:
    trail = Trail()
    for step in steps:
        trail.go(step)
    assert trail.moves == moves
    assert {trail.first(new): new for new in moves.values()} == moves


@given(st.lists(st.tuples(st.integers(0, 9), st.integers(0, 99)), max_size=30))
def test_as_told_by_looking_through_all_moves(drawn: list[tuple[int, int]]) -> None:
    """Files move one by one to names that nobody has, and back to names that are free again."""
    trail, moves, live = Trail(), dict[str, str](), [f"{n}" for n in range(10)]
    for which, where in drawn:
        old, new = live[which], f"{where}"
        if new in live:
            continue
        back = {now: first for first, now in moves.items()}
        moves[back.get(old, old)] = new
        live[which] = new
        trail.go([(old, new)])
    assert trail.moves == moves
    back = {now: first for first, now in moves.items()}
    assert all(trail.first(path) == back.get(path, path) for path in live)
