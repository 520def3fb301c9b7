"""Tests of memsleep.readers.linkscan, its targets and the links of front matter."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given

from markdown_kit import sources
from memsleep.readers.linkscan import relation_of
from memsleep.readers.markdown import read_links

# Text, then for each link: relation, form, decoded target, target as written.
LINKS = [
    ("[[a]]", "relates_to wikilink", "a", "a"),
    ("[[a b|label]]", "relates_to wikilink", "a b", "a b"),
    ("[[ a b ]]", "relates_to wikilink", "a b", "a b"),
    ("[[dir/a.md]]", "relates_to wikilink", "dir/a.md", "dir/a.md"),
    ("[[/dir/a]]{label}", "relates_to wikilink", "/dir/a", "/dir/a"),
    ("[[a#head|l]]", "relates_to wikilink", "a", "a"),
    ("[[a#^block]]", "relates_to wikilink", "a", "a"),
    ("[[a|b|c]]", "relates_to wikilink", "a", "a"),
    ("[[[a]]]", "relates_to wikilink", "a", "a"),
    ("[[2026-03-04]]", "relates_to wikilink", "2026-03-04", "2026-03-04"),
    ("[[202603041015]]", "relates_to wikilink", "202603041015", "202603041015"),
    ("![[a]]", "relates_to embed", "a", "a"),
    ("![[a|100]]", "relates_to embed", "a", "a"),
    ("| h | i |\n|---|---|\n| [[a\\|b]] | c |", "relates_to wikilink", "a", "a"),
    ("\u00e9\U0001f642 [[\u00fc]]", "relates_to wikilink", "\u00fc", "\u00fc"),
    ("\u2028[[a]]", "relates_to wikilink", "a", "a"),
    ("> [[a]]", "relates_to wikilink", "a", "a"),
    ("# [[a]]", "relates_to wikilink", "a", "a"),
    ("- x\n\n\t[[a]]", "relates_to wikilink", "a", "a"),
    ("[^1]: [[a]]", "relates_to wikilink", "a", "a"),
    ("[[Re: a]]", "relates_to wikilink", "Re: a", "Re: a"),
    ("[t](a.md)", "relates_to inline", "a.md", "a.md"),
    ("[t](a%20b.md#f)", "relates_to inline", "a b.md", "a%20b.md"),
    ("[t](<a b.md#f> 'x')", "relates_to inline", "a b.md", "a b.md"),
    ("[t](a(b).md)", "relates_to inline", "a(b).md", "a(b).md"),
    ("[t](a\\(b.md)", "relates_to inline", "a(b.md", "a\\(b.md"),
    ("[t](a&amp;b.md)", "relates_to inline", "a&b.md", "a&amp;b.md"),
    ("[t](a%23b.md)", "relates_to inline", "a#b.md", "a%23b.md"),
    ("[t](a%FF.md)", "relates_to inline", "a%FF.md", "a%FF.md"),
    ("[t](\n  a.md\n  'x')", "relates_to inline", "a.md", "a.md"),
    ("[`](` t](a.md)", "relates_to inline", "a.md", "a.md"),
    ("[](a.md)", "relates_to inline", "a.md", "a.md"),
    ("[[a]](b.md)", "relates_to wikilink", "a", "a"),
    ("[r]\n\n[r]: a%20b.md 'T'", "relates_to reference", "a b.md", "a%20b.md"),
    ("[r]\n\n[r]: <a b.md>", "relates_to reference", "a b.md", "a b.md"),
    ("[r]: a.md", "relates_to reference", "a.md", "a.md"),
    ("> [r]:\n>   a.md", "relates_to reference", "a.md", "a.md"),
    ('{{< relref "p/x.md#h" >}}', "relates_to shortcode", "p/x.md", "p/x.md"),
    ("[t]({{% ref 'x' %}})", "relates_to shortcode", "x", "x"),
    ("- supports [[a]]", "supports wikilink", "a", "a"),
    ("- part of [[a]] (why not)", "part_of wikilink", "a", "a"),
    ("* contradicts: [[a]]\r\n", "contradicts wikilink", "a", "a"),
    ("- depends on [[a]]", "relates_to wikilink", "a", "a"),
    ("- supports [[a]] in a sentence", "relates_to wikilink", "a", "a"),
    ("supports [[a]]", "relates_to wikilink", "a", "a"),
    ("supports:: [[a]]", "supports wikilink", "a", "a"),
    ("- up:: [[a]]", "part_of wikilink", "a", "a"),
    ("[caused by:: [[a]]]", "caused_by wikilink", "a", "a"),
    ("text (supports:: [[a]])", "supports wikilink", "a", "a"),
    ("---\nsupports: a/b.md\n---\n", "supports front-matter", "a/b.md", "a/b.md"),
    ("---\nlinks: [a/b.md]\n---\n", "relates_to front-matter", "a/b.md", "a/b.md"),
    ("---\nup: [[a b|l]]\n---\n", "part_of front-matter", "a b", "a b"),
    ("---\nup: '[[a#h]]'\n---\n", "part_of front-matter", "a", "a"),
    ("---\nrelated:\n- '[t](a.md)'\n---\n", "relates_to front-matter", "a.md", "a.md"),
    ("---\nlinks: [{rel: caused_by, to: 'a'}]\n---\n", "caused_by front-matter", "a", "a"),
    ("---\nlinks:\n- rel: Part-Of\n  to: a.md\n---\n", "part_of front-matter", "a.md", "a.md"),
    ("---\nauthor: '[[Bob]]'\n---\n", "relates_to front-matter", "Bob", "Bob"),
    ("---\nsuperseded_by: a.md\n---\n", "superseded_by front-matter", "a.md", "a.md"),
]  # fmt: skip
NO_LINKS = [
    "text",
    "`[[a]]`",
    "``[[a]] ` ``",
    "```\n[[a]]\n```",
    "~~~\n[t](a.md)\n~~~",
    "- x\n  ```\n  [[a]]\n  ```",
    "> ```\n> [[a]]\n> ```",
    "    [[a]]",
    "\t[[a]]",
    "<!-- [[a]] -->",
    "x <!-- [t](a.md) --> y",
    "<div>\n[[a]]\n</div>",
    "[[1]]",
    "[[12]]",
    "[[1.5]]",
    "[[1, 2]]",
    "[[1, 2], [3, 4]]",
    "[^1]",
    "x[^a]\n\n[^a]: foot",
    "[[]]",
    "[[ ]]",
    "[[#head]]",
    "[[|label]]",
    "[t](#head)",
    "[t]()",
    "\\[[a]]",
    "[[a\nb]]",
    "[[bin]]\nname = 'x'",
    "[t] (a.md)",
    "`{{< relref 'x' >}}`",
    '{{< figure src="x.png" >}}',
    "---\ntitle: a/b.md\n---\n",
    "---\nlinks:\n---\n",
    "---\nlinks: []\n---\n",
    "---\nup: ~\n---\n",
    "---\nparent: true\n---\n",
    "---\nlinks: [3]\n---\n",
    "[//begin]: # 'x'\n[//end]: # 'y'",
]
EXTERNAL = [
    "[t](https://example.org/a.md)",
    "[t](mailto:a@example.org)",
    "[t](//example.org)",
    "[[https://example.org]]",
    "![](https://example.org/x.png)",
    "![[image.png]]",
    "[t](data.csv)",
    "---\nlinks: [https://example.org]\n---\n",
]


@pytest.mark.parametrize(("text", "expected", "target", "raw"), LINKS)
def test_links(text: str, expected: str, target: str, raw: str) -> None:
    """Each form gives one link with relation, form, decoded target and the exact bytes."""
    source = text.encode()
    found = read_links("x.md", source)
    assert [(f"{link.relation} {link.form}", link.target) for link in found] == [(expected, target)]
    assert source[found[0].start : found[0].end].decode() == raw
    assert found[0].line == source[: found[0].start].count(b"\n") + 1
    assert not found[0].external


@pytest.mark.parametrize("text", NO_LINKS)
def test_no_links(text: str) -> None:
    """Code, comments, HTML, numbers, footnotes, TOML tables and mere fragments are no links."""
    assert read_links("x.md", text.encode()) == ()


@pytest.mark.parametrize("text", EXTERNAL)
def test_external(text: str) -> None:
    """URLs and other kinds of files lead outside and are never dangling."""
    assert [link.external for link in read_links("x.md", text.encode())] == [True]


def test_a_wikilink_with_a_definition_gives_both() -> None:
    """Foam's generated definition moves with its link, so both are read."""
    source = b"[[wiki]]\n\n[//begin]: # 'x'\n[wiki]: dir/wiki.md 'T'\n[//end]: # 'x'\n"
    found = [(link.form, link.target, link.line) for link in read_links("x.md", source)]
    assert found == [("wikilink", "wiki", 1), ("reference", "dir/wiki.md", 4)]


def test_several_links_of_one_line() -> None:
    """All links of a field line have its relation, and each its own span."""
    source = b"supports:: [[a]], [[b]] and [t](c.md)\n"
    found = [(link.relation, source[link.start : link.end]) for link in read_links("x.md", source)]
    assert found[:2] == [("supports", b"a"), ("supports", b"b")]
    assert [raw for _, raw in found] == [b"a", b"b", b"c.md"]


def test_several_wikilinks_in_one_value() -> None:
    """A string of the front matter may hold more than one link."""
    found = read_links("x.md", b'---\nrelated: "[[a]], [[b]]"\n---\n')
    assert [link.target for link in found] == ["a", "b"]


def test_an_escaped_value_is_followed_but_not_edited() -> None:
    """Where a value's bytes are not its text, the link has no span."""
    found = read_links("x.md", b'---\nup: "a\\u0020b.md"\n---\n')
    assert [(link.target, link.start, link.end) for link in found] == [("a b.md", -1, -1)]


def test_a_long_line() -> None:
    """A line of many thousand links is read in order."""
    source = b"[[a]] " * 15_000
    found = read_links("x.md", source)
    assert len(found) == 15_000
    assert [link.start for link in found[:2]] == [2, 8]


@pytest.mark.parametrize(
    ("words", "relation"),
    [
        ("supports", "supports"),
        ("Part-Of", "part_of"),
        ("caused  by", "caused_by"),
        ("supersedes", "supersedes"),
        ("laterally_related", "laterally_related"),
        ("likes", "relates_to"),
        ("", "relates_to"),
    ],
)
def test_relation_of(words: str, relation: str) -> None:
    """A verb is a typed relation or `relates_to`."""
    assert relation_of(words) == relation


@given(sources())
def test_spans_hold_the_target(source: bytes) -> None:
    """A span never holds a fragment or a label, and decodes to its target."""
    for link in read_links("x.md", source):
        if link.start < 0:
            continue
        raw = source[link.start : link.end].decode()
        assert raw
        if link.form in ("wikilink", "embed"):
            assert raw == link.target
        if "%" not in raw and "\\" not in raw and "&" not in raw:
            assert raw == link.target
        assert link.line == source[: link.start].count(b"\n") + 1


@given(sources())
def test_links_are_in_order(source: bytes) -> None:
    """Links come in file order and never share bytes."""
    spans = [(link.start, link.end) for link in read_links("x.md", source) if link.start >= 0]
    assert spans == sorted(spans)
    assert all(a[1] <= b[0] for a, b in pairwise(spans))


@pytest.mark.parametrize(
    "piece", ["{{< ref '", "{{< ref ", "[[a|", "[a](", "a <!--", "- [a] ((", "key:: ", "[a]: <"]
)
def test_hostile_lines(piece: str) -> None:
    """One long line of beginnings without an end is read in time that grows with its length."""
    assert len(read_links("x.md", (piece * 20_000).encode())) <= 20_000


@pytest.mark.parametrize(
    ("text", "target"),
    [
        ("---\nsupersedes: ['garden/After rain #2.md']\n---\n", "garden/After rain #2.md"),
        ("---\nup: x#1.md#part\n---\n", "x#1.md"),
        ("---\nup: x.md#y.md\n---\n", "x.md"),
        ("---\nup: x#y\n---\n", "x"),
        ("[[a #2.md]]", "a #2.md"),
        ("[[a #2.md#head|label]]", "a #2.md"),
        ("[[a #2]]", "a"),
        ("[t](<a #2.md>)", "a #2.md"),
        ("[t](<a #2.md#h>)", "a #2.md"),
        ("[t](a.md#v2.md)", "a.md"),
        ("[t](a%20%232.md#h)", "a #2.md"),
        ('{{< ref "c#.md" >}}', "c#.md"),
    ],
)
def test_name_with_a_hash_is_kept_whole(text: str, target: str) -> None:
    """A `#` before the ending of a memory belongs to the name, one behind it does not."""
    (link,) = read_links("a.md", text.encode())
    assert link.target == target
    assert link.start < 0 or not text.encode()[link.end :].startswith(b".md")


@pytest.mark.parametrize("text", ["[t](#v2.md)", "[[#v2.md]]"])
def test_place_in_the_same_file_is_no_link(text: str) -> None:
    """What begins with `#` has no name, whatever ends it."""
    assert read_links("a.md", text.encode()) == ()
