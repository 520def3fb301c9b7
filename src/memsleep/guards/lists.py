"""Lists whose members may stand in any order."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise

from memsleep.guards.adjuncts import is_adverb, is_dated
from memsleep.guards.claims import Claim, Form, claim_of
from memsleep.guards.language import Language
from memsleep.guards.list_heads import ends_narrowly, moves_head, narrows, tells_who
from memsleep.guards.tokens import MARK
from memsleep.guards.typography import plain_typography

UNEVEN = 2
"""Words by which members of a list may differ: a longer one may be a clause of its own."""


def is_permuted(a: Claim, b: Claim) -> bool:
    """Return True when all that differs is the order of the members of one list."""
    return is_relisted(a, b, a.marked, b.marked)


def is_relisted(a: Claim, b: Claim, mine: Form, theirs: Form) -> bool:
    """Return True when two tellings of the claims differ in the order of one list's members."""
    language = a.language
    if in_pairs(a.text) or in_pairs(b.text) or moves_head(a, b):
        return False
    one, other = _with_conjunctions(language, mine), _with_conjunctions(language, theirs)
    if not language.conjunctions or len(one) != len(other):
        return False
    start = next((i for i, (x, y) in enumerate(zip(one, other, strict=True)) if x != y), len(one))
    stop = len(one)
    while stop > start and one[stop - 1] == other[stop - 1]:
        stop -= 1
    ends = [stop, stop + 1] if one[stop : stop + 1] == ("/",) else [stop]
    return any(
        _is_one_list(a, b, one, other, span) and _is_one_list(b, a, other, one, span)
        for end in ends
        for span in (slice(place, end) for place in range(start, max(start - 4, -1), -1))
    )


@lru_cache(maxsize=1 << 14)
def in_pairs(text: str) -> bool:
    """Return True for a list of which each member tells what belongs to it.

    `Prod: Oslo, staging: Rome` or `Anna (Oslo), Ben (Rome)`: no member stands for itself.
    """
    plain = plain_typography(text)
    return (
        len(_LABELS.findall(plain)) > 1
        or ("(" in plain and not _LIST_IN_BRACKETS.fullmatch(plain))
        or plain.count(" - ") > 1
        or (";" in plain and "," in plain)
    )


_LIST_IN_BRACKETS = re.compile(
    r"(?:(?! and | or )[^(,;:])*\([^(),;:]+,[^();:]+\)(?:(?! and | or )[^(,;:])*"
)
"""One list, in brackets, and none outside of them."""
_LABELS = re.compile(r"[:=\uff1a]")


def _is_one_list(a: Claim, b: Claim, one: Form, other: Form, span: slice) -> bool:
    """Return True when a span of both holds the members of one list, and their order is free."""
    language = a.language
    ends = language.conjunctions | {MARK}
    left, right = _members(one[span], ends), _members(other[span], ends)
    if len(left) < 2 or sorted(left) != sorted(right):
        return False
    figures = [len(member) == 1 and _is_figure(member[0]) for member in left]
    if any(figures) and not all(figures):
        return False  # Anna 5, Boris 7
    sizes = [len(member) for member in left]
    if max(sizes) > min(sizes) + UNEVEN and (_has_gaps(a) or _has_gaps(b)):
        return False  # Anna has the red key, Boris the blue one and the car
    before, inner, behind = one[: span.start], one[span], one[span.stop :]
    joins = [token for token in inner if token in language.conjunctions]
    if joins and MARK in inner[len(inner) - tuple(inner)[::-1].index(joins[-1]) : -1]:
        return False  # what stands behind the conjunction is more than the last member
    goes_on = any(token in language.conjunctions for token in behind[:2])
    if (len(joins) > 1 and len(set(joins)) > 1) or (len(joins) > 1 and MARK in inner):
        return False
    if not joins and not goes_on and len(left) < 3:
        return False
    fixed = language.either | language.negation | language.numbers.any_ordinal
    if fixed.intersection(before[-1:]) or not fixed.isdisjoint(inner):
        return False
    if _order_is_said(language, before, behind, goes_on=goes_on):
        return False
    if narrows(a, b, before, left) or tells_who(a, b, left):
        return False
    return _may_turn(a, b, before, behind, left, goes_on=goes_on)


def _order_is_said(
    language: Language,
    before: Sequence[str],
    behind: Sequence[str],
    *,
    goes_on: bool,
) -> bool:
    """Return True where a claim is about an order, or a second list may answer to the first."""
    if not language.ordering.isdisjoint((*before, *behind)):
        return True
    if not language.numbers.any_ordinal.isdisjoint(before[:1]):
        return True
    others = [token for token in (*before, *behind) if token in language.conjunctions]
    return len(others) > goes_on


def _is_figure(token: str) -> bool:
    return token[0].isdigit() or is_dated(token)


def _has_gaps(claim: Claim) -> bool:
    """Return True where a part behind a comma is no member but a clause without its verb."""
    language = claim.language
    leads = language.fronting | language.conjunctions | language.articles | {MARK, "of"}
    leads |= language.passive.be
    tokens = claim.marked
    first = tokens.index(MARK) if MARK in tokens else len(tokens)
    return any(
        tokens[place] in language.articles and tokens[place - 1] not in leads
        for place in range(first + 1, len(tokens))
    )


def _may_turn(
    a: Claim,
    b: Claim,
    before: Sequence[str],
    behind: Sequence[str],
    members: Sequence[Form],
    *,
    goes_on: bool,
) -> bool:
    """Return True where the order of a list's members says nothing.

    A list that something follows may be the subject of one clause or the object of another, and
    a list of verbs is a sequence of steps: only names and plurals may then change places.
    """
    language = a.language
    free = _names(a.text) & _names(b.text)
    steps = [member for member in members if member[0] in language.verb_bases - free]
    if (
        len(steps) > 1
        and _commands(language, before)
        and any(_is_told_to(text, steps) for text in (a.text, b.text))
    ):
        return False
    past = language.passive.present
    told = [member[0] in past or member[0].endswith("ed") for member in members]
    if told == [True, True]:
        return False  # he locked the door and turned the key; it is cleared and rebuilt
    if not before and sum(any(t in past or t.endswith("ed") for t in m[1:]) for m in members) > 1:
        return False  # Anna called and Ben came
    rest = behind
    if goes_on:  # the last members of the list are the same on both sides
        place = next(i for i, token in enumerate(behind) if token in language.conjunctions)
        rest = behind[place + 2 :]
    stops = language.fronting | language.referring | {MARK}
    ends_here = not rest or rest[0] in stops
    head_noun = len(rest) == 1 or (len(rest) > 1 and rest[1] in stops | language.passive.be)
    voice = language.passive
    if rest and rest[0] in voice.be | voice.modals:
        verbs = voice.be | voice.have | voice.modals | voice.present.keys() | language.verb_bases
        acted = any(token in verbs or token.endswith("ed") for token in before)
        return len(members) > 2 or not acted  # not since the fire, and the guard will ...
    if before and before[-1] != MARK:
        return ends_here or (head_noun and not ends_narrowly(a, b, members))
    if before and ends_here:
        return True
    if not language.by_rule:
        return all(member[-1] in free for member in members)
    return all(not free.isdisjoint(member) for member in members)


@lru_cache(maxsize=4096)
def _names(text: str) -> frozenset[str]:
    """Return the canonical words of a text that are names or plurals: none of them is a command.

    The first word of a text has a capital in any case, so it counts where the other text has it
    further inside.
    """
    words = [word.strip(".,;:()") for word in plain_typography(text).split()]
    language = claim_of(text).language

    def base(word: str) -> str:
        return language.final(language.spelt_out(word))

    plural = {base(w.lower()) for w in words if w.endswith("s") and not w.endswith("ss")}
    articles = language.articles
    behind = {base(w.lower()) for b, w in pairwise(words) if b.lower() in articles}
    return frozenset(plural | behind | {base(w.lower()) for w in words if w[:1].isupper()})


def _commands(language: Language, before: Sequence[str]) -> bool:
    """Return True where verbs may follow: at the start, behind a comma, a modal, an adverb."""
    if not before:
        return True
    last = before[-1]
    leads = language.passive.modals | language.conjunctions | language.fronting | {MARK, "not"}
    return last in leads or is_adverb(last)


def _is_told_to(text: str, steps: Sequence[Form]) -> bool:
    """Return True where members of a list may be commands: verbs as they stand in a dictionary."""
    final = claim_of(text).language.final
    words = re.findall(r"[a-z]+", text.lower())
    told = {final(word) for word in words if not word.endswith(("s", "ing"))}
    return sum(step[0] in told for step in steps) > 1


def _with_conjunctions(language: Language, tokens: Sequence[str]) -> Form:
    kept = language.conjunctions | language.passive.be
    return tuple(t for t in tokens if t not in language.silent or t in kept)


def _members(tokens: Sequence[str], ends: frozenset[str]) -> list[Form]:
    found: list[list[str]] = [[]]
    for token in tokens:
        if token in ends:
            found.append([])
        else:
            found[-1].append(token)
    return [tuple(member) for member in found if member]
