"""Sentences with the markup that their file writes them in, in Markdown and in HTML."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memsleep.editors.html_spelling import spell as spell_html
from memsleep.editors.markdown_body import append_paragraphs, marks_of
from memsleep.editors.markdown_spelling import spell
from memsleep.errors import EditRefused
from memsleep.readers.markdown_text import blocks_of, parse, plain_text
from memsleep.readers.memhtml_tree import parse as parse_html
from memsleep.spelled import Spelled, places
from memsleep.text import paragraphs, sentences


def _spelled(body: str) -> list[str]:
    told = sentences(plain_text(blocks_of(parse(body))))
    return [one.markup for one in spell(body, told)]


MARKDOWN = [
    pytest.param("One. Two.", ["One.", "Two."], id="plain"),
    pytest.param("See [the log](a/log.md).", ["See [the log](a/log.md)."], id="link"),
    pytest.param("[Runbook](run.md)", ["[Runbook](run.md)"], id="only-a-link"),
    pytest.param('[a](b.md "T")', ['[a](b.md "T")'], id="title"),
    pytest.param("See [[Log|the log]].", ["See [[Log|the log]]."], id="wikilink-label"),
    pytest.param("See [[Log]]. It ran.", ["See [[Log]].", "It ran."], id="wikilink"),
    pytest.param("At <https://a.example>.", ["At <https://a.example>."], id="autolink"),
    pytest.param("At https://a.example/x_y_z.", ["At https://a.example/x_y_z."], id="bare-url"),
    pytest.param("See [a][1].\n\n[1]: b.md", ["See [a](b.md)."], id="reference"),
    pytest.param("See [a].\n\n[a]: <b c.md> 'T'", ['See [a](<b c.md> "T").'], id="shortcut"),
    pytest.param("Run `a  b` **now**.", ["Run `a  b` **now**."], id="code-and-strong"),
    pytest.param("Run ``a ` b``.", ["Run ``a ` b``."], id="code-with-a-tick"),
    pytest.param("**One. Two.**", ["**One.**", "**Two.**"], id="strong-over-two"),
    pytest.param("*A **b. C** d.*", ["*A **b.***", "***C** d.*"], id="nested-over-two"),
    pytest.param("[One. Two.](a.md)", ["[One.](a.md)", "[Two.](a.md)"], id="link-over-two"),
    pytest.param(r"A \*b\* 1\. c.", [r"A \*b\* 1\. c."], id="escapes"),
    pytest.param("A &amp; b.", ["A &amp; b."], id="reference-of-a-character"),
    pytest.param("One\n  goes on. Two.", ["One goes on.", "Two."], id="lines"),
    pytest.param("- One `x`\n- Two", ["One `x`", "Two"], id="items"),
    pytest.param("# A *b*\n\nC.", ["A *b*", "C."], id="heading"),
    pytest.param("A <kbd>b</kbd> c.", ["A b c."], id="harmless-tag"),
    pytest.param("~~One.~~ Two *a*.", ["~~One.~~ Two *a*."], id="struck"),
    pytest.param("~~One~~ and **~~two~~**.", ["~~One~~ and **~~two~~**."], id="struck-and-strong"),
]


@pytest.mark.parametrize(("body", "told"), MARKDOWN)
def test_markdown(body: str, told: list[str]) -> None:
    """Each sentence comes with its links, its code, its emphasis and its escapes."""
    assert _spelled(body) == told


REFUSED = [
    pytest.param("> Quoted.", "a quotation", id="quotation"),
    pytest.param("a | b\n--- | ---\n1 | 2", "a table", id="table-without-outer-bars"),
    pytest.param("```\nx = 1\n```", "code", id="code"),
    pytest.param("<div>x</div>", "HTML", id="html"),
    pytest.param("A[^1].\n\n[^1]: B.", "a footnote", id="footnote-mark"),
    pytest.param("A <a href='b'>c</a>.", "HTML", id="html-link"),
    pytest.param("10<sup>5</sup> files.", "HTML", id="raised"),
    pytest.param("A [](b.md) c.", "a link without a text", id="empty-link"),
    pytest.param("A `b. C` d.", "within code", id="code-over-two"),
    pytest.param("1. [x] One", "the mark of a task", id="task-done"),
    pytest.param("- [ ] One", "the mark of a task", id="task-open"),
    pytest.param("~~One. Two~~ three.", "struck out", id="struck-over-two"),
    pytest.param("[[One. Two]]", "within a link", id="wikilink-over-two"),
]


@pytest.mark.parametrize(("body", "what"), REFUSED)
def test_markdown_refuses(body: str, what: str) -> None:
    """What no sentence can tell is refused by its name."""
    with pytest.raises(EditRefused, match=what):
        _spelled(body)


def test_equal_sentences_have_their_own_places() -> None:
    """The second of two equal sentences brings its own link."""
    body = "See [it](a.md). And. See [it](b.md)."
    assert [one.markup for one in spell(body, ["See it.", "See it."])] == [
        "See [it](a.md).",
        "See [it](b.md).",
    ]
    assert list(places(["One. Two."], ["Two.", "One."])) == [(0, 5, 9), (0, 0, 4)]


def test_precious() -> None:
    """Links and code say more than their text, emphasis does not."""
    told = ["A b.", "C d.", "E f.", "G."]
    found = spell("A *b*. C `d`. E [f](g.md). G.", told)
    assert [one.precious for one in found] == [False, True, True, False]


def test_what_the_file_does_not_hold_is_told_as_it_is_given() -> None:
    """Its characters are none of the markup of the file it comes into."""
    (told,) = spell("One.", ["Nobody *said* <so> [it](b.md)."])
    assert marks_of(told.markup) == []
    assert plain_text(blocks_of(parse(told.markup))) == told.text
    tree = parse_html(b"<article>One.</article>")
    (told,) = spell_html(tree, tree.named("article")[0], ["Nobody <so>."])
    assert told == Spelled("Nobody <so>.", "Nobody &lt;so&gt;.")


OUTLINES = [
    ("- a\n", "- a\n- One. Two.\n- Port 80\n"),
    ("- a\n  - b", "- a\n  - b\n- One. Two.\n- Port 80"),
    ("- a\r\n", "- a\r\n- One. Two.\r\n- Port 80\r\n"),
    ("a\n", "a\n\nOne. Two.\n\nPort 80\n"),
]


@pytest.mark.parametrize(("before", "after"), OUTLINES)
def test_an_outline_goes_on_as_one(before: str, after: str) -> None:
    """Where pages are outlines, what is appended is an item; below plain text it is none."""
    told = ["One.", "Two.", "Port 80"]
    assert append_paragraphs(before.encode(), 0, told, outline=True).decode() == after
    assert b"- One" not in append_paragraphs(before.encode(), 0, told)


WORDS = st.sampled_from(["plain", "a_b_c", "1.", "x*y", "50%", "#tag", "caf\u00e9", "[x]", "a|b"])
INLINE = st.recursive(
    st.one_of(
        WORDS,
        st.sampled_from(
            ["`code x`", "``a`b``", "[[Page]]", "[[Page|label]]", "<https://a.example>"]
        ),
        st.sampled_from(["One. Two", "e.g. this", "end!", "\u5b8c\u4e86\u3002"]),
    ),
    lambda inner: st.one_of(
        inner.map("**{}**".format),
        inner.map("*{}*".format),
        inner.map("~~{}~~".format),
        inner.map("[{}](b c.md)".format),
        inner.map("[{}](b.md#x)".format),
        inner.map("[{}][ref]".format),
        st.lists(inner, min_size=1, max_size=3).map(" ".join),
    ),
    max_leaves=6,
)
BODIES = st.lists(
    st.builds(
        "{}{}{}".format,
        st.sampled_from(["", "- ", "# ", "1. ", "a\n"]),
        st.lists(INLINE, min_size=1, max_size=4).map(" ".join),
        st.sampled_from(["", ".", "!"]),
    ),
    min_size=1,
    max_size=3,
).map(lambda blocks: "\n\n".join([*blocks, "[ref]: <r f.md>"]))


@given(BODIES, st.sampled_from(["", "# Title\n\nText.\n", "a\r\n\r\nb\r\n", "[x]: y.md\n"]))
def test_markdown_arrives_whole(body: str, keeper: str) -> None:
    """What is appended says the sentences and has their links, code and emphasis, or is refused."""
    told = sentences(plain_text(blocks_of(parse(body))))
    try:
        spelled = spell(body, told)
        result = append_paragraphs(
            keeper.encode(), 0, [one.text for one in spelled], [one.markup for one in spelled]
        )
    except EditRefused:
        return
    assert [one.text for one in spelled] == told
    assert set(marks_of(body)) <= set(marks_of(result.decode()))
    blocks = blocks_of(parse(result.decode()))
    count = len(paragraphs(told))
    assert " ".join(block.text for block in blocks[len(blocks) - count :]) == " ".join(told)
    assert result.startswith(keeper.encode())


def _html(inner: str) -> tuple[Spelled, ...]:
    tree = parse_html(f"<article>{inner}</article>".encode())
    article = tree.named("article")[0]
    return spell_html(tree, article, sentences(tree.text_of(article)))


HTML = [
    ("<p>One. Two.</p>", ["One.", "Two."]),
    ('<p>See <a href="/a/b.html">the log</a>.</p>', ['See <a href="/a/b.html">the log</a>.']),
    ('<p><a href="b.html#x">b</a></p>', ['<a href="b.html#x">b</a>']),
    ("<p><strong>One. Two.</strong></p>", ["<strong>One.</strong>", "<strong>Two.</strong>"]),
    ("<p><mark>Claim.</mark> More.</p>", ["Claim.", "More."]),
    ("<p>1 &lt; 2 &amp;amp; <code>a&lt;b</code>.</p>", ["1 &lt; 2 &amp;amp; <code>a&lt;b</code>."]),
    ("<p>On <time datetime='2026-01-01'>New Year</time>.</p>",
     ['On <time datetime="2026-01-01">New Year</time>.']),
    ("<p><b>Bold</b> and <span class=x>span</span>.</p>", ["Bold and span."]),
    ('<p id="p" onclick="x()">One <em style="y" onclick="x()">two</em>.</p>',
     ["One <em>two</em>."]),
    ("<ul><li>One <code>x</code></li></ul><p>two.</p>", ["One <code>x</code> two."]),
]  # fmt: skip


@pytest.mark.parametrize(("inner", "told"), HTML)
def test_html(inner: str, told: list[str]) -> None:
    """Elements that say something stay with the attributes that say it, and nothing else does."""
    assert [one.markup for one in _html(inner)] == told


HTML_REFUSED = [
    ("<p><a href='javascript:x()'>a</a></p>", "run something"),
    ("<p><a href=' java\nscript:x()'>a</a></p>", "run something"),
    ("<p><a href='data:text/html,x'>a</a></p>", "run something"),
    ("<pre>x = 1</pre>", "code"),
    ("<table><tr><td>x</td></tr></table>", "a table"),
    ("<blockquote>x</blockquote>", "a quotation"),
    ("<dl><dt>x</dt><dd>y</dd></dl>", "a list of properties"),
    ("<p>10<sup>5</sup> files.</p>", "cannot be taken along"),
    ("<p>a <img src='b.png'> c.</p>", "cannot be taken along"),
    ("<p><code>One. Two.</code></p>", "within markup"),
]


@pytest.mark.parametrize(("inner", "what"), HTML_REFUSED)
def test_html_refuses(inner: str, what: str) -> None:
    """What could run, and what no sentence can tell, is refused."""
    with pytest.raises(EditRefused, match=what):
        _html(inner)
