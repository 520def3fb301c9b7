"""The join of word sets against the definition."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations

from hypothesis import given
from hypothesis import strategies as st

from memsleep.core.lexical_join import similar_sets

SETS = st.lists(st.frozensets(st.sampled_from("abcdefghij"), max_size=8), max_size=12)


@given(SETS, st.sampled_from([0.01, 0.25, 0.5, 0.74, 0.75, 1.0]))
def test_finds_exactly_what_the_definition_says(sets: list[frozenset[str]], floor: float) -> None:
    """Every pair at or above the floor is found once, and no other."""
    named = {f"{i:02d}": words for i, words in enumerate(sets)}
    found = list(similar_sets(named, floor))
    wanted = {
        (a, b)
        for a, b in combinations(sorted(named), 2)
        if named[a]
        and named[b]
        and Fraction(len(named[a] & named[b]), len(named[a] | named[b])) >= Fraction(str(floor))
    }
    assert len(found) == len(set(found))
    assert set(found) == wanted


def test_a_limit_bounds_the_pairs_of_each_key() -> None:
    """However alike the sets are, a key is paired with its nearest predecessors only."""
    sets = {f"{i:03d}": frozenset({"a", "b", "c", "d", str(i)}) for i in range(200)}
    found = list(similar_sets(sets, 0.5, most=3))
    assert len(found) == 199 * 3 - 3
    assert [a for a, b in found if b == "100"] == ["097", "098", "099"]
    assert set(found) < set(similar_sets(sets, 0.5))


def test_the_floor_itself_is_reached() -> None:
    """An overlap of exactly the floor counts: 37 of 50 words at 0.74."""
    words = [str(i) for i in range(50)]
    sets = {"a": frozenset(words), "b": frozenset(words[:37]), "c": frozenset(words[:36])}
    assert ("a", "b") in list(similar_sets(sets, 0.74))
    assert ("a", "c") not in list(similar_sets(sets, 0.74))
