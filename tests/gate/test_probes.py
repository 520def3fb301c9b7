from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gate_kit import say
from memsleep.gate.probes import by_hash, claim_of, details_of, query_of
from memsleep.gate.words import STOP_WORDS, is_number, words_of
from phases_kit import memory

LEFT_OUT = [
    # claim, how many words are missing
    ("", 0),
    ("cache", 0),
    ("warm cache", 0),
    ("the cache is warm", 0),
    ("the warm cache answers", 1),
    ("alpha beta gamma delta epsilon", 1),
    ("alpha beta gamma delta epsilon zeta", 2),
    ("port 8080 of the gateway 9", 0),
    ("\u7f13\u5b58\u7684\u7aef\u53e3\u662f\u516b\u5343", 1),
]


@pytest.mark.parametrize(("claim", "missing"), LEFT_OUT)
def test_every_third_content_word_is_left_out(claim: str, missing: int) -> None:
    """A question lacks one word in three of those that tell something, and no other."""
    assert len(words_of(claim)) - len(query_of(claim).split()) == missing


@given(st.text())
def test_a_question_is_made_of_the_claim(text: str) -> None:
    """Function words and numbers stay, the order stays, and the same claim asks the same."""
    words, asked = list(words_of(text)), query_of(text).split()
    rest = iter(words)
    assert all(word in rest for word in asked)
    gone = set(words) - set(asked)
    assert not any(word in STOP_WORDS or is_number(word) for word in gone)
    content = {w for w in words if w not in STOP_WORDS and not is_number(w)}
    assert len(gone) == len(content) // 3


def test_the_title_is_not_asked_for() -> None:
    """A question holds no word that only the title has."""
    fact = claim_of(memory("a.md", "The kiln is lit at dawn", title="Ceramics handbook"))
    assert fact is not None
    assert not {"ceramics", "handbook"} & set(fact.query.split())


def test_a_memory_without_claim_is_asked_for_by_its_first_sentence() -> None:
    """The first sentence stands in for a claim; a memory without words is no fact."""
    spoken = claim_of(memory("a.md", "", body="The kiln is lit. It cools by noon."))
    assert spoken is not None
    assert spoken.text == "The kiln is lit."
    assert claim_of(memory("b.md", "", body="---")) is None
    assert claim_of(memory("c.md", "", body="")) is None


def test_details_are_the_other_sentences_that_say_enough() -> None:
    """The claim is no detail of itself, and a sentence of two words cannot be asked for."""
    told = say("a.md", "The kiln is lit at dawn", "See below. Ash is sieved by Ines on Fridays.")
    assert [(f.number, f.text) for f in details_of(told)] == [
        (3, "Ash is sieved by Ines on Fridays."),
    ]


def test_a_sample_is_chosen_by_hash() -> None:
    """The same memories are asked whatever stands beside them, up to who is left out for them."""
    paths = [f"m{number}.md" for number in range(40)]
    few = by_hash(paths, 5)
    assert few == by_hash(paths[::-1], 5)
    assert set(few) <= set(by_hash([*paths, "z.md"], 6))
    assert by_hash(paths, 99) == sorted(paths)


@given(st.text(max_size=12))
def test_a_claim_is_a_text_with_a_word(text: str) -> None:
    """The quick look at plain letters agrees with cutting the text into words."""
    assert (claim_of(memory("a.md", text, body="")) is not None) == bool(words_of(text.strip()))
