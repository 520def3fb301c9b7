"""Reasons not to merge two memories, however near their vectors are.

A guard is a function `guard(a, b) -> reason | None`, pure, symmetric and total. `GUARDS` holds
them by name; the settings give the order. Every guard that fires is reported.

`fired(names, a, b)` gives every guard that speaks against a pair with its reason; what a night
makes of the pair (`merge`, `review` or `refuse`, with the same list as `vetoes`) is
`memsleep.phases.dedup_judge.Judge.verdict(keeper, dropped)`.

Two claims pass when a table explains every difference between them (`sameness.relation`), or when
one adds a clause at its end. The words of each language stand in `data/`, none in the code.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache

from memsleep.guards.identity import identifiers, names
from memsleep.guards.ownership import pinned, same_type, scope, validity
from memsleep.guards.polarity import negation, negation_words, opposites
from memsleep.guards.quantity import dates, numbers, numeric
from memsleep.guards.wording import (
    additions,
    conditions,
    directions,
    hedges,
    lists,
    qualifiers,
    quantifiers,
    slot_value,
    substitution,
    tense,
    variant,
    variants,
    word_order,
)
from memsleep.model import Memory

Guard = Callable[[Memory, Memory], str | None]

GUARDS: Mapping[str, Guard] = {
    "pinned": pinned,
    "scope": scope,
    "type": same_type,
    "validity": validity,
    "negation": negation,
    "negation_words": negation_words,
    "numeric": numeric,
    "numbers": numbers,
    "dates": dates,
    "identifiers": identifiers,
    "names": names,
    "variant": variant,
    "variants": variants,
    "opposites": opposites,
    "quantifiers": quantifiers,
    "qualifiers": qualifiers,
    "hedges": hedges,
    "tense": tense,
    "conditions": conditions,
    "directions": directions,
    "slot_value": slot_value,
    "lists": lists,
    "additions": additions,
    "substitution": substitution,
    "word_order": word_order,
}
CONTRADICTING = frozenset(
    {
        "negation", "negation_words", "numeric", "numbers", "dates", "identifiers", "opposites",
        "quantifiers", "slot_value",
    }
)  # fmt: skip
"""Guards whose veto says that two memories may contradict each other."""
POLICY = frozenset({"pinned", "scope", "type"})
"""Guards that settle the matter: there is nothing to ask a person."""


def fired(names: Sequence[str], a: Memory, b: Memory) -> list[tuple[str, str]]:
    """Return (guard, reason) for every named guard that speaks against merging a and b."""
    guards = _bound(tuple(names))
    return [(name, reason) for name, guard in guards if (reason := guard(a, b)) is not None]


@lru_cache(maxsize=64)
def _bound(names: tuple[str, ...]) -> tuple[tuple[str, Guard], ...]:
    return tuple((name, GUARDS[name]) for name in names)
