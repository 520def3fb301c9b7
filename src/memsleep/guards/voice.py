"""Active and passive: the same said from the other side."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from memsleep.guards.adjuncts import is_adverb, is_dated, turned
from memsleep.guards.claims import Claim, Form
from memsleep.guards.inflection import bases_of, gerund_of
from memsleep.guards.language import Language
from memsleep.guards.rule_words import rule_words
from memsleep.guards.tokens import MARK

_EVEN = rule_words("voice.even")
"""Before the agent these speak of the agent."""
_STOPS = rule_words("voice.stops") | {MARK}


def is_passive_of(passive: Claim, active: Claim) -> bool:
    """Return True when one is in the passive what the other is in the active, with its agent."""
    by = passive.language.by
    if by.isdisjoint(passive.form) or len(passive.form) < len(active.form):
        return False
    fronting = passive.language.fronting
    return any(
        form == active.form
        or turned(form, active.form, fronting, alone=False)
        or turned(active.form, form, fronting, alone=False)
        for form in _actives(passive)
    )


def _actives(claim: Claim) -> Iterator[Form]:
    """Yield the forms in the active of a claim in the passive, one for each reading."""
    silent = claim.language.silent
    for tokens in actives(claim.language, claim.marked):
        yield tuple(t for t in tokens if t != MARK and t not in silent)


def actives(language: Language, tokens: Form) -> Iterator[Form]:
    """Yield the active of what is in the passive with its agent, one for each reading."""
    voice = language.passive
    for place, token in enumerate(tokens):
        if token not in language.by:
            continue
        for verb in range(place - 1, max(place - 9, 0), -1):
            start = _group(language, tokens, verb)
            if start and not voice.be.isdisjoint(tokens[start:verb]):
                yield from _turned_round(language, tokens, start, verb, place)


def actives_of(language: Language, tokens: Form, agent: str) -> Iterator[Form]:
    """Yield the active of what is in the passive without an agent, told of one who is not named."""
    voice = language.passive
    for verb in range(1, len(tokens)):
        start = _group(language, tokens, verb)
        if not start or voice.be.isdisjoint(tokens[start:verb]):
            continue
        head = next((i + 1 for i in range(start - 1, -1, -1) if tokens[i] == MARK), 0)
        for words in _verb_group(language, tokens[start:verb], tokens[verb]):
            for front, who in _fronted(tokens[head:start], language.fronting):
                for told in _told_of(language, who, tokens[verb + 1 :]):
                    yield (*tokens[:head], agent, *words, *told, *front)


def _told_of(language: Language, who: Form, rest: Form) -> Iterator[Form]:
    """Yield what follows a verb: whom it concerns, and first what belongs to it: backed up."""
    yield (*who, *rest)
    if rest and rest[0] in language.sides.particles:
        yield (rest[0], *who, *rest[1:])


def _group(language: Language, tokens: Sequence[str], verb: int) -> int:
    """Return where the auxiliaries before a participle begin."""
    voice = language.passive
    start = verb
    while start and (
        tokens[start - 1] in voice.be | voice.have | voice.modals | {"not"}
        or is_adverb(tokens[start - 1])
    ):
        start -= 1
    return start


def _turned_round(
    language: Language, tokens: Form, start: int, verb: int, by: int
) -> Iterator[Form]:
    head = next((i + 1 for i in range(start - 1, -1, -1) if tokens[i] == MARK), 0)
    patient, extra = tokens[head:start], tokens[verb + 1 : by]
    stops = [
        i
        for i in range(by + 2, len(tokens))
        if tokens[i] in _STOPS or tokens[i] in language.fronting or is_dated(tokens[i])
    ]
    for stop in [*stops, len(tokens)]:
        agent, rest = tokens[by + 1 : stop], tokens[stop:]
        if extra and extra[-1] in language.focusing | _EVEN:
            if extra[-1] != "only":
                continue  # checked mostly by Anna: not, checks mostly
            agent, kept_extra = ("only", *agent), extra[:-1]
        else:
            kept_extra = extra
        if not set(agent).isdisjoint(patient) or not language.not_agents.isdisjoint(agent[:1]):
            continue  # the managers praised by the manager; sorted by age
        if _may_be_others(language, agent, patient):
            continue  # one book was read by every student: the same, or one by each
        for words in _verb_group(language, tokens[start:verb], tokens[verb]):
            for front, who in _fronted(patient, language.fronting):
                sides = ((*who, *kept_extra), (*kept_extra, *who)) if kept_extra else (who,)
                for kept in sides:
                    yield (*tokens[:head], *agent, *words, *kept, *rest, *front)


def _may_be_others(language: Language, agent: Form, patient: Form) -> bool:
    """Return True where for each of one side another one of the other side may be meant.

    What stands first holds for all that stands behind it: so two nurses who witness each birth
    are two for each as well, as in the passive; but somebody who does may be the same one.
    """
    each, some = language.distributing, language.indefinite
    if not each.isdisjoint(agent):
        return not some.isdisjoint(patient) or any(word[0].isdigit() for word in patient)
    return not each.isdisjoint(patient) and not some.isdisjoint(agent)


def _fronted(words: Form, fronting: frozenset[str]) -> Iterator[tuple[Form, Form]]:
    """Yield (adjunct at the front, rest) for every reading of what stands before a verb."""
    yield (), words
    if words and words[0] in fronting:
        for place in range(1, min(len(words), 7)):
            yield words[:place], words[place:]


def _verb_group(language: Language, aux: Sequence[str], participle: str) -> Iterator[Form]:
    """Yield what the active has for an auxiliary and a participle."""
    voice, single = language.passive, language.single
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
        yield from (("is", *was, *denied, *adverbs, gerund_of(base)) for base in bases)
    elif "was" in aux and denied:
        yield from (("did", "not", *adverbs, base) for base in bases)
    elif "was" in aux:
        if bases:
            yield (*adverbs, voice.past.get(participle, participle))
    elif "is" in aux:
        yield from ((*denied, *adverbs, base) for base in bases)
