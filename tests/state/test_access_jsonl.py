from __future__ import annotations

from pathlib import Path

import pytest

from memsleep.model import Usage
from memsleep.state.access_jsonl import read_access, write_access

STORE = Path(__file__).parents[2] / "fixtures" / "reference-store" / "access.jsonl"
SAMPLE = (
    '{"path":"projects/my-ws/ws-fact.html","accessCount":1,"reinforcementCount":0,'
    '"outcomeScore":0,"lastAccessedAt":"2026-11-30T13:28:08Z","lastReinforcedAt":null,'
    '"updatedAt":"2026-11-30T13:28:08Z"}\n'
)


def read(text: str) -> dict[str, Usage]:
    return dict(read_access(text.encode("utf-8", "surrogateescape"), "access.jsonl").usage)


def test_sample() -> None:
    """The row of the format's own page; null stays null."""
    stamp = "2026-11-30T13:28:08Z"
    assert read(SAMPLE) == {
        "projects/my-ws/ws-fact.html": Usage(1, last_accessed_at=stamp, updated_at=stamp)
    }


def test_reference_store() -> None:
    """Every row of the reference store is read."""
    found = read_access(STORE.read_bytes(), "access.jsonl")
    assert (len(found.usage), found.problems) == (STORE.read_bytes().count(b"\n"), ())
    assert list(found.usage) == sorted(found.usage)


ROWS = [
    ("{}", None),
    ('{"path":""}', None),
    ('{"path":7}', None),
    ('{"path":null}', None),
    (r'{"path":"\ud800"}', None),
    ("[]", None),
    ('"a"', None),
    ("{", None),
    ('{"path":"a","accessCount":NaN}', None),
    ("\udcff", None),
    ('{"path":"a","accessCount":' + "[" * 100_000, None),
    ('{"path":"a"}', Usage()),
    ('{"path":"a","unknown":{}}', Usage()),
    ('{"path":"a","accessCount":"3"}', Usage()),
    ('{"path":"a","accessCount":true}', Usage()),
    ('{"path":"a","accessCount":-3}', Usage()),
    ('{"path":"a","accessCount":2.9}', Usage(2)),
    ('{"path":"a","accessCount":1e999}', Usage()),
    ('{"path":"a","accessCount":3,"reinforcementCount":2}', Usage(3, 2)),
    ('{"path":"a","outcomeScore":-0.4}', Usage(outcome_score=-0.4)),
    ('{"path":"a","outcomeScore":9}', Usage(outcome_score=1.0)),
    ('{"path":"a","outcomeScore":-1e999}', Usage()),
    ('{"path":"a","outcomeScore":"1"}', Usage()),
    ('{"path":"a","lastAccessedAt":7,"updatedAt":""}', Usage()),
    ('{"path":"a","lastReinforcedAt":"2026-01-01"}', Usage(last_reinforced_at="2026-01-01")),
    ('\ufeff{"path":"a","accessCount":1}', Usage(1)),
    ('  {"path":"a","accessCount":1}  \r', Usage(1)),
]


@pytest.mark.parametrize(("line", "expected"), ROWS)
def test_row(line: str, expected: Usage | None) -> None:
    """A strange value costs itself, a strange line costs itself, never the file."""
    after = '\n{"path":"after"}'
    assert read(line + after) == {"after": Usage(), **({} if expected is None else {"a": expected})}


def test_bad_lines_are_counted_with_their_numbers() -> None:
    """Blank lines count as lines, but are nothing bad."""
    found = read_access(b'\n{"path":"a"}\n\n{\n{"path":"b"}\n[]\n{"path":1}', "state/access.jsonl")
    assert [(p.path, p.line, p.code) for p in found.problems] == [
        ("state/access.jsonl", 4, "bad-usage-line"),
        ("state/access.jsonl", 6, "bad-usage-line"),
        ("state/access.jsonl", 7, "bad-usage-line"),
    ]
    assert list(found.usage) == ["a", "b"]


def test_a_line_ends_at_lf_only() -> None:
    """Other line ends are text."""
    assert list(read('{"path":"a\u2028b"}\n{"path":"c\u0085d"}')) == ["a\u2028b", "c\u0085d"]


@pytest.mark.parametrize("source", [b"", b"\n", b"\xef\xbb\xbf", b" \r\n\t\n"])
def test_empty(source: bytes) -> None:
    """An empty file is a valid export of nothing."""
    found = read_access(source, "access.jsonl")
    assert (found.usage, found.problems) == ({}, ())


def test_two_rows_of_one_path() -> None:
    """Counters and stamps take the larger, the outcome the later row."""
    two = (
        '{"path":"a","accessCount":5,"outcomeScore":1,"lastAccessedAt":"2026-01-02"}\n'
        '{"path":"a","accessCount":3,"outcomeScore":-1,"lastAccessedAt":"2026-01-01"}\n'
    )
    assert read(two) == {"a": Usage(5, outcome_score=-1.0, last_accessed_at="2026-01-02")}


def test_the_reference_store_is_written_as_it_was_read() -> None:
    """The export of another program comes back byte for byte, and so does the page's own row."""
    source = STORE.read_bytes()
    assert write_access(read_access(source, "access.jsonl").usage) == source
    assert write_access(read(SAMPLE)) == SAMPLE.encode()
    assert write_access({}) == b""


WRITTEN = [
    (0.0, "0"),
    (-0.0, "0"),
    (1.0, "1"),
    (-1.0, "-1"),
    (-0.4, "-0.4"),
    (0.0001, "0.0001"),
    (0.30004, "0.3"),
]


@pytest.mark.parametrize(("outcome", "text"), WRITTEN)
def test_an_outcome_is_written_as_that_program_writes_numbers(outcome: float, text: str) -> None:
    """Whole numbers have no point, zero has no sign, and four decimals are kept."""
    assert f'"outcomeScore":{text},'.encode() in write_access({"a": Usage(outcome_score=outcome)})
