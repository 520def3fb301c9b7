"""The forms in which texts are compared: normal form, sentences, words."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

import phases_kit as kit
from memsleep.text import content_key, gist_words, normal_form, sentences, word_total

EQUAL = [
    ("A claim.", "a claim"),
    ("A  claim\n", "A claim"),
    ("It\u2019s \u201cso\u201d", 'It\'s "so"'),
    ("caf\u00e9", "cafe\u0301"),
    ("a\u00a0b\u3000c", "a b c"),
    ("Done!", "done."),
    ("\u5b89\u5168\u3002", "\u5b89\u5168"),
]
DIFFERENT = [
    ("It is safe", "It is not safe"),
    ("5", "6"),
    ("a-b", "a b"),
    ("a, b", "a b"),
    ("5%", "5"),
    ("Is it?", "Is it"),
    ("10\u00b2", "102"),
    ("caf\u00e9", "cafe"),
    (".5", "5"),
]


@pytest.mark.parametrize(("a", "b"), EQUAL)
def test_equal_normal_forms(a: str, b: str) -> None:
    """Case, white space, quotes, Unicode form and final stops make no difference."""
    assert normal_form(a) == normal_form(b)


@pytest.mark.parametrize(("a", "b"), DIFFERENT)
def test_different_normal_forms(a: str, b: str) -> None:
    """Whatever could carry meaning stays."""
    assert normal_form(a) != normal_form(b)


@given(st.text())
def test_normal_form_is_stable(text: str) -> None:
    """The normal form of a normal form is itself but for final stops that were behind others."""
    once = normal_form(text)
    assert normal_form(once) == once


@pytest.mark.parametrize("body", ["", " \n", "...", "!"])
def test_an_empty_key_is_what_says_nothing(body: str) -> None:
    """A memory without words has an empty key, which equals nothing."""
    assert content_key(kit.memory("a.md", "", body=body)) == ""


def test_the_claim_stands_for_a_missing_body() -> None:
    """Without a body the claim is the content."""
    assert content_key(kit.memory("a.md", "So", body="")) == "so"


SENTENCES = [
    ("", []),
    ("One", ["One"]),
    ("One. Two! Three? Four", ["One.", "Two!", "Three?", "Four"]),
    ("One... Two", ["One...", "Two"]),
    ("Use e.g. This. Then cf. That.", ["Use e.g. This.", "Then cf. That."]),
    ("Dr. Smith and J. Doe left. Late.", ["Dr. Smith and J. Doe left.", "Late."]),
    ("In the U.S. Law is law.", ["In the U.S. Law is law."]),
    ("It takes 3.5 s. Or v2.1 does.", ["It takes 3.5 s.", "Or v2.1 does."]),
    ("It takes 3.5 seconds. Or v2.1 does.", ["It takes 3.5 seconds.", "Or v2.1 does."]),
    ("1. First\n2. Second", ["1. First", "2. Second"]),
    ("The limit is 30. It holds.", ["The limit is 30.", "It holds."]),
    ('He said "Stop." Then left.', ['He said "Stop."', "Then left."]),
    ("(It was so.) Later not.", ["(It was so.)", "Later not."]),
    ("the file foo.md. is it", ["the file foo.md. is it"]),
    ("One.\nand two.", ["One.", "and two."]),
    ("One.\r\nTwo.", ["One.", "Two."]),
    ("One\u2028still one. Two", ["One\u2028still one.", "Two"]),
    (
        "\u4e00\u3002\u300c\u4e8c\u3002\u300d\u4e09",
        ["\u4e00\u3002", "\u300c\u4e8c\u3002\u300d", "\u4e09"],
    ),
    ("no stop\n\n\nmore", ["no stop", "more"]),
]


@pytest.mark.parametrize(("text", "parts"), SENTENCES)
def test_sentences(text: str, parts: list[str]) -> None:
    """A sentence ends at its stop with all closing marks, and at the end of its line."""
    assert sentences(text) == parts


@given(st.text(st.sampled_from("aB1 .!?\"')\n\u3002\u300d\u2028\t")))
def test_sentences_lose_nothing(text: str) -> None:
    """All but white space is in the sentences, in order."""
    assert "".join("".join(sentences(text)).split()) == "".join(text.split())


@given(st.text(st.sampled_from("aB1 .!?\"')\n\u3002\u300d")))
def test_a_sentence_is_one_sentence(text: str) -> None:
    """Splitting a sentence again changes nothing."""
    for sentence in sentences(text):
        assert sentences(sentence) == [sentence]


def test_gist_words() -> None:
    """Numbers and short words are no words of a claim; ideographs are pairs."""
    assert gist_words("The job retries 13 times") == {"the", "job", "retries", "times"}
    assert gist_words("") == frozenset()


@pytest.mark.parametrize(
    ("text", "words"),
    [("", 0), ("one two", 2), ("\u670d\u52a1\u5b89\u5168", 3), ("\u0e01\u0e02 x", 3)],
)
def test_word_total(text: str, words: int) -> None:
    """Two characters of a script without spaces count as one word more."""
    assert word_total(text) == words


@given(st.text(st.sampled_from("a \u3040\u3041\u4e00\u9fff\ua000\u0e00\u0e01\u0e4e\u0e4f")))
def test_unspaced_characters_are_halves(text: str) -> None:
    halves = sum(char in "\u3041\u4e00\u9fff\u0e01\u0e4e" for char in text)
    assert word_total(text) == len(text.split()) + halves // 2
