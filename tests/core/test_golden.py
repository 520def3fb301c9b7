"""Every golden case of every file, bit for bit."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import memsleep.core as core
from core.golden_adapters import ADAPTERS, SPECIAL

GOLDEN = Path(__file__).parent.parent / "golden"
FILES = sorted(path.stem for path in GOLDEN.glob("*.json"))

# Cases per file, and how many of them are skipped: a skip must not slip in unseen.
CASES = {
    "apply_mmr": 94,
    "apply_negative_hits_fp": 87,
    "apply_outcomes_fp": 87,
    "band_for": 63,
    "bridge_counts": 53,
    "compensated_sum": 143,
    "composite_score": 184,
    "compute_signals": 321,
    "connected_components": 77,
    "constants": 36,
    "cosine": 222,
    "cosine_distance": 130,
    "decay_confidence": 168,
    "decay_confidence_fp": 123,
    "decay_confidence_n": 90,
    "decay_confidence_n_fp": 93,
    "decide_merge": 236,
    "ewma_step_fp": 216,
    "exclude_self_supersede": 32,
    "float32_view": 68,
    "frame_key": 387,
    "from_fp": 53,
    "fuse_arms": 61,
    "fuse_lateral": 54,
    "half_life_for": 22,
    "is_committable_confidence_change": 139,
    "jaccard": 236,
    "keyword_search": 160,
    "label_propagation": 67,
    "merge_candidates": 80,
    "merge_outcomes": 80,
    "merge_predicates": 426,
    "merge_veto_reasons": 130,
    "pagerank": 116,
    "partition_by_cooldown": 41,
    "polarity_conflict": 236,
    "profile_weight_sum": 64,
    "rank_candidate_pairs": 67,
    "rank_fused": 49,
    "reprieve_score": 191,
    "rrf_contribution": 96,
    "rrf_score": 79,
    "score_retention": 555,
    "should_bump_access": 98,
    "should_reprieve": 93,
    "signal_value": 3,
    "to_fp": 172,
    "tokenize_for_merge": 472,
    "tokenize_query": 200,
    "top_neighbor_pairs": 171,
    "union_source_refs": 60,
    "utility_score": 120,
    "weights_for": 22,
}
SKIPPED = {
    "ewma_step_fp": 2,
    "decide_merge": 105,
    "polarity_conflict": 89,
    "tokenize_for_merge": 143,
    "tokenize_query": 61,
    "keyword_search": 45,
}

UNSPACED = re.compile(
    "[\u3005\u3007\u3040-\u30ff\u3131-\u318e\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3\uff66-\uff9f]"
)
IDEOGRAPHS = re.compile("[\u3400-\u4dbf\u4e00-\u9fff]")
WORD = re.compile(r"[^\W_]+")


def holds_other_letters(*texts: str) -> bool:
    """Return whether a letter is neither ASCII nor an ideograph: there ours extends."""
    return any(
        char.isalpha() and not char.isascii() and not IDEOGRAPHS.match(char)
        for char in "".join(texts)
    )


def is_cut_into_bigrams(word: str) -> bool:
    """Return whether a word holds unspaced characters and is not just one bigram."""
    found = len(UNSPACED.findall(word))
    return found > 0 and (found != 2 or len(word) != 2)


def query_is_cut(case: dict[str, Any]) -> bool:
    return any(map(is_cut_into_bigrams, WORD.findall(case["input"]["text"])))


def search_may_find_more(case: dict[str, Any]) -> bool:
    """Return whether a query token stands inside a run of a note that ours cuts."""
    tokens = core.tokenize_query(case["input"]["text"])
    words = {
        word
        for note in case["input"]["notes"]
        if note["status"] in ("active", "pending")
        for field in ("slug", "description", "body")
        for word in WORD.findall(note[field].lower())
    }
    hidden = (word for word in words if is_cut_into_bigrams(word))
    return query_is_cut(case) or any(token in word for word in hidden for token in tokens)


# Why a case is skipped; each predicate reads the input or the tag, never our result.
SKIPS: dict[str, Callable[[dict[str, Any]], bool]] = {
    # The source goes through doubles; whole numbers are exact with us.
    "ewma_step_fp": lambda case: case["tag"] == "beyond_2_53",
    # An empty normal form equals nothing with us.
    "decide_merge": lambda case: (
        case["tag"] == "empty"
        or holds_other_letters(*(side["summary"] for side in case["input"].values()))
    ),
    "polarity_conflict": lambda case: holds_other_letters(*case["input"].values()),
    "tokenize_for_merge": lambda case: holds_other_letters(case["input"]["text"]),
    "tokenize_query": query_is_cut,
    "keyword_search": search_may_find_more,
}


def same(expected: Any, got: Any) -> bool:
    """Return whether two values are equal, doubles with the sign of zero.

    An int of the decay grid has no signed zero: there 0 stands for -0.0.
    """
    if isinstance(expected, str) and isinstance(got, float):
        return expected in SPECIAL and same(SPECIAL[expected], got)
    if isinstance(expected, dict):
        return list(expected) == list(got) and all(same(expected[k], got[k]) for k in expected)
    if isinstance(expected, list):
        return len(expected) == len(got) and all(map(same, expected, got))
    if isinstance(expected, bool) or not isinstance(expected, int | float):
        return type(expected) is type(got) and bool(expected == got)
    if math.isnan(expected):
        return math.isnan(got)
    if isinstance(got, int):
        return not isinstance(got, bool) and expected == got
    return expected == got and math.copysign(1, expected) == math.copysign(1, got)


def same_through_grid(expected: Any, got: Any) -> bool:
    """Return whether two values are equal where ours went through a whole number."""
    return same(expected, got) or expected == got == 0


@cache
def load(name: str) -> list[dict[str, Any]]:
    cases: list[dict[str, Any]] = json.loads((GOLDEN / f"{name}.json").read_bytes())["cases"]
    return cases


def is_skipped(name: str, case: dict[str, Any]) -> bool:
    return name in SKIPS and SKIPS[name](case)


@pytest.mark.parametrize("name", FILES)
def test_golden(name: str) -> None:
    """Each case that is not skipped on purpose is reproduced exactly."""
    agrees = same_through_grid if name.startswith("decay_confidence") else same
    failures = []
    for number, case in enumerate(load(name)):
        if is_skipped(name, case):
            continue
        got = ADAPTERS[name](case["input"])
        if not agrees(case["output"], got):
            failures.append((number, case["tag"], case["output"], got))
    assert not failures, f"{len(failures)} of {len(load(name))}, the first: {failures[:3]}"


def test_nothing_is_missing() -> None:
    """All files are there, each with its adapter and its number of cases."""
    assert {name: len(load(name)) for name in FILES} == CASES
    assert sorted(ADAPTERS) == FILES
    assert sum(CASES.values()) == 7323


def test_skips_do_not_grow() -> None:
    """No case is skipped but those counted here."""
    skipped = {name: sum(is_skipped(name, case) for case in load(name)) for name in SKIPS}
    assert skipped == SKIPPED


@pytest.mark.parametrize(
    ("expected", "got"),
    [
        pytest.param(0.0, -0.0, id="sign of zero"),
        pytest.param("NaN", 0.0, id="nan"),
        pytest.param(1, True, id="bool is no number"),
        pytest.param({"a": 1, "b": 2}, {"b": 2, "a": 1}, id="order of keys"),
        pytest.param([1.0], [1.0, 2.0], id="length"),
        pytest.param(0.1, 0.1 + 2**-56, id="one ulp"),
    ],
)
def test_comparison_is_strict(expected: Any, got: Any) -> None:
    """The comparison itself would notice."""
    assert not same(expected, got)
