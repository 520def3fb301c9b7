"""Tests of memsleep.nearest."""

from __future__ import annotations

import difflib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memsleep.nearest import FLOOR, NearestNames

NAMES = NearestNames([("cache-keys", "a.md"), ("cache-key", "b.md"), ("deploy", "c.md")])


@pytest.mark.parametrize(
    ("wanted", "path"),
    [
        ("cache-keys", "a.md"),
        ("cache-kes", "a.md"),
        ("Cache-Key", "b.md"),
        ("deploys", "c.md"),
        ("xyz", None),
        ("", None),
        ("de", None),
    ],
)
def test_nearest(wanted: str, path: str | None) -> None:
    """The most similar name wins if it is similar enough."""
    assert NAMES.nearest(wanted) == path


def test_ties_go_to_the_smaller_name() -> None:
    """Names that are equally alike are settled by their order, not by that of the input."""
    pairs = [("note-b", "b.md"), ("note-a", "a.md")]
    assert NearestNames(pairs).nearest("note-c") == "a.md"
    assert NearestNames(reversed(pairs)).nearest("note-c") == "a.md"


def test_no_names() -> None:
    """An empty corpus has no nearest name."""
    assert NearestNames([]).nearest("a") is None


WORDS = st.text(alphabet="abc-", min_size=1, max_size=8)


@given(st.lists(WORDS, max_size=12), WORDS)
def test_an_offered_name_is_alike(names: list[str], wanted: str) -> None:
    """Whatever is offered exists and reaches the floor; a name that is there is found."""
    found = NearestNames((name, name) for name in names).nearest(wanted)
    if found is not None:
        assert found in names
        ratio = difflib.SequenceMatcher(None, wanted, found, autojunk=False).ratio()
        assert ratio >= FLOOR
    if wanted in names:
        assert found == wanted


@given(st.lists(st.text(alphabet="ab^$-", max_size=6), max_size=12), st.text("ab^$-", max_size=6))
def test_the_first_questions_are_answered_as_the_later_ones(names: list[str], wanted: str) -> None:
    """Whether names are read as one text or from the index, the answer is the same."""
    pairs = [(name, f"{number}.md") for number, name in enumerate(names)]
    index = NearestNames(pairs)
    answers = {index.nearest(wanted) for _ in range(60)}
    assert len(answers) == 1
    grams = sorted({f"^{wanted}$"[i : i + 3] for i in range(max(1, len(wanted)))})
    first, later = NearestNames(pairs), index
    assert first._lists(grams) == later._lists(grams)
