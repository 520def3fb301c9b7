"""Pairs in Chinese, Japanese, Korean and Arabic that must merge, and those that must not."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

import phases_kit as kit
from memsleep.calibrate.judging import judged
from memsleep.calibrate.pairs import LabelledPair
from memsleep.guards.claims import languages_of

TABLE = Path(__file__).with_name("pairs_east.tsv")


def _rows() -> list[tuple[str, str, str]]:
    lines = TABLE.read_bytes().decode().split("\n")
    rows = [line.split("\t") for line in lines if line and not line.startswith("#")]
    return [(expected, first, second) for expected, first, second in rows]


@pytest.mark.parametrize(("expected", "first", "second"), _rows())
def test_a_pair_is_judged_alike_from_either_side(expected: str, first: str, second: str) -> None:
    """One fact in two wordings merges; what differs by a word, a sign or an order never does."""
    outcomes = {
        item.outcome
        for pair in ((first, second), (second, first))
        for item in judged([LabelledPair(1, *pair, expected)], kit.CAREFUL, None)
    }
    assert outcomes == ({"merge"} if expected == "same" else {"review"})


def test_the_table_has_both_in_every_language() -> None:
    """Each language has at least 25 pairs that merge and 50 that do not."""
    counts = Counter(
        (languages_of(first + second)[0], expected) for expected, first, second in _rows()
    )
    for code in ("zh", "ja", "ko", "ar"):
        assert counts[code, "same"] >= 25
        assert counts[code, "different"] >= 50
