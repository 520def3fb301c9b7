"""Heads that are not YAML: each edit changes its own value, and nothing is guessed."""
# ruff: noqa: E501 - a table of bytes reads better a row a line

from __future__ import annotations

from typing import cast

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from markdown_kit import read
from memsleep.dialects.base import FieldName, ListName
from memsleep.dialects.markdown import MARKDOWN
from memsleep.errors import EditRefused
from memsleep.model import Memory

NIGHT = "2026-11-30T03:00:00Z"

# Before, field, value, after.
SET = [
    # TOML
    ("+++\nconfidence = 0.8\n+++\n", "confidence", "0.7", "+++\nconfidence = 0.7\n+++\n"),
    ("+++\nstatus='active' # x\n+++\n", "status", "archived", "+++\nstatus='archived' # x\n+++\n"),
    ('+++\ntitle = "T"\nstatus = "a"\n+++\nb', "status", "it\"s", '+++\ntitle = "T"\nstatus = "it\\"s"\n+++\nb'),
    ("+++\nupdated = 2026-01-02\n+++\n", "updated", NIGHT, "+++\nupdated = 2026-11-30\n+++\n"),
    (
        "+++\r\nupdated   =  2026-01-02T10:00:00Z\r\n+++\r\n", "updated", NIGHT,
        "+++\r\nupdated   =  2026-11-30T03:00:00Z\r\n+++\r\n",
    ),
    (
        '+++\ntitle = "T"\n[metadata]\ntype = "fact"\nstatus = "x"\n+++\n', "status", "archived",
        '+++\ntitle = "T"\nstatus = "archived"\n[metadata]\ntype = "fact"\nstatus = "x"\n+++\n',
    ),
    ("+++\ntitle=\"T\"\n+++\n", "confidence", "0.5", "+++\ntitle=\"T\"\nconfidence=0.5\n+++\n"),
    ("+++\ntitle = \"T\"\n+++\n", "archived_at", NIGHT, f"+++\ntitle = \"T\"\narchived_at = {NIGHT}\n+++\n"),
    # JSON
    ('{"status": "active", "n": 1}\nb\n', "status", "archived", '{"status": "archived", "n": 1}\nb\n'),
    ('{"confidence": 0.80}\n', "confidence", "0.7", '{"confidence": 0.7}\n'),
    ('{\n  "title": "T"\n}\nb', "status", "x", '{\n  "title": "T",\n  "status": "x"\n}\nb'),
    ('{\r\n\t"title": "T"\r\n}\r\n', "status", "x", '{\r\n\t"title": "T",\r\n\t"status": "x"\r\n}\r\n'),
    (';;;\n"title": "T"\n;;;\nb\n', "status", "x", ';;;\n"title": "T",\n"status": "x"\n;;;\nb\n'),
    (';;;\n{"title": "T"}\n;;;\n', "status", "\u00e9\n", ';;;\n{"title": "T", "status": "\u00e9\\n"}\n;;;\n'),
    # comments
    ("<!-- status: active -->\n\nb\n", "status", "archived", "<!-- status: archived -->\n\nb\n"),
    (
        "<!-- title: T -->\n<!-- updated: 4 Mar 2026 -->\nb", "updated", NIGHT,
        "<!-- title: T -->\n<!-- updated: 30 Nov 2026 -->\nb",
    ),
    ("<!-- title: T -->\nb", "status", "x", "<!-- title: T -->\n<!-- status: x -->\nb"),
    ("<!--\ntitle: T\n-->\r\nb", "status", "x", "<!--\ntitle: T\nstatus: x\n-->\r\nb"),
    # properties of the first block
    ("status:: active\n\n- b\n", "status", "x", "status:: x\n\n- b\n"),
    ("- title:: T\n  status::   active  \n- b\n", "status", "x", "- title:: T\n  status::   x  \n- b\n"),
    ("- title:: T\n- b\n", "status", "x", "- title:: T\n  status:: x\n- b\n"),
    ("title:: T\r\n\r\nb", "confidence", "0.5", "title:: T\r\nconfidence:: 0.5\r\n\r\nb"),
    ("status::\nb\n", "status", "x", "status:: x\nb\n"),
    # fields that the text states
    ("# T\n\nconfidence:: 0.8\n\nb\n", "confidence", "0.7", "# T\n\nconfidence:: 0.7\n\nb\n"),
    ("# T\n\nIt (confidence:: 80%) is.\n", "confidence", "0.7", "# T\n\nIt (confidence:: 70%) is.\n"),
    ("---\ntitle: T\n---\n[status:: active] b\n", "status", "x", "---\ntitle: T\n---\n[status:: x] b\n"),
]  # fmt: skip


@pytest.mark.parametrize(("before", "field", "value", "after"), SET)
def test_set(before: str, field: str, value: str, after: str) -> None:
    """The value takes the place of the old one; a new key stands where its neighbours do."""
    source = before.encode()
    memory = read(source)
    found = MARKDOWN.set_field(memory, source, cast(FieldName, field), value)
    assert found is not None
    assert found.decode() == after
    again = read(found)
    assert MARKDOWN.set_field(again, found, cast(FieldName, field), value) is found


ADD = [
    ('+++\ntags = ["a"]\n+++\n', "tags", "b", '+++\ntags = ["a", "b"]\n+++\n'),
    (
        "+++\ntags = [\n  'a',\n  'b',\n]\n+++\n",
        "tags",
        "c",
        "+++\ntags = [\n  'a',\n  'b',\n  'c',\n]\n+++\n",
    ),
    ("+++\ntags = []\n+++\n", "tags", "b", '+++\ntags = ["b"]\n+++\n'),
    ('+++\ntitle = "T"\n+++\n', "aliases", "b", '+++\ntitle = "T"\naliases = ["b"]\n+++\n'),
    ('{"tags": ["a"]}\n', "tags", "b", '{"tags": ["a", "b"]}\n'),
    ('{"tags": "a, b"}\n', "tags", "c", '{"tags": "a, b, c"}\n'),
    ('{"title": "T"}\n', "tags", "b", '{"title": "T", "tags": ["b"]}\n'),
    ("<!-- tags: a, b -->\n", "tags", "c", "<!-- tags: a, b, c -->\n"),
    ("tags:: a, b\n\nx\n", "tags", "c", "tags:: a, b, c\n\nx\n"),
    ("tags:: [[a]], [[b]]\n\nx\n", "tags", "c", "tags:: [[a]], [[b]], [[c]]\n\nx\n"),
    ("tags:: #a #b\n\nx\n", "tags", "c", "tags:: #a #b #c\n\nx\n"),
    ("title:: T\n\nx\n", "tags", "c", "title:: T\ntags:: c\n\nx\n"),
]


@pytest.mark.parametrize(("before", "field", "value", "after"), ADD)
def test_add(before: str, field: str, value: str, after: str) -> None:
    """A list grows by one element in its own style."""
    source = before.encode()
    found = MARKDOWN.add_value(read(source), source, cast(ListName, field), value)
    assert found is not None
    assert found.decode() == after


REFUSED = [
    ('+++\na.status = 1\nstatus = """\nx"""\n+++\n', "status", "x y", "several lines"),
    ("+++\nstatus = [1]\n+++\n", "status", "x", "list or a mapping"),
    ('{"status": "a", "status": "b"}\n', "status", "x", "more than once"),
    ("<!-- status: a -->\n", "status", "x --> y", "cannot be written"),
    ("<!-- status: a -->\n<!-- status: b -->\n", "status", "x", "more than once"),
    ("status:: a\nstatus:: b\n", "status", "x", "more than once"),
    ("status:: a\n", "status", "x\ny", "cannot be written"),
    ("b\n\nstatus:: a\n\nstatus:: b\n", "status", "x", "more than once"),
    ("b (status:: a)\n", "status", "x) y", "cannot be written"),
]


@pytest.mark.parametrize(("before", "field", "value", "why"), REFUSED)
def test_refused(before: str, field: str, value: str, why: str) -> None:
    """What is not fully understood is refused by key, with its line."""
    source = before.encode()
    with pytest.raises(EditRefused, match=why) as caught:
        MARKDOWN.set_field(read(source), source, cast(FieldName, field), value)
    assert caught.value.line


BODIES = [
    "+++\ntitle = 1\n",  # never closed
    "+++ x\ntitle = 1\n+++\n",
    "{not json}\n\ntext\n",
    '{"a": 1} text\n',
    "{{< shortcode >}}\n",
    "<!-- no key here -->\n\ntext\n",
    "<!-- markdownlint-disable MD013 -->\n",
    "<p>x: y</p>\n",
    "std::vector is a type\n",
    "title: x\n\ntext\n",
    "* * *\n",
    "`key:: value`\n",
]


@pytest.mark.parametrize("source", BODIES)
def test_no_head(source: str) -> None:
    """These are body, every byte, and take no key."""
    memory = read(source.encode())
    assert not memory.read_only
    assert MARKDOWN.set_field(memory, source.encode(), "status", "x") is None


BROKEN = ["+++\ntitle = \n+++\n", ";;;\n{not json}\n;;;\n", "+++\na = 1\na = 2\n+++\nb\n"]


@pytest.mark.parametrize("source", BROKEN)
def test_broken(source: str) -> None:
    """A head that was meant and does not load costs its file every edit, and is named."""
    memory = read(source.encode())
    assert "does not load" in memory.read_only
    assert [problem.code for problem in memory.warnings] == ["front-matter-unreadable"]
    with pytest.raises(EditRefused, match="does not load"):
        MARKDOWN.set_field(memory, source.encode(), "status", "x")


def test_code_states_nothing() -> None:
    """A field in a fence, in code or in a comment is none."""
    memory = read(
        "# T\n\n```\nconfidence:: 0.2\n```\n\n`(confidence:: 0.1)` <!-- [confidence:: 0.3] -->\n"
    )
    assert memory.confidence == 1.0
    assert not memory.states("confidence")


HEADS = st.sampled_from(
    [
        '+++\ntitle = "T"\ntags = ["a"]\nstatus = "active"\nconfidence = 0.5\n+++\n',
        "+++\nstatus = 'active'\ncreated = 2026-01-02\n\n[extra]\nx = [1, 2]\n+++\n",
        '{\n  "status": "active",\n  "tags": ["a"],\n  "x": {"y": [1, {"z": null}]}\n}\n',
        ';;;\n"status": "active",\n"confidence": 0.5\n;;;\n',
        "<!-- status: active -->\n<!-- tags: a, b -->\n",
        "<!--\nstatus: active\nconfidence: 0.5\n-->\n",
        "status:: active\ntags:: a, b\n\n",
        "- status:: active\n  created:: 2026-01-02\n- ",
    ]
)
VALUES = st.one_of(
    st.sampled_from(
        ["archived", "a b", "\u00e9\U0001f642", "it's", 'say "x"', "x -- y", "a: b", "[x]", "#x"]
    ),
    st.text(st.characters(codec="utf-8"), max_size=12),
)


@given(HEADS, VALUES, st.sampled_from(["\n", "\r\n"]), st.booleans())
@settings(max_examples=300, deadline=None)
def test_any_value(head: str, value: str, eol: str, bom: bool) -> None:
    """Whatever the value, it is read back or refused, and every other byte stays."""
    text = f"{head}Body [[x]].\n".replace("\n", eol)
    source = (b"\xef\xbb\xbf" if bom else b"") + text.encode()
    memory = read(source)
    try:
        found = MARKDOWN.set_field(memory, source, "status", value)
    except EditRefused:
        return
    assert found is not None
    again = read(found)
    assert isinstance(again, Memory)
    assert again.raw.get("status", "").strip() == value.strip() or value == memory.status
    assert (again.body, again.links[-1].target) == (memory.body, "x")
    assert (again.tags, again.confidence, again.created) == (
        memory.tags, memory.confidence, memory.created,
    )  # fmt: skip
    place = source.index(b"active")
    outside = 1 if source[place - 1 : place] in (b"'", b'"') else 0  # quotes may have to change
    assert found.startswith(source[: place - outside])
    assert found.endswith(source[place + len("active") + outside :])
