"""Parser offsets back to bytes, and the parser itself against another one."""

from __future__ import annotations

import justhtml
import pytest
import turbohtml
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from memsleep.readers.memhtml_head import head_of
from memsleep.readers.memhtml_source import Source, UnfitSourceError
from memsleep.readers.memhtml_tree import parse

TEXTS = st.text(st.sampled_from("a<\r\n\u00e9\u65e5\U0001f680\u2028"), max_size=3000)


@given(TEXTS)
@settings(max_examples=60)
def test_offsets_lead_back(text: str) -> None:
    """Encoding up to any offset of the text that the parser sees gives its byte position."""
    data = text.encode()
    source = Source(data)
    expected, cursor = [], 0
    for char in text.replace("\r\n", "\f"):  # one character that is two bytes in the source
        expected.append(cursor)
        cursor += 2 if char == "\f" else len(char.encode())
    assert [source.byte(offset) for offset in range(len(source.text))] == expected
    assert source.byte(len(source.text)) == len(data)


@pytest.mark.parametrize(
    ("data", "position", "line"),
    [(b"a\nb", 0, 1), (b"a\nb", 1, 1), (b"a\nb", 2, 2), (b"\n\n", 2, 3), (b"a\rb\r\nc", 5, 2)],
)
def test_lines(data: bytes, position: int, line: int) -> None:
    """Lines end with LF alone."""
    assert Source(data).line(position) == line


@pytest.mark.parametrize("data", [b"\xef\xbb\xbfx", b"\xed\xa0\x80", b"\xc0\x80", b"a\xff"])
def test_unfit(data: bytes) -> None:
    """A byte order mark, surrogates, overlong forms and stray bytes are refused."""
    with pytest.raises(UnfitSourceError):
        Source(data)


PIECES = st.sampled_from(
    [
        *"<p> </p> <mark> </mark> <pre> </pre> <b> </b> <i> <ul> <li> <table> <tr> <td>".split(),
        *"</table> <article> </article> <section> <aside> <br> text &amp; &eacute; </a>".split(),
        *"<figure> <dl><dt> <dd> <code> </code> <em> </em> <select> <svg> </svg> <head>".split(),
        *"<body> </body> </html> \u00e9 \U0001f680".split(),
        *(" ", "\n", "\r\n", "<!-- c -->", "<title>T&lt;</title>"),
        *('<a href="/x">', "<a href='\u00e9' class=k>", "<code data-lang=py>"),
        '<meta name="memhtml-tag" content="a&quot;b">',
        "<META content='x' NAME=memhtml-type />",
        "<link rel=memhtml-part-of href=/a>",
    ]
)
DOCUMENTS = st.lists(PIECES, max_size=25).map("".join)


def view_spans(data: bytes) -> list[tuple[int, int]]:
    """Return the start tags' spans as a view of one code point a byte gives them."""
    view = data.decode("latin-1").replace("\r\n", " \n")
    document = turbohtml.parse(
        view, source_locations=True, scripting=True, allow_declarative_shadow_roots=False
    )
    found = [element.source_location for element in document.iter_elements()]
    return [(at.start_tag.start_offset, at.start_tag.end_offset) for at in found if at]


@given(DOCUMENTS)
def test_spans_are_those_of_a_byte_view(markup: str) -> None:
    """Every start tag's span is the one found by parsing the bytes as single characters."""
    data = markup.encode()
    tree = parse(data)
    assert [span for item in tree.items if (span := tree.span(item))] == view_spans(data)


@given(DOCUMENTS)
def test_value_spans_hold_the_values(markup: str) -> None:
    """The bytes of a value's span, decoded as HTML, are the value."""
    data = markup.encode()
    tree = parse(data)
    for item in tree.items:
        for name in item.node.attrs:
            span = tree.value_span(item, name)
            if span is not None and span.quote:
                quote = span.quote.encode()
                written = data[span.start : span.end]
                assert data[span.start - 1 : span.end + 1] == quote + written + quote
                holder = turbohtml.parse(f'<p x="{written.decode()}">').find("p")
                assert holder is not None
                assert holder.attr("x") == item.attr(name)


def reference(node: justhtml.Node, kept: list[tuple[str, dict[str, str | None]]]) -> str:
    """Collect the elements and the text of another parser's tree."""
    if node.name == "#text":
        return str(node.data)
    if not node.name.startswith(("#", "!")):
        kept.append((node.name, dict(node.attrs or {})))
    return "".join(reference(child, kept) for child in node.children or ())


@given(DOCUMENTS)
@settings(max_examples=60, deadline=None)
def test_another_parser_agrees(markup: str) -> None:
    """Elements, attributes and text are those that another conforming parser finds."""
    assume("<select" not in markup)  # what ends a select was changed in the standard
    tree = parse(markup.encode())
    elements: list[tuple[str, dict[str, str | None]]] = []
    text = reference(justhtml.JustHTML(markup, sanitize=False).root, elements)
    mine = [(item.tag, {n: item.attr(n) or "" for n in item.node.attrs}) for item in tree.items]
    assert mine == [(tag, {k: v or "" for k, v in attrs.items()}) for tag, attrs in elements]
    assert "".join(tree.pieces).replace(" ", "").replace("\n", "") == text.replace(" ", "").replace(
        "\n", ""
    )


@given(DOCUMENTS)
@settings(max_examples=60, deadline=None)
def test_another_parser_agrees_on_the_head(markup: str) -> None:
    """Metas and links of the head are those that another conforming parser finds."""
    head = head_of(parse(markup.encode()))
    found = justhtml.JustHTML(markup, sanitize=False).query("head")[0]
    elements: list[tuple[str, dict[str, str | None]]] = []
    reference(found, elements)
    metas = [(a["name"], a.get("content")) for tag, a in elements if tag == "meta" and "name" in a]
    links = [(a["rel"], a.get("href")) for tag, a in elements if tag == "link"]
    assert [(entry.name, entry.value) for entry in head.metas] == metas
    assert [(entry.name, entry.value) for entry in head.links] == links
