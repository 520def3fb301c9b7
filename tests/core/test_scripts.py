"""Words and runs of unspaced scripts."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memsleep.core.scripts import bigrams, runs

WORDS = [
    pytest.param("Don't stop", ["don", "t", "stop"], id="apostrophe parts"),
    pytest.param("a_b-c.d", ["a", "b", "c", "d"], id="underscore parts too"),
    pytest.param("caf\u00e9", ["caf\u00e9"], id="accent stays"),
    pytest.param("cafe\u0301", ["caf\u00e9"], id="composed first"),
    pytest.param("x\u0301y", ["x\u0301y"], id="accent without a composed form stays"),
    pytest.param("\u0301x", ["x"], id="mark before any letter is none"),
    pytest.param("STRASSE stra\u00dfe", ["strasse", "stra\u00dfe"], id="no case folding"),
    pytest.param(
        "\u041f\u0440\u0438\u0432\u0435\u0442 42",
        ["\u043f\u0440\u0438\u0432\u0435\u0442", "42"],
        id="Cyrillic",
    ),
    pytest.param(
        "\u0939\u093f\u0928\u094d\u0926\u0940",
        ["\u0939\u093f\u0928\u094d\u0926\u0940"],
        id="Devanagari vowel signs",
    ),
    pytest.param("\u0645\u0630\u0643\u0631\u0629", ["\u0645\u0630\u0643\u0631\u0629"], id="Arabic"),
    pytest.param("\uff12x", ["\uff12x"], id="full-width digit"),
    pytest.param("\u2603 \u2764\ufe0f !?", [], id="symbols are no words"),
    pytest.param("", [], id="empty"),
]


@pytest.mark.parametrize(("text", "words"), WORDS)
def test_words(text: str, words: list[str]) -> None:
    assert list(runs(text)) == [(False, word) for word in words]


RUNS = [
    pytest.param("\u90e8\u7f72", ["\u90e8\u7f72"], id="Han"),
    pytest.param("\u4eba\u3005", ["\u4eba\u3005"], id="iteration mark"),
    pytest.param("\U00020bb7\u91ce", ["\U00020bb7\u91ce"], id="Han beyond U+FFFF"),
    pytest.param("\u8a2d\u5b9a\u3092", ["\u8a2d\u5b9a", "\u3092"], id="kinds do not mix"),
    pytest.param("\u30c7\u30fc\u30bf", ["\u30c7\u30fc\u30bf"], id="long vowel mark"),
    pytest.param("\uff76\uff80", ["\uff76\uff80"], id="half-width kana"),
    pytest.param("\ubc30\ud3ec", ["\ubc30\ud3ec"], id="hangul"),
    pytest.param("\u1107\u1162", ["\ubc30"], id="jamo are composed"),
    pytest.param("\u0e17\u0e35\u0e48", ["\u0e17\u0e35\u0e48"], id="Thai with tone mark"),
    pytest.param("\u1219\u1200", None, id="Ethiopic has spaces"),
]


@pytest.mark.parametrize(("text", "found"), RUNS)
def test_unspaced(text: str, found: list[str] | None) -> None:
    expected = [(False, text)] if found is None else [(True, run) for run in found]
    assert list(runs(text)) == expected


def test_scripts_part_words() -> None:
    """A word ends where an unspaced run begins, and the other way round."""
    assert list(runs("npm\u90e8\u7f72v2\u0e17x")) == [
        (False, "npm"),
        (True, "\u90e8\u7f72"),
        (False, "v2"),
        (True, "\u0e17"),
        (False, "x"),
    ]


@pytest.mark.parametrize(
    ("run", "pairs"), [("a", ["a"]), ("ab", ["ab"]), ("abc", ["ab", "bc"]), ("aaa", ["aa", "aa"])]
)
def test_bigrams(run: str, pairs: list[str]) -> None:
    assert bigrams(run) == pairs


@given(st.text())
def test_runs_are_total_and_stable(text: str) -> None:
    """Any text is cut, without loss of letters, and a run is cut no further."""
    found = list(runs(text))
    for is_unspaced, run in found:
        assert run
        assert list(runs(run)) == [(is_unspaced, run)]
    assert all(
        any(char in run for _, run in found)
        for char in text
        if char.isascii() and char.isalnum() and char.islower()
    )
