"""Active and passive: the same said from the other side."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from memsleep.guards.adjuncts import is_adverb, turned
from memsleep.guards.claims import Claim, Form
from memsleep.guards.inflection import bases_of
from memsleep.guards.tokens import MARK


def is_passive_of(passive: Claim, active: Claim) -> bool:
    """Return True when one is in the passive what the other is in the active, with its agent."""
    by = passive.language.by
    if by.isdisjoint(passive.form) or len(passive.form) < len(active.form):
        return False
    fronting = passive.language.fronting
    return any(
        form == active.form
        or turned(form, active.form, fronting)
        or turned(active.form, form, fronting)
        for form in _actives(passive)
    )


def _actives(claim: Claim) -> Iterator[Form]:
    """Yield the forms in the active of a claim in the passive, one for each reading."""
    language, tokens = claim.language, claim.marked
    voice = language.passive
    for place, token in enumerate(tokens):
        if token not in language.by:
            continue
        for verb in range(place - 1, max(place - 9, 0), -1):
            start = verb
            while start and (
                tokens[start - 1] in voice.be | voice.have | voice.modals | {"not"}
                or is_adverb(tokens[start - 1])
            ):
                start -= 1
            aux = tokens[start:verb]
            if start and not voice.be.isdisjoint(aux):
                yield from _turned_round(claim, start, verb, place)


def _turned_round(claim: Claim, start: int, verb: int, by: int) -> Iterator[Form]:
    language, tokens = claim.language, claim.marked
    head = next((i + 1 for i in range(start - 1, -1, -1) if tokens[i] == MARK), 0)
    patient, extra = tokens[head:start], tokens[verb + 1 : by]
    stops = [
        i for i in range(by + 2, len(tokens)) if tokens[i] == MARK or tokens[i] in language.fronting
    ]
    for stop in [*stops, len(tokens)]:
        agent, rest = tokens[by + 1 : stop], tokens[stop:]
        for words in _verb_group(claim, tokens[start:verb], tokens[verb]):
            for front, who in _fronted(patient, language.fronting):
                order = (*tokens[:head], *agent, *words, *who, *extra, *rest, *front)
                yield tuple(t for t in order if t != MARK and t not in language.silent)


def _fronted(words: Form, fronting: frozenset[str]) -> Iterator[tuple[Form, Form]]:
    """Yield (adjunct at the front, rest) for every reading of what stands before a verb."""
    yield (), words
    if words and words[0] in fronting:
        for place in range(1, min(len(words), 7)):
            yield words[:place], words[place:]


def _verb_group(claim: Claim, aux: Sequence[str], participle: str) -> Iterator[Form]:
    """Yield what the active has for an auxiliary and a participle."""
    voice, single = claim.language.passive, claim.language.single
    bases = [*voice.bases.get(participle, ()), *(single.get(b, b) for b in bases_of(participle))]
    known = voice.be | voice.have | voice.modals | {"not"}
    adverbs = tuple(token for token in aux if token not in known)
    modals = tuple(token for token in aux if token in voice.modals)
    denied = ("not",) if "not" in aux else ()
    if "been" in aux:
        have = tuple(token for token in aux if token in voice.have)
        yield (*modals, *have, *denied, *adverbs, participle)
    elif modals:
        yield from ((*modals, *denied, *adverbs, base) for base in bases)
    elif "being" in aux:
        was = ("was",) if "was" in aux else ()
        yield from ((*was, *denied, *adverbs, base) for base in bases)
    elif "was" in aux and denied:
        yield from (("did", "not", *adverbs, base) for base in bases)
    elif "was" in aux:
        if bases:
            yield (*adverbs, voice.past.get(participle, participle))
    elif "is" in aux:
        yield from ((*denied, *adverbs, base) for base in bases)
