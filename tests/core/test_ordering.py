"""The one string order of the core."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from memsleep.core import sorted_unique, utf16_key


def test_differs_from_code_points() -> None:
    """A character above U+FFFF sorts before U+E000..U+FFFF, unlike by code point."""
    texts = ["\ufb01", "\U0001f600", "\ue000", "z"]
    assert sorted(texts, key=utf16_key) == ["z", "\U0001f600", "\ue000", "\ufb01"]
    assert sorted(texts) != sorted(texts, key=utf16_key)


def test_lone_surrogates_are_ordered() -> None:
    """Text decoded with surrogateescape must not raise."""
    assert utf16_key("\udcff") > utf16_key("\U0001f600")


@given(st.lists(st.text()))
def test_sorted_unique(texts: list[str]) -> None:
    """Distinct strings, ascending, the same for any input order."""
    result = sorted_unique(texts)
    assert result == sorted_unique(reversed(texts))
    assert set(result) == set(texts)
    keys = [utf16_key(text) for text in result]
    assert all(one < other for one, other in pairwise(keys))
