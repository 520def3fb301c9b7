"""Pairs in Chinese, Japanese, Korean and Arabic that must merge, and those that must not."""

from __future__ import annotations

from pathlib import Path

import pytest

import phases_kit as kit
from memsleep.calibrate.judging import judged
from memsleep.calibrate.pairs import LabelledPair

TABLE = Path(__file__).with_name("pairs_east.tsv")
CODES = ("zh", "ja", "ko", "ar")


def _pairs(code: str, expected: str) -> list[tuple[str, str]]:
    lines = TABLE.read_bytes().decode().split("\n")
    rows = [line.split("\t") for line in lines if line and not line.startswith("#")]
    return [
        (first, second) for lang, label, first, second in rows if (lang, label) == (code, expected)
    ]


@pytest.mark.parametrize("expected", ["same", "different"])
@pytest.mark.parametrize("code", CODES)
def test_a_pair_is_judged_alike_from_either_side(code: str, expected: str) -> None:
    """One fact in two wordings merges; what differs by a word, a sign or an order never does."""
    wanted = "merge" if expected == "same" else "review"
    both = [pair for one, other in _pairs(code, expected) for pair in ((one, other), (other, one))]
    pairs = [LabelledPair(line, *pair, expected) for line, pair in enumerate(both)]
    found = judged(pairs, kit.CAREFUL, None)
    wrong = [p for p, item in zip(both, found, strict=True) if item.outcome != wanted]
    assert wrong == []


@pytest.mark.parametrize("code", CODES)
def test_the_table_has_both_in_every_language(code: str) -> None:
    """Each language has many pairs that merge, and more that do not."""
    assert len(_pairs(code, "same")) >= 80
    assert len(_pairs(code, "different")) >= 120
