"""German, French, Spanish, Portuguese, Italian and Russian: what is one fact, and what is not."""

from __future__ import annotations

from pathlib import Path

import pytest

import phases_kit as kit
from memsleep.calibrate.judging import judged
from memsleep.calibrate.pairs import LabelledPair

TABLES = sorted(Path(__file__).with_name("west").glob("*.tsv"))


def _pairs(path: Path, expected: str) -> list[tuple[str, str]]:
    rows = [line.split("\t") for line in path.read_bytes().decode().split("\n") if line]
    return [(one, other) for label, one, other in rows if label == expected]


@pytest.mark.parametrize("expected", ["same", "different"])
@pytest.mark.parametrize("path", TABLES, ids=lambda path: path.stem)
def test_a_pair_is_judged_alike_from_either_side(path: Path, expected: str) -> None:
    """One fact in two wordings merges; what differs by a word, an ending or an order never does."""
    wanted = "merge" if expected == "same" else "review"
    both = [pair for one, other in _pairs(path, expected) for pair in ((one, other), (other, one))]
    pairs = [LabelledPair(line, *pair, expected) for line, pair in enumerate(both)]
    found = judged(pairs, kit.CAREFUL, None)
    wrong = [pair for pair, item in zip(both, found, strict=True) if item.outcome != wanted]
    assert wrong == []


@pytest.mark.parametrize("path", TABLES, ids=lambda path: path.stem)
def test_a_language_has_both(path: Path) -> None:
    """Each language has many pairs that merge, and as many that do not."""
    assert len(_pairs(path, "same")) >= 60
    assert len(_pairs(path, "different")) >= 60
