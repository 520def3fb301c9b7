from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memsleep.gate.twins import nearer_to_twin, twins_of

TWINS = [
    ("The port is 8080", "The port is 8081", "number"),
    ("Keep 007 and 12", "Keep 008 and 12", "number"),
    ("The cache is warm", "The cache is not warm", "polarity"),
    ("The cache is not warm", "The cache is warm", "polarity"),
    ("Nobody must never knock", "Nobody must knock", "polarity"),
    ("It doesn't rain", "It does rain", "polarity"),
    ("Goats eat hay", "Goats not eat hay", "polarity"),
]


@pytest.mark.parametrize(("claim", "twin", "flipped"), TWINS)
def test_a_twin_says_otherwise(claim: str, twin: str, flipped: str) -> None:
    """The first number is raised, and the sentence is denied or its denial goes."""
    found = twins_of(claim)
    assert found[0] == (twin, flipped)
    assert [one.flipped for one in found[1:]] == ["polarity"] * (flipped == "number")


@pytest.mark.parametrize("text", ["", "...", "\u2028"])
def test_what_says_nothing_has_no_twin(text: str) -> None:
    """There is no opposite of nothing."""
    assert twins_of(text) == ()


@given(st.text())
def test_a_twin_is_another_text(text: str) -> None:
    """No text is its own twin."""
    assert text not in [twin.text for twin in twins_of(text)]


SAME = [
    ("The port is 8080", ["The port is 8080."]),
    ("The port is 8080", ["It listens. The port is 8080, behind the proxy."]),
    ("The cache is warm", ["The cache has been kept warm."]),
    ("The cache is not warm", ["The cache isn't warm."]),
    ("The cache is warm", ["Goats eat hay"]),
    ("The cache is warm", ["The cache is warm. The cellar is not warm."]),
    ("The cache is warm", []),
]
OPPOSITE = [
    ("The port is 8080", ["The port is 8081."]),
    ("The port is 8080", ["The port is not 8080."]),
    ("Keep idle sockets 30 seconds", ["Never keep idle sockets 30 seconds."]),
    ("The cache is warm", ["The cache is not warm"]),
    ("The cache is not warm", ["It is noon. The cache is warm."]),
]


@pytest.mark.parametrize(("claim", "told"), SAME)
def test_a_text_that_agrees_is_nearer_to_the_claim(claim: str, told: list[str]) -> None:
    """What says the same, more, something else or nothing is not taken for the twin."""
    found = twins_of(claim)
    assert found
    assert not any(nearer_to_twin(claim, twin.text, told) for twin in found)


@pytest.mark.parametrize(("claim", "told"), OPPOSITE)
def test_a_text_that_says_the_twin_is_found_out(claim: str, told: list[str]) -> None:
    """The opposite, or the other number, is nearer to the twin than to the claim."""
    assert any(nearer_to_twin(claim, twin.text, told) for twin in twins_of(claim))
