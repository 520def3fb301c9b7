"""Keys, items and links taken out of heads that are not YAML: what stays is what was there."""

# ruff: noqa: E501 - a table of bytes reads better a row a line

from __future__ import annotations

import pytest

from markdown_kit import read
from memsleep.dialects.markdown import MARKDOWN
from memsleep.editors.markdown import remove_link
from memsleep.errors import EditRefused
from memsleep.readers.markdown import read_links

# Text, target of the link, text after.
REMOVED = [
    ('+++\nlinks = ["x.md", "y.md"]\n+++\n', "x.md", '+++\nlinks = ["y.md"]\n+++\n'),
    ('+++\nlinks = ["x.md", "y.md"]\n+++\n', "y.md", '+++\nlinks = ["x.md"]\n+++\n'),
    ('+++\nlinks = ["x.md"] # c\n+++\n', "x.md", "+++\nlinks = [] # c\n+++\n"),
    ('+++\nlinks = [\n  "x.md",\n  "y.md", # c\n]\n+++\nb', "x.md", '+++\nlinks = [\n  "y.md", # c\n]\n+++\nb'),
    ('+++\nlinks = [\n  "w.md",\n  "x.md",\n]\n+++\n', "x.md", '+++\nlinks = [\n  "w.md",\n]\n+++\n'),
    ('+++\nt = 1\nup = "x.md" # c\n+++\n', "x.md", "+++\nt = 1\n+++\n"),
    ('+++\r\nt = 1\r\nup = "x.md"\r\n+++\r\n', "x.md", "+++\r\nt = 1\r\n+++\r\n"),
    ('{"links": ["x.md", "y.md"]}\nb\n', "x.md", '{"links": ["y.md"]}\nb\n'),
    ('{"links": ["[[x]]"], "a": 1}\n', "x", '{"links": [], "a": 1}\n'),
    ('{\n  "a": 1,\n  "up": "x.md"\n}\nb', "x.md", '{\n  "a": 1\n}\nb'),
    ('{"links": [{"rel": "supports", "to": "x.md"}, "y.md"]}\n', "x.md", '{"links": ["y.md"]}\n'),
    (';;;\n"up": "x.md",\n"a": 1\n;;;\n', "x.md", ';;;\n"a": 1\n;;;\n'),
    ("<!-- title: T -->\n<!-- supersedes: x.md -->\nb", "x.md", "<!-- title: T -->\nb"),
    ("<!--\ntitle: T\nup: x.md\n-->\nb", "x.md", "<!--\ntitle: T\n-->\nb"),
    ("title:: T\nsupports:: [[x]]\n\nb\n", "x", "title:: T\n\nb\n"),
    ("supports:: [[x]], [[y]]\n\nb\n", "x", "supports:: [[y]]\n\nb\n"),
    ("supports:: [[w]],[[x]] \n\nb\n", "x", "supports:: [[w]] \n\nb\n"),
    ("supports:: [[w]], [[x]], [[y]]\r\n\r\nb", "x", "supports:: [[w]], [[y]]\r\n\r\nb"),
]  # fmt: skip
KEPT = [
    ('+++\nlinks = [\n  "x.md", # why\n  "y.md",\n]\n+++\n', "x.md", "comment"),
    ('+++\nlinks = [\n  "w.md",\n  # why\n  "x.md",\n]\n+++\n', "x.md", "comment"),
    ('+++\nup = "x.md"\n+++\n', "x.md", "only key"),
    ('+++\nt = 1\nauthor = "[[x]]"\n+++\n', "x", "entry of its own"),
    ('+++\nt = 1\nrelated = "[[x]] and [[y]]"\n+++\n', "x", "entry of its own"),
    ('{"up": "x.md"}\n', "x.md", "only key"),
    ('{"up": "x.md", "up": "y.md"}\n', "x.md", "more than once"),
    ("<!-- title: T\nup: x.md -->\nb", "x.md", "comment of several keys"),
    ("title:: T\nauthor:: [[x]]\n\nb\n", "x", "entry of its own"),
    ("title:: T\nsupports:: [[x]] and [[y]]\n\nb\n", "x", "more than links"),
    ("title:: T\nsupports:: see [[x]]\n\nb\n", "x", "more than links"),
    ("supports:: [[x]]\n\nb\n", "x", "only key"),
    ("- supports:: [[x]]\n  title:: T\n- b\n", "x", "opens the block"),
]  # fmt: skip


@pytest.mark.parametrize(("before", "target", "after"), REMOVED)
def test_link_removed(before: str, target: str, after: str) -> None:
    """A link that is an item, a value or one of a row of links goes; the rest stays."""
    source = before.encode()
    link = next(link for link in read_links("a.md", source) if link.target == target)
    found = remove_link(source, link)
    assert found.decode() == after
    kept = [(one.relation, one.target) for one in read_links("a.md", source) if one != link]
    assert [(one.relation, one.target) for one in read_links("a.md", found)] == kept


@pytest.mark.parametrize(("before", "target", "why"), KEPT)
def test_link_kept(before: str, target: str, why: str) -> None:
    """What would take a comment, a sentence or the head itself along is refused."""
    source = before.encode()
    link = next(link for link in read_links("a.md", source) if link.target == target)
    with pytest.raises(EditRefused, match=why):
        remove_link(source, link)


FIELDS = [
    ('+++\nt = 1\nvalid_until = 2026-01-02 # c\n+++\n', '+++\nt = 1\n+++\n'),
    ('+++\nvalid_until = 2026-01-02\n[x]\ny = 1\n+++\n', '+++\n[x]\ny = 1\n+++\n'),
    ('{"valid_until": "2026-01-02", "a": 1}\n', '{"a": 1}\n'),
    ("<!-- title: T -->\n<!-- valid_until: 2026-01-02 -->\n", "<!-- title: T -->\n"),
    ("title:: T\nvalid_until:: 2026-01-02\n\nb\n", "title:: T\n\nb\n"),
    ("---\na: b\nvalid_until:\n  2026-01-02\n---\n", "---\na: b\n---\n"),
]  # fmt: skip


@pytest.mark.parametrize(("before", "after"), FIELDS)
def test_field_removed(before: str, after: str) -> None:
    """A scalar goes with its line, whatever the head is written in."""
    source = before.encode()
    memory = read(source)
    assert memory.valid_until
    assert MARKDOWN.remove_field(memory, source, "valid_until") == after.encode()
    assert MARKDOWN.remove_field(read(after.encode()), after.encode(), "valid_until") is not None


@pytest.mark.parametrize("value", ["2026-09-0![[x]]1", "[[2026-01-02]]", "<a href=x>"])
def test_what_may_be_a_link_is_not_taken_out(value: str) -> None:
    """A value that is no date goes with its field only where it cannot be a link."""
    source = f"---\na: b\nvalid_until: '{value}'\n---\n".encode()
    with pytest.raises(EditRefused, match="no date"):
        MARKDOWN.remove_field(read(source), source, "valid_until")
