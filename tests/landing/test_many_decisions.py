"""A night of many decisions: none of them is looked for in a list of all."""

from __future__ import annotations

from collections.abc import Callable, Collection
from pathlib import Path

import pytest

from memsleep.access.landed import versions_of
from memsleep.landing.auditing import recorded_in
from memsleep.landing.settle import due_effects
from memsleep.plan import Plan
from refold_kit import planned

Use = Callable[[Plan, Collection[str]], object]


class Walked(tuple[str, ...]):
    """Ids that may be gone through, but not asked one by one: that takes the square of them."""

    __slots__ = ()

    def __contains__(self, _: object) -> bool:
        raise AssertionError("looked through for one id")


@pytest.mark.parametrize(
    "use",
    [
        lambda plan, landed: recorded_in(plan, landed),
        lambda plan, landed: list(versions_of(Path("/nowhere"), plan, landed)),
        lambda plan, landed: due_effects(plan, landed, (), frozenset()),
    ],
    ids=["recorded_in", "versions_of", "due_effects"],
)
def test_no_list_is_looked_through(use: Use) -> None:
    plan = planned("html-store").plan
    landed = tuple(decision.id for decision in plan.decisions)
    assert landed
    assert use(plan, Walked(landed)) == use(plan, landed)
