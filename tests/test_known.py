"""What was found out before is used where it is whole, under its key, and else made."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memsleep.known import Known, Row, Table, digest_of, strings

PARTS = st.lists(st.text(st.characters(), max_size=3), max_size=4)


@given(PARTS, PARTS)
def test_parts_are_told_apart(one: list[str], other: list[str]) -> None:
    """Where one part ends and the next begins is part of the key."""
    assert (digest_of(*one) == digest_of(*other)) == (one == other)


def test_text_and_its_bytes_are_one() -> None:
    """A lone surrogate is a key like any other."""
    assert digest_of("a\udc80") == digest_of(b"a\xed\xb2\x80")


def test_a_result_is_made_once() -> None:
    """The first that asks makes it, unless it is kept; both are counted."""
    asked: list[str] = []

    def made(name: str) -> Row:
        asked.append(name)
        return [name]

    table = Table({"a": ["kept"]})
    for key in "abab":
        table.of(key, lambda key=key: made(key))  # type: ignore[misc]
    assert asked == ["b"]
    assert table.used == {"a": ["kept"], "b": ["b"]}
    assert table.made == 1


@pytest.mark.parametrize(
    ("kept", "asked", "changed"),
    [
        ("ab", "ab", False),
        ("ab", "ba", False),
        ("", "", False),
        ("ab", "a", True),
        ("a", "b", True),
    ],
)
def test_what_has_to_be_written(kept: str, asked: str, changed: bool) -> None:
    """Nothing, where all that is kept was asked for, and nothing else."""
    table = Table({key: [key] for key in kept})
    for key in asked:
        table.of(key, list)
    assert table.changed is changed


def pair(row: Row) -> bool:
    return len(row) == 2 and strings(row)


@pytest.mark.parametrize(
    "document",
    [
        b"",
        b"\xff",
        b"[]",
        b"null",
        b"[[1]]",
        b'{"a": 1}',
        b'{"a": null}',
        b'{"a": "xy"}',
        b'{"a": ["x"]}',
        b'{"a": ["x", 1]}',
        b'{"a": {"0": "x", "1": "y"}}',
        b'{"a": ["x", "y"]',
    ],
)
def test_what_nobody_would_have_made_is_absent(document: bytes) -> None:
    """Other types, other shapes, no JSON at all: the result is made anew."""
    whole = json.dumps({"b": ["x", "y"]}).encode()
    table = Known({"pairs": [document, whole]}).table("pairs", pair)
    assert table.kept == {"b": ["x", "y"]}


def test_tables_are_apart() -> None:
    """A key means nothing in another table; a table is read once."""
    known = Known({"one": [b'{"k": ["a", "b"]}']})
    assert known.table("two", pair).kept == {}
    assert known.table("one", pair) is known.table("one", pair)
    assert known.table("one", pair).of("k", list) == ["a", "b"]
    assert known.counts() == {"two": {"made": 0, "known": 0}, "one": {"made": 0, "known": 1}}
