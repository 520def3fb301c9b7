"""The join of word sets against the definition."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations

from hypothesis import given
from hypothesis import strategies as st

from memsleep.core.lexical_join import LOOK_BACK, similar_sets

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


def slowly(
    sets: dict[str, frozenset[str]], floor: float, most: int | None
) -> Iterator[tuple[str, str]]:
    """Yield what `similar_sets` does, by an index that grows set by set."""
    frequency = Counter(word for words in sets.values() for word in words)
    index: dict[str, list[str]] = defaultdict(list)
    for key in sorted(key for key in sets if sets[key]):
        words = sets[key]
        ordered = sorted(words, key=lambda word: (frequency[word], word))
        prefix = ordered[: len(words) - math.ceil(floor * len(words) - 1e-9) + 1]
        seen: set[str] = set()
        for word in prefix:
            seen.update(index[word] if most is None else index[word][-LOOK_BACK * most :])
            index[word].append(key)
        alike = [
            other
            for other in sorted(seen, reverse=True)
            if min(len(words), len(sets[other])) >= floor * max(len(words), len(sets[other]))
            and len(words & sets[other]) >= floor * len(words | sets[other])
        ]
        yield from ((other, key) for other in reversed(alike[:most]))


@given(
    st.lists(
        st.one_of(
            st.frozensets(st.sampled_from("abcdefgh"), max_size=8),
            st.frozensets(st.integers(0, 400).map(str), min_size=90, max_size=150),
            st.integers(0, 12).map(lambda gone: frozenset(map(str, range(gone, 140)))),
        ),
        max_size=30,
    ),
    st.sampled_from([0.01, 0.5, 0.74, 0.9, 1.0]),
    st.sampled_from([None, 1, 2]),
)
def test_equals_the_slow_join(sets: list[frozenset[str]], floor: float, most: int | None) -> None:
    """In order and with limits, even of sets with more words than a signature has bits."""
    named = {f"{i:02d}": words for i, words in enumerate(sets)}
    assert list(similar_sets(named, floor, most=most)) == list(slowly(named, floor, most))


def test_looks_back_no_further_than_promised() -> None:
    """Of the sets that share a word only the last few are looked at."""
    sets = {f"!{i:02d}": frozenset("bcdefghij") for i in range(60)}
    sets |= {f"{i:03d}": frozenset("abcdefghij") for i in range(1, 40)}
    sets["000"] = sets["zzz"] = frozenset("a")
    for most, found in ((1, []), (6, ["000"])):
        pairs = list(similar_sets(sets, 0.4, most=most))
        assert [a for a, b in pairs if b == "zzz"] == found
        assert pairs == list(slowly(sets, 0.4, most))
