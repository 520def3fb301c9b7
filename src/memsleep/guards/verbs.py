"""English verbs in all their forms, and what a passive is made of."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from memsleep.guards.inflection import gerund_of, past_of
from memsleep.guards.rule_words import rule_phrases
from memsleep.guards.tables import Table


class Passive:
    """What an English-like passive is made of; empty for a language whose file has none."""

    def __init__(self, table: Table, final: Callable[[str], str]) -> None:
        self.be = frozenset(table.words("be", "passive"))
        self.have = frozenset(table.words("have", "passive"))
        self.modals = frozenset(table.words("modals", "passive"))
        self.past: dict[str, str] = {}
        self.bases: dict[str, tuple[str, ...]] = {}
        """Participle -> verbs."""
        self.simple: dict[str, str] = {}
        """Verb -> past."""
        self.present: dict[str, tuple[str, ...]] = {}
        """Past -> verbs."""
        for base, (forms,) in table.alternatives("participles"):
            past, participle = forms.split()
            verb = final(base)
            found = self.bases.setdefault(final(participle), ())
            if verb not in found:
                self.bases[final(participle)] = (*found, verb)
            self.past.setdefault(final(participle), final(past))
            self.present.setdefault(final(past), (verb,))
            self.simple.setdefault(verb, final(past))


def verb_forms(table: Table) -> list[tuple[str, tuple[str, ...]]]:
    """Return the verbs of a table in every form: base, past, participle, -ing."""
    if table.code != "en":
        return list(table.alternatives("verbs"))
    irregular = irregular_of(table)
    found: list[tuple[str, tuple[str, ...]]] = []
    for head, others in table.alternatives("verbs"):
        alternatives = (head, *others)
        columns = list(zip(*(inflected(verb, irregular) for verb in alternatives), strict=True))
        bases = columns[0]
        found.append((bases[0], bases[1:]))
        for column in columns[1:]:
            forms = zip(bases[1:], column[1:], strict=True)
            found.append((column[0], tuple(form for base, form in forms if form != base)))
        found.extend(_told_by_auxiliary(columns))
    return found


def _told_by_auxiliary(columns: list[tuple[str, ...]]) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield participles that look like another form, where something tells that they are one.

    `was selected` is `was chosen`; `selected` alone is `chose`.
    """
    bases, pasts, participles, _ = columns
    if participles[0] == bases[0]:
        return
    told = {participles[0], pasts[0]}
    forms = zip(bases[1:], pasts[1:], participles[1:], strict=True)
    alike = tuple(
        done for base, past, done in forms if done == base or (done == past and len(told) > 1)
    )
    for auxiliary in _AUXILIARIES if alike else ():
        others = tuple(f"{auxiliary} {participle}" for participle in alike)
        yield f"{auxiliary} {participles[0]}", others


_AUXILIARIES = rule_phrases("verbs.auxiliaries")


def gerunds(table: Table) -> dict[str, str]:
    """Return the -ing form of each known verb -> the verb; a noun of its own stays one."""
    verbs = [
        *table.words("verbs", "regular"),
        *(verb for verb, _ in table.alternatives("participles")),
    ]
    for head, others in table.alternatives("verbs"):
        verbs += [head.split()[0], *(other.split()[0] for other in others)]
    kept = set(table.words("nouns", "regular"))
    return {gerund_of(verb): verb for verb in verbs if gerund_of(verb) not in kept}


def irregular_of(table: Table) -> dict[str, tuple[str, ...]]:
    """Return verb -> (past, participle) of the verbs that have their own."""
    return {base: tuple(forms[0].split()) for base, forms in table.alternatives("participles")}


def inflected(verb: str, irregular: Mapping[str, tuple[str, ...]]) -> tuple[str, ...]:
    """Return a verb, of one word or more, as base, past, participle and -ing form."""
    first, *rest = verb.split()
    past, participle = irregular.get(first, (past_of(first), past_of(first)))
    forms = (first, past, participle, gerund_of(first))
    return tuple(" ".join((form, *rest)) for form in forms)
