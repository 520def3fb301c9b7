"""What of a dropped memory the keeper lacks: carried over, held already, or in doubt."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import phases_kit as kit
from memsleep.model import Citation, Facet, Link
from memsleep.phases.carry import missing_details, same_words

CLAIM = "The gateway drops idle sockets."
REST = "The load balancer keeps a spare one, and nobody notices. It was seen twice in spring."


def _details(
    mine: str, other: str, *, source: bytes = b"", **fields: Any
) -> tuple[tuple[str, ...], str]:
    keeper = kit.memory("a.md", CLAIM, body=mine)
    dropped = kit.memory("b.md", CLAIM, body=other, **fields)
    found = missing_details(keeper, dropped, mine.encode(), source or other.encode())
    return found.sentences, found.doubt


HELD = [
    pytest.param(CLAIM, CLAIM, id="equal"),
    pytest.param(f"{CLAIM} {REST}", CLAIM, id="keeper-says-more"),
    pytest.param(CLAIM, "the gateway drops idle sockets", id="case-and-stop"),
    pytest.param("It doesn't wait 30s.", "It does not wait 30 s.", id="spelling"),
    pytest.param("Keys are short, in the cache.", "Keys are short.", id="a-clause-more"),
    pytest.param(f"{CLAIM}\n\n{REST}", f"{CLAIM} {REST}", id="other-lines"),
    pytest.param("\u670d\u52a1\u5b89\u5168\u3002", "\u670d\u52a1\u5b89\u5168\u3002", id="chinese"),
    pytest.param(CLAIM, "", id="nothing-said"),
    pytest.param(
        "The port is 8080. The host is ash. The disk is full.",
        "The host is ash. The disk is full. The port is 8080.",
        id="facts-in-another-order",
    ),
    pytest.param(
        "Every worker keeps a queue for 5 minutes. The limit is 10 requests.",
        "The limit is 10 requests. Every worker keeps a queue for 5 minutes.",
        id="two-facts-turned",
    ),
]


@pytest.mark.parametrize(("mine", "other"), HELD)
def test_held(mine: str, other: str) -> None:
    """Nothing is missing where the keeper says it, in whatever spelling."""
    assert _details(mine, other) == ((), "")


CARRIED = [
    pytest.param(
        f"{CLAIM} {REST}",
        f"{CLAIM} {REST} Joana wrote the test.",
        ("Joana wrote the test.",),
        id="one-sentence",
    ),
    pytest.param(
        "Keys are short.",
        "Keys are short, in the cache.",
        ("Keys are short, in the cache.",),
        id="the-claim-with-a-clause",
    ),
    pytest.param(
        f"{CLAIM} {REST}",
        f"Joana wrote it. {CLAIM} {REST} Cem read it.",
        ("Joana wrote it.", "Cem read it."),
        id="order-kept",
    ),
]


@pytest.mark.parametrize(("mine", "other", "sentences"), CARRIED)
def test_carried(mine: str, other: str, sentences: tuple[str, ...]) -> None:
    """A sentence that only the dropped memory holds goes along as it is written."""
    assert _details(mine, other) == (sentences, "")


DOUBTFUL = [
    pytest.param(f"{CLAIM} Not any more.", CLAIM, "only the keeper", id="keeper-takes-back"),
    pytest.param(
        f"{CLAIM} Superseded by the vault rule.", CLAIM, "only the keeper", id="keeper-over"
    ),
    pytest.param(f"{CLAIM} Ben disagrees.", CLAIM, "only the keeper", id="keeper-disputed"),
    pytest.param(CLAIM, f"{CLAIM} Ben disagrees.", "dropped one adds", id="dropped-disputed"),
    pytest.param(
        f"{REST} It takes 5 minutes.", f"{REST} It takes 9 minutes.", "differently", id="number"
    ),
    pytest.param(
        f"{REST} It is safe to retry.",
        f"{REST} It is not safe to retry.",
        "differently",
        id="negation",
    ),
    pytest.param(
        f"{REST} Only admins see it.", f"{REST} Admins see it.", "differently", id="qualifier"
    ),
    pytest.param(
        f"{REST} It runs v2.1 there.", f"{REST} It runs v2.2 there.", "differently", id="identifier"
    ),
    pytest.param(f"{REST} Port: 80.", f"{REST} Port: 443.", "differently", id="label"),
    pytest.param(
        f"{REST} The owner of it is Anna.",
        f"{REST} The owner of it is Boris.",
        "differently",
        id="slot",
    ),
    pytest.param(
        f"{REST} The small host is slow.",
        f"{REST} The host is slow.",
        "differently",
        id="a-word-less",
    ),
    pytest.param(
        "Stop the old one. Start the new one.",
        "Start the new one. Stop the old one.",
        "another order",
        id="steps-turned",
    ),
    pytest.param(
        "The port is 8080. Stop the queue. Drain the worker.",
        "The port is 8080. Drain the worker. Stop the queue.",
        "another order",
        id="orders-turned",
    ),
    pytest.param(
        "The queue stops. The worker drains. The log then rolls.",
        "The queue stops. The log then rolls. The worker drains.",
        "another order",
        id="then-turned",
    ),
    pytest.param(
        "The queue stops. The worker drains. After that the log rolls.",
        "The worker drains. The queue stops. After that the log rolls.",
        "another order",
        id="after-that-turned",
    ),
    pytest.param(
        "Ines wrote the parser. Boris wrote the lexer. She left in May.",
        "Boris wrote the lexer. Ines wrote the parser. She left in May.",
        "another order",
        id="a-pronoun-turned",
    ),
    pytest.param(
        "Der Port ist 8080. Der Host ist Esche. Die Queue ist leer.",
        "Der Host ist Esche. Der Port ist 8080. Die Queue ist leer.",
        "another order",
        id="turned-in-a-language-without-a-list",
    ),
    pytest.param(CLAIM, f"{CLAIM} {REST}", "most of what", id="mostly-new"),
    pytest.param(
        "\u670d\u52a1\u5b89\u5168\u3002",
        "\u670d\u52a1\u4e0d\u5b89\u5168\u3002",
        "differently",
        id="chinese",
    ),
]


@pytest.mark.parametrize(("mine", "other", "doubt"), DOUBTFUL)
def test_doubtful(mine: str, other: str, doubt: str) -> None:
    """A detail told differently, turned round or mostly new is a matter for a person."""
    sentences, told = _details(mine, other)
    assert sentences == ()
    assert doubt in told


@pytest.mark.parametrize(
    "source",
    [
        b"<pre>x</pre>",
        b"```\nx\n```",
        b"| a | b |",
        b"<table>",
        b"<ul><li>x",
        b"![a](b.png)",
        b"- [x] done",
    ],
)
def test_structure_is_not_carried(source: bytes) -> None:
    """A missing sentence of a file with code, a table, a list or a picture is a doubt."""
    more = f"{CLAIM} {REST} Joana wrote the test."
    assert _details(f"{CLAIM} {REST}", more)[1] == ""
    assert "code, a table or a list" in _details(f"{CLAIM} {REST}", more, source=source)[1]


@pytest.mark.parametrize("source", [b"<pre>", b"<code>", b"```", b"~~~", b"`x`", b"    x = 1"])
def test_code_counts_word_for_word(source: bytes) -> None:
    """Where one side holds code, a capital or a blank more is a difference."""
    assert _details("Set X = 1.", "set x = 1.") == ((), "")
    assert _details("Set X = 1.", "set x = 1.", source=source)[1]
    assert _details("Set X = 1.", "Set X = 1.", source=source) == ((), "")


UNSAID = [
    pytest.param(
        {"links": (Link("relates_to", "https://a.example", 1, "inline", external=True),)}, id="link"
    ),
    pytest.param({"citations": (Citation("RFC 9110"),)}, id="citation"),
    pytest.param({"citations": (Citation("a", "https://b.example"),)}, id="cited-address"),
    pytest.param({"facets": (Facet("limit", "5"),)}, id="facet"),
]


@pytest.mark.parametrize("fields", UNSAID)
def test_what_no_sentence_says(fields: dict[str, Any]) -> None:
    """A source or a property that only the dropped memory states is a doubt, a shared one none."""
    assert _details(CLAIM, CLAIM, **fields)[1]
    keeper, dropped = (kit.memory(path, CLAIM, **fields) for path in ("a.md", "b.md"))
    assert missing_details(keeper, dropped, b"", b"").doubt == ""
    assert missing_details(keeper, kit.memory("b.md", CLAIM), b"", b"").doubt == ""


def test_same_words() -> None:
    """White space and Unicode form make no other words; a capital and a stop do."""
    assert same_words("a  b\n", "a b")
    assert same_words("caf\u00e9", "cafe\u0301")
    assert not same_words("a b", "a B")
    assert not same_words("a b", "a b.")


SENTENCES = st.lists(
    st.sampled_from(
        [
            "It is safe.",
            "It is not safe.",
            "It takes 5 s.",
            "It takes 9 s.",
            "Anna wrote it.",
            "Boris wrote it.",
            "It is safe, in the cache.",
            "\u670d\u52a1\u5b89\u5168\u3002",
        ]
    ),
    max_size=5,
)


@given(SENTENCES, SENTENCES)
def test_nothing_is_lost(mine: list[str], other: list[str]) -> None:
    """Each sentence of the dropped memory is in doubt, carried, or held as it is or longer."""
    keeper, dropped = " ".join(mine), " ".join(other)
    sentences, doubt = _details(keeper, dropped)
    if not doubt:
        for sentence in other:
            assert sentence in sentences or sentence.rstrip(".") in keeper


@given(SENTENCES)
def test_a_copy_lacks_nothing(told: list[str]) -> None:
    """A memory that says the same in the same order has nothing to carry."""
    said = list(dict.fromkeys(told))
    assert _details(" ".join(said), " ".join(said)) == ((), "")
