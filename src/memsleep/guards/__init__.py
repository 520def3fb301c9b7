"""Reasons not to merge two memories, however near their vectors are.

A guard is a function `guard(a, b) -> reason | None`, pure, symmetric and total. `GUARDS` holds
them by name; the settings give the order. Every guard that fires is reported.

`fired(names, a, b)` gives every guard that speaks against a pair with its reason; what a night
makes of the pair (`merge`, `review` or `refuse`, with the same list as `vetoes`) is
`memsleep.phases.dedup_judge.Judge.verdict(keeper, dropped)`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from memsleep.guards.identity import identifiers
from memsleep.guards.ownership import pinned, same_type, scope, validity
from memsleep.guards.polarity import negation, negation_words
from memsleep.guards.quantity import numbers, numeric
from memsleep.guards.wording import qualifiers, slot_value, substitution, variant, word_order
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
    "identifiers": identifiers,
    "variant": variant,
    "qualifiers": qualifiers,
    "slot_value": slot_value,
    "substitution": substitution,
    "word_order": word_order,
}
CONTRADICTING = frozenset(
    {"negation", "negation_words", "numeric", "numbers", "identifiers", "slot_value"}
)
"""Guards whose veto says that two memories may contradict each other."""
POLICY = frozenset({"pinned", "scope", "type"})
"""Guards that settle the matter: there is nothing to ask a person."""


def fired(names: Sequence[str], a: Memory, b: Memory) -> list[tuple[str, str]]:
    """Return (guard, reason) for every named guard that speaks against merging a and b."""
    results = ((name, GUARDS[name](a, b)) for name in names)
    return [(name, reason) for name, reason in results if reason is not None]
