"""The words by which a claim is told more plainly: acts and doers by their verbs, and glue."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from memsleep.guards.inflection import bases_of
from memsleep.guards.tables import Table
from memsleep.guards.tokens import MARK


class PlainWords:
    """What the tables say of acts, doers and words that say little; empty for most languages."""

    def __init__(self, table: Table, final: Callable[[str], str]) -> None:
        self._know_nouns(table, final)
        self._know_verbs(table, final)
        self._know_little_words(table, final)
        self._roots: dict[str, str] = {}
        self._said: dict[str, str] = {}
        self._idle = self.glue | self.staying | self.standing | _ONE

    def _know_nouns(self, table: Table, final: Callable[[str], str]) -> None:
        """Know the nouns that a verb tells more plainly."""
        self.deeds = _by_verb(table, "deeds", final)
        """Noun of an act -> verb."""
        self.doers = _by_verb(table, "doers", final)
        """Noun of a doer -> verb."""
        self.coming = _pairs(table, "coming", final)
        """Noun of what comes about and is done to nobody -> verb."""
        self.granting = _pairs(table, "granting", final)
        """Noun of what somebody grants -> verb."""

    def _know_verbs(self, table: Table, final: Callable[[str], str]) -> None:
        """Know verbs, their participles and pasts, and what kind of deed they tell."""
        self.modifying = _known(table, "modifying", final)
        """Verbs of which the -ing form stands before nouns: a meeting room."""
        self.felt = _known(table, "felt", final)
        """Verbs that nobody is told to do: need, notice."""
        self.creating = _known(table, "creating", final)
        """Verbs of what is there once it is done: make, write."""
        self.before_clauses = frozenset(table.words("before_clauses", "structure")) | {MARK}
        """Words behind which `that` begins a clause and stands for no noun; a clause's end too."""
        self.happening = frozenset(table.words("happening", "structure"))
        """As they are written, what is told of a deed that is a noun: walking starts at noon."""
        self.causing = frozenset(table.words("causing", "structure"))
        """Verbs behind whose object another verb may follow: saw Ida leave."""
        self.wishing = frozenset(table.words("wishing", "structure"))
        self.participles = {
            final(parts[1]): final(base)
            for base, (forms,) in table.alternatives("participles")
            if len(parts := forms.split()) == 2
        }
        self._pasts = {
            final(parts[0]): final(base)
            for base, (forms,) in table.alternatives("participles")
            if len(parts := forms.split()) == 2
        }
        self.verbs = frozenset(
            map(final, (*table.words("verbs", "regular"), *table.group("participles")))
        ) | set(self.deeds.values())
        self.twofold = _pairs(table, "twofold", final)
        """Verb -> another of which the participle may be read as its own: kept, stored."""
        self.remaining = _pairs(table, "remaining", final)
        """What a thing must do -> what is done with it: it must remain shut, keep it shut."""
        self.verbal = _pairs(table, "verbal", final)
        """Verb -> another that says the same, which is not so of the nouns."""

    def _know_little_words(self, table: Table, final: Callable[[str], str]) -> None:
        """Know the words that say little by themselves, each by what it is good for."""

        def known(name: str) -> frozenset[str]:
            return _known(table, name, final)

        self.glue = known("glue")
        self.duties = known("duties")
        self.doing = known("doing")
        self.done = known("done")
        self.demanding = known("demanding")
        self.staying = known("staying")
        self.standing = known("standing")
        self.where = known("where")
        self.chained = known("chained")
        self.holders = known("holders")
        self.reasons = known("reasons")
        self.tooled = known("tooled")
        self.recurring = known("recurring")
        self.tended = known("tended")
        self.pace = frozenset(table.words("pace", "structure"))
        self.manner = frozenset(table.words("manner", "structure"))
        """Adjectives of a deed that its verb has in -ly: manual deletion, manually delete."""
        self.periodic = frozenset(table.words("periodic", "structure"))

    def verb_of(self, participle: str) -> str:
        """Return the known verb of which a word is the participle, empty for none."""
        if participle in self.participles:
            return self.participles[participle]
        return next((base for base in bases_of(participle) if base in self.verbs), "")

    def roots(self, found: Iterable[str]) -> set[str]:
        """Return the roots of words that say more than where a thing is or that it is done."""
        said = self._said
        return {
            root for word in found if (root := said[word] if word in said else self._tell(word))
        }

    def _tell(self, word: str) -> str:
        """Return and remember the root of a word, empty for one that says no more than that."""
        root = "" if word in self._idle else self.root(word)
        found = self._said[word] = "" if root in self.glue else root
        return found

    def root(self, word: str) -> str:
        """Return what a word has in common with what is derived from it: act, doer, -ly, -ed."""
        found = self._roots.get(word)
        if found is None:
            found = self.deeds.get(word) or self.doers.get(word) or self.verb_of(word)
            found = (
                found
                or self.coming.get(word)
                or self.granting.get(word)
                or self._pasts.get(word)
                or _without_ly(word)
            )
            found = self._roots[word] = self.verbal.get(found, found)
        return found


_ONE = frozenset({"1"})


def _without_ly(word: str) -> str:
    if not word.endswith("ly") or len(word) < 5:
        return word
    if word.endswith("ically"):
        return word[:-4]
    return word[:-3] + "y" if word.endswith("ily") else word[:-2]


def _known(table: Table, name: str, final: Callable[[str], str]) -> frozenset[str]:
    return frozenset(map(final, table.words(name, "structure")))


def _pairs(table: Table, name: str, final: Callable[[str], str]) -> dict[str, str]:
    """Return word -> word for the entries `word>other` of a list."""
    entries = (entry.partition(">") for entry in table.words(name, "structure"))
    return {final(word): final(other) for word, _, other in entries}


def _by_verb(table: Table, name: str, final: Callable[[str], str]) -> Mapping[str, str]:
    found: dict[str, str] = {}
    for verb, nouns in table.alternatives(name):
        for noun in nouns:
            found.setdefault(final(noun), final(verb))
    return found
