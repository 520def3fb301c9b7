"""Sentences that say it otherwise, against the definition that looks at every pair."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memsleep.guards.claims import claim_of
from memsleep.guards.clauses import extends
from memsleep.guards.scripts import is_unspaced
from memsleep.guards.wording import slot
from memsleep.phases.conflicts import _LABEL, NEAR, Held, content, marks


def conflict(mine: str, other: str) -> bool:
    """Tell for one pair, as the specification has it."""
    left_slot, right_slot = slot(mine), slot(other)
    if left_slot and right_slot and left_slot[0] == right_slot[0] and left_slot[1] != right_slot[1]:
        return True
    labels = [match.group(1).casefold() for s in (mine, other) if (match := _LABEL.match(s))]
    if len(labels) == 2 and labels[0] == labels[1]:
        return True
    left, right = Counter(content(claim_of(mine))), Counter(content(claim_of(other)))
    shared, smaller = (left & right).total(), min(left.total(), right.total())
    near = shared >= NEAR * (left | right).total() or (shared >= 2 and shared > NEAR * smaller)
    if not shared or not near:
        return False
    return not (marks(mine) == marks(other) and not is_unspaced(other) and extends(mine, other))


@pytest.mark.parametrize(
    ("held", "other", "told"),
    [
        (["The pump runs at 40 bar."], "The pump runs at 50 bar.", True),
        (["The pump runs at night."], "The pump runs.", True),
        (["The pump runs at night."], "The roof was painted in spring.", False),
        (["Port: 80"], "Port: 443", True),
        (["Port: 80"], "Host: 443", False),
        (["The port is 80."], "The port is 443.", True),
        (["The kiln is hot.", "The pump runs at 40 bar."], "The pump runs at 50 bar.", True),
        ([], "The pump runs.", False),
        (["The pump runs."], "The pump runs, as seen in the cellar.", False),
        (["The pump pump pump."], "The pump of the cellar hums.", False),
    ],
)
def test_conflicts(held: list[str], other: str, told: bool) -> None:
    assert any(conflict(mine, other) for mine in held) is told
    assert Held(held).contradicts_one_of([other]) is told


WORDS = st.sampled_from("pump kiln roof runs hums leaks hot not never 4 40 bar it, the".split())
SAID = st.lists(WORDS, min_size=1, max_size=7).map(" ".join)
SENTENCES = st.one_of(
    SAID,
    SAID.map(lambda said: f"Port: {said}"),
    SAID.map(lambda said: f"The owner is {said}."),
    st.text("\u6cf5\u7a91\u70ed\u4e0d\u5728", min_size=1, max_size=6),
)


@given(st.lists(SENTENCES, max_size=6), st.lists(SENTENCES, max_size=4))
def test_as_pair_by_pair(held: list[str], others: list[str]) -> None:
    told = any(conflict(mine, other) for other in others for mine in held)
    assert Held(held).contradicts_one_of(others) is told
