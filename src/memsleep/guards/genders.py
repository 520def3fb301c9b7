"""Articles and pronouns that look alike: `lo chiama` and `la chiama`, `le livre` and `la livre`.

An article says nothing that its noun does not say, so it is silent, and so is the ending of a
plural. But before one and the same word two articles of another gender or number make two words
of it, or two persons, and a verb that alone changes its number has another subject.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

from memsleep.guards.language import Language
from memsleep.guards.tokens import MARK, split
from memsleep.guards.typography import fold_typography

Traits = frozenset[str]


def agree(a: str, one: Language, b: str, other: Language) -> bool:
    """Return True unless articles or numbers of one word make two claims of equal words."""
    if not (one.genders or other.genders) or a == b:
        return True
    mine, theirs = _read(a, one), _read(b, other)
    for word, traits in mine.articles.items():
        found = theirs.articles.get(word)
        if found is not None and not _fit(traits, found):
            return False
    if mine.verb != theirs.verb and mine.verb.rstrip("s") == theirs.verb.rstrip("s") != "":
        return False  # firma el contrato, firmas el contrato
    for left, right in ((mine, theirs), (theirs, mine)):
        if left.objects & right.bare or left.receivers & (right.bare | right.direct):
            return False
    if any(theirs.known.get(word, found) != found for word, found in mine.known.items()):
        return False
    if one is not other:
        return True
    return _are_as_many(mine, theirs, one)


_EXCLUSIVE = (frozenset({"masculine", "feminine"}), frozenset({"singular", "plural"}))


def _fit(mine: Traits, theirs: Traits) -> bool:
    """Return True unless no gender, or no number, is in both."""
    for group in _EXCLUSIVE:
        left, right = mine & group, theirs & group
        if left and right and left.isdisjoint(right):
            return False
    return True


@dataclass(frozen=True)
class _Read:
    """A text as it is written: who is one and who are many."""

    words: frozenset[str]
    articles: dict[str, Traits]
    """Each word behind an article -> genders and numbers of those articles."""
    objects: frozenset[str]
    """Words behind what may be a preposition as well as an article: paga a Bruno."""
    bare: frozenset[str]
    """Words that neither an article nor a preposition stands before."""
    receivers: frozenset[str]
    """Words behind a preposition and an article in one: paga ao Bruno."""
    direct: frozenset[str]
    """Words behind what can be an article alone: paga o Bruno."""
    verb: str
    """The first word where an article follows: firma el contrato."""
    known: dict[str, frozenset[bool]]
    """Each word that an article turns -> whether one stands there: plus rapide, le plus rapide."""


@lru_cache(maxsize=4096)
def _read(text: str, language: Language) -> _Read:
    tokens = language.clitics.climbed(split(language.spelt_out(fold_typography(text))))
    articles: dict[str, Traits] = {}
    objects, bare, receivers, direct = set[str](), set[str](), set[str](), set[str]()
    last = MARK
    for before, word in pairwise([MARK, *tokens, MARK]):
        traits = language.genders.get(before)
        if word in language.genders or word == MARK:
            if traits and word == MARK and last != MARK:
                articles[f"{last}-"] = traits  # chama-o, chama-os
            last = before if word != MARK else MARK
            continue
        if traits:
            if "contracted" in traits and not word[0].isdigit():
                receivers.add(word)
            elif before in language.silent and ("preposition" not in traits or last == MARK):
                direct.add(word)
            articles[word] = articles.get(word, frozenset()) | traits
            if "preposition" in traits and last != MARK and last not in language.fronting:
                objects.add(word)
        elif before not in language.fronting:
            bare.add(word)
    behind, alone, given, taken = map(frozenset, (objects, bare, receivers, direct))
    verb = tokens[0] if tokens[1:] and tokens[1] in language.genders else ""
    known = _known(tokens, language)
    return _Read(frozenset(tokens), articles, behind, alone, given, taken, verb, known)


def _known(tokens: Sequence[str], language: Language) -> dict[str, frozenset[bool]]:
    """Return each word that an article turns -> whether a definite one stands there.

    `Le plus rapide` is the fastest, `les deux clés` are both, `toda a equipa` is all of it.
    """
    found: dict[str, frozenset[bool]] = {}
    for before, word, after in zip([MARK, *tokens], tokens, [*tokens[1:], MARK], strict=False):
        if word in language.turned_by_articles:
            base, told = language.base(word), before in language.definite_articles
        elif word in language.whole:
            base, told = f"{word}+", after in language.definite_articles
        elif word[0].isdigit():
            traits = language.genders.get(before, frozenset())
            known = before in language.definite_articles and "feminine" not in traits
            base, told = word, known and "plural" in traits  # las 3 is an hour
        else:
            continue
        found[base] = found.get(base, frozenset()) | {told}
    return found


def _are_as_many(mine: _Read, theirs: _Read, language: Language) -> bool:
    """Return True unless a verb changes its number alone, or a noun without its verb.

    `Las facturas llegan` and `la factura llega` tell one rule; `llega el lunes` and `llegan el
    lunes` tell of two persons, `cita al hijo` and `cita a los hijos` of one and of many.
    """
    verbs = nouns = flipped = False
    for word in mine.words - theirs.words - language.genders.keys():
        base = language.base(word)
        for other in theirs.words - mine.words - language.genders.keys():
            if language.base(other) != base:
                continue
            longer = max(word, other, key=len)
            if len(word) != len(other) and longer.endswith(language.plural_verbs):
                verbs = True
                continue
            nouns = True
            left, right = mine.articles.get(word), theirs.articles.get(other)
            if left and right and not _fit(left - _GENDERS, right - _GENDERS):
                flipped = True
    return nouns if verbs else not flipped


_GENDERS = frozenset({"masculine", "feminine"})
