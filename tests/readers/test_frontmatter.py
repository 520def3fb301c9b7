"""Tests of memsleep.readers.frontmatter."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memsleep.readers.frontmatter import (
    Broken,
    FrontMatter,
    Mapping,
    Scalar,
    Sequence,
    bracketed,
    normal_key,
    read_front_matter,
    repeated_keys,
    scalars,
)

BLOCKS = [
    (b"---\na: b\n---\nbody", b"body"),
    (b"\xef\xbb\xbf---\na: b\n---\nbody", b"body"),
    (b"--- \t\na: b\n--- \t\nbody", b"body"),
    (b"---\r\na: b\r\n---\r\nbody\r\n", b"body\r\n"),
    (b"---\na: b\n...\nbody", b"body"),
    (b"---\na: b\n---", b""),
    (b"---\na: b\n---\r", b""),
    (b"---\n{a: b}\n---\nbody", b"body"),
    (b"---\na: b\n---\n---\nc: d\n---\n", b"---\nc: d\n---\n"),
    (b"---\ntitle: 2026-13-45\n---\n", b""),
    ("---\nname: \u00e9\U0001f642\n---\n\u2028".encode(), "\u2028".encode()),
]
NO_BLOCKS = [
    b"",
    b"body",
    b"---",
    b"---\n",
    b"\n---\na: b\n---\n",
    b" ---\na: b\n---\n",
    b"----\na: b\n---\n",
    b"---\n---\n",
    b"---\n# comment only\n---\n",
    b"---\n- a\n- b\n---\n",
    b"---\nprose\n---\n",
    b"---\n\n# Monday\n\nfed the cat",
    b"---\n\n# Monday\n\n- @name\n\n---\n\n# Tuesday\n",
    b"---\ra: b\r---\r",
    b"+++\na = 1\n+++\n",
]
BROKEN = [
    (b"---\ntitle: a: b\n---\n", 2),
    (b"---\nok: 1\nauthors: @name\n---\n", 3),
    (b"---\ntitle: {{title}}\n---\n", 2),
    (b"---\ntitle: x\nno closer\n", 1),
    (b"---\na: b\n\tc: d\n---\n", 3),
    (b"---\na: [b\n---\n", 3),
    (b"---\na: b\nprose without indent\n---\n", 4),
    (b"---\na: \x01\n---\n", 2),
    (b"---\na: b\n--- c\n---\n", 3),
    (b"---\na: " + b"[" * 2000 + b"\n---\n", 2),
]


@pytest.mark.parametrize(("source", "body"), BLOCKS)
def test_what_is_front_matter(source: bytes, body: bytes) -> None:
    """A closed block that loads as a mapping is front matter; the rest is the body."""
    block = read_front_matter(source)
    assert isinstance(block, FrontMatter)
    assert source[block.body_start :] == body


@pytest.mark.parametrize("source", NO_BLOCKS)
def test_what_is_body(source: bytes) -> None:
    """Rules, lists, prose and other syntaxes are body, and no fault."""
    assert read_front_matter(source) is None


@pytest.mark.parametrize(("source", "line"), BROKEN)
def test_what_is_broken(source: bytes, line: int) -> None:
    """A block with keys that does not load is named with its line."""
    block = read_front_matter(source)
    assert isinstance(block, Broken)
    assert block.line == line
    assert "front matter" in block.reason


def test_spans_are_bytes() -> None:
    """Every scalar's span slices to its own bytes, whatever stands before it."""
    source = '---\n\u00e9: "\U0001f642"\r\nb: [1, \u00fc]\n---\n'.encode()
    block = read_front_matter(source)
    assert isinstance(block, FrontMatter)
    spans = [source[s.start : s.end] for entry in block.entries for s in scalars(entry.value)]
    assert spans == ['"\U0001f642"'.encode(), b"1", "\u00fc".encode()]


@pytest.mark.parametrize(
    "text", ["2026-01-02", "010", "12:30:45", "1e3", "no", "0x1F", "1_000", ".inf", "true"]
)
def test_no_implicit_types(text: str) -> None:
    """A value that YAML would turn into a date, number or truth stays its text."""
    block = read_front_matter(f"---\ntitle: {text}\n---\n".encode())
    assert isinstance(block, FrontMatter)
    value = block.entries[0].value
    assert isinstance(value, Scalar)
    assert (value.text, value.null) == (text, False)


@pytest.mark.parametrize("text", ["", "~", "null", "NULL", "# comment"])
def test_null(text: str) -> None:
    """A value that is not there is null, and a quoted one is not."""
    block = read_front_matter(f"---\na: {text}\nb: ''\n---\n".encode())
    assert isinstance(block, FrontMatter)
    first, second = (entry.value for entry in block.entries)
    assert isinstance(first, Scalar)
    assert isinstance(second, Scalar)
    assert (first.null, second.null) == (True, False)


def test_find() -> None:
    """Keys are found without regard to case, blanks and hyphens, nested ones with a dot."""
    source = b"---\nDate Created: x\nmetadata:\n  Type: y\nvalid-until: z\n---\n"
    block = read_front_matter(source)
    assert isinstance(block, FrontMatter)
    found = [block.find(name) for name in ("datecreated", "metadata.type", "validuntil", "none")]
    assert [entry and entry.key for entry in found] == [
        "Date Created",
        "metadata.Type",
        "valid-until",
        None,
    ]
    assert block.find("none", "datecreated") == block.entries[0]


def test_normal_key_keeps_scripts() -> None:
    """A key in any script is a key."""
    assert normal_key("\u6807\u7b7e") == "\u6807\u7b7e"


def test_repeated_keys_are_named() -> None:
    """A key that is stated twice is marked and warned about once, with its first line."""
    block = read_front_matter(b"---\na: 1\nb: 2\na: 3\n---\n")
    assert isinstance(block, FrontMatter)
    assert [entry.repeated for entry in block.entries] == [True, False, True]
    problems = repeated_keys("x.md", block)
    assert [(p.code, p.line) for p in problems] == [("duplicate-key", 2)]


def test_bracketed() -> None:
    """A plain `[[x]]` is one wikilink, a list in a list otherwise."""
    source = b"---\na: [[x, y]]\nb: [[1], [2]]\nc: [x]\n---\n"
    block = read_front_matter(source)
    assert isinstance(block, FrontMatter)
    inside = [bracketed(entry.value, source) for entry in block.entries]
    assert [found and found[0] for found in inside] == ["x, y", None, None]


def test_odd_breaks_lock_the_block() -> None:
    """Where YAML loaders would disagree about lines nothing may be edited."""
    locked = [
        read_front_matter(f"---\na: 'x{mark}y'\n---\n".encode()) for mark in "\u2028\u0085\r "
    ]
    assert [bool(isinstance(b, FrontMatter) and b.locked) for b in locked] == [
        True,
        True,
        True,
        False,
    ]


def test_alias_bomb_is_not_walked() -> None:
    """Aliases within aliases cost no more than a fixed depth."""
    lines = ["a0: &a0 [x]"] + [f"a{i}: &a{i} [{f'*a{i - 1}, ' * 9}]" for i in range(1, 12)]
    source = ("---\n" + "\n".join(lines) + "\n---\n").encode()
    block = read_front_matter(source)
    assert isinstance(block, FrontMatter)
    assert sum(1 for _ in scalars(block.entries[-1].value)) < 10_000


def test_nested_values() -> None:
    """Lists of maps are read with their keys."""
    block = read_front_matter(b"---\nlinks:\n  - {rel: a, to: b}\n---\n")
    assert isinstance(block, FrontMatter)
    value = block.entries[0].value
    assert isinstance(value, Sequence)
    assert isinstance(value.items[0], Mapping)
    assert [name.text for name, _ in value.items[0].entries] == ["rel", "to"]


@given(st.text(alphabet="ab:-[]{}#&*!|>'\"?,% \t\n\r\u00e9\u2028\U0001f642", max_size=60))
def test_any_block(text: str) -> None:
    """No block raises, and every span lies inside the block."""
    source = f"---\n{text}\n---\nbody".encode()
    block = read_front_matter(source)
    if isinstance(block, FrontMatter):
        for entry in block.entries:
            assert block.start <= entry.name.start <= entry.name.end <= block.end
            assert block.start <= entry.value.start <= entry.value.end <= block.end
