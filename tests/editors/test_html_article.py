"""Paragraphs at the end of an article: where they go, what stays, and the stated hash."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memhtml_kit import CLAIM, WORKED_EXAMPLE, memory, meta, page
from memsleep.editors.html_article import append_paragraphs
from memsleep.errors import EditRefused
from memsleep.model import Unreadable
from memsleep.readers.memhtml import read

ADDED = [
    pytest.param(page(), ["x"], b"</article>", b"<p>x</p>\n</article>", id="own-line"),
    pytest.param(page(), ["x", "y"], b"</article>", b"<p>x</p>\n<p>y</p>\n</article>", id="two"),
    pytest.param(
        page(),
        ["a < b & c\u00a0d"],
        b"</article>",
        b"<p>a &lt; b &amp; c&nbsp;d</p>\n</article>",
        id="escapes",
    ),
    pytest.param(page(), [" a \n b "], b"</article>", b"<p>a b</p>\n</article>", id="one-line"),
    pytest.param(
        page().replace(b"</article>", b"  </article>"),
        ["x"],
        b"  </article>",
        b"  <p>x</p>\n  </article>",
        id="indent",
    ),
    pytest.param(
        page().replace(b"\n", b"\r\n"), ["x"], b"</article>", b"<p>x</p>\r\n</article>", id="crlf"
    ),
    pytest.param(
        page().replace(b"\n</article>", b"</article>"),
        ["x"],
        b"</article>",
        b"\n<p>x</p>\n</article>",
        id="shared-line",
    ),
    pytest.param(
        page().replace(b"\n", b""),
        ["x"],
        b"</article>",
        b"\n<p>x</p>\n</article>",
        id="one-line-file",
    ),
    pytest.param(
        page(article=CLAIM + "<pre>a\n\n</pre>"),
        ["x"],
        b"</article>",
        b"<p>x</p>\n</article>",
        id="pre",
    ),
    pytest.param(
        page(article=CLAIM[:-4]), ["x"], b"</article>", b"<p>x</p>\n</article>", id="open-paragraph"
    ),
]


@pytest.mark.parametrize(("source", "texts", "old", "new"), ADDED)
def test_added(source: bytes, texts: list[str], old: bytes, new: bytes) -> None:
    """Paragraphs go right before the end of the article; every other byte stays."""
    assert old in source
    assert append_paragraphs(source, texts) == source.replace(old, new)


@pytest.mark.parametrize("texts", [[], [""], [" \n", "\u00a0"]])
def test_nothing_to_add(texts: list[str]) -> None:
    """Blank sentences are none."""
    source = page()
    assert append_paragraphs(source, texts) is source


@pytest.mark.parametrize(
    "source",
    [
        pytest.param(page().replace(b"</article>", b""), id="no-end-tag"),
        pytest.param(page(article=CLAIM + "<pre>open"), id="open-pre"),
        pytest.param(page(article=CLAIM + "<!-- open"), id="open-comment"),
        pytest.param(page(article=CLAIM + "<aside>open"), id="open-aside"),
        pytest.param(page(article=CLAIM + "<ul><li>open"), id="open-list"),
        pytest.param(page(article=CLAIM + "<table>open"), id="open-table"),
        pytest.param(page(article=CLAIM + "<textarea>open"), id="open-text"),
        pytest.param(page(article=CLAIM + "</article><article>x"), id="two-articles"),
        pytest.param(b"", id="empty"),
        pytest.param(b"\xff" + page(), id="not-utf8"),
    ],
)
def test_refused(source: bytes) -> None:
    """Where the end of the article lies inside something else, nothing is added."""
    with pytest.raises(EditRefused):
        append_paragraphs(source, ["x"])


def stated(source: bytes, value: str) -> bytes:
    line = meta("content-hash", value).encode()
    return source.replace(b"</head>", line + b"\n</head>")


def test_true_hash_is_kept_true() -> None:
    """A stated hash that was right is right afterwards."""
    source = stated(page(), memory(page()).content_hash)
    after = memory(append_paragraphs(source, ["x"]))
    assert after.raw["content_hash"] == after.content_hash
    assert after.content_hash != memory(source).content_hash


@pytest.mark.parametrize("value", ["garbage", "", "sha256:" + "0" * 64, "SHA256:" + "0" * 64])
def test_wrong_hash_stays(value: str) -> None:
    """A stated hash that was wrong or malformed is left as it is."""
    after = memory(append_paragraphs(stated(page(), value), ["x"]))
    assert after.raw["content_hash"] == value


def test_rest_of_the_memory_stays() -> None:
    """Claim, facets and sources are those of before; the text has the new sentences at its end."""
    before = memory(WORKED_EXAMPLE)
    after = memory(append_paragraphs(WORKED_EXAMPLE, ["One more.", "And another."]))
    assert (after.gist, after.facets, after.citations) == (
        before.gist,
        before.facets,
        before.citations,
    )
    assert after.body == before.body + " One more. And another."


@given(st.lists(st.text(st.characters(codec="utf-8", exclude_categories=["Cs"])), max_size=3))
def test_any_text(texts: list[str]) -> None:
    """Whatever the sentences, the result says them, or the edit is refused."""
    source = page()
    try:
        after = append_paragraphs(source, texts)
    except EditRefused:
        assert any(ord(char) < 32 for text in texts for char in text)
        return
    result = read("areas/a.html", after)
    assert not isinstance(result, Unreadable)
    assert result.gist == "A claim."
    assert len(after) >= len(source)
