"""English relatives and notes told as clauses: the tool that Ida uses, timeout: 5 s."""

from __future__ import annotations

import re

from memsleep.guards.adjuncts import is_dated
from memsleep.guards.claims import Claim, Form
from memsleep.guards.deeds import participle_of
from memsleep.guards.dummies import LONGEST
from memsleep.guards.finite import is_finite
from memsleep.guards.language import Language
from memsleep.guards.relatives import ANY_RELATIVE, LOOSE, RELATIVES
from memsleep.guards.restating import genitives
from memsleep.guards.rule_words import rule_pairs, rule_words
from memsleep.guards.tokens import MARK

_RECEIVE = rule_pairs("ties.receive")
_NOTE = re.compile(r"[^:;.]+: [^:;.]+(?:[;.] *[^:;.]+: [^:;.]+)+\.?")
_HIS = rule_words("rule_words.possessives")


def owned_relatives(claim: Claim, told: Form, other: Claim) -> Form:
    """Return `the tool used by Ida` for `the tool that Ida uses`, where the other says by whom.

    What Ida made is made by her; what she used is no longer used by her.
    """
    if (
        "by" not in other.words
        or RELATIVES.isdisjoint(told)
        or not RELATIVES.isdisjoint(other.words)
    ):
        return told
    language = claim.language
    words, voice = language.plain_words, language.passive
    for place in range(1, len(told) - 2):
        if (
            told[place] not in RELATIVES
            or told[place - 1] in words.before_clauses | words.demanding
        ):
            continue
        for end in range(place + 2, min(place + 2 + _MOST_DOERS, len(told))):
            verb = (voice.present.get(told[end]) or (words.verb_of(told[end]),))[0]
            made = verb in words.creating
            fits = made if verb else told[end] in words.verbs and told[end] not in words.creating
            if not fits or any(is_finite(language, word) for word in told[place + 1 : end]):
                continue
            if told[end + 1 : end + 2] and not _follows(language, told[end + 1]):
                continue
            done = participle_of(language, verb or told[end])
            return (*told[:place], done, "by", *told[place + 1 : end], *told[end + 1 :])
    return told


_MOST_DOERS = 3


def _follows(language: Language, word: str) -> bool:
    """Return True for what may stand behind a clause that has no object of its own."""
    return (
        word == MARK
        or word in language.fronting
        or word in language.plain_words.verbs
        or is_dated(word)
        or is_finite(language, word)
    )


def same_ties(claim: Claim, told: Form, other: Claim) -> Form:
    """Return `the script that cleans` for `the script which cleans` beside such a `that`.

    Who knows which file does not know that file, so a noun must stand before it.
    """
    if "which" not in told or "which" in other.words or "that" not in other.words:
        return told
    words = claim.language.plain_words
    known = {
        before
        for before, word in zip(other.marked, other.marked[1:], strict=False)
        if word == "that" and before not in words.verbs | words.before_clauses
    }
    return tuple(
        "that" if word == "which" and i and told[i - 1] in known else word
        for i, word in enumerate(told)
    )


def loose_relatives(claim: Claim, told: Form, other: Claim) -> Form:
    """Return `Ida sews and sells bags` for `Ida, who sells bags, sews`; two deeds may be steps."""
    if told.count(MARK) != 2 or LOOSE.isdisjoint(told):
        return told
    if not ANY_RELATIVE.isdisjoint(other.marked):
        return told
    first = told.index(MARK)
    last = told.index(MARK, first + 1)
    who, clause, rest = told[:first], told[first + 2 : last], told[last + 1 :]
    if told[first + 1] not in LOOSE or not 0 < len(who) <= LONGEST or not clause or not rest:
        return told
    language = claim.language
    heads = (clause[0], rest[0])
    if not all(w in language.plain_words.verbs or is_finite(language, w) for w in heads):
        return told
    if sum(is_finite(language, w) and w not in _NOW for w in heads) > 1:
        return told
    return (*who, *rest, "and", *clause)


_NOW = rule_words("ties.now")


def received(claim: Claim, told: Form, other: Claim) -> Form:
    """Return `the canary receives a tenth` for `a tenth goes to the canary`."""
    if _RECEIVE.keys().isdisjoint(told) or {"receive", "received"}.isdisjoint(other.words):
        return told
    place = next(i for i, word in enumerate(told) if word in _RECEIVE)
    head = next((i + 1 for i in range(place - 1, -1, -1) if told[i] == MARK), 0)
    if told[place + 1 : place + 2] != ("to",) or place == head:
        return told
    end = next(
        (i for i in range(place + 3, len(told)) if _follows(claim.language, told[i])), len(told)
    )
    if place + 2 >= len(told) or not RELATIVES.isdisjoint(told[head:place]):
        return told
    if place - head == 1 and told[head] not in claim.language.determiners:
        return told  # Ida went to Ben
    helped = told[place - 1] in claim.language.passive.modals | {"to", "not", "do", "does", "did"}
    verb = _RECEIVE[told[place]]
    who = told[place + 2 : end]
    return told if helped else (*told[:head], *who, verb, *told[head:place], *told[end:])


def notes(claim: Claim, told: Form, other: Claim) -> Form:
    """Return `the timeout is 5 s` for `timeout: 5 s` among such notes, and for `=`."""
    if "is" not in other.marked or "is" in told:
        return told
    if told.count("=") == 1 and "=" not in other.words:
        return tuple("is" if word == "=" else word for word in told)
    if ": " not in claim.text or _NOTE.fullmatch(claim.text) is None:
        return told
    if told.count(MARK) + 1 != 2 * claim.text.count(": "):
        return told
    result: list[str] = []
    keys = True
    for word in told:
        result.append("is" if word == MARK and keys else word)
        keys = keys != (word == MARK)
    return tuple(result)


def dates_there(_claim: Claim, told: Form, _other: Claim) -> Form:
    """Return `the call is on Monday` for `on Monday there is the call`."""
    place = told.index("there") if "there" in told[1:4] else 0
    if not place or told[place + 1 : place + 2] != ("is",) or MARK in told or len(told) < place + 3:
        return told
    return (*told[place + 2 :], "is", *told[:place]) if all(map(is_dated, told[:place])) else told


def due_to_them(_claim: Claim, told: Form, other: Claim) -> Form:
    """Return `the Ida check is due in May` for `Ida is due for her check in May`."""
    for place in range(1, len(told) - 5):
        if told[place : place + 3] == ("is", "due", "for") and told[place + 3] in _HIS:
            head = next((i + 1 for i in range(place - 1, -1, -1) if told[i] == MARK), 0)
            end = next((i for i in range(place + 4, len(told)) if _ends(told[i])), len(told))
            if told[place - 1] in genitives(other):
                owned = told[place + 4 : end]
                return (*told[:place], *owned, "is", "due", *told[end:]) if head < place else told
    return told


def _ends(word: str) -> bool:
    return word == MARK or word in {"every", "in", "on", "at", "by"} or is_dated(word)


READ = (
    owned_relatives, same_ties, loose_relatives, received, notes, dates_there, due_to_them,
)  # fmt: skip
