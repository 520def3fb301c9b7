"""Differences of two texts, word by word."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memsleep.report.worddiff import word_diff


def marked(a: str, b: str) -> tuple[str, str]:
    """Return both texts with differences in brackets."""
    first, second = word_diff(a, b)
    return (
        "".join(f"[{piece.text}]" if piece.differs else piece.text for piece in first),
        "".join(f"[{piece.text}]" if piece.differs else piece.text for piece in second),
    )


@pytest.mark.parametrize(
    ("a", "b", "first", "second"),
    [
        ("", "", "", ""),
        ("same text", "same text", "same text", "same text"),
        ("same  text\n", "same text", "same  text\n", "same text"),
        ("keep 14 days", "keep 40 days", "keep [14] days", "keep [40] days"),
        ("never on Friday", "on Friday", "[never] on Friday", "on Friday"),
        ("on Friday", "on Friday morning.", "on Friday", "on Friday [morning.]"),
        ("每14天轮换", "每40天轮换", "每[14]天轮换", "每[40]天轮换"),
        ("東京で会う", "京都で会う", "[東京]で会う", "[京都]で会う"),
        ("all of it is new", "nothing alike here", "all of it is new", "nothing alike here"),
        ("a, b c d e", "a; b c d e", "a[,] b c d e", "a[;] b c d e"),
        ("port 8080 is open", "port 8081 is open", "port [8080] is open", "port [8081] is open"),
    ],
)
def test_marks(a: str, b: str, first: str, second: str) -> None:
    """What only one text says is marked; white space and unrelated texts are not."""
    assert marked(a, b) == (first, second)


@given(st.text("ab 14,.\n日本", max_size=40), st.text("ab 14,.\n日本", max_size=40))
def test_pieces_join_to_the_texts(a: str, b: str) -> None:
    """Marking adds and removes nothing, on either side."""
    first, second = word_diff(a, b)
    assert "".join(piece.text for piece in first) == a
    assert "".join(piece.text for piece in second) == b


@given(st.text("ab 14日", max_size=40), st.text("ab 14日", max_size=40))
def test_sides_can_be_swapped(a: str, b: str) -> None:
    """Equal texts have no marks; the same pair gives the same marks again."""
    assert not any(piece.differs for piece in word_diff(a, a)[0])
    assert word_diff(a, b) == word_diff(a, b)


def test_long_texts_take_no_time() -> None:
    """Two texts of 6,000 characters made of the same few words are compared at once."""
    a = "the cat and the dog and " * 250
    b = "the dog and the cat or " * 260
    started = time.process_time()
    word_diff(a, b)
    assert time.process_time() - started < 2
