"""Links: typed ones and anchors, their targets, lines and byte spans."""

from __future__ import annotations

import pytest

from memhtml_kit import CLAIM, memory, page
from memsleep.model import Link
from memsleep.readers.memhtml_links import meant_path
from memsleep.readers.memhtml_vocabulary import RELATIONS, token_of


@pytest.mark.parametrize("relation", RELATIONS)
def test_relations(relation: str) -> None:
    """All fourteen relations are read, hyphenated or with underscores."""
    hyphens = f'<link rel="{token_of(relation)}" href="/a.html">'
    underscores = f'<link rel="memhtml-{relation}" href="/b.html">'
    assert [(link.relation, link.target) for link in memory(page(hyphens, underscores)).links] == [
        (relation, "a.html"),
        (relation, "b.html"),
    ]


@pytest.mark.parametrize(
    ("written", "span", "target"),
    [
        ('href="/areas/b.html"', "/areas/b.html", "areas/b.html"),
        ("href='/areas/b.html'", "/areas/b.html", "areas/b.html"),
        ("href = /areas/b.html", "/areas/b.html", "areas/b.html"),
        ("HREF=/areas/b.html/x", "/areas/b.html/x", "areas/b.html/x"),
        ('href="/a&amp;b.html?x#y"', "/a&amp;b.html?x#y", "a&b.html"),
        ('href="/a#x?y"', "/a#x?y", "a"),
        ('href="/A%20b.html"', "/A%20b.html", "A%20b.html"),
        ('href="/\u65e5\u672c.html"', "/\u65e5\u672c.html", "\u65e5\u672c.html"),
        ('href\n=\n"/b.html"', "/b.html", "b.html"),
    ],
)
@pytest.mark.parametrize("eol", [b"\n", b"\r\n"])
def test_head_links(written: str, span: str, target: str, eol: bytes) -> None:
    """The span is the value as written, whatever precedes it; the target is decoded and cut."""
    title = "<title>caf\u00e9 \U0001f680</title>"
    source = page(f"<link rel=memhtml-part-of {written}>").replace(
        b"<title>T</title>", title.encode()
    )
    source = source.replace(b"\n", eol)
    (link,) = memory(source).links
    assert source[link.start : link.end].decode() == span
    assert (link.target, link.form, link.external) == (target, "head", False)
    assert link.line == 9
    assert link.path is None


def test_links_are_kept_as_stated() -> None:
    """Duplicates stay, and head links come before anchors."""
    link = '<link rel="memhtml-supports" href="/a.html">'
    found = memory(page(link, link, article=CLAIM + '<a href="/b.html">b</a>')).links
    assert [(each.form, each.target) for each in found] == [
        ("head", "a.html"),
        ("head", "a.html"),
        ("anchor", "/b.html"),
    ]


@pytest.mark.parametrize(
    ("written", "target", "external"),
    [
        ('"/areas/b.html#x"', "/areas/b.html", False),
        ('"../b.html?q=1"', "../b.html", False),
        ('" b.html "', "b.html", False),
        ('"b%20c.html"', "b c.html", False),
        ('"b&amp;c.html"', "b&c.html", False),
        ('"https://x.org/a?b#c"', "https://x.org/a?b#c", True),
        ('"mailto:a@b.c"', "mailto:a@b.c", True),
        ('"//x.org/a"', "//x.org/a", True),
        ('"HTTP:x"', "HTTP:x", True),
    ],
)
def test_anchors(written: str, target: str, external: bool) -> None:
    """An anchor's target is decoded, without query and fragment unless it leads outside."""
    source = page(article=f"{CLAIM}\n<a href={written}>b</a>")
    (link,) = memory(source).links
    assert (link.target, link.external, link.relation) == (target, external, "relates_to")
    assert link.line == 13
    assert source[link.start : link.end].decode() == written.strip('"')


@pytest.mark.parametrize(
    "markup",
    ["<a>x</a>", "<a href>x</a>", '<a href="">x</a>', '<a href="#x">x</a>', '<a href="?x">x</a>'],
)
def test_anchors_that_lead_nowhere(markup: str) -> None:
    """An anchor without a path is no link."""
    assert memory(page(article=CLAIM + markup)).links == ()


def test_anchor_outside_the_article() -> None:
    """Only the article's anchors belong to the memory."""
    assert memory(page(article=CLAIM + '</article><a href="/b.html">b</a>')).links == ()


def test_repeated_anchor_is_one_link() -> None:
    """An anchor that the parser repeats over two paragraphs is one link."""
    assert len(memory(page(article=CLAIM + '<p><a href="/b.html">x<p>y')).links) == 1


@pytest.mark.parametrize(
    ("target", "expected"),
    [
        ("/areas/b.html", "areas/b.html"),
        ("b.html", "areas/x/b.html"),
        ("../b.html", "areas/b.html"),
        ("./b.html", "areas/x/b.html"),
        ("../../../b.html", None),
        ("../..", None),
        ("/../b.html", None),
    ],
)
def test_meant_path(target: str, expected: str | None) -> None:
    """Relative anchors start at the file's folder and never leave the corpus."""
    assert meant_path("areas/x/a.html", Link("relates_to", target, 1, "anchor")) == expected


def test_meant_path_of_other_links() -> None:
    """A typed link means its target, an external one nothing here."""
    assert meant_path("x/a.html", Link("supports", "areas/b.html", 1, "head")) == "areas/b.html"
    outside = Link("relates_to", "https://x", 1, "anchor", external=True)
    assert meant_path("x/a.html", outside) is None
