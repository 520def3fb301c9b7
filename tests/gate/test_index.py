"""An index that was made beforehand says what the ranker would find out by itself."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from gate_kit import TOPICS
from memsleep.gate.index import Documents, Tokens
from memsleep.gate.ranker import Document, Ranker, postings_of

WORDS = st.lists(
    st.sampled_from("kiln ash goat pier blue 7 the \u7f13\u5b58 \u0421\u043d\u0435\u0433".split()),
    max_size=8,
).map(" ".join)
DOCUMENTS = st.lists(st.builds(Document, st.just("n"), WORDS, WORDS), max_size=9)
ASKED = st.sets(st.sampled_from("kiln ash goat pier blue the \u7f13\u5b58 none".split()))


def _plain(postings: object) -> dict[str, list[list[int]]]:
    assert isinstance(postings, dict)
    return {token: [part.tolist() for part in found] for token, found in postings.items()}


@given(DOCUMENTS, ASKED)
def test_postings_are_those_of_whoever_knows_the_question(
    documents: list[Document], asked: set[str]
) -> None:
    """A token counts once a text, twice in a claim, whoever asks for it and when."""
    assert _plain(Tokens(documents).of(asked)) == _plain(postings_of(documents, asked))


@given(st.integers(0, len(TOPICS)))
def test_a_ranker_goes_on_from_an_index(count: int) -> None:
    """However many of the documents are indexed already, a question has the same points."""
    documents = [Document(f"n{n}", text, text[:9]) for n, text in enumerate(TOPICS)]
    ready = count, Tokens(documents[:count]).of(TOPICS[0].lower().split())
    plain, other = Ranker(documents, None, TOPICS[:1]), Ranker(documents, None, TOPICS[:1], ready)
    assert plain.asked(TOPICS[0]).points.tolist() == other.asked(TOPICS[0]).points.tolist()


def test_equal_documents_are_one() -> None:
    """The same name and texts have one place, another name has another."""
    documents = Documents()
    assert [documents.add(*d) for d in (("a", "x", ""), ("b", "x", ""), ("a", "x", ""))] == [
        0,
        1,
        0,
    ]
