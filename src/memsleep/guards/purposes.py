"""English purposes and times told by a verb in -ing or by another form of it.

Canonical words have lost their -ing, so the text is asked for it: `tools for cutting glass` are
tools to cut glass, but what is ready for review is not ready to review.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

from memsleep.guards.adjuncts import is_dated
from memsleep.guards.claims import Claim, Form
from memsleep.guards.dummies import LONGEST
from memsleep.guards.tokens import MARK
from memsleep.guards.typography import plain_typography
from memsleep.guards.verbhood import words_in_ing

Rule = Callable[[Claim, Form, Claim], Form]


def purposes(claim: Claim, told: Form, _other: Claim) -> Form:
    """Return `to enter it` for `for entering it`, and no `to` or `with` behind a verb of help.

    What somebody is paid, thanked or known for is no purpose but a reason.
    """
    language, words, result = claim.language, claim.language.plain_words, list[str]()
    for place, word in enumerate(told):
        following = told[place + 1] if place + 1 < len(told) else ""
        if word == "for" and following in _gerunds(claim) and not _is_reason(claim, result):
            result.append("to")
            continue
        if word in {"to", "with"} and following in words.verbs and "help" in told[:place]:
            continue
        chained = bool(result) and result[-1] in words.chained
        planned = place > 1 and told[place - 2] in language.determiners  # the plan to test
        if word == "to" and chained and following in words.verbs and not planned:
            continue
        result.append(word)
    return tuple(result)


def _is_reason(claim: Claim, before: list[str]) -> bool:
    """Return True behind words that ask for a reason: paid for, fined for, sorry for."""
    words, voice = claim.language.plain_words, claim.language.passive
    if not before or before[-1] == "responsible":
        return True
    if before[-1] in words.reasons or before[-1] in voice.bases or before[-1].endswith("ed"):
        return before[-1] not in {"used", "required"}
    return False


def deeds_done(claim: Claim, told: Form, other: Claim) -> Form:
    """Return `files are scanned before upload` for `files are scanned before being uploaded`.

    Not beside a text that says who does it: `Ida called before paying`.
    """
    if "being" not in told[1:-1]:
        return told
    place = told.index("being", 1)
    verb = claim.language.plain_words.verb_of(told[place + 1])
    if not verb or told[place - 1] not in {"before", "after"} or verb in _gerunds(other):
        return told
    return (*told[:place], verb, *told[place + 2 :])


def receivers(claim: Claim, told: Form, other: Claim) -> Form:
    """Return `the farm supply our eggs` for `we get our eggs from the farm`, also `send us`.

    Whoever gets it is not named again where it is one of us. To send is not to give, so either
    is told so beside a text alone that says what we get.
    """
    if "receive" in told and "from" in told and MARK not in told:
        place, source = told.index("receive"), told.index("from")
        rest, often = told[source + 1 :], claim.language.plain_words.periodic
        size = next((i for i, t in enumerate(rest) if is_dated(t) or t in often), len(rest))
        if told[:place] == ("we",) and place + 1 < source and 0 < size <= LONGEST:
            return (*rest[:size], "supply", *told[place + 1 : source], *rest[size:])
    gives = _GIVES if "receive" in other.words else _SUPPLIES
    for place, word in enumerate(told):
        if word in gives and place and MARK not in told and "receive" not in told:
            rest = told[place + 1 :]
            rest = rest[rest[:1] == ("us",) :]
            if len(rest) < len(told) - place - 1 or "our" in rest:
                return (*told[:place], "supply", *rest)
    return told


_SUPPLIES = frozenset({"supply", "deliver"})
_GIVES = _SUPPLIES | {"send", "give"}


@lru_cache(maxsize=4096)
def _gerunds(claim: Claim) -> frozenset[str]:
    """Return the verbs that a text has in -ing."""
    if "ing" not in claim.text:
        return frozenset()
    language = claim.language
    found = words_in_ing(plain_typography(claim.text).lower())
    return frozenset(language.final(word) for word in found if word not in language.nouns)


READ: tuple[Rule, ...] = (purposes, deeds_done, receivers)
"""Rules that look at the text as well."""
