from __future__ import annotations

import hashlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memsleep.state.identity import Known, match_identities, short_id

EMPTY = f"sha256:{hashlib.sha256(b'').hexdigest()}"
A, B = Known("a", "a", "1"), Known("b", "b", "2")

# known, files, expected path -> id, expected missing
CASES = [
    pytest.param([], {}, {}, [], id="nothing"),
    pytest.param([], {"a": "1"}, {"a": "a"}, [], id="first sight"),
    pytest.param([A], {"a": "1"}, {"a": "a"}, [], id="unchanged"),
    pytest.param([A], {"a": "9"}, {"a": "a"}, [], id="edited in place"),
    pytest.param([A], {"z": "1"}, {"z": "a"}, [], id="moved"),
    pytest.param([A], {"archive/2026/a": "1"}, {"archive/2026/a": "a"}, [], id="archived"),
    pytest.param([A], {}, {}, ["a"], id="gone"),
    pytest.param([A], {"z": "9"}, {"z": "z"}, ["a"], id="moved and edited is new"),
    pytest.param([A], {"a": "1", "z": "1"}, {"a": "a", "z": "z"}, [], id="copied"),
    pytest.param([A], {"y": "1", "z": "1"}, {"y": "y", "z": "z"}, ["a"], id="two new twins"),
    pytest.param(
        [A, Known("b", "b", "1")], {"z": "1"}, {"z": "z"}, ["a", "b"], id="two vanished twins"
    ),
    pytest.param(
        [A, Known("b", "b", "1")],
        {"y": "1", "z": "1"},
        {"y": "y", "z": "z"},
        ["a", "b"],
        id="two twins for two twins",
    ),
    pytest.param([A, B], {"a": "2", "b": "1"}, {"a": "a", "b": "b"}, [], id="contents swapped"),
    pytest.param([A, B], {"b": "1"}, {"b": "b"}, ["a"], id="moved over another"),
    pytest.param([A, B], {"y": "2", "z": "1"}, {"y": "b", "z": "a"}, [], id="both moved"),
    pytest.param(
        [Known("a", "z", "1")], {"a": "5", "z": "1"}, {"a": "a~2", "z": "a"}, [], id="reused"
    ),
    pytest.param(
        [Known("a", "z", "1"), Known("a~2", "y", "2")],
        {"a": "5", "y": "2", "z": "1"},
        {"a": "a~3", "y": "a~2", "z": "a"},
        [],
        id="reused twice",
    ),
    pytest.param([Known("a", None, "1")], {"z": "1"}, {"z": "a"}, [], id="displaced, found again"),
    pytest.param([Known("a", None, "1")], {}, {}, ["a"], id="displaced, gone"),
    pytest.param([Known("a", "a", "")], {"z": ""}, {"z": "z"}, ["a"], id="unknown content"),
    pytest.param([Known("a", "a", EMPTY)], {"z": EMPTY}, {"z": "z"}, ["a"], id="empty content"),
]


@pytest.mark.parametrize(("known", "files", "ids", "missing"), CASES)
def test_assignments(
    known: list[Known], files: dict[str, str], ids: dict[str, str], missing: list[str]
) -> None:
    """The same path, or the one possible move, is the same memory; all else is new."""
    found = match_identities(known, files)
    assert dict(found.ids) == ids
    assert list(found.missing) == missing


def test_what_is_told() -> None:
    """New paths and moves are named."""
    found = match_identities([A, B], {"b": "2", "n": "7", "z": "1"})
    assert (found.new, dict(found.moved)) == (("n",), {"a": "z"})


@pytest.mark.parametrize("files", [{}, {"z": "1"}])
def test_unreadable_is_not_missing(files: dict[str, str]) -> None:
    """A file that is there but broken keeps its memory; no twin takes it over."""
    found = match_identities([A], files, unreadable=["a"])
    assert found.missing == ()
    assert dict(found.ids) == {path: path for path in files}


names, digests = st.sampled_from("abcdefgh"), st.sampled_from("1234")


@given(st.dictionaries(names, digests), st.dictionaries(names, digests))
def test_laws(before: dict[str, str], after: dict[str, str]) -> None:
    """Every file has one id, no two share one, the order of rows is nothing, again is the same."""
    known = [Known(path, path, digest) for path, digest in before.items()]
    found = match_identities(known, after)
    assert list(found.ids) == sorted(after)
    assert len(set(found.ids.values())) == len(after)
    assert match_identities(known[::-1], dict(reversed(after.items()))) == found
    settled = [Known(memory_id, path, after[path]) for path, memory_id in found.ids.items()]
    again = match_identities(settled, after)
    assert (again.ids, again.new, again.missing) == (found.ids, (), ())


def test_short_id() -> None:
    """A short id is the start of a digest of the id."""
    assert short_id("areas/a.md") == hashlib.sha256(b"areas/a.md").hexdigest()[:8]
