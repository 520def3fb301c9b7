from __future__ import annotations

import json
from dataclasses import fields, replace
from types import MappingProxyType

import pytest

from fuzz_kit import HTML, made, seeds
from memsleep.corpus.codec import decode, encode
from memsleep.dialects.entries import EntriesDialect
from memsleep.dialects.registry import DIALECTS
from memsleep.model import Citation, Facet, Link, Memory, OtherTarget, Problem, Unreadable

FULL = Memory(
    path="a/\ud800.md", dialect="plain", type="semantic", title="T", gist="G", body="B\u2028\0",
    word_count=1, digest="d", content_hash="h", created="2026-01-01", updated=None, confidence=0.1,
    importance=7.0, reprieves=2, status="expired", pinned=True, author="x", tags=("t",),
    entities=("e",), aliases=("a", "b"), facets=(Facet("n", "v"), Facet("n", "3", 3.5)),
    citations=(Citation("c"), Citation("c", "h")),
    links=(
        Link("supports", "x", 3, "wikilink", 4, 5, "p", ("p", "q"), True, OtherTarget("y", 1, 2)),
        Link("supports", "x", 3, "head"),
    ),
    scope="s", source_refs=(("s", 1),), language="de", stated=MappingProxyType({"type": "type"}),
    raw=MappingProxyType({"type": "semantic"}), superseded_by="z", read_only="r", protected=True,
    warnings=(Problem("a", None, "c", "m"), Problem("a", 2, "c", "m")),
    from_history=frozenset({"created"}), container="c", archived_by_place=False,
)  # fmt: skip


def test_every_field_has_a_value_of_its_own_here() -> None:
    """A field that is added to the model is added to this test."""
    plain = Memory("p", "q", "t", "t", "g", "b", 0, "q", "q")
    same = [f.name for f in fields(Memory) if getattr(FULL, f.name) == getattr(plain, f.name)]
    assert same == ["updated", "event_time", "valid_from", "valid_until", "archived_at"]


@pytest.mark.parametrize(
    "found",
    [
        FULL,
        replace(FULL, event_time="1", valid_from="2", valid_until="3", archived_at="4"),
        Memory("p", "d", "t", "t", "g", "b", 0, "d", "h"),
        Unreadable("a", ()),
        Unreadable("a", (Problem("a", None, "c", "m"), Problem("a", 2, "c", "m"))),
    ],
)
def test_what_was_encoded_comes_back(found: Memory | Unreadable) -> None:
    """Equal in every field and of the same types, so that nothing later can tell them apart."""
    again = decode(encode(found))
    assert again == found
    assert repr(again) == repr(found)


def test_every_file_comes_back() -> None:
    """Whatever the dialects make of the files of all stores, and of files that nobody writes."""
    for one in (*seeds(), *(made(number) for number in range(600))):
        dialect = DIALECTS[one.dialect]
        if isinstance(dialect, EntriesDialect):
            continue
        found = dialect.read("a/b.html" if one.dialect in HTML else "a/b.md", one.source)
        assert repr(decode(encode(found))) == repr(found)


@pytest.mark.parametrize(
    "source",
    [
        b"", b"x", b"\xff", b"null", b"[]", b"{}", b'["memory", []]', b'["memory"]', b"[1, 2, 3]",
        b'["memory", null]', b'["unreadable", []]', b'["unreadable", ["a", [1]]]',
        b'["other", ["a"]]', b"[" * 100_000,
        json.dumps(["memory", [1] * len(fields(Memory))]).encode(),
    ],
)  # fmt: skip
def test_other_bytes_are_nothing(source: bytes) -> None:
    """A cache that says something else costs a parse, not the night."""
    assert decode(source) is None
