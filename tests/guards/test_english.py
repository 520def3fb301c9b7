"""English by family: how one fact may be written, each beside its twin that differs in the fact."""

from __future__ import annotations

from pathlib import Path

import pytest

import phases_kit as kit
from memsleep.calibrate.judging import judged
from memsleep.calibrate.pairs import LabelledPair

TABLES = sorted(Path(__file__).with_name("english").glob("*.tsv"))


def _outcomes(path: Path, label: str) -> list[tuple[str, str, str]]:
    rows = [
        line.split("\t")
        for line in path.read_bytes().decode().split("\n")
        if line and not line.startswith("#")
    ]
    sides = [pair for told, *pair in rows if told == label]
    assert sides, f"{path.name} has no row that is {label}"
    pairs = [
        LabelledPair(number, one, other, label, path.stem)
        for number, (a, b) in enumerate(sides)
        for one, other in ((a, b), (b, a))
    ]
    told = judged(pairs, kit.CAREFUL, None)
    return [(item.outcome, p.text_a, p.text_b) for item, p in zip(told, pairs, strict=True)]


@pytest.mark.parametrize("path", TABLES, ids=lambda path: path.stem)
def test_one_fact_in_two_forms_merges(path: Path) -> None:
    """Whichever is the older, two forms of one fact merge."""
    assert [row for row in _outcomes(path, "same") if row[0] != "merge"] == []


@pytest.mark.parametrize("path", TABLES, ids=lambda path: path.stem)
def test_a_twin_stays_apart(path: Path) -> None:
    """What looks the same and is another fact never merges, and a person is asked."""
    assert [row for row in _outcomes(path, "different") if row[0] != "review"] == []
