"""Tests of memsleep.nearby."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memsleep.nearby import SHOWN, Nearby

PATHS = ["a/x.md", "a/b/x.md", "c/x.md", "x.md"]


@pytest.mark.parametrize(
    ("from_path", "nearest"),
    [
        ("a/y.md", ("a/x.md",)),
        ("a/b/y.md", ("a/b/x.md",)),
        ("a/b/c/y.md", ("a/b/x.md",)),
        ("a/d/y.md", ("a/x.md",)),
        ("d/y.md", ("x.md",)),
        ("a/x.md", ("a/b/x.md", "x.md")),
        ("y.md", ("x.md",)),
    ],
)
def test_nearest(from_path: str, nearest: tuple[str, ...]) -> None:
    """Steps up and down are counted, and a file is not its own neighbour."""
    assert Nearby(PATHS).nearest(from_path) == nearest


def test_a_file_alone_is_near_itself() -> None:
    """Without another candidate the file itself is meant."""
    assert Nearby(["a/x.md"]).nearest("a/x.md") == ("a/x.md",)


def distance(a: str, b: str) -> int:
    left, right = a.split("/")[:-1], b.split("/")[:-1]
    shared = 0
    while shared < min(len(left), len(right)) and left[shared] == right[shared]:
        shared += 1
    return len(left) + len(right) - 2 * shared


FILES = st.lists(st.sampled_from("abc"), max_size=4).map(lambda parts: "/".join([*parts, "x.md"]))


@given(st.sets(FILES, min_size=1, max_size=SHOWN), FILES)
def test_agrees_with_the_plain_count(paths: set[str], from_path: str) -> None:
    """The index gives what measuring every distance gives."""
    others = {path for path in paths if path != from_path} or paths
    least = min(distance(path, from_path) for path in others)
    expected = tuple(sorted(path for path in others if distance(path, from_path) == least))
    assert Nearby(paths).nearest(from_path) == expected
