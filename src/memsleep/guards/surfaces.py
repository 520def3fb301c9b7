"""What stripped endings hide: `the training` and `the train`, who is one and who are many."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import pairwise

from memsleep.guards.claims import Claim
from memsleep.guards.inflection import gerund_of
from memsleep.guards.invariable import tenses_part
from memsleep.guards.rule_words import rule_words
from memsleep.guards.typography import plain_typography

_WORD = re.compile(r"(?<![\w#/.@-])[^\W\d_]+(?:'[^\W\d_]+)*")
_ING = re.compile(r"[a-z]ing\b")


def endings_part(a: Claim, b: Claim) -> bool:
    """Return True where two claims of equal words say two things by their endings.

    A noun in -ing is not the noun that it is made of, and where one noun stands in singular and
    in plural, it counts which of the two stands where.
    """
    if a.text == b.text or not a.language.by_rule:
        return False
    if tenses_part(a, b):
        return True
    if _nouns_part(a, b) or _nouns_part(b, a) or _denied_part(a, b) or heads_part(a, b):
        return True
    mine, theirs = mixed_numbers(a), mixed_numbers(b)
    return mine != theirs and (sorted(mine) != sorted(theirs) or not _stay_beside(a, b, mine))


def _stay_beside(a: Claim, b: Claim, mixed: Sequence[str]) -> bool:
    """Return True where each of some words stands beside a word that is beside it in both.

    Of two words one is enough: then the other has the place that is left.
    """
    one, other = _beside(a, mixed), _beside(b, mixed)
    loose = sum(one[w].isdisjoint(other.get(w, set())) for w in one)
    return one.keys() == other.keys() and loose <= (len(mixed) == 2)


def _beside(claim: Claim, mixed: Sequence[str]) -> dict[str, set[tuple[int, str]]]:
    """Return for each word the words before and behind it that say something."""
    language, words = claim.language, _words(claim.text.replace("-", " "))
    common = language.articles | language.fronting | language.conjunctions | language.by
    common |= language.passive.be | {"of"}
    found: dict[str, set[tuple[int, str]]] = {word: set() for word in mixed}
    for place, word in enumerate(words):
        if word in found:
            sides = ((-1, words[place - 1 : place]), (1, words[place + 1 : place + 2]))
            found[word] |= {(at, w[0]) for at, w in sides if w and w[0] not in common}
    return found


@lru_cache(maxsize=1 << 14)
def mixed_numbers(claim: Claim) -> tuple[str, ...]:
    """Return, in order, the words of one base that stand there with more than one ending."""
    if not claim.language.by_rule or len(claim.words) == len(claim.form):
        return ()
    found: dict[str, list[str]] = {}
    words = _words(claim.text)
    for word in words:
        found.setdefault(claim.language.base(word), []).append(word)
    mixed = {word for forms in found.values() if _one_and_many(forms) for word in forms}
    return tuple(word for word in words if word in mixed)


def _one_and_many(forms: Sequence[str]) -> bool:
    shortest = min(forms, key=len)
    return any(form != shortest and form.endswith("s") for form in forms)


def _nouns_part(a: Claim, b: Claim) -> bool:
    """Return True where a word in -ing in the one is a noun, or its verb is one in the other."""
    if _ING.search(a.text.lower()) is None:
        return False
    mine, theirs = _words(a.text), _words(b.text)
    articles = a.language.determiners
    for place, word in enumerate(mine):
        if not word.endswith("ing") or word in theirs:
            continue
        verbs = _verbs_of(word, theirs, a.language.known_gerunds)
        if verbs and (
            _is_noun(mine, place, articles)
            or mine[max(place - 2, 0) : place] == ("used", "to")  # accustomed to it
            or _is_told(a, mine, place, theirs, verbs)
            or any(
                _is_noun(theirs, i, articles) for i, other in enumerate(theirs) if other in verbs
            )
        ):
            return True
    return False


def heads_part(a: Claim, b: Claim) -> bool:
    """Return True for `the team lead is Ben` beside `the team leads Ben`."""
    if not a.language.by_rule:
        return False
    one, other = _words(a.text), _words(b.text)
    return _is_led(a, one, other) or _is_led(a, other, one)


def _is_led(claim: Claim, mine: Sequence[str], theirs: Sequence[str]) -> bool:
    """Return True where a word before a form of be tells what is done in the other text."""
    be = claim.language.passive.be
    told = {x for x, y in pairwise(theirs) if x.endswith("s") and y not in be}
    heads = {x for x, y in pairwise(mine) if y in be} - set(theirs)
    if any(f"{head}s" in told or f"{head}es" in told for head in heads):
        return True
    if sum(word in be for word in theirs) >= sum(word in be for word in mine):
        return False
    told.update(theirs[-1:])  # Ida is a cook, Ida cooks
    trios = zip(mine, mine[1:], mine[2:], strict=False)
    named = {z for x, y, z in trios if x in be and y in claim.language.articles} - set(theirs)
    return any(f"{head}s" in told or f"{head}es" in told for head in named)


def _denied_part(a: Claim, b: Claim) -> bool:
    """Return True for `she does not smoke and drinks` beside `does not smoke and drink`."""
    if "not" not in a.words:
        return False
    one, other = _behind_joins(a), _behind_joins(b)
    return any(f"{word}s" in other - one for word in one - other) or any(
        f"{word}s" in one - other for word in other - one
    )


def _behind_joins(claim: Claim) -> frozenset[str]:
    words = _words(claim.text)
    return frozenset(y for x, y in pairwise(words) if x in claim.language.conjunctions)


def _verbs_of(word: str, others: Sequence[str], known: Mapping[str, str]) -> frozenset[str]:
    """Return those of the other claim's words of which a word in -ing is made."""
    base = known.get(word, "")
    return frozenset(
        other
        for other in others
        for stem in {other, other.removesuffix("s"), other.removesuffix("es")}
        if stem and (stem == base or gerund_of(stem) == word)
    )


def _is_noun(words: Sequence[str], place: int, articles: frozenset[str]) -> bool:
    return place > 0 and words[place - 1] in articles


def _is_told(
    a: Claim, mine: Sequence[str], place: int, theirs: Sequence[str], verbs: frozenset[str]
) -> bool:
    """Return True for `dog walking is at noon` beside `the dog walks at noon`."""
    happens = a.language.plain_words.happening
    tells = a.language.passive.be | happens
    behind = mine[place + 1 : place + 3]
    if place == 0 or not behind or behind[0] not in tells:
        return False
    if behind[0] not in happens and _WHEN.isdisjoint(behind):
        return False  # dashboard loading is faster
    return any(
        other in verbs and not tells.intersection(theirs[i + 1 : i + 2])
        for i, other in enumerate(theirs)
    )


_WHEN = rule_words("surfaces.when")


@lru_cache(maxsize=1 << 14)
def _words(text: str) -> tuple[str, ...]:
    return tuple(_WORD.findall(plain_typography(text).lower()))
