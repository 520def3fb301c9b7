from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from memsleep.model import Usage
from memsleep.state.export import read_export, usage_from_object, write_export

STAMP = "2026-11-30T03:00:00Z"
usages = st.builds(
    Usage,
    access_count=st.integers(0, 2**53),
    reinforcement_count=st.integers(0, 9),
    outcome_score=st.integers(-10_000, 10_000).map(lambda fp: fp / 10_000),
    last_accessed_at=st.sampled_from([None, STAMP]),
    last_used_at=st.sampled_from([None, STAMP]),
    evidence_count=st.integers(0, 9),
    source_refs=st.lists(st.tuples(st.sampled_from(["a", "é"]), st.integers(0, 9)), max_size=3).map(
        tuple
    ),
)
paths = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=9)


def test_bytes() -> None:
    """Sorted, compact, in a fixed order of keys, non-ASCII kept, whole numbers whole."""
    usage = {
        "z.md": Usage(2, 1, -0.4, STAMP),
        "a/\u00e9.md": Usage(source_refs=(("\u4f1a\u8bdd", 3),), outcome_score=1.0),
    }
    assert write_export(usage).decode() == (
        '{"path":"a/\u00e9.md","access_count":0,"reinforcement_count":0,"outcome_score":1,'
        '"last_accessed_at":null,"last_reinforced_at":null,"updated_at":null,"usage_count":0,'
        '"last_used_at":null,"corrected_count":0,"evidence_count":1,'
        '"source_refs":[{"session_id":"\u4f1a\u8bdd","seq":3}]}\n'
        '{"path":"z.md","access_count":2,"reinforcement_count":1,"outcome_score":-0.4,'
        f'"last_accessed_at":"{STAMP}","last_reinforced_at":null,"updated_at":null,'
        '"usage_count":0,"last_used_at":null,"corrected_count":0,"evidence_count":1,'
        '"source_refs":[]}\n'
    )


def test_nothing() -> None:
    """No usage is an empty file."""
    assert write_export({}) == b""


@given(st.dictionaries(paths, usages, max_size=4))
def test_round_trip(usage: dict[str, Usage]) -> None:
    """What was written is read again, and written again as the same bytes in any order."""
    source = write_export(usage)
    found = read_export(source, "usage.jsonl")
    assert (dict(found.usage), found.problems) == (usage, ())
    assert write_export(dict(reversed(found.usage.items()))) == source


def test_strange_references_are_left_out() -> None:
    """A reference without a session or a whole number is none."""
    refs = [
        None,
        {},
        {"session_id": "s"},
        {"session_id": 1, "seq": 1},
        {"session_id": "s", "seq": 2.5},
    ]
    good = {"session_id": "s", "seq": 2}
    assert usage_from_object({"source_refs": [*refs, good]}) == Usage(source_refs=(("s", 2),))
    assert usage_from_object({"source_refs": "s"}) == Usage()
