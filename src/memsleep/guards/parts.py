"""Parts of a clause that particles hold together: they may change places."""

from __future__ import annotations

from collections.abc import Sequence

from memsleep.guards.clause_order import Tokens

Part = tuple[str, Tokens, str]
"""(why it may not move or nothing, its words, its particle)."""


def same_parts(one: Sequence[Part], other: Sequence[Part]) -> bool:
    """Return True when the parts of one clause stand in another order, each with its particle.

    The last part is the verb. Two parts of one particle keep their order, for it tells them apart.
    """
    if len(one) < 3 or one[-1] != other[-1] or sorted(one) != sorted(other):
        return False
    start = next((i for i, (x, y) in enumerate(zip(one, other, strict=True)) if x != y), len(one))
    stop = len(one)
    while stop > start and one[stop - 1] == other[stop - 1]:
        stop -= 1
    moved = one[start:stop]
    return all(part[0] == "" for part in moved) and len({part[2] for part in moved}) == len(moved)


def same_object(
    one: Sequence[Part], other: Sequence[Part], topic: str, subject: str, patient: str
) -> bool:
    """Return True when the topic of the one, beside a subject, is what is acted on in the other."""
    topics = [part for part in one if part[2] == topic]
    if len(topics) != 1 or not any(part[2] == subject for part in one) or one[-1] != other[-1]:
        return False
    why, words, _ = topics[0]
    if why or words[-1] != topic or any(part[2] in {topic, patient} and part[0] for part in other):
        return False
    turned = (why, (*words[:-1], patient), patient)
    return sorted(turned if part is topics[0] else part for part in one) == sorted(other)
