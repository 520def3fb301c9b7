"""Connected components, whatever the order of the edges."""

from __future__ import annotations

from itertools import pairwise

import networkx as nx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.strategies import KEYS
from memsleep.core import connected_components, utf16_key

PAIRS = st.lists(st.tuples(KEYS, KEYS), max_size=15)


@pytest.mark.parametrize(
    ("pairs", "expected"),
    [
        ([], []),
        ([("b", "a")], [["a", "b"]]),
        ([("a", "a")], [["a"]]),
        ([("a", "b"), ("c", "d")], [["a", "b"], ["c", "d"]]),
        ([("c", "d"), ("a", "b"), ("d", "a")], [["a", "b", "c", "d"]]),
        ([("\ufb01", "\U0001f600")], [["\U0001f600", "\ufb01"]]),
    ],
)
def test_components(pairs: list[tuple[str, str]], expected: list[list[str]]) -> None:
    assert connected_components(pairs) == expected


@given(PAIRS, st.data())
def test_order_and_orientation_do_not_matter(
    pairs: list[tuple[str, str]], data: st.DataObject
) -> None:
    shuffled = data.draw(st.permutations(pairs))
    turned = [(b, a) if data.draw(st.booleans()) else (a, b) for a, b in shuffled]
    assert connected_components(turned) == connected_components(pairs)


@given(PAIRS)
def test_agrees_with_networkx(pairs: list[tuple[str, str]]) -> None:
    found = connected_components(pairs)
    assert {frozenset(members) for members in found} == {
        frozenset(members) for members in nx.connected_components(nx.Graph(pairs))
    }
    assert found == sorted(
        (sorted(members, key=utf16_key) for members in found),
        key=lambda members: utf16_key(members[0]),
    )


def test_long_chain_needs_no_recursion() -> None:
    keys = [f"{index:06d}" for index in range(50_000)]
    assert connected_components(pairwise(keys)) == [keys]
