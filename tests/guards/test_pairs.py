"""Pairs of claims that must merge, and those that must not, from pairing to the fold.

`different`: never merged. `same`: merged. `complements`: both stay, or the keeper holds the added
detail. `supersedes`: a person decides, so a review.
"""

from __future__ import annotations

from pathlib import Path

import pytest

import phases_kit as kit
from memsleep.model import Pair, Snapshot
from memsleep.night import NightResult
from memsleep.phases import dedup
from memsleep.proposals import Merge, Proposal

TABLE = Path(__file__).with_name("pairs.tsv")


def _rows(*expected: str) -> list[tuple[str, str, str]]:
    rows = []
    for line in TABLE.read_bytes().decode().split("\n"):
        if line and not line.startswith("#"):
            outcome, first, second = line.split("\t")
            if outcome in expected:
                rows.append((outcome, first, second))
    return rows


def _files(first: str, second: str) -> dict[str, str]:
    head = "---\ntype: semantic\ncreated: 2026-0{}-01\n---\n"
    return {"a.md": f"{head.format(1)}{first}\n", "b.md": f"{head.format(2)}{second}\n"}


def _night(first: str, second: str) -> NightResult:
    return kit.night(kit.corpus(_files(first, second)), phases=("pairing", "dedup"))


def _as_candidates(first: str, second: str) -> list[Proposal]:
    """Return what dedup makes of two claims however they became candidates."""
    start: Snapshot = kit.corpus(
        _files(first, second), candidates=(Pair("a.md", "b.md", 0.99, "vector"),)
    )
    return list(dedup.propose(start, kit.CAREFUL))


@pytest.mark.parametrize(("outcome", "first", "second"), _rows("different", "supersedes"))
def test_what_differs_stays_apart(outcome: str, first: str, second: str) -> None:
    """Two facts never merge, whichever is the older, and as candidates they are a review."""
    for pair in ((first, second), (second, first)):
        result = _night(*pair)
        assert result.decisions == ()
        assert kit.told(_as_candidates(*pair)) == [("review", "a.md", "b.md")]


@pytest.mark.parametrize(("outcome", "first", "second"), _rows("same"))
def test_what_is_the_same_merges(outcome: str, first: str, second: str) -> None:
    """Two tellings of one fact merge without help, and nothing is carried over."""
    for pair in ((first, second), (second, first)):
        result = _night(*pair)
        assert kit.told(result.found(Merge)) == [("merge", "a.md", "b.md")]
        assert result.end.memories["a.md"].body == result.start.memories["a.md"].body


@pytest.mark.parametrize(("outcome", "first", "second"), _rows("complements"))
def test_a_complement_is_never_lost(outcome: str, first: str, second: str) -> None:
    """Where one side adds to the other, what it adds is in the live files afterwards."""
    for pair in ((first, second), (second, first)):
        live = " ".join(memory.body for memory in _night(*pair).end.active())
        assert max(pair, key=len) in live


def test_the_table_has_every_kind() -> None:
    """The table is read, and refusals do not drown the merges."""
    counts = {kind: len(_rows(kind)) for kind in ("different", "same", "complements", "supersedes")}
    assert counts["different"] >= 100
    assert counts["same"] >= 25
    assert counts["complements"] >= 5
    assert counts["supersedes"] >= 3
