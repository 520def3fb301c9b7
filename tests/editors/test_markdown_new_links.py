"""Stating one more link: what is written is read as that link, or nothing is written."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memsleep.dialects.markdown import MARKDOWN
from memsleep.errors import EditRefused
from memsleep.model import Memory
from memsleep.readers.markdown import read_links

HEADS = {
    "none": "title: T",
    "empty": "supersedes:",
    "flow": "supersedes: [old.md]",
    "block": "supersedes:\n  - old.md",
    "wikilinks": 'supersedes:\n  - "[[old]]"',
    "absolute": "supersedes: ['/old.md']",
    "maps": "links:\n  - {rel: part_of, to: old.md}",
    "links": "links: [old.md]",
}
NAMES = [
    "garden/After rain #2.md", "a: b.md", "a b #c #d.md", "[x].md", "[[x]].md", "a|b.md", "- a.md",
    "'q'.md", '"q".md', "{{ a }}.md", "true.md", "1234.md", "&a.md", "*a.md", "e\u0301.md",
    "trail .md", "#a.md", "a\\b.md", "%20.md", "?.md", "@x.md", "`x`.md", "a, b.md", "x.html",
]  # fmt: skip


def _added(head: str, target: str) -> bytes | None:
    source = f"---\n{head}\n---\n\nBody.\n".encode()
    memory = MARKDOWN.read("keep.md", source)
    assert isinstance(memory, Memory)
    try:
        return MARKDOWN.add_link(memory, source, "supersedes", target)
    except EditRefused:
        return None


@pytest.mark.parametrize("head", HEADS.values(), ids=HEADS)
@pytest.mark.parametrize("name", NAMES)
def test_new_link_is_read_back(head: str, name: str) -> None:
    """Whatever the file is called, the new link names it or the edit is refused."""
    result = _added(head, name)
    if result is not None:
        link = read_links("keep.md", result)[-1]
        assert link.relation == "supersedes"
        assert link.target in {name, f"/{name}", name.rpartition(".")[0]}


@pytest.mark.parametrize("head", HEADS.values(), ids=HEADS)
def test_name_with_a_hash_can_be_linked(head: str) -> None:
    """A `#` in a name is no reason to refuse: it is written so that it reads back."""
    assert _added(head, "garden/After rain #2.md") is not None


@given(st.text(min_size=1, max_size=12), st.sampled_from(sorted(HEADS)))
def test_any_name_reads_back_or_is_refused(stem: str, head: str) -> None:
    """Read back or refused, for names of any characters that a path may hold."""
    name = f"{stem.replace('/', '_').replace(chr(0), '_')}.md"
    result = _added(HEADS[head], name)
    if result is not None:
        targets = [link.target for link in read_links("keep.md", result)]
        assert {name, f"/{name}", name.removesuffix(".md")} & set(targets)


def test_relation_line_that_cannot_hold_the_name_is_refused() -> None:
    """A list of relations in the body holds wikilinks only, and those hold no `#`."""
    source = b"---\ntitle: T\n---\n\n- part_of [[old]]\n"
    memory = MARKDOWN.read("keep.md", source)
    assert isinstance(memory, Memory)
    with pytest.raises(EditRefused):
        MARKDOWN.add_link(memory, source, "supersedes", "a #2.md")


ITEMS = [
    ("- part_of [[x]]\n- b\n", "- part_of [[x]]\n- supersedes [[new]]\n- b\n"),
    ("- part_of [[x]]\n\nb\n", "- part_of [[x]]\n- supersedes [[new]]\n\nb\n"),
    ("- part_of [[x]]\r\n", "- part_of [[x]]\r\n- supersedes [[new]]\r\n"),
    ("* part_of [[x]]", "* part_of [[x]]\n* supersedes [[new]]"),
    (
        "- part_of [[x]]\n- up [[y]]\n  why\n",
        "- part_of [[x]]\n- supersedes [[new]]\n- up [[y]]\n  why\n",
    ),
]
GOES_ON = [
    "- part_of [[x]]\n  and why\n",
    "- part_of [[x]]\nand why\n",
    "- part_of [[x]]\n  - a detail\n",
    "- part_of [[x]] and more\n",
]


@pytest.mark.parametrize(("before", "after"), ITEMS)
def test_a_relation_becomes_an_item_below_the_last(before: str, after: str) -> None:
    """A list of relations in the body grows by one line, in its bullets and line ends."""
    head = "---\nt: 1\n---\n"
    assert _stated(head + before) == (head + after).encode()


@pytest.mark.parametrize("body", GOES_ON)
def test_an_item_that_goes_on_is_not_cut_in_two(body: str) -> None:
    """No line comes between an item and what belongs to it: the head states the link."""
    assert (
        _stated(f"---\nt: 1\n---\n{body}")
        == f"---\nt: 1\nsupersedes: [new.md]\n---\n{body}".encode()
    )


def test_properties_are_not_cut_in_two() -> None:
    """Properties in a list item look like relations, but a line among them would part the block."""
    before = "- supports:: [[x]]\n  title:: T\n- b\n"
    after = "- supports:: [[x]]\n  title:: T\n  supersedes:: [[new]]\n- b\n"
    assert _stated(before) == after.encode()
    alone = b"- supports:: [[x]]\n  supersedes:: [[new]]\n- b\n"
    assert _stated("- supports:: [[x]]\n- b\n") == alone


def _stated(text: str) -> bytes | None:
    memory = MARKDOWN.read("keep.md", text.encode())
    assert isinstance(memory, Memory)
    return MARKDOWN.add_link(memory, text.encode(), "supersedes", "new.md")
