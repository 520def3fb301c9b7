"""Tests of memsleep.readers.markdown: what a whole file says."""

from __future__ import annotations

from pathlib import PurePosixPath

import pytest
from hypothesis import given
from hypothesis import strategies as st

from markdown_kit import read, sources
from memsleep.model import Memory, Unreadable
from memsleep.readers import markdown
from memsleep.readers.markdown_text import (
    GIST_CHARACTERS,
    blocks_of,
    content_hash,
    count_words,
    first_sentence,
    parse,
)

FULL = """---
title: Cache keys
type: fact
created: 2026-01-02T03:04:05Z
updated: 2026-02-03
confidence: 80%
importance: high
valid_until: 2027-01-01
status: Active
pinned: yes
tags: [cache, "a/b", cache]
aliases: keys, cache key
entities:
  - service:gateway
scope: api
author: lena
description: Every key starts with the tenant.
---
# Heading

Body text.
"""


def test_all_fields() -> None:
    """A file that states everything gives all of it, with the key of each field."""
    memory = read(FULL)
    assert (memory.title, memory.type, memory.gist) == (
        "Cache keys", "semantic", "Every key starts with the tenant.",
    )  # fmt: skip
    assert (memory.created, memory.updated) == ("2026-01-02T03:04:05Z", "2026-02-03")
    assert (memory.confidence, memory.importance) == (0.8, 8.0)
    assert (memory.valid_until, memory.status, memory.pinned) == ("2027-01-01", "active", True)
    assert (memory.tags, memory.aliases) == (("cache", "a/b"), ("keys", "cache key"))
    assert (memory.entities, memory.scope, memory.author) == (("service:gateway",), "api", "lena")
    assert memory.body == "Heading\nBody text."
    assert memory.stated["gist"] == "description"
    assert memory.raw["confidence"] == "80%"
    assert memory.warnings == ()
    assert memory.read_only == ""


def test_nothing_stated() -> None:
    """A plain file has defaults, and states none of them."""
    memory = read("Only a line. And more.\n", path="log/2026-03-04-x.md")
    assert (memory.title, memory.gist) == ("2026-03-04-x", "Only a line.")
    assert (memory.type, memory.confidence, memory.importance) == ("semantic", 1.0, 5.0)
    assert (memory.created, memory.updated, memory.scope) == ("2026-03-04", None, "")
    assert dict(memory.stated) == {}


def head(*lines: str) -> Memory:
    return read("---\n" + "\n".join(lines) + "\n---\nbody\n")


@pytest.mark.parametrize(
    ("lines", "title"),
    [
        (["title: a", "name: b"], "a"),
        (["name: b", "title: a"], "a"),
        (["name: b"], "b"),
        (["title:", "name: b"], "b"),
        (["title: 2026-01-02"], "2026-01-02"),
        (["title: 010"], "010"),
        (["title: [a]"], "x"),
        (["Title: 'it''s'"], "it's"),
    ],
)
def test_title(lines: list[str], title: str) -> None:
    """The strongest key counts, as its text; a list is no title."""
    assert head(*lines).title == title


def test_title_of_heading() -> None:
    """Without a key the first heading is the title, whatever its markup."""
    assert read("text\n\n## The *one* [[a|b]]\n\n# Two\n").title == "The one b"


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("type: Semantic", "semantic"),
        ("type: how-to", "procedural"),
        ("kind: preference", "user_preference"),
        ("metadata:\n  type: feedback", "user_preference"),
        ("category: bug", "error_pattern"),
        ("type: error-pattern", "error_pattern"),
        ("type: project", "project"),
        ("type: Reference", "Reference"),
        ("x: y", "semantic"),
    ],
)
def test_type(line: str, expected: str) -> None:
    """Known words become known types, others stay as they are."""
    assert head(line).type == expected


@pytest.mark.parametrize(
    ("line", "value", "warned"),
    [
        ("confidence: 0.8", 0.8, False),
        ("certainty: .5", 0.5, False),
        ("confidence: 80 %", 0.8, False),
        ("confidence: High", 0.9, False),
        ("confidence: 0", 0.0, False),
        ("confidence: '1'", 1.0, False),
        ("confidence: 80", 1.0, True),
        ("confidence: 101%", 1.0, True),
        ("confidence: -0.1", 1.0, True),
        ("confidence: nan", 1.0, True),
        ("confidence: 1_0", 1.0, True),
        ("confidence: sure", 1.0, True),
        ("confidence: [0.8]", 1.0, False),
        ("confidence:", 1.0, False),
    ],
)
def test_confidence(line: str, value: float, warned: bool) -> None:
    """Numbers in [0, 1], percentages and words count; anything else is a warning."""
    memory = head(line)
    assert memory.confidence == value
    assert [problem.code for problem in memory.warnings] == ["bad-number"] * warned
    assert memory.states("confidence") is (value != 1.0 or "'1'" in line)


@pytest.mark.parametrize(
    ("line", "value"),
    [
        ("importance: 7", 7.0),
        ("importance: 7.5", 7.5),
        ("priority: low", 3.0),
        ("severity: critical", 10.0),
        ("importance: 0", 5.0),
        ("importance: 11", 5.0),
        ("importance: P1", 5.0),
    ],
)
def test_importance(line: str, value: float) -> None:
    """Numbers from 1 to 10 and words count, others read as absent."""
    assert head(line).importance == value


@pytest.mark.parametrize(
    ("lines", "created"),
    [
        (["created: 2026-03-04"], "2026-03-04"),
        (["date created: March 4, 2026"], "2026-03-04"),
        (["created-at: 1772619330"], "2026-03-04T10:15:30Z"),
        (["date: 2026-03-04", "created: 2026-01-01"], "2026-01-01"),
        (["created: 2026-02-30", "date: 2026-03-04"], "2026-03-04"),
        (["id: 20260304101530"], "2026-03-04T10:15:30Z"),
        (["id: abc"], None),
        (["created: 06/08/2017"], None),
        (["created: 06/08/2017", "updated: 31/12/2017"], "2017-08-06"),
        (["created: 06/08/2017", "updated: 12/31/2017"], "2017-06-08"),
    ],
)
def test_created(lines: list[str], created: str | None) -> None:
    """Dates are read from the strongest key that holds one, in the order the file proves."""
    assert head(*lines).created == created


def test_bad_date_is_named_without_its_text() -> None:
    """A date that does not exist is a warning with key and line, and nothing of the value."""
    (problem,) = head("title: x", "created: 2026-02-30").warnings
    assert (problem.code, problem.line) == ("bad-date", 3)
    assert "`created`" in problem.message
    assert "30" not in problem.message


def test_order_of_dates_from_the_config() -> None:
    """Where the file does not tell the order, the caller's counts."""
    source = b"---\ncreated: 06/08/2017\n---\n"
    first = markdown.read("x.md", source, markdown.ReadAs(day_first=True))
    second = markdown.read("x.md", source, markdown.ReadAs(day_first=False))
    assert isinstance(first, Memory)
    assert isinstance(second, Memory)
    assert (first.created, second.created) == ("2017-08-06", "2017-06-08")


@pytest.mark.parametrize(
    ("lines", "valid_until"),
    [
        (["ttl: 30", "updated: 2026-01-01"], "2026-01-31T00:00:00Z"),
        (["ttl: 2w", "created: 2026-01-01"], "2026-01-15T00:00:00Z"),
        (["ttl: 12 hours", "updated: 2026-01-01"], "2026-01-01T12:00:00Z"),
        (["ttl: 30", "updated: 2026-01-01", "expires: 2026-03-01"], "2026-03-01"),
        (["ttl: 30"], None),
        (["ttl: soon", "updated: 2026-01-01"], None),
    ],
)
def test_valid_until(lines: list[str], valid_until: str | None) -> None:
    """A ttl counts from the last update when no date is stated."""
    assert head(*lines).valid_until == valid_until


@pytest.mark.parametrize(
    ("line", "pinned"),
    [
        ("pinned: true", True),
        ("pin: Yes", True),
        ("frozen: 1", True),
        ("read_only: on", True),
        ("protected: 'true'", True),
        ("pinned: false\nprotected: true", True),
        ("pinned: false", False),
        ("pinned:", False),
        ("pinned: later", False),
    ],
)
def test_pinned(line: str, pinned: bool) -> None:
    """Any key that pins a memory pins it; a doubtful word does not."""
    assert head(line).pinned is pinned


@pytest.mark.parametrize(
    ("line", "status"),
    [
        ("status: Archived", "archived"),
        ("state: draft", "draft"),
        ("archived: true", "archived"),
        ("archived: false", "active"),
        ("archived: 2026-01-01", "active"),
        ("x: y", "active"),
    ],
)
def test_status(line: str, status: str) -> None:
    """The status is read in lower case; a truth under `archived` counts."""
    assert head(line).status == status


@pytest.mark.parametrize(
    ("line", "tags"),
    [
        ("tags: [a, b]", ("a", "b")),
        ("tags:\n  - a\n  - 'b c'", ("a", "b c")),
        ("tags: a, b", ("a", "b")),
        ("tags: a b", ("a", "b")),
        ("tags: '#a #b'", ("a", "b")),
        ("tags: a/b", ("a/b",)),
        ("tags: [2024, 1.5, true]", ("2024", "1.5", "true")),
        ("tags: [a, a, ~, '']", ("a",)),
        ("tags: [[x]]", ("x",)),
        ("tags: ['[[x|y]]']", ("x",)),
        ("tag: a", ("a",)),
        ("keywords: a, b", ("a", "b")),
        ("tags:", ()),
        ("tags: []", ()),
        ("tags: {a: b}", ()),
    ],
)
def test_tags(line: str, tags: tuple[str, ...]) -> None:
    """Lists, comma strings and space strings give the same tags."""
    assert head(line).tags == tags


@pytest.mark.parametrize(
    ("line", "aliases"),
    [
        ("aliases: [a b, 7, null]", ("a b", "7")),
        ("alias: a b", ("a b",)),
        ("aliases: a b, c", ("a b", "c")),
    ],
)
def test_aliases(line: str, aliases: tuple[str, ...]) -> None:
    """An alias may hold blanks; numbers are text and null is nothing."""
    assert head(line).aliases == aliases


@pytest.mark.parametrize(
    ("line", "scope"),
    [
        ("scope: a", "a"),
        ("project: '[[Apollo|A]]'", "Apollo"),
        ("workspace: [a, b]", "a"),
        ("scope:", ""),
        ("x: y", ""),
    ],
)
def test_scope(line: str, scope: str) -> None:
    """The scope is what a key states; the folder rule is applied elsewhere."""
    assert head(line).scope == scope


def test_superseded_by() -> None:
    """What replaced a memory is kept without a leading slash."""
    assert head("superseded_by: /a/b.md").superseded_by == "a/b.md"


def test_broken_front_matter() -> None:
    """A block that does not load costs nothing but edits: all of it is body, named with a line."""
    memory = read("---\nok: 1\ntitle: a: b\n---\ntext\n")
    assert memory.title == "x"
    assert "text" in memory.body
    assert "broken" in memory.read_only
    assert [(p.code, p.line) for p in memory.warnings] == [("front-matter-unreadable", 3)]


@pytest.mark.parametrize(
    ("source", "code", "line"),
    [
        (b"ok\nok\n\xff\n", "not-utf-8", 3),
        (b"\xff\xfea\x00", "binary", 1),
        (b"ok\n\x00", "binary", 2),
        ("\u00e9".encode("latin-1"), "not-utf-8", 1),
        (b"\xed\xa0\x80", "not-utf-8", 1),
    ],
)
def test_unreadable(source: bytes, code: str, line: int) -> None:
    """Bytes that are no UTF-8 text are named with their line and left alone."""
    found = markdown.read("x.md", source)
    assert isinstance(found, Unreadable)
    assert [(p.code, p.line) for p in found.problems] == [(code, line)]
    assert markdown.read_links("x.md", source) == ()


GISTS = [
    ("# Head\n\nFirst one. Second one.\n", "First one."),
    ("- item one. Two.\n", "item one."),
    ("1. item\n2. other\n", "item"),
    ("> quoted text! More.\n", "quoted text!"),
    ("```\ncode. Not this.\n```\n\nThis one? Yes.\n", "This one?"),
    ("\u6625\u3002\u590f\u3002\n", "\u6625\u3002"),
    ("He said e.g. this and v1.2 too. Next.\n", "He said e.g. this and v1.2 too."),
    ("- [fact] The port is 80. Yes.\n", "The port is 80."),
    ("No end\n\nNext", "No end"),
    ("\"Quoted.\" Next.\n", '"Quoted."'),
    ("**Bold** [link](x.md) `code`. Next\n", "Bold link code."),
    ("<!-- c. d -->\n\nReal.\n", "Real."),
    ("a  b\nc. D", "a b c."),
]  # fmt: skip


@pytest.mark.parametrize(("text", "gist"), GISTS)
def test_gist(text: str, gist: str) -> None:
    """The claim is the first sentence of the first paragraph or item."""
    assert read(text).gist == gist


def test_gist_falls_back_to_the_title() -> None:
    """A body without a sentence has the title as claim."""
    assert read("# Only a heading\n").gist == "Only a heading"
    assert read("").gist == "x"


def test_a_long_sentence_is_cut() -> None:
    """A claim is one line of bounded length."""
    gist = first_sentence(blocks_of(parse("word " * 200)))
    assert gist is not None
    assert gist.endswith("word...")
    assert len(gist) <= GIST_CHARACTERS + 3


BODIES = [
    ("# H\n\ntext *em* **st** ~~no~~\n", "H\ntext em st ~~no~~"),
    ("- a\n- b\n  - c\n", "a\nb\nc"),
    ("a\nb\n\nc\n", "a b\nc"),
    ("```py\nx = 1\n\ny  = 2\n```\n", "x = 1\n\ny  = 2"),
    ("    indented\n", "indented"),
    ("[t](a.md) [[b|l]] [[c]] ![alt](x.png)\n", "t l c alt"),
    ("| a | b |\n|---|---|\n| c | d |\n", "a b\nc d"),
    ("<div>kept <b>too</b></div>\n", "kept too"),
    ("a <!-- no --> b<br>c\n", "a b c"),
    ("<!-- no\nno -->\n", ""),
    ("`<!-- code -->`\n", "<!-- code -->"),
    ("[r]: a.md\n\n[r]\n", "r"),
    ("x[^1]\n\n[^1]: note\n", "x\nnote"),
    ("- [x] done\n- [ ] open\n", "done\n\u2610 open"),
    ("a\r\nb\r\n", "a b"),
    ("---\n\nrule\n", "rule"),
]


@pytest.mark.parametrize(("text", "body"), BODIES)
def test_body(text: str, body: str) -> None:
    """The body is its text without markup, but for what is struck out and open tasks."""
    assert read(text).body == body


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", 0),
        ("one", 1),
        ("one  two\nthree", 3),
        ("\u6625\u7720", 1),
        ("\u6625\u7720\u4e0d\u899a\u6681", 3),
        ("use \u6625\u7720 now", 3),
        ("caf\u00e9 ok", 2),
    ],
)
def test_count_words(text: str, words: int) -> None:
    """Words are runs without blanks, and two CJK characters count as one."""
    assert count_words(text) == words


def hashed(text: str) -> str:
    return content_hash(text.encode(), parse(text))


@pytest.mark.parametrize(
    ("a", "b", "equal"),
    [
        ("a b\n", "a  b", True),
        ("a\nb\n", "a b", True),
        ("a\r\nb", "a\nb", True),
        ("a\n\n\nb", "a b\n", True),
        ("```\na  b\n```", "```\na b\n```", False),
        ("x  y\n\n```\na  b\n```\n", "x y\n```\na  b\n```", True),
        ("`a  b`", "`a b`", True),
        ("e\u0301", "\u00e9", False),
        ("a\u00a0b", "a b", False),
        ("a", "A", False),
        ("[t](a.md)", "[t](b.md)", False),
    ],
)
def test_content_hash(a: str, b: str, equal: bool) -> None:
    """Blanks outside fences do not count; inside them, and everything else, does."""
    assert (hashed(a) == hashed(b)) is equal


def test_content_hash_ignores_the_head() -> None:
    """An edit of the front matter, or a byte order mark, leaves the content's digest."""
    digests = {
        read(text).content_hash
        for text in ("body\n", "---\na: b\n---\nbody\n", "\ufeffbody\n", "---\nc: d\n---\n\nbody")
    }
    assert len(digests) == 1


def test_facets() -> None:
    """Observations of basic-memory are facets; tasks, links and prose are none."""
    memory = read(
        "- [fact] The port is 80 #net #a (seen)\n- [retries] 3\n- [x] done\n- [ ] open\n"
        "- [t](a.md) text\n- [[w]] text\n[fact] prose\n- [fact] The port is 80\n"
    )
    found = [(facet.name, facet.value, facet.number) for facet in memory.facets]
    assert found == [("fact", "The port is 80", None), ("retries", "3", 3.0)]


@pytest.mark.parametrize(
    ("name", "instant"),
    [
        ("2026-03-04-title.md", "2026-03-04"),
        ("2026-03-04.md", "2026-03-04"),
        ("2026_03_04 x.md", "2026-03-04"),
        ("20260304T1015.md", "2026-03-04T10:15:00Z"),
        ("202603041015 x.md", "2026-03-04T10:15:00Z"),
        ("20260304-x.md", "2026-03-04"),
        ("2026-02-30-x.md", None),
        ("12345678.md", None),
        ("202603041.md", None),
        ("x-2026-03-04.md", None),
        ("x.md", None),
    ],
)
def test_name_instant(name: str, instant: str | None) -> None:
    """A file name that begins with a date gives it, in any folder."""
    assert markdown.name_instant(f"a/{name}") == instant


def test_name_is_not_a_stated_date() -> None:
    """A date from the name is not in the file, so nothing there may be edited for it."""
    memory = read("---\nid: 20260304101530\n---\n", path="2026-01-01.md")
    assert memory.created == "2026-03-04T10:15:30Z"
    assert not read("x", path="2026-01-01.md").states("created")


@given(sources())
def test_awkward_files(source: bytes) -> None:
    """Any text is a memory whose claim and title are not empty."""
    memory = read(source, path="dir/name.md")
    assert memory.title
    assert memory.gist
    assert 0 <= memory.confidence <= 1
    assert PurePosixPath(memory.path).name == "name.md"


@given(st.binary(max_size=200))
def test_any_bytes(source: bytes) -> None:
    """Random bytes are a memory or unreadable, never an error."""
    found = markdown.read("x.md", source)
    assert isinstance(found, Memory | Unreadable)
    assert isinstance(found, Unreadable) == (b"\0" in source or not _is_utf8(source))


def _is_utf8(source: bytes) -> bool:
    try:
        source.decode()
    except UnicodeDecodeError:
        return False
    return True
