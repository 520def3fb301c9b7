"""What English sentences ask for, state and order, and when it happens: told in other forms."""

from __future__ import annotations

import re
from collections.abc import Iterator

from memsleep.guards.adjuncts import is_adverb, is_dated
from memsleep.guards.claims import Claim, Form
from memsleep.guards.finite import is_past
from memsleep.guards.inflection import bases_of
from memsleep.guards.language import Language
from memsleep.guards.relatives import RELATIVES
from memsleep.guards.rule_words import rule_pairs, rule_words
from memsleep.guards.tokens import MARK
from memsleep.guards.verbhood import names_of

MOST_WORDS = 6
"""Words of a thing or a person that may change its place."""


def completed(claim: Claim, tokens: Form, other: Claim) -> Iterator[Form]:
    """Yield what one step makes of a telling."""
    language = claim.language
    yield from _asked(language, tokens)
    yield from _while(claim, tokens, other)
    yield from _stated(language, tokens)
    if not language.known_verbs.isdisjoint(other.marked[:1]) and _DUTY.isdisjoint(other.words):
        yield from _ordered(language, tokens)
    yield from _dated(language, tokens)
    if MARK in tokens:
        yield from _done(language, tokens, other)


def _done(language: Language, tokens: Form, other: Claim) -> Iterator[Form]:
    """Yield `deleting a file deletes its key` for `when you delete a file, its key is deleted`.

    Endings in -ing are gone, so the other text is asked for them: an order is no effect.
    `To open it, turn the key` is `turning the key opens it`.
    """
    place = tokens.index(MARK)
    front, rest = tokens[1:place], tokens[place + 1 :]
    if not front or not rest:
        return
    if not _begins_with_ing(other.text):
        return
    if tokens[0] == "to" and rest[0] in language.known_verbs:
        yield (*rest, *front)
    front = front[front[0] in _SUBJECTS :]
    if tokens[0] in {"when", "if"} and front and front[0] in language.known_verbs:
        for at in range(2, min(len(rest), MOST_WORDS + 2)):
            if rest[at - 1] == "is" and MARK not in rest:
                for verb in _bases(language, rest[at]):
                    told = (*front, verb, *rest[: at - 1], *rest[at + 1 :])
                    yield told[:-1] if told[-1] == "too" else told


def _begins_with_ing(text: str) -> bool:
    return text.split(" ", 1)[0].endswith("ing")


def ends(language: Language, tokens: Form, start: int) -> Iterator[int]:
    """Yield where what begins at a place may end: before an adjunct, a sign, at the end."""
    for end in range(start + 1, min(len(tokens), start + MOST_WORDS + 1)):
        token = tokens[end]
        if token == MARK or token in language.fronting or is_dated(token) or is_adverb(token):
            yield end
            if token == MARK:
                return
    if len(tokens) - start <= MOST_WORDS:
        yield len(tokens)


def _asked(language: Language, tokens: Form) -> Iterator[Form]:
    """Yield `advised sell the shares` for `advised that the shares be sold`, and the like.

    Endings in -ing are gone already, so that it is `advised selling` in the other text.
    """
    voice = language.passive
    for place, token in enumerate(tokens):
        verbs = _bases(language, token)
        if not verbs or place < 2:
            continue
        before, front = tokens[place - 1], -1
        if before == "be":
            is_to = tokens[place - 2] == "to"
            last = place - 1 - is_to
            lead = {"that"} if not is_to else {"for", *language.plain_words.wishing}
            front = next((i for i in range(last - 1, 0, -1) if tokens[i] in lead), -1)
            kept = front if tokens[front] in {"that", "for"} else front + 1
            thing = tokens[front + 1 : last]
        elif "have" in tokens[1:place]:
            front = tokens.index("have", 1)
            kept, thing = front, tokens[front + 1 : place]
            if tokens[front - 1] != "on":
                continue  # the lamp has not worked; she wants to have it done
            kept -= 1
        if front < 1 or not 0 < len(thing) <= MOST_WORDS or MARK in thing:
            continue
        if not _NO_THING.isdisjoint(thing) or not voice.be.isdisjoint(thing):
            continue
        for verb in verbs:
            yield (*tokens[:kept], verb, *thing, *tokens[place + 1 :])


_NO_THING = rule_words("complements.no_thing")


def _bases(language: Language, participle: str) -> tuple[str, ...]:
    single = language.single
    found = [*language.passive.bases.get(participle, ())]
    found += [single.get(base, base) for base in bases_of(participle)]
    return tuple(dict.fromkeys(found))


def _while(claim: Claim, tokens: Form, other: Claim) -> Iterator[Form]:
    """Yield `when defrost` for `when it defrosts` and `while defrosting`, and `when` for `if`.

    What is done if it rains need not be done while it rains.
    """
    names = names_of(claim.text)
    for place, token in enumerate(tokens[:-1]):
        if token not in _WHENS or _UNLIKE.get(token) in other.words:
            continue
        subject = tokens[place + 1] in _SUBJECTS and place + 2 < len(tokens)
        if subject and (token != "while" or _WHILE_DOING.search(other.text) is not None):  # noqa: S105
            yield (*tokens[:place], "when", *tokens[place + 2 :])
        elif token == "while" and _WHILE_DOING.search(claim.text) is not None:  # noqa: S105
            yield (*tokens[:place], "when", *tokens[place + 1 :])
        if token != "if" or tokens.count("if") > 1 or tokens[place + 1] in names:  # noqa: S105
            continue
        if _is_present(claim.language, tokens):
            yield (*tokens[:place], "when", *tokens[place + 1 :])


_WHENS = rule_words("complements.whens")
_UNLIKE = rule_pairs("complements.unlike")
_WHILE_DOING = re.compile(r"\b(?:while|when) [a-z]+ing\b", re.I)
_SUBJECTS = rule_words("complements.subjects")


def _is_present(language: Language, tokens: Form) -> bool:
    """Return True for what holds whenever it happens: no past, no doubt, nothing denied."""
    if not _NOT_WHENEVER.isdisjoint(tokens) or not language.passive.modals.isdisjoint(tokens):
        return False
    return not any(is_past(language, token) for token in tokens)


_NOT_WHENEVER = rule_words("complements.not_whenever")


def _stated(language: Language, tokens: Form) -> Iterator[Form]:
    """Yield `the contract forbids it` for `it is forbidden in the contract`."""
    for place in range(2, len(tokens) - 1):
        if tokens[place] not in {"in", "by"} or tokens[place - 1] not in language.sides.stated:
            continue
        for verb in _bases(language, tokens[place - 1]):
            for end in ends(language, tokens, place + 1):
                where = tokens[place + 1 : end]
                denied = ("not",) if tokens[place - 2] == "not" else ()
                be = place - 2 - len(denied)
                if be > 0 and tokens[be] == "is" and tokens[0] != "it":
                    yield (*where, *denied, verb, *tokens[:be], *tokens[end:])
                elif tokens[:2] == ("it", "is") and tokens[end : end + 1] in (("to",), ("that",)):
                    yield (*where, verb, *tokens[end + 1 :])


_DUTY = frozenset({"must", "should"})


def _ordered(language: Language, tokens: Form) -> Iterator[Form]:
    """Yield `keep the fridge cold` for `the fridge should be kept cold`."""
    for place in range(3, min(len(tokens), MOST_WORDS + 4)):
        if tokens[place - 1] != "be" or tokens[place - 2] not in _DUTY:
            continue
        thing = tokens[: place - 2]
        if MARK not in thing and language.fronting.isdisjoint(thing[:1]):
            for verb in _bases(language, tokens[place]):
                yield (verb, *thing, *tokens[place + 1 :])


def _dated(language: Language, tokens: Form) -> Iterator[Form]:
    """Yield a simple sentence with a day or an hour behind its verb at the end."""
    if not _TIED.isdisjoint(tokens):
        return
    verb = next((i for i in range(1, len(tokens)) if tokens[i] in language.passive.be), 0)
    start = next((i for i in range(verb + 1, len(tokens)) if is_dated(tokens[i])), 0)
    if not verb or not start or tokens[start - 1] in _TIMED:
        return
    end = next((i for i in range(start, len(tokens)) if not is_dated(tokens[i])), len(tokens))
    if end < len(tokens) and tokens[end] not in {"to", "until"}:
        yield (*tokens[:start], *tokens[end:], *tokens[start:end])


_TIED = RELATIVES | rule_words("complements.tied") | {MARK}
_TIMED = rule_words("complements.timed")
