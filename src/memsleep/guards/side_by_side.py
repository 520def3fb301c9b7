"""English clauses that stand side by side: told in any order, with the shared part said once.

`Anna does tax, Ben does rent` is `Ben does rent, Anna tax`; `The job takes an hour. It needs 6 GB`
is `The job takes an hour and needs 6 GB`. Nothing is moved that may be a step, a reason or a
condition, or whose pronoun may mean another.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import lru_cache

from memsleep.guards.adjuncts import is_adverb, is_dated
from memsleep.guards.claims import Claim, Form
from memsleep.guards.finite import is_finite, is_past
from memsleep.guards.language import Language
from memsleep.guards.rule_words import rule_words
from memsleep.guards.tokens import MARK
from memsleep.guards.verbhood import names_of

MOST_CLAUSES = 6
MOST_FIGURES = 8
"""Figures and joining words in which two claims may differ."""
LONGEST_GAP = 3
LONGEST_SUBJECT = 6
_JOINS = rule_words("side_by_side.joins")
_PERSON = frozenset({"he", "she"})
_THING = frozenset({"it", "they"})
_THEM = rule_words("side_by_side.them")
_LINKS = rule_words("side_by_side.links")
"""Words that tie a clause to another, or a thing to a clause: such clauses stay where they are."""
_SILENT = rule_words("side_by_side.silent")


def is_side_by_side(a: Claim, b: Claim) -> bool:
    """Return True when two claims consist of the same clauses, or of one clause after another."""
    if a.dates != b.dates or not a.language.light or a.language is not b.language:
        return False
    if a.negations != b.negations or (a.numbers != b.numbers and _figures(a) != _figures(b)):
        return False
    extra = (a.words ^ b.words) - a.language.light
    for word in extra:
        if word not in _JOINS and not "0" <= word[0] <= "9":
            return False
    if len(extra) > MOST_FIGURES or not (_may_part(a) and _may_part(b)):
        return False
    one, other = _clauses(a), _clauses(b)
    if not 2 <= len(one) == len(other) <= MOST_CLAUSES:
        return False
    if not all(one) or not all(other):
        return False
    if ("while" in a.marked) != ("while" in b.marked) and not _are_alike(a.language, one):
        return False
    return _are_shared(a, b, one, other) or _are_moved(a, one, other) or _gap(a, b, one, other)


def _are_alike(language: Language, clauses: Sequence[Form]) -> bool:
    """Return True for clauses of one verb: `Anna does tax while Ben does rent`, at no one time."""
    shared = frozenset(clauses[0]).intersection(*clauses[1:]) - language.passive.be
    return any(_is_verb(language, word) for word in shared)


def _may_part(claim: Claim) -> bool:
    marked = claim.marked
    return (
        (MARK in marked or not _JOINS.isdisjoint(marked))
        and _LINKS.isdisjoint(marked)
        and (claim.language.sequence - _SILENT).isdisjoint(marked)
        and claim.language.ordering.isdisjoint(marked)
        and "(" not in claim.text
    )


def is_unit_shared(a: Claim, b: Claim) -> bool:
    """Return True where only the unit of some figures is said once: `9 euros, 14 and 6`."""
    if len(a.numbers) != len(b.numbers) or a.dates != b.dates:
        return False
    return _figures(a) == _figures(b) and is_side_by_side(a, b)


@lru_cache(maxsize=1 << 14)
def _figures(claim: Claim) -> list[str]:
    """Return the numbers of a claim without their units."""
    return sorted(number.partition("~")[0] for number in claim.numbers)


@lru_cache(maxsize=1 << 12)
def _clauses(claim: Claim) -> tuple[Form, ...]:
    """Return the clauses of a claim, each with a date at its end, and without articles."""
    found: list[list[str]] = [[]]
    spare = claim.language.articles | _SILENT
    for place, token in enumerate(claim.marked):
        if token in _JOINS and (not place or claim.marked[place - 1] == MARK):
            continue
        if token == MARK or token in _JOINS:
            found.append([])
        elif token not in spare and not (
            token in {"do", "does"} and claim.marked[place + 1 : place + 2] == ("not",)
        ):
            found[-1].append(token)
    return tuple(_with_unit(map(_dated_last, found)))


def _dated_last(clause: list[str]) -> Form:
    size = next((i for i, token in enumerate(clause) if not is_dated(token)), 0)
    return (*clause[size:], *clause[:size])


def _with_unit(clauses: Iterator[Form]) -> list[Form]:
    """Return the clauses with the unit of the first figure where one is left out: 9 euros, 14."""
    told = list(clauses)
    last = told[0][-1] if told[0] else ""
    if "~" not in last:
        return told
    unit = last.partition("~")[2]
    return [
        (*clause[:-1], f"{clause[-1]}~{unit}")
        if clause and clause[-1].replace("/", "").isdigit()
        else clause
        for clause in told
    ]


def _are_shared(a: Claim, b: Claim, one: Sequence[Form], other: Sequence[Form]) -> bool:
    """Return True where each side says one subject once, or takes it up by a pronoun."""
    for size in range(1, min(len(one[0]), len(other[0]), LONGEST_SUBJECT + 1)):
        if one[0][:size] != other[0][:size]:
            return False
        mine = _predicates(a, one, size)
        theirs = _predicates(b, other, size) if mine else ()
        if not mine or not theirs:
            continue
        if mine == theirs:
            return True
        if sorted(mine) == sorted(theirs) and _are_free(a.language, mine):
            return True
    return False


def _predicates(claim: Claim, clauses: Sequence[Form], size: int) -> tuple[Form, ...]:
    """Return what is told of the subject, clause by clause; empty where it may be another's."""
    language, subject = claim.language, clauses[0][:size]
    found = [clauses[0][size:]]
    for clause in clauses[1:]:
        if clause[:size] == subject:
            told = clause[size:]
        elif clause[0] in _PERSON | _THING:
            if _is_unsure(claim, clause[0], clauses[0][size:]):
                return ()
            told = clause[1:]
        else:
            told = clause
        found.append(told)
    known = all(told and _is_verb(language, told[0]) for told in found)
    named = not _is_verb(language, subject[0]) and not is_adverb(subject[-1])
    named = named and subject[0] not in language.fronting | {"to"}
    return tuple(found) if known and named else ()


def _is_unsure(claim: Claim, pronoun: str, told: Form) -> bool:
    """Return True where what stands between may be meant by a pronoun: the client; Ana."""
    if pronoun in _PERSON:
        return not names_of(claim.text).isdisjoint(map(claim.language.final, told))
    marked = claim.marked
    end = next(i for i, t in enumerate(marked) if t == MARK or t in _JOINS)
    start = next(i for i, t in enumerate(marked) if t == told[0])
    return not claim.language.determiners.isdisjoint(marked[start:end]) or pronoun == "they"


def _is_verb(language: Language, word: str) -> bool:
    """Return True for what tells of a clause side by side with another, a denial too."""
    known = word in language.verb_bases or word in language.acting
    return known or word == "not" or is_finite(language, word)


def _are_free(language: Language, told: Sequence[Form]) -> bool:
    """Return True unless two of the predicates are deeds of which one may come after the other."""
    return sum(not _lasts(language, one) and not any(map(is_dated, one)) for one in told) < 2


def _lasts(language: Language, told: Form) -> bool:
    """Return True for what is so rather than done: of two deeds one may come after the other."""
    verb = told[told[:1] == ("not",) :][:1]
    return bool(verb) and verb[0] in language.sides.lasting


def _begins_past(language: Language, told: Form) -> bool:
    past = is_past(language, told[0]) or told[0] in {"was", "had", "were"}
    return past and told[0] not in language.verb_bases


def _are_moved(a: Claim, one: Sequence[Form], other: Sequence[Form]) -> bool:
    """Return True where whole clauses stand in another order; `them` is what was told of first."""
    if not all(_is_whole(a.language, clause) for clause in (*one, *other)):
        return False
    if sum(any(_begins_past(a.language, c[i:]) for i in range(1, 4) if c[i:]) for c in one) > 1:
        return False
    if Counter(one) == Counter(other):
        return True
    for size in range(1, LONGEST_GAP + 1):
        for start in range(2, len(one[0]) - size + 1):
            meant = one[0][start : start + size]
            if _holds(other[0], meant) and Counter(_meaning(one, meant)) == Counter(
                _meaning(other, meant)
            ):
                return True
    return False


def _is_whole(language: Language, clause: Form) -> bool:
    """Return True for a subject, a verb and more; what begins otherwise may belong elsewhere."""
    if len(clause) < 3 or clause[0] in _PERSON | _THING:
        return False
    if _is_verb(language, clause[0]) and not _is_verb(language, clause[1]):
        return False
    if clause[0] in language.fronting or is_adverb(clause[0]):
        return False
    return any(_is_verb(language, token) for token in clause[1:-1])


def _holds(clause: Form, run: Form) -> bool:
    return any(clause[i : i + len(run)] == run for i in range(2, len(clause)))


def _meaning(clauses: Sequence[Form], meant: Form) -> list[Form]:
    """Return clauses with what a pronoun means behind a verb in its place."""
    return [
        tuple(
            part
            for i, token in enumerate(clause)
            for part in (meant if i > 1 and token in _THEM else (token,))
        )
        for clause in clauses
    ]


def _gap(a: Claim, b: Claim, one: Sequence[Form], other: Sequence[Form]) -> bool:
    """Return True where each clause tells one thing of its own and the verb is said once or more.

    Each clause must begin with a name or end in a figure: `tea, coffee and Ben milk` does not tell
    who has the coffee.
    """
    names = names_of(a.text) & names_of(b.text)
    names |= {
        _first(c.text) for c in (a, b) if _first(c.text) in names_of(a.text) | names_of(b.text)
    }
    told = (*one, *other)
    if not (
        all(clause[0] in names for clause in told)
        or all(len(clause) > 1 and clause[-1][0].isdigit() for clause in told)
    ):
        return False
    for size in range(1, LONGEST_GAP + 1):
        for start in range(1, len(one[0]) - size):
            verb = one[0][start : start + size]
            mine, theirs = _without(one, verb), _without(other, verb)
            known = _is_known(a.language, verb) and _holds_inside(other[0], verb)
            if known and all(len(c) > 1 for c in mine) and Counter(mine) == Counter(theirs):
                return True
    return False


def _first(text: str) -> str:
    match = re.match(r"[A-Z][a-z]+", text)
    return match[0].lower() if match else ""


def _is_known(language: Language, verb: Form) -> bool:
    return _is_verb(language, verb[0]) or verb[0] in {"do", "does"}


def _holds_inside(clause: Form, run: Form) -> bool:
    return any(clause[i : i + len(run)] == run for i in range(1, len(clause) - len(run)))


def _without(clauses: Sequence[Form], verb: Form) -> list[Form]:
    """Return the clauses without the first run of a verb inside each."""
    found = []
    for clause in clauses:
        place = next(
            (i for i in range(1, len(clause)) if clause[i : i + len(verb)] == verb), len(clause)
        )
        found.append((*clause[:place], *clause[place + len(verb) :]))
    return found
