"""English orders, bans and duties in one form: never do it, it must not be done, doing is banned.

What is forbidden is told as `not`, the verb and what it is done to, and what must be done without
`not`, where both claims leave no doubt that it is a rule. A rule for somebody (`guests must not
smoke`) stays his, and advice (`should not`) is no ban.
"""

from __future__ import annotations

import re

from memsleep.guards.adjuncts import is_dated
from memsleep.guards.claims import Claim, Form
from memsleep.guards.dummies import LONGEST
from memsleep.guards.language import Language
from memsleep.guards.relatives import RELATIVE_WORDS
from memsleep.guards.rule_words import rule_words
from memsleep.guards.tokens import MARK
from memsleep.guards.verbhood import words_in_ing

_RULING = rule_words("injunctions.ruling")
_STRICT = rule_words("injunctions.strict")
_DENIALS = frozenset({"not", "never"})
_ANYBODY = frozenset({("you",), ("oneself",)})
_TIES = RELATIVE_WORDS | rule_words("injunctions.ties")
_SEVERAL = re.compile(r"\b([a-z]+ing) [a-z]+[^s\W]s\b.*\bis(?:n't)?\b")


def injunctions(claim: Claim, told: Form, other: Claim) -> Form:
    """Return `not share the key` for `never share the key` and `sharing the key is forbidden`."""
    if _RULING.isdisjoint(told) and ("do" not in told or "not" not in told):
        return told
    if "should" in told and not _STRICT.isdisjoint(other.words):
        return told
    if "should" in other.words and not _STRICT.isdisjoint(told):
        return told
    result: list[str] = []
    start = 0
    for place, word in enumerate((*told, MARK)):
        if word == MARK:
            result.extend(_order(claim, told[start:place], other))
            result.append(MARK)
            start = place + 1
    return tuple(result[:-1])


def _order(claim: Claim, clause: Form, other: Claim) -> Form:
    """Return one clause as an order where it is one."""
    verbs = claim.language.plain_words.verbs
    if clause[:2] == ("do", "not") and clause[2:] and clause[2] in verbs:
        return clause[1:]
    if "never" in clause and (any(map(_is_one_day, clause)) or not _ONCE.isdisjoint(clause)):
        return clause  # never call on Monday, do not call on Monday
    if clause[:1] == ("never",) and clause[1:] and clause[1] in verbs:
        return ("not", *clause[1:])
    place = next((i for i, word in enumerate(clause) if word in _TELLING), 0)
    if not place:
        return clause
    told = {"allowed": _allowed, "required": _required}.get(clause[place], _modal)
    return told(claim, clause, place, other)


def _is_one_day(word: str) -> bool:
    return is_dated(word) and not word.startswith(_EVERY)


_EVERY = "dayq0"
"""Begins a day of every week."""
_ONCE = rule_words("injunctions.once")
_TELLING = rule_words("injunctions.telling")


def _allowed(claim: Claim, clause: Form, place: int, other: Claim) -> Form:
    """Return what is not allowed as an order; somebody who is not allowed to do it must not."""
    who, what = clause[: place - 2], clause[place + 1 :]
    if clause[place - 2 : place] != ("is", "not") or not who:
        return clause
    verbs = claim.language.plain_words.verbs
    if what[:1] == ("to",):
        if len(what) < 2 or (what[1] not in verbs and what[1] != "be"):
            return clause
        is_rule = who == ("it",) or who in _ANYBODY
        return (
            ("not", *what[1:])
            if is_rule
            else _order(claim, (*who, "must", "not", *what[1:]), other)
        )
    return ("not", *who, *what) if _is_act(claim, who) else clause


def _required(claim: Claim, clause: Form, place: int, _other: Claim) -> Form:
    """Return what is required as an order, but not what is required for something else."""
    who, what = clause[: place - 1], clause[place + 1 :]
    if clause[place - 1] != "is" or not who or "not" in clause:
        return clause
    if who == ("it",):
        is_order = what[:1] == ("to",) and what[1:2] and what[1] in claim.language.plain_words.verbs
        return what[1:] if is_order else clause
    if what[:1] and what[0] in _ENDS:
        return clause
    return (*who, *what) if _is_act(claim, who) else clause


_ENDS = rule_words("injunctions.ends")


def _is_act(claim: Claim, told: Form) -> bool:
    """Return True for `sharing the key`; test users are no act, and may be neither testing users.

    What stands behind the verb must show that it is one: an article, a preposition, nothing, or
    things of which no single one `is` forbidden.
    """
    language = claim.language
    if told[0] not in language.plain_words.verbs or not _TIES.isdisjoint(told):
        return False
    text = claim.text.lower()
    if told[0] not in map(language.final, words_in_ing(text)):
        return False
    if told[0] not in language.plain_words.modifying or told[1:2] == ():
        return True
    if told[1] in language.determiners | language.fronting or is_dated(told[1]):
        return True
    return told[0] in map(language.final, _SEVERAL.findall(text))


def _modal(claim: Claim, clause: Form, place: int, other: Claim) -> Form:
    """Return `not share the key` for `you must not share the key` and `it must not be shared`."""
    who, what = clause[:place], clause[place + 1 :]
    words = claim.language.plain_words
    how = what[:1]
    if how and how[0] in _DENIALS and (clause[place] != "may" or how == ("not",)):
        if who in _ANYBODY:
            is_act = what[1:] and what[1] in words.verbs
            is_act = is_act and (clause[place] != "may" or what[1] not in words.felt)
            return ("not", *what[1:]) if is_act else clause
        if clause[place] == "may":
            return clause
        how = ("not",)
    elif clause[place] == "may":
        return clause
    elif how != ("always",):
        return _kept(claim, clause, place, other)
    if what[1:2] != ("be",) or len(what) < 3 or not _is_thing(claim.language, who):
        return (*clause[: place + 1], *how, *what[1:])
    verb = _told_by(claim, words.verb_of(what[2]), other)
    return (*how, verb, *who, *what[3:]) if verb else clause


def _kept(claim: Claim, clause: Form, place: int, other: Claim) -> Form:
    """Return `keep the door shut` for `the door must be kept shut` and `it must stay shut`."""
    words = claim.language.plain_words
    who, what = clause[:place], clause[place + 1 :]
    if not what[1:] or not _is_thing(claim.language, who):
        return clause
    if what[0] == "be":
        verb = words.verb_of(what[1])
        kept = _told_by(claim, verb, other)
        return (kept, *who, *what[2:]) if kept != verb else clause
    kept = words.remaining.get(what[0], "")
    return (kept, *who, *what[1:]) if kept and kept in other.marked else clause


def _told_by(claim: Claim, verb: str, other: Claim) -> str:
    """Return the verb that the other claim has, where this one's participle may be of either."""
    twin = claim.language.plain_words.twofold.get(verb, "")
    written = verb in claim.text.lower() or verb in other.marked
    return twin if twin and not written and twin in other.marked else verb


def _is_thing(language: Language, who: Form) -> bool:
    """Return True for what a rule may be about; `two files` and `every file` are denied apart."""
    if len(who) > LONGEST or not _TIES.isdisjoint(who) or who in _ANYBODY:
        return False
    if who[0] in language.fronting or who[0] in _NOBODY:
        return False
    if any(word[0].isdigit() for word in who[:2]):
        return False
    return not any("quantifiers" in language.classes.get(word, ()) for word in who)


_NOBODY = rule_words("injunctions.nobody")
