"""Reading a ledger: what is an entry, and what is passed over."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

import phases_kit as kit
from memsleep.fold import fold
from memsleep.ledger import LedgerEntry, joined, ledger_problems, read_ledger, renamed
from memsleep.proposals import Archive

GOOD = {"path": "a.md", "to": "archive/2026/a.md", "when": kit.NOW, "cause": "evicted"}
ENTRY = LedgerEntry("a.md", "archive/2026/a.md", kit.NOW, "evicted")
LINE = json.dumps(GOOD).encode()


@pytest.mark.parametrize(
    "source",
    [
        LINE,
        LINE + b"\n",
        LINE + b"\r\n",
        b"\n\n" + LINE,
        b"<<<<<<< HEAD\n" + LINE + b"\n=======\n>>>>>>> other\n",
        b"[]\n3\nnull\n" + LINE,
        b'{"path": "x"}\n' + LINE,
        b'{"path": 1, "to": "x", "when": "y", "cause": "z"}\n' + LINE,
        b"\xff\xfe\n" + LINE,
        b"[" * 100_000 + b"\n" + LINE,
    ],
)
def test_one_entry(source: bytes) -> None:
    """Whatever stands around it, a whole line counts and a broken one costs itself."""
    assert read_ledger(source, "ledger.jsonl") == [ENTRY]


@pytest.mark.parametrize("source", [b"", b"\n", LINE[:-1], b"\xef\xbb\xbf", b"{}"])
def test_no_entry(source: bytes) -> None:
    """A cut line, an empty file and an empty object are no entries."""
    assert read_ledger(source, "ledger.jsonl") == []


def test_bad_lines_are_named_by_number() -> None:
    """Blank lines are nothing, an instant that is none makes a line none."""
    good = b'{"path":"a","to":"b","when":"2026-01-01T00:00:00Z","cause":"merged"}'
    bad = good.replace(b"2026-01-01T00:00:00Z", b"yesterday")
    source = b"\n".join([good, b"", b"<<<<<<< HEAD", bad, b"[]", good, b""])
    assert [(p.line, p.code) for p in ledger_problems(source, "l")] == [
        (3, "bad-ledger-line"), (4, "bad-ledger-line"), (5, "bad-ledger-line"),
    ]  # fmt: skip
    assert len(read_ledger(source, "l")) == 2


def test_replaced_by_is_optional() -> None:
    """A merge names the keeper, an eviction none."""
    with_keeper = json.dumps({**GOOD, "cause": "merged", "replaced_by": "b.md"}).encode()
    without = json.dumps({**GOOD, "replaced_by": None}).encode()
    assert [e.replaced_by for e in read_ledger(with_keeper + b"\n" + without, "x")] == [
        "b.md",
        None,
    ]


@given(st.binary())
def test_reading_is_total(source: bytes) -> None:
    """No bytes whatsoever raise."""
    read_ledger(source, "ledger.jsonl")


def test_what_the_fold_writes_is_read() -> None:
    """An archiving's line gives back path, place, instant and cause."""
    start = kit.corpus({"a.md": "It was so.\n"})
    gone = Archive(phase="reprieve", reason="old", path="a.md", cause="evicted")
    end = fold(start, [gone], kit.CAREFUL).snapshot
    assert read_ledger(end.files["archive/2026/ledger.jsonl"], "x") == [ENTRY]


RENAMED = [
    ({"path": "a.md"}, 1),
    ({"id": "a.md"}, 1),
    ({"to": "a.md"}, 1),
    ({"replaced_by": "a.md"}, 1),
    ({"path": "a.md", "replaced_by": "a.md"}, 1),
    ({"path": "aa.md"}, 0),
    ({"reason": "a.md"}, 0),
    ({"replaced_by": None}, 0),
]


@pytest.mark.parametrize(("fields", "count"), RENAMED)
def test_a_memory_goes_by_another_name(fields: dict[str, str | None], count: int) -> None:
    """What names it is changed, what mentions it in passing is not, and the line still counts."""
    entry = {**GOOD, "path": "b.md", "to": "archive/2026/b.md", **fields}
    line = json.dumps(entry).encode()
    written, lines = renamed(line + b"\r\n\nno entry a.md\n", {"a.md": "purged:0"})
    assert lines == count
    assert written.endswith(b"\r\n\nno entry a.md\n")
    (read,) = read_ledger(written, "ledger")
    assert (read.when, read.cause) == (kit.NOW, "evicted")
    assert "a.md" not in (read.path, read.to, read.replaced_by)
    if not count:
        assert written.startswith(line)


@given(st.lists(st.one_of(st.just(LINE), st.binary(max_size=20).filter(lambda b: b"\n" not in b))))
def test_other_lines_keep_their_bytes(lines: list[bytes]) -> None:
    """A ledger that names nobody who is meant is what it was, byte for byte."""
    source = b"\n".join(lines)
    assert renamed(source, {"other.md": "purged:0"}) == (source, 0)


JOINED = [
    pytest.param("1 2", "1 2 3", "1 2", "1 2 3", id="a night"),
    pytest.param("1", "1 2", "1 3", "1 3 2", id="two nights"),
    pytest.param("", "2", "3", "3 2", id="the first line of both"),
    pytest.param("1 2", "2", "1 2 3", "2 3", id="an undo and a night"),
    pytest.param("1 2", "1 2 3", "2", "2 3", id="a night and an undo"),
    pytest.param("1 2", "1", "2", "", id="two undos"),
    pytest.param("1", "", "1 2", "2", id="an undo of all"),
    pytest.param("1", "1 2", "", "2", id="a night, and an undo of all"),
    pytest.param("1 2 3", "1 3 4", "1 2 3 5", "1 3 5 4", id="undone and archived"),
]
APART = [
    pytest.param("1 2", "2 1", "1 2 3", id="another order"),
    pytest.param("1 2", "3 1 2", "1 2", id="not at the end"),
    pytest.param("1 2", "1", "1 9", id="what goes is not there"),
    pytest.param("1 1", "1", "1 1 2", id="one of two alike"),
]


def _lines(words: str) -> bytes:
    return "".join(f"{word}\n" for word in words.split()).encode()


@pytest.mark.parametrize(("base", "mine", "theirs", "expected"), JOINED)
def test_each_side_adds_and_takes_out_lines_of_its_own(
    base: str, mine: str, theirs: str, expected: str
) -> None:
    assert joined(_lines(base), _lines(mine), _lines(theirs)) == _lines(expected)


@pytest.mark.parametrize(("base", "mine", "theirs"), APART)
def test_what_is_neither_a_night_nor_an_undo_is_not_joined(
    base: str, mine: str, theirs: str
) -> None:
    assert joined(_lines(base), _lines(mine), _lines(theirs)) is None


def test_a_last_line_without_its_end_is_a_line() -> None:
    assert joined(b"1", b"1\n2\n", b"1\n3") == b"1\n3\n2\n"
