"""What a language's file tells of the order of its words, made ready."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence

from memsleep.guards.tables import Table


class Syntax:
    """The order of words in one language; empty where its file tells nothing."""

    def __init__(
        self,
        table: Table,
        final: Callable[[str], str],
        classes: Mapping[str, Iterable[str]],
        negation: frozenset[str],
    ) -> None:
        def words(name: str) -> frozenset[str]:
            return frozenset(map(final, table.words(name, "structure")))

        self.verb_second = table.group("structure").get("verb_second") == "yes"
        """The verb stays second, so what moves to the front pushes the subject behind it."""
        self.movable = words("movable")
        """Words of time that may stand anywhere."""
        self.concord = words("concord")
        """Words that deny before their verb, and with another denial behind it: nadie."""
        self.weekly = words("weekly")
        """Articles with which a day of the week is that day of every week: le lundi."""
        self.free_order = table.group("structure").get("free_order") == "yes"
        """Cases tell who does it, so that both may stand on either side of the verb."""
        self.oblique = table.words("oblique", "structure")
        """Endings of words that are no subject."""
        self.feminine_verbs = table.words("feminine_verbs", "structure")
        self.feminine = table.words("feminine", "structure")
        """Endings of a verb that agrees with a feminine subject, and of that subject."""
        self.alone = words("alone")
        """Words in front of a verb that are an adjunct by themselves: heute, ihn."""
        self.then = words("then")
        """Words that take up a clause before: if ..., then."""
        self.copula = words("copula")
        rules = (rule.partition(">") for rule in table.words("initial", "structure"))
        self.initial = {final(front): final(inside) for front, _, inside in rules}
        """A conjunction at the front of a sentence -> what it is further inside."""
        self.escorts = frozenset(map(final, table.words("escort", "negation")))
        """What stands before a verb that another word denies: ne."""
        self.escorted = frozenset(map(final, table.words("escorted", "negation")))
        self.focus = negation | {
            word for word, names in classes.items() if not _FOCUSING.isdisjoint(names)
        }
        """Words that speak of what follows them."""
        self.ordinal_sign = _ordinal_sign(table.words("ordinal", "number_style"))


_FOCUSING = frozenset({"quantifiers", "qualifiers", "hedges"})


def _ordinal_sign(endings: Sequence[str]) -> re.Pattern[str] | None:
    """Return what makes a figure an ordinal: a stop before a word, or an ending."""
    if not endings:
        return None
    if "." in endings:
        return re.compile(r"(?<![0-9.,])([0-9]{1,3})\.(?=\s+[^\W\d_])")
    ordered = sorted(endings, key=lambda ending: (-len(ending), ending))
    return re.compile(rf"(?<![\w.,])([0-9]+)(?:{'|'.join(map(re.escape, ordered))})(?!\w)")
