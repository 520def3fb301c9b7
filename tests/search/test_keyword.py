from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from memsleep.core import keyword_search, tokenize_query
from memsleep.search.documents import note_of
from memsleep.search.keyword import KeywordIndex
from usage_kit import memory

WORDS = st.sampled_from("alpha beta gamma delta x 部署 窗口 周二 ガイド ตาราง デプロイ".split())
TEXTS = st.lists(WORDS, max_size=6).map(" ".join)
STAMPS = st.sampled_from(["2026-01-01", "2026-01-02T00:00:00Z", "2025-12-31", "no instant", ""])


@settings(max_examples=80, deadline=None)
@given(st.lists(st.tuples(TEXTS, TEXTS, STAMPS), max_size=8), TEXTS, st.integers(1, 9))
def test_the_index_ranks_as_the_pure_function(
    notes: list[tuple[str, str, str]], query: str, limit: int
) -> None:
    """Paths, scores and order equal those of `core.keyword_search`, whatever was changed before."""
    memories = [
        memory(f"m{number}.md", gist, body=body, updated=stamp)
        for number, (gist, body, stamp) in enumerate(notes)
    ]
    index = KeywordIndex()
    index.write(memory("m0.md", "alpha beta 部署"))
    index.write(memory("gone.md", "alpha beta 部署"))
    for each in memories:
        index.write(each)
    index.remove("gone.md")
    if not memories:
        index.remove("m0.md")
    expected = [
        (f"{hit.slug}.md", hit.score)
        for hit in keyword_search([note_of(each) for each in memories], query, limit)
    ]
    assert index.search(tokenize_query(query), lambda _: True, limit) == expected


def test_frequency_follows_changes() -> None:
    """A word that no memory holds any more is forgotten."""
    index = KeywordIndex()
    index.write(memory("a.md", "alpha beta"))
    index.write(memory("b.md", "alpha"))
    assert (index.frequency("alpha"), index.frequency("beta"), index.frequency("no")) == (2, 1, 0)
    index.write(memory("a.md", "gamma"))
    assert (index.frequency("alpha"), index.frequency("beta")) == (1, 0)
