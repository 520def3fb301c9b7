from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memsleep.landing.threeway import ledger_changed, merged

MERGES = [
    pytest.param(
        b"a\nb\nc\nd\n", b"a\nb\nc\nd\ne\n", b"A\nb\nc\nd\n", b"A\nb\nc\nd\ne\n", id="apart"
    ),
    pytest.param(b"a\nb\nc\n", b"a\nX\nc\n", b"a\nX\nc\n", b"a\nX\nc\n", id="the same change"),
    pytest.param(
        b"a\r\nb\r\nc\r\n", b"a\r\nb\r\nC\r\n", b"A\r\nb\r\nc\r\n", b"A\r\nb\r\nC\r\n", id="CRLF"
    ),
    pytest.param(b"a\nb\nc", b"a\nb\nC", b"A\nb\nc", b"A\nb\nC", id="no final newline"),
    pytest.param(b"a\nb\nc\n", b"a\nb\n", b"A\nb\nc\n", b"A\nb\n", id="a line taken out"),
    pytest.param(
        "a\u2028b\nc\nd\n".encode(),
        "a\u2028b\nc\nD\n".encode(),
        b"X\nc\nd\n",
        b"X\nc\nD\n",
        id="a line separator is no line end",
    ),
]
CONFLICTS = [
    pytest.param(b"a\nb\n", b"x\nb\n", b"y\nb\n", id="the same line"),
    pytest.param(b"a\nb\nc\n", b"A\nb\nc\n", b"a\nB\nc\n", id="touching lines"),
    pytest.param(b"a\n", b"rewritten\n", b"b\n", id="all of it"),
    pytest.param(b"a\nb\n", b"", b"A\nb\n", id="emptied"),
    pytest.param(b"a", b"a\nb", b"c", id="one line"),
]


@pytest.mark.parametrize(("base", "ours", "theirs", "expected"), MERGES)
def test_changes_that_do_not_touch_are_both_taken(
    base: bytes, ours: bytes, theirs: bytes, expected: bytes
) -> None:
    """What only one side changed is taken over, whatever the line ends."""
    assert merged(base, ours, theirs) == expected


@pytest.mark.parametrize(("base", "ours", "theirs"), CONFLICTS)
def test_changes_that_touch_are_nobodys(base: bytes, ours: bytes, theirs: bytes) -> None:
    """Where both changed the same or touching lines there is no answer."""
    assert merged(base, ours, theirs) is None


texts = st.lists(st.sampled_from([b"a", b"b", b"c", b"d\r"]), max_size=6).map(b"\n".join)


@given(texts, texts)
def test_who_changed_nothing_gets_the_others_change(base: bytes, other: bytes) -> None:
    """Laws: an unchanged side yields, and equal changes agree."""
    assert merged(base, base, other) == other
    assert merged(base, other, base) == other
    assert merged(base, other, other) == other


@given(texts, texts, texts)
def test_a_merge_can_be_taken_back(base: bytes, ours: bytes, theirs: bytes) -> None:
    """Taking the change out of the merge gives our text again, or says that it cannot be said."""
    result = merged(base, ours, theirs)
    if result is not None and base != theirs != ours:
        assert merged(theirs, result, base) in (ours, None, base if ours == theirs else ours)


def test_lines_of_a_ledger_are_independent() -> None:
    """A line goes wherever it stands, a new one comes last, and the others keep their order."""
    assert ledger_changed(b"x\na\ny\nb\n", b"a\nb\n", b"b\n") == b"x\ny\nb\n"
    assert ledger_changed(b"a\nx\n", b"a\n", b"a\nb\n") == b"a\nx\nb\n"
    assert ledger_changed(b"a\na\n", b"a\n", b"") == b"a\n"
