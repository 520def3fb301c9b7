"""The frame key: which slot a claim fills, and when it fills none."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memsleep.core import frame_key

FRAMES = [
    ("The capital of India is New Delhi.", "the capital of india is"),
    ("The capital of India is New Delhi", "the capital of india is"),
    ("Deploys go out by noon", "deploys go out by"),
    ("A blue-green cutover is safe", "a blue-green cutover is"),
    ("  The\tport\n of  X is 80 ", "the port of x is"),
    ("The vote was as close as it is", "the vote was as close as"),
    ("the old caf\u00e9is open", "the old caf\u00e9is"),
    ("The rate of x is .", "the rate of x is"),
    ("The rate of x is 1.", "the rate of x is"),
    ("The rate of x is 1..", "the rate of x is"),
    ("The rate of x is one two three four five six", "the rate of x is"),
    ("The rate of x is one two three four five six.", "the rate of x is"),
    ("The  rate of x is  3", "the rate of x is"),
    ("The rate of x is one  two three four five six", "the rate of x is"),
    ("The rate\ufeffof x is 3", "the rate of x is"),
    ("The stra\u00dfe of x is 3", "the stra\u00dfe of x is"),
    ("THE RATE OF X is 3", "the rate of x is"),
]
NO_FRAME = [
    "",
    ".",
    "is",
    "Water is wet",
    "\u0130n \u0130zmir it is",
    "Water is",
    "one two three",
    "The rate OF X IS 3",
    "The rate of x is one two three four five six seven",
    "The rate of x is one two three four five six .",
    "The thesis island",
    "the as_of date",
    "The rate\u200bof\u200bit 3",
    "a b is\u200b3",
]


@pytest.mark.parametrize(("claim", "key"), FRAMES)
def test_frame(claim: str, key: str) -> None:
    assert frame_key(claim) == key


@pytest.mark.parametrize("claim", NO_FRAME)
def test_no_frame(claim: str) -> None:
    assert frame_key(claim) is None


@pytest.mark.parametrize("space", ["\x1c", "\x1f", "\x85", "\u200b", "\u180e", "\u2060"])
def test_not_white_space(space: str) -> None:
    """These part no words, though Python's own class holds some of them."""
    assert frame_key(f"The{space}rate is 3") is None


@pytest.mark.parametrize("space", ["\t", "\n", "\x0b", "\x0c", "\r", "\xa0", "\u2028", "\u3000"])
def test_white_space(space: str) -> None:
    assert frame_key(f"The{space}rate of{space}{space}x is 3") == "the rate of x is"


WORDS = st.lists(st.sampled_from(["The", "rate", "of", "is", "x", "3.", "in", "As"]), max_size=12)


@given(WORDS)
def test_key_is_a_frame_of_the_claim(words: list[str]) -> None:
    """A key is a prefix in lower case, ends in a linking word and leaves 1 to 6 words."""
    claim = " ".join(words)
    key = frame_key(claim)
    if key is None:
        return
    assert claim.lower().startswith(key)
    size = len(key.split())
    assert size >= 3
    assert 1 <= len(words) - size <= 6
    assert key.split()[-1] in ("of", "is", "in", "to", "by", "as")


@given(WORDS, st.sampled_from(["", ".", " ", "\n"]))
def test_surroundings_do_not_matter(words: list[str], tail: str) -> None:
    """Outer white space and one final period change nothing (a claim ending in one aside)."""
    claim = " ".join(words)
    if not claim.endswith("."):
        assert frame_key(f" {claim}{tail}") == frame_key(claim)
