"""Keyword search: whole tokens, a total order, a snippet."""

from __future__ import annotations

import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memsleep.core import SearchNote, keyword_search, tokenize_query


def note(slug: str = "n", **fields: Any) -> SearchNote:
    defaults = {
        "scope": "user",
        "type": "fact",
        "description": "",
        "status": "active",
        "updated_at": "2025-01-01",
        "body": "",
    }
    return SearchNote(slug=slug, **{**defaults, **fields})


QUERIES = [
    ("Deploy the CACHE", ["deploy", "the", "cache"]),
    ("a b", []),
    ("", []),
    ("x1 x1", ["x1"]),
    ("UTF-8 v2.1", ["utf", "v2"]),
    ("snake_case", ["snake", "case"]),
    ("na\u00efve", ["na\u00efve"]),
    ("\u5305\u7ba1\u7406\u5668", ["\u5305\u7ba1", "\u7ba1\u7406", "\u7406\u5668"]),
    ("\u7528", ["\u7528"]),
    ("\u8a2d\u5b9a\u3092", ["\u8a2d\u5b9a", "\u5b9a\u3092"]),
    ("\ubc30\ud3ec\ub97c", ["\ubc30\ud3ec", "\ud3ec\ub97c"]),
    ("\u0e01\u0e32\u0e23", ["\u0e01\u0e32", "\u0e32\u0e23"]),
    ("npm\u90e8\u7f72", ["npm", "\u90e8\u7f72"]),
]


@pytest.mark.parametrize(("text", "tokens"), QUERIES)
def test_tokenize_query(text: str, tokens: list[str]) -> None:
    assert tokenize_query(text) == tokens


SCORES = [
    pytest.param(note("cache"), 2, id="slug"),
    pytest.param(note(description="the cache"), 2, id="description"),
    pytest.param(note(body="cache cache"), 1, id="body counts a token once"),
    pytest.param(note("cache", description="cache"), 2, id="head counts a token once"),
    pytest.param(note("cache", body="cache"), 3, id="head and body"),
    pytest.param(note("cache", body="warm"), 3, id="two tokens"),
    pytest.param(note("warm-cache"), 4, id="two tokens in the head"),
    pytest.param(note("CACHE"), 2, id="case"),
    pytest.param(note("cache", status="pending"), 2, id="pending"),
]
MISSES = [
    pytest.param(note("caches"), id="longer word"),
    pytest.param(note("ache"), id="part of the token"),
    pytest.param(note(scope="cache", type="cache"), id="scope and type are not searched"),
    pytest.param(note("cache", status="archived"), id="archived"),
    pytest.param(note("cache", status="rejected"), id="rejected"),
    pytest.param(note("cache", status="Active"), id="status is exact"),
    pytest.param(note(updated_at="cache"), id="date is not searched"),
]


@pytest.mark.parametrize(("candidate", "score"), SCORES)
def test_score(candidate: SearchNote, score: int) -> None:
    assert [hit.score for hit in keyword_search([candidate], "warm cache", 5)] == [score]


@pytest.mark.parametrize("candidate", MISSES)
def test_miss(candidate: SearchNote) -> None:
    assert keyword_search([candidate], "warm cache", 5) == []


@pytest.mark.parametrize("limit", [0, -1, -0.5, math.nan, -math.inf])
def test_no_room(limit: float) -> None:
    assert keyword_search([note("cache")], "cache", limit) == []


def test_no_tokens() -> None:
    assert keyword_search([note("a")], "a ?", 5) == []


def slugs(*notes: SearchNote, limit: float = math.inf) -> list[str]:
    return [hit.slug for hit in keyword_search(notes, "cache", limit)]


ORDER = [
    note("z", description="cache", body="cache", updated_at="yesterday"),
    note("y", body="cache", updated_at="2026-01-01t00:00:01z"),
    note("a", body="cache", updated_at="2026-01-01T09:00:00+09:00"),
    note("b", body="cache", updated_at="2026-01-01"),
    note("c", body="cache", updated_at="2026-01-01T00:00:00Z"),
    note("x", body="cache", updated_at="2025-12-31T23:59:59.999Z"),
    note("v", body="cache", updated_at="yesterday"),
    note("w", body="cache", updated_at="not a date"),
    note("u", body="cache", updated_at="2026-02-30"),
    note("t", body="cache", updated_at="2026-01-01T00:00:00"),
    note("s", body="cache", updated_at=""),
]


def test_order() -> None:
    """Score, then the instant, then text without an instant, then the slug."""
    expected = [candidate.slug for candidate in ORDER[:8]] + ["u", "t", "s"]
    assert slugs(*ORDER) == expected
    assert slugs(*reversed(ORDER)) == expected
    assert slugs(*ORDER, limit=3) == expected[:3]


def test_slugs_order_by_code_unit() -> None:
    found = slugs(note("\ufb01 cache"), note("\U0001f600 cache"))
    assert found == ["\U0001f600 cache", "\ufb01 cache"]


SNIPPETS = [
    pytest.param("one\ncache two\ncache", "cache two", id="first line with a token"),
    pytest.param("one\r\ncache\r\n", "cache", id="CRLF"),
    pytest.param("one\rcache", "cache", id="CR"),
    pytest.param("caches\nthe Cache!", "the Cache!", id="whole tokens"),
    pytest.param("cache " + "x" * 200, "cache " + "x" * 154, id="cut"),
    pytest.param("x" * 200 + " cache", "x" * 160, id="cut before the token"),
    pytest.param("nothing", "", id="only the head has one"),
]


@pytest.mark.parametrize(("body", "snippet"), SNIPPETS)
def test_snippet(body: str, snippet: str) -> None:
    [hit] = keyword_search([note("cache", body=body)], "cache", 1)
    assert hit.snippet == snippet


def test_hit_carries_the_note() -> None:
    [hit] = keyword_search(
        [note("cache", scope="s", type="t", description="d", status="pending")], "cache", 1
    )
    assert (hit.slug, hit.scope, hit.type, hit.description, hit.status) == (
        "cache",
        "s",
        "t",
        "d",
        "pending",
    )


@pytest.mark.parametrize(
    ("query", "body"),
    [
        ("\u7ba1\u7406", "\u5305\u7ba1\u7406\u5668\u4f7f\u7528pnpm"),
        ("\u8a2d\u5b9a", "\u8a2d\u5b9a\u3092\u5909\u66f4\u3059\u308b"),
        ("\ubc30\ud3ec", "\ubc30\ud3ec\ub97c"),
        ("Stra\u00dfe", "die stra\u00dfe"),
        ("cafe\u0301", "caf\u00e9"),
    ],
)
def test_other_languages_are_found(query: str, body: str) -> None:
    """Without spaces or composed otherwise, a word is still found."""
    assert keyword_search([note(body=body)], query, 1)


NOTES = st.lists(
    st.builds(
        note,
        st.sampled_from(["cache", "b", "warm-cache"]),
        body=st.sampled_from(["", "cache", "warm\ncache"]),
        status=st.sampled_from(["active", "pending", "archived"]),
        updated_at=st.sampled_from(["", "x", "2025-01-01", "2025-01-01T00:00:00Z"]),
    ),
    max_size=8,
)


@given(NOTES, st.data())
def test_order_of_notes_does_not_matter(notes: list[SearchNote], data: st.DataObject) -> None:
    shuffled = data.draw(st.permutations(notes))
    assert keyword_search(shuffled, "warm cache", 9) == keyword_search(notes, "warm cache", 9)


@given(st.text(), st.text(), st.text())
def test_search_is_total(text: str, body: str, updated_at: str) -> None:
    """Any text can be searched for, in any text, of any date."""
    hits = keyword_search([note(body=body, updated_at=updated_at)], text, 1)
    assert bool(hits) == bool(
        set(tokenize_query(text)) & {*tokenize_query(body), *tokenize_query("n")}
    )
