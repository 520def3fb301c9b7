"""Tests of memsleep.dialects.markdown: the protocol over whole files."""

from __future__ import annotations

from typing import cast

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from markdown_kit import read, sources
from memsleep.dialects.base import FieldName, ListName, Options
from memsleep.dialects.markdown import MARKDOWN, MarkdownDialect
from memsleep.errors import EditRefused
from memsleep.model import Memory

NIGHT = "2026-11-30T03:00:00Z"


def wrap(block: str) -> str:
    return f"---\n{block}---\nbody\n"


def set_field(before: str, field: str, value: str) -> str | None:
    source = before.encode()
    after = MARKDOWN.set_field(read(source), source, cast(FieldName, field), value)
    return None if after is None else after.decode()


FIELDS = [
    ("status: active\n", "status", "archived", "status: archived\n"),
    ("State: 'active' # c\n", "status", "archived", "State: 'archived' # c\n"),
    ("title: x\n", "status", "archived", "title: x\nstatus: archived\n"),
    ("confidence: 0.80\n", "confidence", "0.75", "confidence: 0.75\n"),
    ("certainty: '80 %'\n", "confidence", "0.75", "certainty: '75 %'\n"),
    ("confidence: 80%\n", "confidence", "0.755", "confidence: 75.5%\n"),
    ("importance: 7\n", "importance", "5", "importance: 5\n"),
    ("reprieves: 1\n", "reprieves", "2", "reprieves: 2\n"),
    ("title: x\n", "reprieves", "1", "title: x\nreprieves: 1\n"),
    ("expires: 2026-01-01\n", "valid_until", NIGHT, "expires: 2026-11-30\n"),
    ("valid-until: March 4, 2026\n", "valid_until", NIGHT, "valid-until: November 30, 2026\n"),
    ("expiryDate: 1772619330\n", "valid_until", NIGHT, "expiryDate: 1796007600\n"),
    ("updated: 06/08/2017\ndate: 31/12/2017\n", "updated", NIGHT,
     "updated: 30/11/2026\ndate: 31/12/2017\n"),
    ("created: soon\n", "created", NIGHT, f"created: {NIGHT}\n"),
    ("title: x\n", "valid_until", NIGHT, f"title: x\nvalid_until: {NIGHT}\n"),
    ("updated: 2026-01-01 10:00:00\n", "valid_until", NIGHT,
     "updated: 2026-01-01 10:00:00\nvalid_until: 2026-11-30 03:00:00\n"),
    ("updated: 2026-01-01\n", "valid_until", NIGHT, f"updated: 2026-01-01\nvalid_until: {NIGHT}\n"),
    ("updated: 2026-01-01\nttl: 9\n", "valid_until", NIGHT,
     f"updated: 2026-01-01\nttl: 9\nvalid_until: {NIGHT}\n"),
    ("id: 20260101\n", "created", "2026-01-02", "id: 20260101\ncreated: 2026-01-02\n"),
    ("archived: true\n", "archived_at", NIGHT, f"archived: true\narchived_at: {NIGHT}\n"),
    ("a-b: x\n", "archived_at", NIGHT, f"a-b: x\narchived-at: {NIGHT}\n"),
    ("title: x\n", "superseded_by", "a/b.md", "title: x\nsuperseded_by: a/b.md\n"),
    ("superseded_by: '[[old]]'\n", "superseded_by", "a/b.md", "superseded_by: '[[a/b]]'\n"),
    ("superseded_by: /a/old.md\n", "superseded_by", "a/b.md", "superseded_by: /a/b.md\n"),
    ("content_hash: x\n", "content_hash", "sha256:0", "content_hash: sha256:0\n"),
]  # fmt: skip
SAME = [
    ("status: Active\n", "status", "active"),
    ("confidence: 0.80\n", "confidence", "0.8"),
    ("confidence: 80%\n", "confidence", "0.8"),
    ("importance: 7.0\n", "importance", "7"),
    ("created: March 4, 2026\n", "created", "2026-03-04"),
    ("created: 2026-03-04T12:00:00+02:00\n", "created", "2026-03-04T10:00:00Z"),
    ("superseded_by: '[[a/b.md|l]]'\n", "superseded_by", "a/b.md"),
    ("superseded_by: /a/b.md\n", "superseded_by", "a/b.md"),
]
NO_PLACE = [
    ("confidence: high\n", "confidence", "0.5"),
    ("importance: low\n", "importance", "5"),
    ("title: x\n", "content_hash", "sha256:0"),
]


@pytest.mark.parametrize(("before", "field", "value", "after"), FIELDS)
def test_set_field(before: str, field: str, value: str, after: str) -> None:
    """A field is written under its own key, in its own form; a new one is a new line."""
    assert set_field(wrap(before), field, value) == wrap(after)


@pytest.mark.parametrize(("before", "field", "value"), SAME)
def test_equal_when_decoded(before: str, field: str, value: str) -> None:
    """A value that means the same gives the very same bytes object."""
    source = wrap(before).encode()
    assert MARKDOWN.set_field(read(source), source, cast(FieldName, field), value) is source


@pytest.mark.parametrize(("before", "field", "value"), NO_PLACE)
def test_no_place(before: str, field: str, value: str) -> None:
    """A word is never rewritten and no content hash is added: the state keeps the value."""
    assert set_field(wrap(before), field, value) is None


@pytest.mark.parametrize("before", ["body\n", "", "+++\na = 1\n", "---\n\nrule\n"])
def test_no_front_matter(before: str) -> None:
    """A file without front matter gets none."""
    source = before.encode()
    memory = read(source)
    assert MARKDOWN.set_field(memory, source, "status", "archived") is None
    assert MARKDOWN.remove_field(memory, source, "status") is None
    assert MARKDOWN.add_value(memory, source, "tags", "x") is None
    assert MARKDOWN.add_link(memory, source, "supports", "a.md") is None


def test_a_broken_file_is_never_edited() -> None:
    """What is read as body only, because its block does not load, is refused every edit."""
    source = b"---\ntitle: a: b\n---\ntext\n"
    memory = read(source)
    with pytest.raises(EditRefused, match="broken"):
        MARKDOWN.set_field(memory, source, "status", "archived")
    with pytest.raises(EditRefused, match="broken"):
        MARKDOWN.append_details(memory, source, ("One.",), "o.md")
    with pytest.raises(EditRefused, match="broken"):
        MARKDOWN.add_link(memory, source, "supports", "a.md")


def test_a_value_that_is_no_instant_is_refused() -> None:
    """A date is never written from text that is none."""
    with pytest.raises(EditRefused, match="instant"):
        set_field(wrap("created: 2026-01-01\n"), "created", "tomorrow")


@pytest.mark.parametrize(
    ("before", "field", "after"),
    [
        ("a: b\nexpires: 2026-01-01\n", "valid_until", "a: b\n"),
        ("a: b\nsuperseded_by: x.md # c\n", "superseded_by", "a: b\n"),
        ("a: b\n", "status", "a: b\n"),
    ],
)
def test_remove_field(before: str, field: str, after: str) -> None:
    """A field goes with its line; one that is not stated changes nothing."""
    source = wrap(before).encode()
    result = MARKDOWN.remove_field(read(source), source, cast(FieldName, field))
    assert result == wrap(after).encode()


@pytest.mark.parametrize(
    ("before", "field", "value", "after"),
    [
        ("tags: [a]\n", "tags", "b", "tags: [a, b]\n"),
        ("keywords: a b\n", "tags", "c", "keywords: a b c\n"),
        ("title: x\n", "tags", "b", "title: x\ntags: [b]\n"),
        ("title: x\n", "entities", "s: t", 'title: x\nentities: ["s: t"]\n'),
        ("alias: a b\n", "aliases", "c", "alias: a b, c\n"),
        ("tags:\n", "tags", "b", "tags: [b]\n"),
        ("tags: [a]\n", "tags", "a", "tags: [a]\n"),
    ],
)
def test_add_value(before: str, field: str, value: str, after: str) -> None:
    """A list grows under the key that states it; a value that is there changes nothing."""
    source = wrap(before).encode()
    result = MARKDOWN.add_value(read(source), source, cast(ListName, field), value)
    assert result == wrap(after).encode()


LINKS = [
    ("links:\n- {rel: supports, to: 'x.md'}\n",
     "links:\n- {rel: supports, to: 'x.md'}\n- {rel: contradicts, to: 'a/b.md'}\n"),
    ("links:\n- type: up\n  target: x.md\n",
     "links:\n- type: up\n  target: x.md\n- {type: contradicts, target: a/b.md}\n"),
    ("contradicts: [x.md]\n", "contradicts: [x.md, a/b.md]\n"),
    ("contradicts:\n- '[[x]]'\n", "contradicts:\n- '[[x]]'\n- \"[[a/b]]\"\n"),
    ("contradicts: [/x.md]\n", "contradicts: [/x.md, /a/b.md]\n"),
    ("title: x\n", "title: x\ncontradicts: [a/b.md]\n"),
    ("links: [x.md]\n", "links: [x.md]\ncontradicts: [a/b.md]\n"),
    ("contradicts: x.md\n", "contradicts: x.md\nlinks: [{rel: contradicts, to: a/b.md}]\n"),
]  # fmt: skip


@pytest.mark.parametrize(("before", "after"), LINKS)
def test_add_link(before: str, after: str) -> None:
    """A link is stated where and how the file states links, and reads back."""
    source = wrap(before).encode()
    result = MARKDOWN.add_link(read(source), source, "contradicts", "a/b.md")
    assert result == wrap(after).encode()
    memory = read(wrap(after))
    assert ("contradicts", "a/b") in [
        (link.relation, link.target.lstrip("/").removesuffix(".md")) for link in memory.links
    ]
    assert MARKDOWN.add_link(memory, result, "contradicts", "a/b.md") is result


def test_add_link_to_relation_lines() -> None:
    """A file that states relations in its body gets one more line there."""
    source = b"---\ntitle: x\n---\n## Relations\n- supports [[y]] (c)\n\nend\n"
    after = MARKDOWN.add_link(read(source), source, "part_of", "a/b.md")
    assert after == source.replace(b"(c)\n", b"(c)\n- part_of [[a/b]]\n")


def test_add_link_where_no_list_fits() -> None:
    """Two scalars under both keys leave no place."""
    source = wrap("contradicts: x.md\nlinks: y.md\n").encode()
    with pytest.raises(EditRefused):
        MARKDOWN.add_link(read(source), source, "contradicts", "a/b.md")


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("---\nt: 1\n---\n", "---\nt: 1\n---\nOne.\n"),
        ("---\nt: 1\n---", "---\nt: 1\n---\nOne.\n"),
        ("---\r\nt: 1\r\n---\r\n", "---\r\nt: 1\r\n---\r\nOne.\r\n"),
        ("---\r\nt: 1\r\n---\r", None),
        ("t:: 1\n", "t:: 1\nOne.\n"),
        ("t:: 1\n\n", "t:: 1\n\nOne.\n"),
    ],
)
def test_append_to_a_head_alone(before: str, after: str | None) -> None:
    """What is appended to a file that is nothing but a head leaves that head a head."""
    source = before.encode()
    if after is None:
        with pytest.raises(EditRefused):
            MARKDOWN.append_details(read(source), source, ("One.",), "x.md")
    else:
        found = MARKDOWN.append_details(read(source), source, ("One.",), "x.md")
        assert found == after.encode()


def test_append_details() -> None:
    """Sentences are appended with and without front matter; the head is the same."""
    for before in ("text\n", wrap("title: x\n")):
        source = before.encode()
        after = MARKDOWN.append_details(read(source), source, ("One.",), "o.md")
        assert after == source + b"\nOne.\n"


def test_day_first_of_the_config() -> None:
    """A dialect that was told the order writes in it."""
    dialect = MarkdownDialect(options=Options(day_first=False))
    source = wrap("updated: 06/08/2017\n").encode()
    memory = dialect.read("x.md", source)
    assert isinstance(memory, Memory)
    assert memory.updated == "2017-06-08"
    after = dialect.set_field(memory, source, "updated", NIGHT)
    assert after == wrap("updated: 11/30/2026\n").encode()


VALUES = {
    "status": st.sampled_from(["archived", "active"]),
    "confidence": st.integers(0, 1000).map(lambda n: f"{n / 1000:g}"),
    "importance": st.integers(1, 10).map(str),
    "reprieves": st.integers(0, 9).map(str),
    "created": st.sampled_from(["2026-03-04", NIGHT]),
    "valid_until": st.just("2026-12-14"),
    "superseded_by": st.sampled_from(["a/b.md", "a b/\u00e9.md"]),
}


@given(sources(), st.sampled_from(sorted(VALUES)), st.data())
def test_set_then_read(source: bytes, field: str, data: st.DataObject) -> None:
    """After an edit the file states the value, its content is the same, and so is the rest."""
    value = data.draw(VALUES[field])
    memory = read(source)
    try:
        after = MARKDOWN.set_field(memory, source, cast(FieldName, field), value)
    except EditRefused:
        return
    assume(after is not None)
    assert after is not None
    again = read(after)
    assert again.content_hash == memory.content_hash
    assert again.body == memory.body
    assert (again.tags, again.aliases, again.title) == (memory.tags, memory.aliases, memory.title)
    found = getattr(again, field)
    if field == "confidence":
        assert abs(found - float(value)) <= 0.0005
    elif field in ("created", "valid_until"):
        assert found[:10] == value[:10]
    elif field != "superseded_by":
        assert str(found).removesuffix(".0") == value
    assert MARKDOWN.set_field(again, after, cast(FieldName, field), value) is after


@given(sources(), st.sampled_from(["a/b.md", "c d.md", "\u00e9.md"]))
def test_added_links_read_back(source: bytes, target: str) -> None:
    """A link that was added is read, and no other is lost."""
    memory = read(source)
    try:
        after = MARKDOWN.add_link(memory, source, "supports", target)
    except EditRefused:
        return
    assume(after is not None)
    assert after is not None
    before = [(link.relation, link.target) for link in memory.links]
    links = [(link.relation, link.target) for link in read(after).links]
    if after is not source:
        assert len(links) == len(before) + 1
    assert all(link in links for link in before)
