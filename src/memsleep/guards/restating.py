"""One claim told the other way round: what stands first, who does it, whose it is.

Each telling says what the claim says, so two claims that have a telling in common say the same.
They are looked for only where both consist of the same roots.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from memsleep.guards.adjuncts import is_dated
from memsleep.guards.claims import Claim, Form
from memsleep.guards.language import Language
from memsleep.guards.lists import is_relisted
from memsleep.guards.tokens import MARK
from memsleep.guards.typography import plain_typography
from memsleep.guards.voice import actives, actives_of

MOST_TELLINGS = 40
DEPTH = 3
LONGEST_FRONT = 9
_OWNER = re.compile(r"([^\W_]+)(?:'s|(?<=s)')(?![^\W_])")


def is_restated(a: Claim, b: Claim) -> bool:
    """Return True when the two claims have a telling in common."""
    if a.language is not b.language or not a.language.light:
        return False
    if a.numbers != b.numbers or a.dates != b.dates or a.negations != b.negations:
        return False
    if abs(len(a.form) - len(b.form)) > MOST_ADDED or roots(a) != roots(b):
        return False
    mine, theirs = _tellings(a, b), _tellings(b, a)
    said = {_said(a.language, tokens) for tokens in theirs}
    if any(_said(a.language, tokens) in said for tokens in mine):
        return True
    return any(is_relisted(a, b, one, other) for one in mine for other in theirs)


MOST_ADDED = 5
"""Little words by which the length of two tellings may differ."""


@lru_cache(maxsize=1 << 12)
def roots(claim: Claim) -> Form:
    """Return what both tellings of a claim have: its words without endings and little words."""
    light = claim.language.light
    return tuple(sorted(_root(claim.language, word) for word in claim.form if word not in light))


@lru_cache(maxsize=1 << 14)
def _root(language: Language, word: str) -> str:
    verbs = language.passive.bases.get(word) or language.passive.present.get(word)
    if verbs:
        word = verbs[0]
    for ending in ("ing", "ied", "ed", "e", "y"):
        if word.endswith(ending) and len(word) > len(ending) + 2:
            word = word[: -len(ending)]
            break
    return word[:-1] if len(word) > 3 and word[-1] == word[-2] else word


def _said(language: Language, tokens: Form) -> Form:
    return tuple(t for t in tokens if t != MARK and t not in language.silent)


def _tellings(claim: Claim, other: Claim) -> list[Form]:
    """Return the tellings of a claim, itself first, not more than are worth trying."""
    articles = claim.language.articles
    found = [tuple(t for t in claim.marked if t not in articles)]
    newest = found
    for _ in range(DEPTH):
        fresh: list[Form] = []
        for tokens in newest:
            for told in _told(claim, other, tokens):
                if told not in found and told not in fresh:
                    fresh.append(told)
                if len(found) + len(fresh) >= MOST_TELLINGS:
                    return [*found, *fresh]
        found = [*found, *fresh]
        newest = fresh
    return found


def _told(claim: Claim, other: Claim, tokens: Form) -> Iterator[Form]:
    """Yield what one step makes of a telling."""
    language = claim.language
    yield from _turned(language, tokens)
    yield from _owned(language, tokens, _owners(other))
    yield from _having(tokens)
    if tokens[:2] == ("there", "is"):
        yield from _there(tokens)
    if not language.by.isdisjoint(tokens):
        yield from actives(language, _with_be(language, tokens))
    elif not language.impersonal.isdisjoint(other.form):
        for agent in sorted(language.impersonal.intersection(other.form)):
            yield from actives_of(language, tokens, agent)
    if MARK in tokens and "is" not in tokens[: tokens.index(MARK)]:
        place = tokens.index(MARK)
        yield (*tokens[:place], "is", *tokens[place + 1 :])
        yield (*tokens[:place], *tokens[place + 1 :])


def _turned(language: Language, tokens: Form) -> Iterator[Form]:
    """Yield a telling with the adjunct at its front put at the end, for every reading of it."""
    if not tokens or (tokens[0] not in language.fronting and not is_dated(tokens[0])):
        return
    for size in range(1, min(LONGEST_FRONT, len(tokens) - 1)):
        if tokens[size] == MARK:
            yield (*tokens[size + 1 :], *tokens[:size])
            return
    alone = tokens[0] in language.adverbs or is_dated(tokens[0])
    for size in range(1 if alone else 2, min(LONGEST_FRONT, len(tokens) - 1)):
        yield (*tokens[size:], *tokens[:size])


@lru_cache(maxsize=4096)
def _owners(claim: Claim) -> frozenset[str]:
    """Return the words that own something: before an apostrophe, and before `has`."""
    final = claim.language.final
    found = {final(word) for word in _OWNER.findall(plain_typography(claim.text).lower())}
    pairs = zip(claim.form, claim.form[1:], strict=False)
    return frozenset(found | {word for word, after in pairs if after == "have"})


def _owned(language: Language, tokens: Form, owners: frozenset[str]) -> Iterator[Form]:
    """Yield a telling with `the lid of the pot` as `the pot's lid`."""
    if not owners:
        return
    for place, token in enumerate(tokens):
        if token not in _BELONGS:
            continue
        for right in range(1, 4):
            stop = place + 1 + right
            if stop > len(tokens) or tokens[stop - 1] == MARK:
                break
            if tokens[stop - 1] not in owners:
                continue
            for left in range(1, min(place, 4) + 1):
                start = place - left
                if (
                    tokens[start] == MARK
                    or tokens[start] in language.conjunctions | language.two_way
                ):
                    break
                owned = (*tokens[place + 1 : stop], *tokens[start:place])
                yield (*tokens[:start], *owned, *tokens[stop:])


_BELONGS = frozenset({"of", "for", "in", "on", "at"})


def _having(tokens: Form) -> Iterator[Form]:
    """Yield `the plan's limit is 5` for `the plan has a limit of 5`."""
    if "have" in tokens:
        place = tokens.index("have")
        for end in range(place + 2, min(place + 6, len(tokens) - 1)):
            if tokens[end] == "of" and (tokens[end + 1][0].isdigit() or is_dated(tokens[end + 1])):
                yield (*tokens[:place], *tokens[place + 1 : end], "is", *tokens[end + 1 :])


def _there(tokens: Form) -> Iterator[Form]:
    """Yield `the office has showers` for `there are showers at the office`."""
    for place in range(3, len(tokens) - 1):
        if tokens[place] in _BELONGS and MARK not in tokens[place:]:
            yield (*tokens[place + 1 :], "have", *tokens[2:place])
            yield (*tokens[2:place], *tokens[place:])


def _with_be(language: Language, tokens: Form) -> Form:
    """Return a telling with `needed by` as `is needed by`, and `gets sent by` as `is sent by`."""
    voice = language.passive
    place = next(i for i, token in enumerate(tokens) if token in language.by)
    if place < 2 or not voice.be.isdisjoint(tokens[:place]):
        return tokens
    verb = tokens[place - 1]
    if verb in voice.bases or verb.endswith("ed"):
        return (*tokens[: place - 1], "is", *tokens[place - 1 :])
    return tokens
