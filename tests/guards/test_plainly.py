"""Claims told plainly: every rule is needed, and no rule changes what is told plainly already."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from memsleep.guards import plainly
from memsleep.guards.claims import claim_of
from memsleep.guards.sameness import says_same

ROWS = [
    tuple(line.split("\t")[1:])
    for name in ("plainly", "injunctions", "causes", "turns", "ties", "happenings", "grants")
    for line in (Path(__file__).parent / "english" / f"{name}.tsv")
    .read_bytes()
    .decode()
    .split("\n")
    if line.startswith("same\t")
]
NAMED = [(group, rule) for group in ("RULES", "READ", "FREE") for rule in getattr(plainly, group)]


@pytest.mark.usefixtures("fresh_readings")
@pytest.mark.parametrize(("group", "rule"), NAMED, ids=[rule.__name__ for _, rule in NAMED])
def test_no_rule_can_be_taken_out(
    group: str, rule: Callable[..., object], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without any one rule a pair of the table that says the same is a question."""
    left = tuple(other for other in getattr(plainly, group) if other is not rule)
    monkeypatch.setattr(plainly, group, left)
    assert not all(says_same(*row) for row in ROWS)


@pytest.mark.parametrize(("first", "second"), ROWS)
def test_telling_plainly_is_symmetrical(first: str, second: str) -> None:
    """Both sides are told plainly from either side, or neither is."""
    one, other = claim_of(first), claim_of(second)
    pair, back = plainly.plain_pair(one, other), plainly.plain_pair(other, one)
    assert (pair is None) == (back is None)
    if pair is not None and back is not None:
        assert [claim.marked for claim in pair] == [claim.marked for claim in reversed(back)]


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("Ida sent 3 letters", "Ida sent 4 letters"),
        ("Ida did not send it", "Ida sent it"),
        ("It is Ida who bakes", "It is Ida who cooks"),
        ("Ida bakes on 3 May", "Ida bakes on 4 May"),
        ("Hosts that were infected are offline", "Hosts that are infected are offline"),
    ],
)
def test_what_differs_is_not_told_plainly(first: str, second: str) -> None:
    """Another figure, date, denial, word or time keeps two claims as they are."""
    assert plainly.plain_pair(claim_of(first), claim_of(second)) is None
