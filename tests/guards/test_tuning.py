"""The labelled pairs that guards are tuned on: what differs never merges, most of the same does."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

import phases_kit as kit
from memsleep.calibrate.judging import judged
from memsleep.calibrate.pairs import read_pairs
from memsleep.guards.tables import CODES

TUNING = Path(__file__).resolve().parents[2] / "fixtures" / "pairs" / "tuning"
STEP = {"en": 4}
"""Every so many pairs of a large file; `memsleep calibrate --pairs` measures all of them."""
LEAST_SAME = {"en": 0.85}


@pytest.mark.parametrize("code", CODES)
def test_tuning_pairs(code: str) -> None:
    """No pair that differs merges, none that is the same is refused, and enough of those merge."""
    pairs, bad = read_pairs((TUNING / f"{code}.jsonl").read_bytes())
    assert bad == []
    told = Counter(
        (item.label, item.outcome)
        for item in judged(pairs[:: STEP.get(code, 1)], kit.CAREFUL, None)
    )
    assert told["different", "merge"] == told["supersedes", "merge"] == 0
    assert told["same", "refuse"] == 0
    same = told["same", "merge"] + told["same", "review"]
    assert told["same", "merge"] >= LEAST_SAME.get(code, 0.4) * same
