"""English sentences told the other way round, one step at a time.

Each step says in another form what the telling says, with every role kept: who gives what to whom,
what is compared with what, which thing is told of. A step that finds its words in another place
yields nothing.
"""

from __future__ import annotations

from collections.abc import Iterator

from memsleep.guards.adjuncts import is_dated
from memsleep.guards.claims import Claim, Form
from memsleep.guards.complements import MOST_WORDS, completed, ends
from memsleep.guards.inflection import gerund_of
from memsleep.guards.language import Language
from memsleep.guards.relatives import RELATIVES
from memsleep.guards.rule_words import rule_pairs
from memsleep.guards.taken_up import named_again
from memsleep.guards.tokens import MARK
from memsleep.guards.verbhood import determined

MOST_SEQUENCED = 4
_CAUSED = frozenset({"consequently", "therefore"})


def retold(claim: Claim, tokens: Form, other: Claim) -> Iterator[Form]:
    """Yield what one step makes of a telling."""
    language = claim.language
    yield from _given(claim, tokens, other)
    yield from _turned(language, tokens)
    yield from _exchanged(language, tokens)
    yield from _in_sequence(language, tokens)
    yield from _cleft(tokens)
    yield from _doer(language, tokens)
    yield from _with_state(tokens)
    yield from _fronted_only(language, tokens)
    yield from completed(claim, tokens, other)
    yield from named_again(claim, tokens)
    if MARK in tokens:
        yield from _consequent(tokens)
        yield from _named(claim, tokens)
        yield from _taken_up(tokens)


def without_relatives(tokens: Form) -> Form:
    """Return a telling with `files that are older than a week` as `files older than a week`."""
    if RELATIVES.isdisjoint(tokens):
        return tokens
    kept: list[str] = []
    place = 0
    while place < len(tokens):
        if tokens[place] in RELATIVES and kept and kept[-1] != MARK:
            following = tokens[place + 1 : place + 3]
            if len(following) > 1 and following[0] == "is" and following[1] != "not":
                place += 2
                continue
        kept.append(tokens[place])
        place += 1
    return tuple(kept)


def _given(claim: Claim, tokens: Form, other: Claim) -> Iterator[Form]:
    """Yield `gave Ana the key` for `gave the key to Ana`, but not `gave the dog food`."""
    language = claim.language
    for place, token in enumerate(tokens[:-3]):
        for words, to in ((language.sides.giving, "to"), (language.sides.making, "for")):
            if token not in words or to not in tokens[place + 2 : place + 2 + MOST_WORDS]:
                continue
            middle = tokens.index(to, place + 2)
            thing = tokens[place + 1 : middle]
            if MARK in thing or not language.fronting.isdisjoint(thing):
                continue
            for end in ends(language, tokens, middle + 1):
                who = tokens[middle + 1 : end]
                if who and _are_apart(claim, other, who[0], thing[0]):
                    yield (*tokens[: place + 1], *who, *thing, *tokens[end:])


def _are_apart(claim: Claim, other: Claim, who: str, thing: str) -> bool:
    """Return True unless the two may be one noun in one of the claims: sent the lab samples."""
    known = [determined(each) for each in (claim, other)]
    return (
        thing not in other.words
        or all(who not in k for k in known)
        or all(
            thing in k or thing in claim.language.determiners or thing[0].isdigit() for k in known
        )
    )


def _turned(language: Language, tokens: Form) -> Iterator[Form]:
    """Yield `the new one is faster than the old one` for `the old one is slower than the new`."""
    for place in range(1, len(tokens) - 1):
        for phrase, opposite in language.sides.converse.get(tokens[place], ()):
            start = place + len(phrase)
            if tokens[place:start] != phrase or MARK in tokens[:place] or start >= len(tokens):
                continue
            if "not" in tokens or not language.fronting.isdisjoint((tokens[0], tokens[start])):
                continue
            for end in sorted({*ends(language, tokens, start), len(tokens)}):
                one, other = tokens[:place], tokens[start:end]
                yield (*other, *opposite, *one, *tokens[end:])
                if other[-1] == "1" and len(one) > 1:  # the new router, the old one
                    yield (*other[:-1], one[-1], *opposite, *one[:-1], "1", *tokens[end:])


def _exchanged(language: Language, tokens: Form) -> Iterator[Form]:
    """Yield `Ana lends Ben the van` for `Ben borrows the van from Ana`."""
    if "not" in tokens:
        return
    for place, token in enumerate(tokens[:-3]):
        giving = language.sides.counterparts.get(token)
        if giving is None or not place or "from" not in tokens[place + 2 :]:
            continue
        middle = tokens.index("from", place + 2)
        who, thing = tokens[:place], tokens[place + 1 : middle]
        stays = () if thing[:2] == ("how", "to") else thing
        if MARK in (*who, *thing) or not language.fronting.isdisjoint((*who, *stays)):
            continue
        who = _OBJECTS.get(who, who)
        for end in ends(language, tokens, middle + 1):
            giver, rest = tokens[middle + 1 : end], tokens[end:]
            yield (*giver, giving, *who, *thing, *rest)


_OBJECTS: dict[Form, Form] = {
    (who,): (whom,) for who, whom in rule_pairs("retelling.objects").items()
}


def _in_sequence(language: Language, tokens: Form) -> Iterator[Form]:
    """Yield `the load test runs after the smoke test` for `the smoke test runs before it`."""
    voice = language.passive.be | language.passive.have | language.passive.modals
    for word, opposite in (("before", "after"), ("after", "before")):
        if tokens.count(word) != 1 or "not" in tokens or MARK in tokens or "only" in tokens:
            continue
        place = tokens.index(word)
        verb = next((i for i in range(1, place) if tokens[i] in language.sides.sequenced), 0)
        behind = tokens[place + 1 :]
        if not verb or place - verb > 1 or not behind or is_dated(behind[0]):
            continue
        if len(behind) <= MOST_SEQUENCED and voice.isdisjoint(behind):
            yield (*behind, tokens[verb], opposite, *tokens[:verb])


def _cleft(tokens: Form) -> Iterator[Form]:
    """Yield `Ana found it` for `it was Ana who found it`, and the like with what and it is."""
    if tokens[0] == "it" and tokens[1:2] in (("is",), ("was",)):
        for place in range(3, min(len(tokens) - 1, MOST_WORDS + 3)):
            if tokens[place] == "who" and "not" not in tokens[:place]:
                yield (*tokens[2:place], *tokens[place + 1 :])
            if tokens[place] == "to" and MARK not in tokens:
                yield (*tokens[place + 1 :], *tokens[1:place])
                yield (gerund_of(tokens[place + 1]), *tokens[place + 2 :], *tokens[1:place])
    if tokens[:3] == ("that", "is", "why") and MARK in tokens[3:]:
        place = tokens.index(MARK)
        yield (*tokens[3:place], "because", *tokens[place + 1 :])
    if tokens[0] == "what" and "is" in tokens[2:]:
        place = tokens.index("is", 2)
        if MARK not in tokens and "not" not in tokens:
            yield (*tokens[1:place], *tokens[place + 1 :])


def _doer(language: Language, tokens: Form) -> Iterator[Form]:
    """Yield `Ana maintains it` for `Ana is the maintainer of it`, and for `its maintainer is`."""
    if tokens.count("is") != 1 or "not" in tokens:
        return
    place = tokens.index("is")
    for at, token in enumerate(tokens):
        verb = language.sides.doers.get(token)
        if verb is None or tokens[at + 1 : at + 2] not in (("of",), ("at",)):
            continue
        if at == 0 and place > 2:
            yield (*tokens[place + 1 :], verb, *tokens[2:place])
        elif at == place + 1 and place:
            yield (*tokens[:place], verb, *tokens[at + 2 :])


def _with_state(tokens: Form) -> Iterator[Form]:
    """Yield `only when the light is green` for `only with a green light`, at the end."""
    if len(tokens) > 3 and tokens[-3] == "with" and tokens[-4] == "only":
        yield (*tokens[:-3], "when", tokens[-1], "is", tokens[-2])


def _fronted_only(language: Language, tokens: Form) -> Iterator[Form]:
    """Yield `ferries run only in summer` for `only in summer do ferries run`."""
    if tokens[0] != "only":
        return
    helps = {"do", "does"} | language.passive.modals
    for place in range(2, min(len(tokens) - 2, MOST_WORDS + 2)):
        if tokens[place] in helps and MARK not in tokens:
            rest = tokens[place + 1 :]
            if tokens[place] in {"do", "does"}:
                yield (*rest, *tokens[:place])
                for at in range(2, len(rest)):
                    if rest[at] in language.fronting or rest[at] == "to":
                        yield (*rest[:at], *tokens[:place], *rest[at:])


def _consequent(tokens: Form) -> Iterator[Form]:
    """Yield `Y because X` for `X, Y therefore`."""
    found = [i for i, token in enumerate(tokens) if token in _CAUSED]
    if len(found) != 1 or MARK not in tokens[: found[0]]:
        return
    place = found[0]
    mark = max(i for i in range(place) if tokens[i] == MARK)
    if MARK in tokens[place:]:
        return
    effect = (*tokens[mark + 1 : place], *tokens[place + 1 :])
    yield (*effect, "because", *tokens[:mark])
    if tokens[:mark].count(MARK) == 1:
        middle = tokens.index(MARK)
        first, second = tokens[:middle], tokens[middle + 1 : mark]
        for one, other in ((first, second), (second, first)):
            yield (*effect, "because", *one, "while", *other)


def _named(claim: Claim, tokens: Form) -> Iterator[Form]:
    """Yield `our plumber Ana works` for `Ana, our plumber, works`."""
    first = tokens.index(MARK)
    if MARK not in tokens[first + 1 :] or not 0 < first < 3:
        return
    second = tokens.index(MARK, first + 1)
    title, rest = tokens[first + 1 : second], tokens[second + 1 :]
    where = claim.marked.index(MARK)
    known = claim.marked[where + 1] in claim.language.determiners
    if (
        known
        and 0 < len(title) < MOST_WORDS
        and rest
        and rest[0] not in claim.language.conjunctions
    ):
        yield (*title, *tokens[:first], *rest)


def _taken_up(tokens: Form) -> Iterator[Form]:
    """Yield `Ana pays, not Ben` for `it is paid by Ana, not by Ben`."""
    for place in range(1, len(tokens) - 3):
        if tokens[place : place + 3] == (MARK, "not", "by"):
            yield (*tokens[: place + 2], *tokens[place + 3 :])
