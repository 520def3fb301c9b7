"""What a language's file tells of things that two sides tell differently, made ready."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from memsleep.guards.tables import Table

Words = tuple[str, ...]


class Sides:
    """Words that change when a claim is told from the other side; empty where a file has none."""

    def __init__(
        self, table: Table, final: Callable[[str], str], canonical: Callable[[str], Words]
    ) -> None:
        def words(name: str) -> frozenset[str]:
            return frozenset(map(final, table.words(name, "structure")))

        def pairs(name: str) -> dict[str, str]:
            rules = (rule.partition(">") for rule in table.words(name, "structure"))
            return {final(word): final(instead) for word, _, instead in rules}

        self.particles = frozenset(table.words("particles", "structure"))
        """What goes with a verb and may stand behind its object."""
        self.giving = words("giving")
        """Verbs of which the one who is given something stands before it or behind it with to."""
        self.making = words("making")
        """The same with for."""
        self.sequenced = words("sequenced")
        """Verbs of what comes before or after another."""
        self.lasting = words("lasting")
        """Verbs of what is so, not of what is done."""
        self.moving = frozenset(table.words("moving", "structure"))
        """Verbs of which an object and a way may follow: drove the van in, drove in the van."""
        self.belonging = words("belonging")
        """What is one and the same whether it is for somebody, in a place, or theirs."""
        self.stated = words("stated")
        """What is done in a text or a setting, by that text: forbidden, listed, ignored."""
        self.counterparts = pairs("counterparts")
        """What the one who takes does -> what the one who gives does."""
        self.doers = pairs("doers")
        """Who does it -> the verb."""
        self.converse = _converses(table.phrases("converse", "structure"), canonical)
        """First word -> (phrase, what says it from the other side)."""
        sides = (set(x) ^ set(y) for found in self.converse.values() for x, y in found)
        told = {**self.counterparts, **self.doers}
        self.words: frozenset[str] = frozenset().union(*sides, told, told.values())
        """All words that change."""


def _converses(
    rules: Sequence[str], canonical: Callable[[str], Words]
) -> dict[str, list[tuple[Words, Words]]]:
    found: dict[str, list[tuple[Words, Words]]] = {}
    for rule in rules:
        one, _, other = (canonical(side) for side in rule.partition(">"))
        for phrase, opposite in ((one, other), (other, one)):
            found.setdefault(phrase[0], []).append((phrase, opposite))
    return found
