"""The guards fire where a fact turns, and are silent elsewhere."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memsleep.core import (
    NEGATION_MARKERS,
    VARIANT_QUALIFIERS,
    MergeText,
    join_merge_text,
    merge_veto_reasons,
    merge_vetoed,
    negation_divergent,
    numeric_token_divergent,
    variant_qualifier_divergent,
)

NEGATION_FIRES = [
    *((marker, "plain") for marker in sorted(NEGATION_MARKERS - {"cannot"})),
    ("we cannot merge", "we can merge"),
    ("we can't merge", "we can merge"),
    ("It ISN'T so", "it is so"),
    ("it won't", "it will"),
    ("needn't", "need"),
    ("isn't, aren't", "is, are"),
    ("NEVER", "ever"),
    ("no1 knows; no", "knows"),
    ("Disn't", "dis"),
]
NEGATION_SILENT = [
    ("", ""),
    ("safe", "safe"),
    ("no request is dropped; safe", "no request is dropped; not safe"),
    ("never", "not"),
    ("isn\u2019t", "is"),
    ("notable", "able"),
    ("knot", "k"),
    ("nope", "yes"),
    ("no.1 choice", "choice"),
    ("n\u00f3", "yes"),
    ("no\u0301", "yes"),
    ("\uff4e\uff4f", "yes"),
    ("failure", "success"),
    ("invalidate", "validate"),
    ("rejects", "takes"),
    ("denies", "grants"),
    ("avoids", "uses"),
    ("not-ready", "no-go"),
]


@pytest.mark.parametrize(("a", "b"), NEGATION_FIRES)
def test_negation_fires(a: str, b: str) -> None:
    assert negation_divergent(a, b)
    assert negation_divergent(b, a)


@pytest.mark.parametrize(("a", "b"), NEGATION_SILENT)
def test_negation_is_silent(a: str, b: str) -> None:
    assert not negation_divergent(a, b)
    assert not negation_divergent(b, a)


CONTRACTED = (
    "isn't aren't wasn't weren't don't doesn't didn't won't can't cannot couldn't shouldn't "
    "wouldn't mustn't haven't hasn't hadn't"
).split()


@pytest.mark.parametrize("contraction", CONTRACTED)
def test_contractions_are_negations(contraction: str) -> None:
    assert negation_divergent(f"it {contraction} work", "it does work")
    assert not negation_divergent(contraction, "not")


NUMERIC_FIRES = [
    ("retry 3", "retry 13"),
    ("v2.1", "v2.10"),
    ("port 8080", "port"),
    ("M1", "M2"),
    ("3.11.4", "3.11"),
    ("1.0rc1", "1.0rc2"),
    ("1e5", "1e6"),
    ("2 of 3", "3 of 3"),
]
NUMERIC_SILENT = [
    ("", ""),
    ("none here", "nor here"),
    ("retry 3", "retry 3 times"),
    ("3 of 2", "2 of 3"),
    ("2 2", "2"),
    ("V2", "v2"),
    ("three", "four"),
    ("\u0663", "\u0664"),
    ("\u00b2", "\u00b3"),
    ("\uff12", "\uff13"),
    ("3.", "3"),
    ("3,", "3"),
]


@pytest.mark.parametrize(("a", "b"), NUMERIC_FIRES)
def test_numeric_fires(a: str, b: str) -> None:
    assert numeric_token_divergent(a, b)
    assert numeric_token_divergent(b, a)


@pytest.mark.parametrize(("a", "b"), NUMERIC_SILENT)
def test_numeric_is_silent(a: str, b: str) -> None:
    assert not numeric_token_divergent(a, b)
    assert not numeric_token_divergent(b, a)


VARIANT_FIRES = [
    *((qualifier, "plain") for qualifier in sorted(VARIANT_QUALIFIERS)),
    ("M1", "M1 Pro"),
    ("alpha", "beta"),
    ("pro max", "pro"),
    ("1.0rc", "1.0"),
    ("PREVIEW", "final"),
]
VARIANT_SILENT = [
    ("", ""),
    ("profile", "file"),
    ("maximum", "minimum"),
    ("pro max", "max, pro"),
    ("beta.3", "three"),
    ("rc1", "one"),
    ("alphabet", "letters"),
    ("\u03b2eta", "eta"),
    ("p\u0301ro", "x"),
    ("deprecate", "keep"),
]


@pytest.mark.parametrize(("a", "b"), VARIANT_FIRES)
def test_variant_fires(a: str, b: str) -> None:
    assert variant_qualifier_divergent(a, b)
    assert variant_qualifier_divergent(b, a)


@pytest.mark.parametrize(("a", "b"), VARIANT_SILENT)
def test_variant_is_silent(a: str, b: str) -> None:
    assert not variant_qualifier_divergent(a, b)
    assert not variant_qualifier_divergent(b, a)


VETOES = [
    pytest.param(("M1", ""), ("M1 Pro", ""), ("variant",), id="variant"),
    pytest.param(("v2.1", ""), ("v2.10", ""), ("numeric",), id="numeric"),
    pytest.param(("we cannot merge", ""), ("we can merge", ""), ("negation",), id="negation"),
    pytest.param(("not 1 pro", ""), ("2", ""), ("negation", "numeric", "variant"), id="all"),
    pytest.param(("x", "not"), ("x", ""), ("negation",), id="negation in a body"),
    pytest.param(("x", "beta"), ("x", ""), ("variant",), id="variant in a body"),
    pytest.param(("x", "see 2024-01-01"), ("x", "see 7"), (), id="numbers in the bodies"),
    pytest.param(("x 1", ""), ("x", "1"), ("numeric",), id="number moved to the body"),
    pytest.param(("not", ""), ("", "not"), (), id="negation moved to the body"),
    pytest.param(("no", "t"), ("not", ""), (), id="the newline parts words; no is a marker too"),
    pytest.param(("isn", "'t"), ("is", ""), (), id="the newline parts a contraction"),
    pytest.param(("", ""), ("", ""), (), id="empty"),
]


@pytest.mark.parametrize(("a", "b", "reasons"), VETOES)
def test_veto_reasons(a: tuple[str, str], b: tuple[str, str], reasons: tuple[str, ...]) -> None:
    """Fixed order, symmetric; numbers count in the gists alone."""
    one, other = MergeText(*a), MergeText(*b)
    assert merge_veto_reasons(one, other) == reasons
    assert merge_veto_reasons(other, one) == reasons
    assert merge_vetoed(one, other) == bool(reasons)


TEXTS = st.text(alphabet="no t'1.2pro\u0301\u2019", max_size=12)


@given(st.builds(MergeText, TEXTS, TEXTS), st.builds(MergeText, TEXTS, TEXTS))
def test_veto_is_symmetric_and_reflexive(a: MergeText, b: MergeText) -> None:
    assert merge_veto_reasons(a, b) == merge_veto_reasons(b, a)
    assert merge_veto_reasons(a, a) == ()
    assert join_merge_text(a) == a.gist + "\n" + a.body


def test_every_marker_is_needed() -> None:
    """No word of either list stands for another: each fires alone."""
    for one, other in itertools.combinations(sorted(VARIANT_QUALIFIERS), 2):
        assert variant_qualifier_divergent(one, other)
