from __future__ import annotations

from dataclasses import replace

import pytest

from gate_kit import changed, line, say, shelved, side
from memsleep.gate.sides import Target, Targets, touched_paths
from memsleep.model import Memory

A = say("a.md", "The kiln is lit at dawn")
B = say("b.md", "Goats eat hay in winter")
K = say("k.md", "The kiln is lit at dawn by Ines")
ENTRY = say("MEMORY.md#11111111", "Ash is sieved on Fridays", container="MEMORY.md")
GONE = "it is not live any more, and no line of the ledger says why"

CASES = [
    pytest.param([A, B], [], Target("a.md", "itself"), id="left alone"),
    pytest.param([changed(A, body="other")], [], Target("a.md", "itself"), id="edited"),
    pytest.param(
        [shelved(A), K], [line("a.md", "merged", "k.md")], Target("k.md", "merged"), id="merged"
    ),
    pytest.param(
        [shelved(A)], [line("a.md", "evicted")], Target("archive/2026/a.md", "archived"),
        id="evicted",
    ),
    pytest.param(
        [changed(A, status="archived")],
        [line("a.md", "expired")],
        Target("archive/2026/a.md", "gone", "the ledger names a place where nothing lies"),
        id="the ledger names another place",
    ),
    pytest.param(
        [shelved(A), shelved(K), B],
        [line("a.md", "merged", "k.md"), line("k.md", "merged", "b.md")],
        Target("b.md", "merged"),
        id="the keeper went into another",
    ),
    pytest.param(
        [shelved(A), shelved(K)],
        [line("a.md", "merged", "k.md"), line("k.md", "expired")],
        Target("archive/2026/k.md", "archived"),
        id="the keeper expired",
    ),
    pytest.param(
        [shelved(A)], [line("a.md", "merged", "k.md")],
        Target("k.md", "gone", "what replaced it is not live"), id="no keeper",
    ),
    pytest.param(
        [shelved(A), shelved(K)],
        [line("a.md", "merged", "k.md"), line("k.md", "merged", "a.md")],
        Target("a.md", "gone", "what replaced it is not live"),
        id="two that replace each other",
    ),
    pytest.param([B], [], Target("a.md", "gone", GONE), id="deleted"),
    pytest.param([shelved(A)], [], Target("a.md", "gone", GONE), id="archived without a line"),
    pytest.param(
        [changed(A, status="archived")], [],
        Target("a.md", "gone", "it is archived, and no line of the ledger says why"),
        id="flagged without a line",
    ),
    pytest.param([changed(A, path="new/a.md")], [], Target("new/a.md", "moved"), id="moved"),
    pytest.param(
        [changed(A, path="n.md", body="other", content_hash="sha256:0")], [],
        Target("a.md", "gone", GONE), id="another new memory",
    ),
]  # fmt: skip


@pytest.mark.parametrize(("after", "lines", "target"), CASES)
def test_what_became_of_a_memory(after: list[Memory], lines: list, target: Target) -> None:  # type: ignore[type-arg]
    """A memory is looked for where it lies, where a new line of the ledger says, or nowhere."""
    before = side([A, B, K])
    assert Targets(before, side(after, *lines)).of("a.md") == target


def test_old_lines_explain_nothing() -> None:
    """A line that the ledger held before the night is no reason for what is missing after it."""
    old = line("a.md", "evicted")
    before, after = side([A, B], old), side([shelved(A), B], old)
    assert Targets(before, after).of("a.md").how == "gone"
    again = side([shelved(A), B], old, old)
    assert Targets(before, again).of("a.md").how == "archived"


def test_an_entry_whose_first_line_changed_is_found_in_its_file() -> None:
    """An entry is named by its first line; the new one that keeps half of its words is it."""
    renamed = changed(ENTRY, path="MEMORY.md#22222222", body="Ash is sieved on Fridays by Ines.")
    other = changed(ENTRY, path="MEMORY.md#33333333", body="Goats eat hay.")
    before = side([ENTRY])
    assert Targets(before, side([renamed, other])).of(ENTRY.path).path == renamed.path
    assert Targets(before, side([other])).of(ENTRY.path).how == "gone"
    elsewhere = changed(renamed, container="OTHER.md")
    assert Targets(before, side([elsewhere])).of(ENTRY.path).how == "gone"


def test_touched_is_what_says_other_words_or_lies_elsewhere() -> None:
    """What was reworded, archived or taken away is touched; what is new or was archived is not."""
    before = side([A, B, K, shelved(ENTRY)])
    after = side([A, changed(B, confidence=0.5, gist="x"), say("new.md", "Hello there")])
    assert touched_paths(before, after) == ["b.md", "k.md"]
    reworded = side([A, changed(B, body="Something else"), K])
    assert touched_paths(before, reworded) == ["b.md"]
    assert touched_paths(before, side([A, B, changed(K, status="archived")])) == ["k.md"]


def test_a_rewritten_field_touches_no_fact() -> None:
    """A memory of which only a field or a link changed says what it said: the index is the same."""
    before = side([A, B, K])
    after = side([A, replace(B, confidence=0.5, digest="0" * 64), K])
    assert touched_paths(before, after) == []
