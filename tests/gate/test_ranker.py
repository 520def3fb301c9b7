from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gate_kit import GAUGE, TOPICS
from memsleep.core import SearchNote, keyword_search
from memsleep.gate import ranker as ranker_module
from memsleep.gate.probes import query_of
from memsleep.gate.ranker import BLOCK, Among, Answer, Document, Ranker, _nearest, words_asked

WORDS = st.lists(st.sampled_from("kiln ash goat pier blue 7 \u7f13\u5b58".split()), max_size=6)
DOCUMENTS = st.lists(st.tuples(WORDS, WORDS), min_size=1, max_size=12)


def _answer(documents: list[Document], question: str, *, vectors: bool = True) -> Answer:
    rows = asked = None
    if vectors:
        assert GAUGE.embed is not None
        rows = GAUGE.embed([document.claim for document in documents])
        asked = GAUGE.embed([question])[0]
    ranker = Ranker(documents, rows, [question])
    rough = None if rows is None else rows @ asked
    every = Among.of(range(len(documents)), len(documents))
    return ranker.answer(ranker.asked(question, asked, rough), every)


@given(DOCUMENTS, WORDS)
def test_the_keyword_arm_scores_as_keyword_search_does(
    texts: list[tuple[list[str], list[str]]], asked: list[str]
) -> None:
    """Words count as in the pure search over claim and body: use, recency and titles do not."""
    documents = [
        Document(f"n{number:02}", " ".join(claim), " ".join(body))
        for number, (claim, body) in enumerate(texts)
    ]
    question = " ".join(asked)
    notes = [SearchNote("", "", "", d.claim, "active", "", d.body) for d in documents]
    points = Ranker(documents, None, [question]).asked(question).points.tolist()
    scores = [sum(h.score for h in keyword_search([note], question, 1)) for note in notes]
    assert points == scores


@given(st.permutations(range(len(TOPICS))))
def test_the_order_of_documents_has_no_say(order: list[int]) -> None:
    """The same documents in any order are found in the same order."""
    question = query_of(TOPICS[0])
    documents = [Document(f"n{n:02}", TOPICS[n], TOPICS[n]) for n in range(len(TOPICS))]
    shuffled = [documents[n] for n in order]
    plain, other = _answer(documents, question), _answer(shuffled, question)
    assert [documents[p].name for p in plain.order] == [shuffled[p].name for p in other.order]


def test_every_claim_is_found_by_two_thirds_of_its_words() -> None:
    """A claim comes first for its own question, by words, and by words and vectors."""
    documents = [Document(f"n{n:02}", text, "") for n, text in enumerate(TOPICS)]
    for place, text in enumerate(TOPICS):
        for vectors in (True, False):
            assert _answer(documents, query_of(text), vectors=vectors).rank(place) == 1


def test_what_scores_alike_shares_its_rank() -> None:
    """Of two documents of one text none stands above the other, and the name orders them."""
    documents = [Document(name, "the kiln is lit", "") for name in ("b", "a")]
    found = _answer(documents, "kiln lit")
    assert found.order == (1, 0)
    assert not found.above(0, 1)
    assert not found.above(1, 0)


def test_what_no_arm_finds_has_no_rank() -> None:
    """A document without a word of the question is not found by words."""
    documents = [Document("a", "the kiln is lit", ""), Document("b", "goats eat hay", "")]
    found = _answer(documents, "kiln lit", vectors=False)
    assert (found.rank(0), found.rank(1)) == (1, None)


def test_words_that_say_little_are_asked_for_only_alone() -> None:
    """Articles and the like would find everything."""
    assert words_asked("where is the kiln") == ["kiln"]
    assert words_asked("the where") == ["the", "where"]


def test_the_pool_is_the_best_of_many() -> None:
    """Among hundreds of documents with one word of the question, the one with two comes first."""
    documents = [Document(f"n{n:03}", "kiln", "") for n in range(300)]
    documents[233] = Document("n233", "kiln ash", "")
    assert _answer(documents, "kiln ash", vectors=False).rank(233) == 1
    assert len(_answer(documents, "kiln ash", vectors=False).order) == 50


@given(st.integers(0, 2**32 - 1), st.integers(1, 12), st.integers(0, 9))
def test_a_long_row_is_sorted_out_by_its_blocks(seed: int, wanted: int, levels: int) -> None:
    """What is nominated are the largest products, however long the row, whatever ties there are."""
    rng = np.random.default_rng(seed)
    length = int(rng.integers(1, 8 * wanted * BLOCK))
    near = rng.standard_normal(length).astype(np.float32)
    if levels:  # many equal ones
        near = np.round(near * levels) / np.float32(levels)
    found = _nearest(near, wanted).tolist()
    assert len(set(found)) == min(wanted, length)
    assert sorted(near[found].tolist()) == sorted(near.tolist())[-wanted:]


@given(DOCUMENTS, WORDS, st.integers(0, 2**32 - 1))
def test_one_more_document_is_one_of_those_that_are_asked(
    texts: list[tuple[list[str], list[str]]], asked: list[str], seed: int
) -> None:
    """A twin beside some documents ranks as if it were one of them; the others are not asked."""
    documents = [
        Document(f"n{number:02}", " ".join(claim), " ".join(body))
        for number, (claim, body) in enumerate(texts)
    ]
    rng, count = np.random.default_rng(seed), len(documents)
    some = [place for place in range(count) if rng.random() < 0.6]
    also = int(rng.integers(count))
    assert GAUGE.embed is not None
    rows = GAUGE.embed([document.claim for document in documents])
    row = GAUGE.embed([" ".join(asked)])[0]
    ranker = Ranker(documents, rows, [" ".join(asked)])
    question = ranker.asked(" ".join(asked), row, rows @ row)
    beside = ranker.answer(question, Among.of(some, count), also)
    assert beside == ranker.answer(question, Among.of([*some, also], count))
    assert set(beside.order) <= {*some, also}


@given(
    st.lists(st.tuples(WORDS, WORDS), min_size=4, max_size=30),
    WORDS,
    st.sets(st.integers(0, 29)),
    st.none() | st.integers(0, 3),
    st.integers(0, 3),
)
def test_both_sides_are_answered_from_one_selection(
    texts: list[tuple[list[str], list[str]]],
    asked: list[str],
    held: set[int],
    also: int | None,
    spare: int,
) -> None:
    """However few of the best are held by a side, it gets what looking at it alone would give."""
    documents = [Document(f"n{n:02}", " ".join(c), " ".join(b)) for n, (c, b) in enumerate(texts)]
    question, count = " ".join(asked), len(documents)
    assert GAUGE.embed is not None
    rows, row = GAUGE.embed([d.claim for d in documents]), GAUGE.embed([question])[0]
    among = Among.of({place for place in held if place < count}, count)
    found = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ranker_module, "POOL", 3)
        for room in (spare, count):  # with room for all, nothing is ever looked for again
            patch.setattr(ranker_module, "SPARE", room)
            ranker = Ranker(documents, rows, [question])
            one = ranker.asked(question, row, rows @ row)
            words = ranker._by_words(one, among, also)
            near = [cosine for _, cosine in ranker._by_vectors(one, among, also)]
            found.append((words, near))
    assert found[0] == found[1]
    plain = ranker.asked(question).points.tolist()
    wanted = {p for p in range(count) if plain[p] and (among.held[p] or p == also)}
    ordered = sorted(wanted, key=lambda p: (-plain[p], documents[p].name))
    assert [place for place, _ in found[0][0]] == ordered[:3]
