"""Sameness of summaries without embeddings."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memsleep.core import (
    MergeSide,
    SourceRef,
    decide_merge,
    jaccard,
    normalize_for_merge,
    polarity_conflict,
    tokenize_for_merge,
    union_source_refs,
    utility_score,
)

TOKENS = [
    pytest.param("", [], id="empty"),
    pytest.param("a is ab", [], id="short words"),
    pytest.param("Use pnpm v10, v1", ["use", "pnpm", "v10"], id="three characters"),
    pytest.param("the the", ["the", "the"], id="repeats kept"),
    pytest.param("UTF-8", ["utf"], id="hyphen"),
    pytest.param("\u5305\u7ba1\u7406", ["\u5305\u7ba1", "\u7ba1\u7406"], id="bigrams"),
    pytest.param("\u7528", ["\u7528"], id="single ideograph"),
    pytest.param("use\u90e8\u7f72npm", ["use", "\u90e8\u7f72", "npm"], id="mixed"),
    pytest.param("\u30c6\u30b9\u30c8", ["\u30c6\u30b9", "\u30b9\u30c8"], id="kana"),
    pytest.param("\ubc30\ud3ec", ["\ubc30\ud3ec"], id="hangul"),
    pytest.param("na\u00efve", ["na\u00efve"], id="accented word is one"),
    pytest.param("\u00e9t", [], id="accented short word"),
    pytest.param("\u041d\u0435\u0442 \u0434\u0430", ["\u043d\u0435\u0442"], id="Cyrillic"),
]


@pytest.mark.parametrize(("text", "tokens"), TOKENS)
def test_tokenize(text: str, tokens: list[str]) -> None:
    assert tokenize_for_merge(text) == tokens
    assert normalize_for_merge(text) == " ".join(tokens)


@pytest.mark.parametrize(
    ("a", "b", "index"),
    [
        ([], [], 0.0),
        (["a"], [], 0.0),
        (["a"], ["b"], 0.0),
        (["a", "a"], ["a"], 1.0),
        (["a", "b"], ["b", "c"], 1 / 3),
    ],
)
def test_jaccard(a: list[str], b: list[str], index: float) -> None:
    assert jaccard(a, b) == jaccard(b, a) == index


CONFLICTS = [
    ("User prefers tabs", "User does not prefer tabs"),
    ("User likes tea", "User dislikes tea"),
    ("User wants mail", "User does not want mail"),
    ("Flag is enabled now", "Flag is disabled now"),
    ("The cache is warm", "The cache is not warm"),
    ("The cache is warm", "The cache is never warm"),
    ("The cache is used", "The cache is no longer used"),
    ("use pnpm for installs", "avoid pnpm for installs"),
    ("LIKES TEA", "dislikes tea"),
    ("\u7528\u6237 likes", "\u7528\u6237 dislikes"),
    ("one two four likes", "one two five dislikes"),
    ("\u4e0d\u559c\u6b22likes", "\u4e0d\u559c\u6b22dislikes"),
]
NO_CONFLICTS = [
    ("", ""),
    ("likes tea", "likes tea"),
    ("dislikes tea", "dislikes tea"),
    ("unliked tea", "likes tea"),
    ("the tea is not hot", "the tea is never hot"),
    ("likes tea", "dislikes rain and wind"),
    ("no  longer used", "used"),
    ("does  not prefer tea", "prefers rain"),
    ("nothing new here", "new here"),
    ("knot here now", "here now"),
    ("avoidance here now", "here now"),
    ("prefers x", "does not prefer x"),
    ("enabled flag", "likes flag"),
    ("one two six seven likes", "one two three four dislikes"),
]


@pytest.mark.parametrize(("a", "b"), CONFLICTS)
def test_conflict(a: str, b: str) -> None:
    assert polarity_conflict(a, b).conflict
    assert polarity_conflict(b, a) == polarity_conflict(a, b)


@pytest.mark.parametrize(("a", "b"), NO_CONFLICTS)
def test_no_conflict(a: str, b: str) -> None:
    assert not polarity_conflict(a, b).conflict
    assert polarity_conflict(b, a) == polarity_conflict(a, b)


def test_pair_threshold_is_inclusive() -> None:
    """Two of four words agree: 0.5 is enough for a pair, not for a negation phrase."""
    assert polarity_conflict("aaa bbb ccc likes", "aaa bbb ddd dislikes").score == 0.5
    assert polarity_conflict("aaa bbb ccc likes", "aaa bbb ddd dislikes").conflict
    assert not polarity_conflict("aaa bbb ccc", "aaa bbb ddd not").conflict


def test_negation_threshold_is_inclusive() -> None:
    """Seven of ten words agree."""
    common = "aaa bbb ccc ddd eee fff ggg"
    found = polarity_conflict(f"{common} hhh iii jjj", f"not {common}")
    assert (found.score, found.conflict) == (0.7, True)
    assert not polarity_conflict(f"{common} hhh iii jjj kkk", f"not {common}").conflict


def side(summary: str, confidence: float = 0.5) -> MergeSide:
    return MergeSide(summary, confidence)


VERDICTS = [
    pytest.param(side("Use pnpm!"), side("use  pnpm"), ("exact", 1.0, None), id="exact"),
    pytest.param(side(""), side(""), ("none", 0.0, None), id="empty equals nothing"),
    pytest.param(side("a b"), side("c d"), ("none", 0.0, None), id="no tokens equal nothing"),
    pytest.param(side("tea hot"), side("hot tea"), ("fuzzy", 1.0, None), id="another order"),
    pytest.param(
        side("likes tea", 0.6), side("dislikes tea", 0.5), ("polarity", 1.0, "existing"), id="old"
    ),
    pytest.param(
        side("likes tea", 0.5), side("dislikes tea", 0.6), ("polarity", 1.0, "incoming"), id="new"
    ),
    pytest.param(
        side("likes tea"), side("dislikes tea"), ("polarity", 1.0, "incoming"), id="tie to the new"
    ),
    pytest.param(
        side("likes dislikes tea"),
        side("likes dislikes tea"),
        ("exact", 1.0, None),
        id="exact before polarity",
    ),
    pytest.param(side("one two"), side("six ten"), ("none", 0.0, None), id="nothing alike"),
]


@pytest.mark.parametrize(("target", "candidate", "expected"), VERDICTS)
def test_decide_merge(
    target: MergeSide, candidate: MergeSide, expected: tuple[str, float, str | None]
) -> None:
    verdict = decide_merge(target, candidate)
    assert (verdict.branch, verdict.score, verdict.winner) == expected


def test_fuzzy_threshold_is_inclusive() -> None:
    """37 of 50 tokens is 0.74; 36 of 49 is less."""
    words = [f"w{index:02d}" for index in range(50)]
    assert decide_merge(side(" ".join(words)), side(" ".join(words[:37]))).branch == "fuzzy"
    assert decide_merge(side(" ".join(words[:49])), side(" ".join(words[:36]))).branch == "none"


@given(st.text(), st.text())
def test_decide_merge_is_total(a: str, b: str) -> None:
    verdict = decide_merge(side(a), side(b))
    assert 0.0 <= verdict.score <= 1.0
    assert (verdict.winner is None) == (verdict.branch != "polarity")
    mirrored = decide_merge(side(b), side(a))
    assert (mirrored.branch, mirrored.score) == (verdict.branch, verdict.score)


@pytest.mark.parametrize(
    ("numbers", "score"),
    [
        ((1.0, 0, 5, 0), 0.0),
        ((0.0, 5, 5, 0), 0.0),
        ((0.5, 1, 0, 0), 0.34657359027997264),
        ((0.5, 1, 2, 9), 0.34657359027997264),
        ((0.633, 4, 28, 0), 4.449288309116004),
    ],
)
def test_utility(numbers: tuple[float, float, float, float], score: float) -> None:
    assert utility_score(*numbers) == score


def test_utility_corrections_default_to_none() -> None:
    assert utility_score(0.5, 3, 4) == utility_score(0.5, 3, 4, 0)
    assert utility_score(0.5, 3, 4) > utility_score(0.5, 3, 4, 1)
    assert utility_score(1.0, math.e - 1, 0) == pytest.approx(1.0)


def refs(*numbers: int) -> list[SourceRef]:
    return [SourceRef("s", number) for number in numbers]


UNIONS = [
    pytest.param(refs(1, 2), refs(3), {}, refs(1, 2, 3), id="in order"),
    pytest.param(refs(2, 1), refs(1, 3), {}, refs(2, 1, 3), id="first place stands"),
    pytest.param(refs(1, 1), refs(), {}, refs(1), id="repeats count once"),
    pytest.param(refs(1, 2), refs(3), {"cap": 2}, refs(2, 3), id="newest"),
    pytest.param(refs(1, 2), refs(3), {"cap": 2, "keep": "oldest"}, refs(1, 2), id="oldest"),
    pytest.param(refs(1, 2), refs(3), {"cap": 0}, [], id="none"),
    pytest.param(refs(1, 2), refs(3), {"cap": -1, "keep": "oldest"}, [], id="fewer than none"),
    pytest.param(refs(1), refs(), {"cap": 9}, refs(1), id="room left"),
]


@pytest.mark.parametrize(("existing", "incoming", "options", "expected"), UNIONS)
def test_union(existing, incoming, options, expected) -> None:  # type: ignore[no-untyped-def]
    assert union_source_refs(existing, incoming, **options) == expected


def test_union_caps_at_fifty() -> None:
    assert union_source_refs(refs(*range(60)), refs()) == refs(*range(10, 60))


def test_union_tells_sessions_apart() -> None:
    other = [SourceRef("t", 1)]
    assert union_source_refs(refs(1), other) == refs(1) + other
