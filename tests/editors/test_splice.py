"""Splicing replaces spans and nothing else."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memsleep.editors.splice import Replacement, splice
from memsleep.errors import EditRefused

SOURCE = b"one two three"

CHANGED = [
    pytest.param([Replacement(4, 7, b"2")], b"one 2 three", id="replace"),
    pytest.param([Replacement(0, 0, b"> ")], b"> one two three", id="insert-at-start"),
    pytest.param([Replacement(13, 13, b"!")], b"one two three!", id="insert-at-end"),
    pytest.param([Replacement(3, 7, b"")], b"one three", id="delete"),
    pytest.param([Replacement(8, 13, b"3"), Replacement(0, 3, b"1")], b"1 two 3", id="any-order"),
    pytest.param(
        [Replacement(3, 3, b"a"), Replacement(3, 3, b"b")], b"oneab two three", id="same-place"
    ),
    pytest.param([Replacement(0, 3, b"1"), Replacement(3, 4, b"-")], b"1-two three", id="touching"),
    pytest.param(
        [Replacement(3, 4, b"_"), Replacement(3, 3, b"!")], b"one!_two three", id="insert-before"
    ),
]

UNCHANGED = [
    pytest.param([], id="no-edit"),
    pytest.param([Replacement(4, 7, b"two")], id="equal-bytes"),
    pytest.param([Replacement(4, 4, b"")], id="empty-insertion"),
]

REFUSED = [
    pytest.param([Replacement(0, 5, b""), Replacement(4, 7, b"")], id="overlap"),
    pytest.param([Replacement(0, 5, b""), Replacement(3, 3, b"x")], id="insertion-inside"),
    pytest.param([Replacement(0, 3, b""), Replacement(0, 3, b"x")], id="same-span"),
    pytest.param([Replacement(-1, 2, b"")], id="before-start"),
    pytest.param([Replacement(10, 14, b"")], id="past-end"),
    pytest.param([Replacement(5, 4, b"")], id="backwards"),
]


@pytest.mark.parametrize(("edits", "expected"), CHANGED)
def test_spans_are_replaced(edits: list[Replacement], expected: bytes) -> None:
    """Each span holds its new bytes and everything else is as before."""
    assert splice(SOURCE, edits) == expected


@pytest.mark.parametrize("edits", UNCHANGED)
def test_nothing_to_do_returns_the_same_object(edits: list[Replacement]) -> None:
    """An edit that changes no byte gives back the source itself."""
    assert splice(SOURCE, edits) is SOURCE


@pytest.mark.parametrize("edits", REFUSED)
def test_doubtful_spans_are_refused(edits: list[Replacement]) -> None:
    """Spans that overlap or leave the file are refused."""
    with pytest.raises(EditRefused):
        splice(SOURCE, edits)


def test_refusal_names_the_line() -> None:
    """The refusal carries the line of the edit that came second."""
    with pytest.raises(EditRefused) as refused:
        splice(b"a\nb\nc", [Replacement(0, 3, b""), Replacement(2, 3, b"")])
    assert refused.value.line == 2


@given(st.lists(st.tuples(st.binary(max_size=5), st.binary(max_size=5), st.binary(max_size=5))))
def test_splice_is_concatenation(pieces: list[tuple[bytes, bytes, bytes]]) -> None:
    """Replacing the middle of each (kept, old, new) piece gives kept + new of all pieces."""
    source, edits = b"", []
    for kept, old, new in pieces:
        start = len(source) + len(kept)
        edits.append(Replacement(start, start + len(old), new))
        source += kept + old
    assert splice(source, edits) == b"".join(kept + new for kept, _, new in pieces)
