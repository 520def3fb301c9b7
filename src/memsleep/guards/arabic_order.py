"""Arabic: the subject before or behind its verb, adjuncts, and the passive with its agent."""

# Letters are the data here, and a wide one counts as two columns.
# ruff: noqa: E501

from __future__ import annotations

from memsleep.guards.claims import Claim
from memsleep.guards.clause_order import AT_FRONT, Tokens, clauses_of_order

_NO_VERB = frozenset(
    "في من الي علي عن مع قبل بعد كل جميع بعض لا ما لم لن ليس غير هذا هذه ذلك تلك ان هو هي او ثم بين عند تحت تلك يوم يد تجاه "
    "كان كانت قد اذا لو مازال مازالت not".split()
)


def verb_moved(a: Claim, b: Claim) -> bool:
    """Return True when the subject stands before its verb in the one, behind it in the other."""
    return _verb_first(a, b) or _verb_first(b, a)


def _verb_first(first: Claim, other: Claim) -> bool:
    one, two = _denied(first.form), _denied(other.form)
    if len(one) != len(two) or len(one) < 3 or one[0] in _NO_VERB or not is_verb(first, one[0]):
        return False
    for size in range(1, min(len(one) - 1, 5)):
        who = one[1 : size + 1]
        if two[: size + 1] == (*who, one[0]) and one[size + 1 :] == two[size + 1 :]:
            return all(_may_be_subject(first, word) for word in who)
    return False


def _denied(form: Tokens) -> Tokens:
    """Return a form in which a word that denies is one with the verb behind it."""
    result: list[str] = []
    for token in form:
        if result and result[-1] in _DENYING:
            result[-1] += f" {token}"
        else:
            result.append(token)
    return tuple(result)


_DENYING = frozenset({"not", "لم", "لن"})


def _may_be_subject(claim: Claim, word: str) -> bool:
    if word in _NO_VERB or word[0].isdigit() or word in claim.language.fronting:
        return False
    return word.startswith("ال") or not is_verb(claim, word)


def adjunct_turned(a: Claim, b: Claim) -> bool:
    """Return True when what a clause begins with in the one stands at its end in the other."""
    one, other = clauses_of_order(a), clauses_of_order(b)
    if len(one) != len(other):
        return False
    unlike = [(x, y) for x, y in zip(one, other, strict=True) if x != y]
    if len(unlike) != 1:
        return False
    return any(_turned(a, *pair) for pair in (unlike[0], unlike[0][::-1]))


def _turned(claim: Claim, front: Tokens, end: Tokens) -> bool:
    if len(front) != len(end):
        return False
    starts = front[0] in claim.language.fronting or front[0].startswith(AT_FRONT)
    return starts and any(front == end[-size:] + end[:-size] for size in range(1, len(front) - 1))


def is_verb(claim: Claim, word: str) -> bool:
    """Return True for a word that has the form of a verb, or stands in the table of verbs."""
    if word in claim.language.lists["names_like_verbs"]:
        return False
    word = word.split()[-1]
    return (len(word) > 2 and word.startswith(_PRESENT)) or word in claim.language.past_verbs


_PRESENT = ("ي", "سي", "ست", "ت")


def arabic_voice(a: Claim, b: Claim) -> bool:
    """Return True when one is in the passive with its agent, the other in the active."""
    return _by_agent(a, b) or _by_agent(b, a)


def _by_agent(passive: Claim, active: Claim) -> bool:
    tokens = passive.form
    for place in range(2, len(tokens) - 2):
        if tokens[place : place + 2] == ("من", "قبل") and len(tokens) > place + 2:
            verb, what, who = tokens[0], tokens[1:place], tokens[place + 2 :]
            return any(
                active.form in {(verb, *agent, *what), (*agent, verb, *what)}
                for agent in (who, *_in_the_nominative(who))
            )
    return False


def _in_the_nominative(words: Tokens) -> tuple[Tokens, ...]:
    """Return what a dual or a plural behind a preposition is as a subject."""
    last = words[-1]
    if not last.endswith("ين") or len(last) < 5:
        return ()
    return tuple((*words[:-1], last[:-2] + ending) for ending in ("ان", "ون"))
