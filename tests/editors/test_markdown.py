"""Tests of memsleep.editors.markdown: links that move, links that go, text that is added."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from markdown_kit import sources
from memsleep.editors.markdown import remove_link, retarget
from memsleep.editors.markdown_body import append_paragraphs
from memsleep.errors import EditRefused
from memsleep.model import Link
from memsleep.readers.frontmatter import FrontMatter, body_offset, read_front_matter
from memsleep.readers.markdown import read_links
from memsleep.readers.markdown_text import blocks_of, parse

HERE = "areas/here.md"


def only(source: bytes, resolved: str | None = None) -> Link:
    (link,) = read_links(HERE, source)
    return replace(link, path=resolved)


# Text, where its link resolves, the new path, the text after.
RETARGETS = [
    ("[[old]]", "areas/old.md", "archive/2026/areas/new.md", "[[new]]"),
    ("[[old|label]] x", "areas/old.md", "areas/new.md", "[[new|label]] x"),
    ("[[old#head|l]]", "areas/old.md", "areas/new.md", "[[new#head|l]]"),
    ("[[old#^b]]", "areas/old.md", "areas/new.md", "[[new#^b]]"),
    ("[[ old ]]", "areas/old.md", "areas/new.md", "[[ new ]]"),
    ("![[old]]", "areas/old.md", "areas/new.md", "![[new]]"),
    ("[[old.md]]", "areas/old.md", "areas/new.md", "[[new.md]]"),
    ("[[areas/old]]", "areas/old.md", "b/new.md", "[[b/new]]"),
    ("[[/areas/old.md]]", "areas/old.md", "b/new.md", "[[/b/new.md]]"),
    ("[[../areas/old]]", "areas/old.md", "b/new.md", "[[../b/new]]"),
    ("|h|i|\n|-|-|\n|[[old\\|l]]|c|", "areas/old.md", "b/new.md", "|h|i|\n|-|-|\n|[[new\\|l]]|c|"),
    ("[t](old.md)", "areas/old.md", "areas/new.md", "[t](new.md)"),
    ("[t](old.md#f 'x')", "areas/old.md", "archive/2026/old.md",
     "[t](../archive/2026/old.md#f 'x')"),
    ("[t](./old.md)", "areas/old.md", "areas/b/new.md", "[t](./b/new.md)"),
    ("[t](./old.md)", "areas/old.md", "b/new.md", "[t](../b/new.md)"),
    ("[t](old)", "areas/old.md", "areas/new.md", "[t](new)"),
    ("[t](/areas/old.md)", "areas/old.md", "b/new.md", "[t](/b/new.md)"),
    ("[t](x/old.md)", "x/old.md", "b/new.md", "[t](b/new.md)"),
    ("[t](old.md)", None, "areas/new.md", "[t](new.md)"),
    ("[t](old.md)", "areas/old.md", "areas/a b.md", "[t](a%20b.md)"),
    ("[t](o%20d.md)", "areas/o d.md", "areas/a (b).md", "[t](a%20%28b%29.md)"),
    ("[t](<o d.md>)", "areas/o d.md", "areas/a (b).md", "[t](<a (b).md>)"),
    ("[t](<o d.md>)", "areas/o d.md", "areas/a#b.md", "[t](<a%23b.md>)"),
    ("[t](old.md)", "areas/old.md", "areas/a#b?.md", "[t](a%23b%3F.md)"),
    ("[t](old.md)", "areas/old.md", "areas/100%.md", "[t](100%25.md)"),
    ("[t](old.md)", "areas/old.md", "areas/\u00e9.md", "[t](\u00e9.md)"),
    ("[t](%C3%BC.md)", "areas/\u00fc.md", "areas/\u00e9.md", "[t](%C3%A9.md)"),
    ("[t](old.md)", "areas/old.md", "areas/a&amp;b.md", "[t](a%26amp;b.md)"),
    ("[r]: old.md 'T'\n", "areas/old.md", "b/new.md", "[r]: ../b/new.md 'T'\n"),
    ("[r]: <o d.md>\n", "areas/o d.md", "b/new.md", "[r]: <../b/new.md>\n"),
    ('{{< relref "x/old.md#f" >}}', "x/old.md", "b/new.md", '{{< relref "b/new.md#f" >}}'),
    ("---\nlinks: [x/old.md]\n---\n", "x/old.md", "b/new.md", "---\nlinks: [b/new.md]\n---\n"),
    ("---\nlinks:\r\n- 'x/o.md' # c\r\n---\n", "x/o.md", "b/it's.md",
     "---\nlinks:\r\n- 'b/it''s.md' # c\r\n---\n"),
    ('---\nup: "[[old|l]]"\n---\n', "areas/old.md", "b/new.md", '---\nup: "[[new|l]]"\n---\n'),
    ("---\nup: [[old]]\n---\n", "areas/old.md", "b/new.md", "---\nup: [[new]]\n---\n"),
    ("---\nup: old\n---\n", "areas/old.md", "b/new.md", "---\nup: new\n---\n"),
    ("---\nup: old\n---\n", "b/old.md", "b/new.md", "---\nup: new\n---\n"),
    ("---\nlinks:\n- {rel: up, to: 'x/o.md'}\n---\n", "x/o.md", "b/n.md",
     "---\nlinks:\n- {rel: up, to: 'b/n.md'}\n---\n"),
    ("\ufeff\u00e9\r\n[[old]]\r\n", "areas/old.md", "b/new.md", "\ufeff\u00e9\r\n[[new]]\r\n"),
]  # fmt: skip
RETARGET_REFUSALS = [
    ("[[old]]", "b/a[1].md"),
    ("[[old]]", "b/a#1.md"),
    ("[[old]]", "b/a|1.md"),
    ("[[old]]", "b/123.md"),
    ('{{< relref "old" >}}', 'b/a"b.md'),
    ("---\nup: old.md\n---\n", "b/a: b.md"),
    ("---\nlinks: [x/old.md]\n---\n", "b/a, b.md"),
    ("---\nup: [[old]]\n---\n", "b/a: b.md"),
    ('---\nup: "\\x6fld.md"\n---\n', "b/new.md"),
]


@pytest.mark.parametrize(("before", "resolved", "target", "after"), RETARGETS)
def test_retarget(before: str, resolved: str | None, target: str, after: str) -> None:
    """A link points at the new path in its own form, with label, fragment and encoding."""
    source = before.encode()
    assert retarget(HERE, source, only(source, resolved), target) == after.encode()


@pytest.mark.parametrize(("before", "target"), RETARGET_REFUSALS)
def test_retarget_refuses(before: str, target: str) -> None:
    """A path that the form cannot hold, or a target without known bytes, is refused."""
    source = before.encode()
    with pytest.raises(EditRefused):
        retarget(HERE, source, only(source), target)


@pytest.mark.parametrize(
    ("before", "resolved", "target"),
    [
        ("[[old]]", "areas/old.md", "archive/2026/areas/old.md"),
        ("[t](old.md)", "areas/old.md", "areas/old.md"),
        ("[[areas/old]]", "areas/old.md", "areas/old.md"),
    ],
)
def test_same_target_is_the_same_object(before: str, resolved: str, target: str) -> None:
    """Where the written target stays as it is, nothing changes."""
    source = before.encode()
    assert retarget(HERE, source, only(source, resolved), target) is source


def test_a_stale_link_is_refused() -> None:
    """A link that was read from other bytes never edits these."""
    link = only(b"[[old]]")
    with pytest.raises(EditRefused):
        retarget(HERE, b"x old y, not a link", link, "b/new.md")


REMOVALS = [
    ("a\n- supports [[x]]\n\nb\n", "a\n\nb\n"),
    ("- supports [[x]] (why)\r\n- part of [[y]]\r\n", "- part of [[y]]\r\n"),
    ("- a\n\t- supports [[x]]\n- b\n", "- a\n- b\n"),
    ("- supports [[x]]\n# b\n", "# b\n"),
    ("- supports [[x]]", ""),
    ("---\na: b\nlinks:\n- x.md\n---\n", "---\na: b\n---\n"),
    ("---\nlinks:\n- x.md\n- y.md # c\n---\n", "---\nlinks:\n- y.md # c\n---\n"),
    ("---\nlinks: [x.md, y.md]\n---\n", "---\nlinks: [y.md]\n---\n"),
    ("---\na: b\nup: '[[x]]'\n---\n", "---\na: b\n---\n"),
    ("---\nlinks:\n- rel: up\n  to: x.md\n- y.md\n---\n", "---\nlinks:\n- y.md\n---\n"),
]
KEPT = [
    "see [[x]] there\n",
    "- supports [[x]] and more\n",
    "- [[x]]\n",
    "- supports [[x]]\n  and more\n",
    "- supports [[x]]\n- title:: T\n",
    "---\nt: 1\n- supports [[x]]\n\nu: 2\n---\n",
    "- supports [[x]]\r\nand more\r\n",
    "- supports [[x]]\n  - a detail of it\n",
    "- supports [[x]]\n\t1. a detail of it\n",
    "[t](x.md)\n",
    "[r]: x.md\n",
    "---\na: b\nrelated: '[[x]] [[y]]'\n---\n",
    "---\nauthor: '[[x]]'\na: b\n---\n",
    "---\nup: x.md\n---\n",
    "---\na: &q b\nup: [&w x.md]\n---\n",
]


@pytest.mark.parametrize(("before", "after"), REMOVALS)
def test_remove_link(before: str, after: str) -> None:
    """An entry or relation line goes with its line; the rest stays."""
    source = before.encode()
    assert remove_link(source, read_links(HERE, source)[0]) == after.encode()


@pytest.mark.parametrize("before", KEPT)
def test_remove_link_refuses(before: str) -> None:
    """A link in a sentence, a definition, or a shared value is never taken out."""
    source = before.encode()
    with pytest.raises(EditRefused):
        remove_link(source, read_links(HERE, source)[0])


APPENDS = [
    ("a\n", "a\n\nOne. Two.\n"),
    ("a", "a\n\nOne. Two."),
    ("a\n\n", "a\n\nOne. Two.\n"),
    ("a\r\n", "a\r\n\r\nOne. Two.\r\n"),
    ("a\r\nb", "a\r\nb\r\n\r\nOne. Two."),
    ("", "One. Two.\n"),
    ("- item\n", "- item\n\nOne. Two.\n"),
    ("```\ncode\n```\n", "```\ncode\n```\n\nOne. Two.\n"),
    ("---\na: b\n---\n", "---\na: b\n---\nOne. Two.\n"),
    ("---\na: b\n---", "---\na: b\n---\nOne. Two.\n"),
    ("[r]: x.md\n", "[r]: x.md\n\nOne. Two.\n"),
]


def start_of(source: bytes) -> int:
    block = read_front_matter(source)
    return block.body_start if isinstance(block, FrontMatter) else body_offset(source)


@pytest.mark.parametrize(("before", "after"), APPENDS)
def test_append(before: str, after: str) -> None:
    """Sentences are a paragraph at the end, in the file's line ends, its last one kept."""
    source = before.encode()
    result = append_paragraphs(source, start_of(source), ("One.", " Two.\n"))
    assert result == after.encode()


@pytest.mark.parametrize(
    "sentence",
    [
        "# not a heading",
        "- not an item",
        "1. not a list",
        "*not* emphasis_ and [[no link]]",
        "a | b",
        "<b>x</b> &amp; `y`",
        "back\\slash",
        "---",
        "+++",
        "> quote",
        "[r]: x.md",
    ],
)
def test_append_says_what_it_was_given(sentence: str) -> None:
    """Characters that would be markup are escaped, so that the text reads back as it is."""
    result = append_paragraphs(b"a\n", 0, (sentence,))
    blocks = blocks_of(parse(result.decode()))
    assert [block.text for block in blocks] == ["a", sentence]


@pytest.mark.parametrize("before", ["```\nnever closed\n", "<!-- never closed\n", "<pre>\nx\n"])
def test_append_refuses(before: str) -> None:
    """Where the end of the file is inside something, nothing is added."""
    with pytest.raises(EditRefused):
        append_paragraphs(before.encode(), 0, ("One.",))


def test_append_nothing() -> None:
    """No sentences, no change."""
    source = b"a\n"
    assert append_paragraphs(source, 0, ("", " ")) is source


PATHS = st.sampled_from(
    ["areas/new.md", "archive/2026/areas/x.md", "b/a b.md", "b/\u00e9(1).md", "b/c#d.md", "z.md"]
)


@given(sources(), PATHS, st.data())
def test_only_the_target_changes(source: bytes, target: str, data: st.DataObject) -> None:
    """A retargeted link leaves every byte outside its span, and every other link."""
    links = read_links(HERE, source)
    assume(links)
    link = data.draw(st.sampled_from(links))
    try:
        result = retarget(HERE, source, link, target)
    except EditRefused:
        return
    assert result[: link.start] == source[: link.start]
    assert result.endswith(source[link.end :])
    after = read_links(HERE, result)
    assert len(after) == len(links)
    changed = [(a, b) for a, b in zip(links, after, strict=True) if a.target != b.target]
    assert len(changed) <= 1


@given(sources(), st.text(alphabet="ab #-*_[]`<>&|\\1.)\n\u4e2d", max_size=20))
def test_appending_keeps_the_file(source: bytes, sentence: str) -> None:
    """Whatever is added, the file is a prefix of the result."""
    try:
        result = append_paragraphs(source, start_of(source), (sentence,))
    except EditRefused:
        return
    assert result.startswith(source)
    if source and sentence.strip():
        assert result.endswith(b"\n") or not source.endswith(b"\n")
