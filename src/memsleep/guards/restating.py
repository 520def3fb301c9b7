"""One claim told the other way round: what stands first, who does it, whose it is.

Each telling says what the claim says, so two claims that have a telling in common say the same.
They are looked for only where both consist of the same roots.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import pairwise

from memsleep.guards.adjuncts import is_dated
from memsleep.guards.claims import Claim, Form
from memsleep.guards.finite import is_past
from memsleep.guards.language import Language
from memsleep.guards.lists import is_relisted
from memsleep.guards.relatives import RELATIVES
from memsleep.guards.retelling import retold, without_relatives
from memsleep.guards.rule_words import rule_words
from memsleep.guards.times import in_order
from memsleep.guards.tokens import MARK
from memsleep.guards.typography import plain_typography
from memsleep.guards.verbhood import begins_noun, determined, is_loose, may_be_verb
from memsleep.guards.voice import actives, actives_of

MOST_TELLINGS = 120
POSSESSIVE = frozenset({"its"})
DEPTH = 2
LONGEST_FRONT = 9
LONGEST_OWNED = 7
"""Words of a subject that is told with its owner before or behind it."""
_OWNER = re.compile(r"([^\W_]+)(?:'s|(?<=s)')(?![^\W_])")


def is_restated(a: Claim, b: Claim) -> bool:
    """Return True when the two claims have a telling in common."""
    if a.language is not b.language or not a.language.light:
        return False
    if a.numbers != b.numbers or a.dates != b.dates or a.negations != b.negations:
        return False
    if abs(len(a.form) - len(b.form)) > MOST_ADDED or roots(a) != roots(b):
        return False
    mine, theirs = _tellings(a, b), _tellings(b, a)
    said = {_said(a.language, tokens) for tokens in theirs}
    if any(_said(a.language, tokens) in said for tokens in mine):
        return True
    return any(is_relisted(a, b, one, other) for one in mine for other in theirs)


MOST_ADDED = 5
"""Little words by which the length of two tellings may differ."""


@lru_cache(maxsize=1 << 12)
def roots(claim: Claim) -> Form:
    """Return what both tellings of a claim have: its words without endings and little words."""
    light = claim.language.light
    form = ["not" if word == "nobody" else word for word in claim.form if word != "anyone"]
    found = (_root(claim.language, word) for word in form if word not in light)
    return tuple(sorted(root for root in found if root not in _light_roots(claim.language)))


@lru_cache(maxsize=32)
def _light_roots(language: Language) -> frozenset[str]:
    return language.light | {_root(language, word) for word in language.sides.words}


@lru_cache(maxsize=1 << 14)
def _root(language: Language, word: str) -> str:
    verbs = language.passive.bases.get(word) or language.passive.present.get(word)
    if verbs:
        word = verbs[0]
    for endings in _ENDINGS:
        for ending in endings:
            if word.endswith(ending) and len(word) > len(ending) + 2:
                word = word[: -len(ending)]
                break
    return word[:-1] if len(word) > 3 and word[-1] == word[-2] else word


_ENDINGS = (("ing", "ied", "ed"), ("e", "y"))
"""What is stripped, and what then: deployed, deploy."""


def _said(language: Language, tokens: Form) -> Form:
    """Return a telling without what says nothing; `is` parts what is told from what is told of."""
    told = in_order(list(tokens), language.often)
    return tuple(t for t in told if t == "is" or (t != MARK and t not in language.silent))


def _tellings(claim: Claim, other: Claim) -> list[Form]:
    """Return the tellings of a claim, itself first, not more than are worth trying."""
    found = [_unarticled(claim, without_relatives(claim.marked), other)]
    found.extend(told for told in _turned(claim, found[0]) if told not in found)
    newest = found
    for _ in range(DEPTH):
        fresh: list[Form] = []
        for tokens in newest:
            for told in _told(claim, other, tokens):
                if told not in found and told not in fresh:
                    fresh.append(told)
                if len(found) + len(fresh) >= MOST_TELLINGS:
                    return [*found, *fresh]
        found = [*found, *fresh]
        newest = fresh
    return found


def _unarticled(claim: Claim, marked: Form, other: Claim) -> Form:
    """Return a claim without articles, and without the possessive of `despite its name`.

    So it is where the other says `the name`, and where what owns it may stand before it.
    """
    articles, known = claim.language.articles, set(pairwise(other.marked))
    return tuple(
        token
        for before, token, after in zip(("", *marked), marked, (*marked[1:], ""), strict=False)
        if token not in articles
        and not (token in POSSESSIVE and before and ("the", after) in known)
    )


def _told(claim: Claim, other: Claim, tokens: Form) -> Iterator[Form]:
    """Yield what one step makes of a telling."""
    if not tokens:
        return
    language = claim.language
    yield from _owned(claim, tokens, _owners(other))
    yield from _having(language, tokens)
    yield from _inverted(claim, tokens)
    yield from _caused(tokens, other)
    yield from retold(claim, tokens, other)
    if tokens[:2] == ("there", "is"):
        yield from _there(tokens, other)
    if not language.by.isdisjoint(tokens):
        yield from actives(language, _with_be(language, tokens))
    else:
        for agent in sorted(_agents(language, other)):
            yield from actives_of(language, tokens, agent)
    if tokens[0] == "nobody" and len(tokens) > 2:
        helps = tokens[1] in language.passive.have | language.passive.modals | language.passive.be
        yield ("anyone", *tokens[1 : 1 + helps], "not", *tokens[1 + helps :])
    if MARK in tokens and "is" not in tokens[: tokens.index(MARK)]:
        place = tokens.index(MARK)
        yield (*tokens[:place], "is", *tokens[place + 1 :])
        yield (*tokens[:place], *tokens[place + 1 :])
    if "hitherto" in tokens and tokens[-1] != "hitherto":
        yield (*(t for t in tokens if t != "hitherto"), "hitherto")


def _agents(language: Language, claim: Claim) -> set[str]:
    """Return words of a claim for those who do it and are not named: we, you, they."""
    return {t for t in language.impersonal if t in claim.words} | ({"they"} & {claim.form[0]})


def _inverted(claim: Claim, tokens: Form) -> Iterator[Form]:
    """Yield `Anna is the owner` for `the owner is Anna`: what is told of something known.

    A participle in front, or a list behind a colon, may change places with what it tells too.
    """
    if tokens.count("is") != 1 or "was" in tokens:
        return
    place = tokens.index("is")
    left, right = tokens[:place], tokens[place + 1 :]
    if (
        not left
        or not right
        or MARK in left
        or "not" in tokens
        or _PARTING.intersection(right) - {MARK}
    ):
        return
    articles = claim.language.articles
    known = claim.marked[:1] == ("the",) or ("is", "the") in pairwise(claim.marked)
    colon = MARK in claim.marked and "is" not in claim.marked[: claim.marked.index(MARK)]
    participle = left[0].endswith("ed") or left[0] in claim.language.passive.bases
    if (known or colon or participle) and not articles.intersection(claim.marked[:1]) - {"the"}:
        yield (*right, "is", *left)


def _caused(tokens: Form, other: Claim) -> Iterator[Form]:
    """Yield `Y because X` for `X, so Y`, and for `since X, Y` where the other says because."""
    for place in range(1, len(tokens) - 2):
        if tokens[place] == MARK and tokens[place + 1] in {"so", "therefore"}:
            if MARK not in tokens[:place] and tokens[place + 2] not in _MEANING:
                yield (*tokens[place + 2 :], "because", *tokens[:place])
        elif tokens[place] == MARK and tokens[place + 1] in {"since", "as"}:
            yield (*tokens[: place + 1], "because", *tokens[place + 2 :])
    if tokens[0] == "since" and "because" in other.words and MARK in tokens:
        yield ("because", *tokens[1:])


_MEANING = rule_words("restating.meaning")
"""Words that mean what stands before them, so that they stay behind it."""


def _turned(claim: Claim, tokens: Form) -> Iterator[Form]:
    """Yield a telling with the adjunct at its front put at the end, for every reading of it."""
    language = claim.language
    if not tokens or not (_begins_adjunct(claim, tokens[0]) or is_dated(tokens[0])):
        return
    if tokens[0] == "to" and not language.negation.isdisjoint(tokens):
        return  # not done to save time
    longest = min(LONGEST_FRONT, len(tokens) - 1)
    if MARK in tokens[1:longest]:
        place = tokens.index(MARK, 1)
        if is_dated(tokens[0]) or tokens[0] in language.often:
            yield (*tokens[1:], tokens[0])  # on weekdays it opens at 5:40, 11:20 and 18:05
        yield from _moved(language, tokens[:place], tokens[place + 1 :], inside=True)
        for size in range(2, place - 1):  # until March we do it, because nobody came
            yield (*tokens[size:place], *tokens[:size], *tokens[place:])
        return
    alone = tokens[0] in language.adverbs or is_dated(tokens[0])
    for size in range(1 if alone else 2, longest):
        yield from _moved(language, tokens[:size], tokens[size:], inside=is_dated(tokens[size - 1]))


def _begins_adjunct(claim: Claim, word: str) -> bool:
    """Return True for what stands before a noun, not in one: `following that`, `the following`."""
    return word in claim.language.fronting and word not in determined(claim)


def _moved(language: Language, front: Form, rest: Form, *, inside: bool) -> Iterator[Form]:
    """Yield a telling with what stood in front at the end, or before another adjunct there."""
    yield (*rest, *front)
    if inside:
        for place in range(2, len(rest)):
            if rest[place] in language.fronting and rest[place - 1] not in _BINDING:
                yield (*rest[:place], *front, *rest[place:])
            if rest[place] in _PARTING:
                break


_BINDING = rule_words("restating.binding")
_PARTING = RELATIVES | {"whose", MARK}


@lru_cache(maxsize=4096)
def _owners(claim: Claim) -> frozenset[str]:
    """Return the words that own something: before an apostrophe, and before `has`."""
    pairs = zip(claim.form, claim.form[1:], strict=False)
    return genitives(claim) | {word for word, after in pairs if after == "have"}


@lru_cache(maxsize=4096)
def genitives(claim: Claim) -> frozenset[str]:
    """Return the words before an apostrophe."""
    final = claim.language.final
    return frozenset(map(final, _OWNER.findall(plain_typography(claim.text).lower())))


def _owned(claim: Claim, tokens: Form, owners: frozenset[str]) -> Iterator[Form]:
    """Yield a telling with `the lid of the pot` as `the pot's lid`.

    The price of the ticket is the ticket price, too, where an article stands before such a word.
    """
    language = claim.language
    articles, marked, own = language.articles, claim.marked, genitives(claim)
    properties = {
        word for before, word in pairwise(marked) if before in articles
    } & language.properties
    voice = language.passive
    stops = {
        MARK,
        "of",
        *language.conjunctions,
        *language.two_way,
        *voice.be,
        *voice.have,
        *voice.modals,
    }
    for place, token in enumerate(tokens):
        if token not in _BELONGS:
            continue
        for right in range(1, 4):
            stop = place + 1 + right
            last = tokens[stop - 1] if stop <= len(tokens) else MARK
            if last in stops or is_past(language, last):
                break
            is_owned = tokens[stop - 1] in owners
            known = language.properties if is_owned or place < LONGEST_OWNED else properties
            is_property = tokens[place - 1] in known
            is_whole = (is_owned or is_property) and language.two_way.isdisjoint(tokens[:place])
            is_whole = is_whole and place < LONGEST_OWNED
            heads = {tokens[0], tokens[place - 1]}
            kept = token in {"for", "in"} and not language.sides.belonging.isdisjoint(heads)
            is_whole = is_whole and (token == "of" or kept)  # noqa: S105 (a word)
            belongs = token == "of" or kept  # noqa: S105 (a word)
            if not (is_property or (is_owned and belongs)) or tokens[stop - 1] in own:
                continue
            loose = is_loose(language, tokens[place + 1 : stop])
            if not is_owned and (token != "of" or loose):  # noqa: S105 (a word)
                continue  # the old server name: it may be the name that is old
            if token == "for" and not kept and _is_acted(claim, tokens[: place - 1]):  # noqa: S105
                continue  # copied the key for Ben
            if not ends_noun(language, tokens, stop):
                continue  # the last backup of the old wiki
            lefts = {
                *range(1, min(place, 4 if is_owned else 1) + 1),
                *({place} if is_whole else ()),
            }
            for start in _starts(claim, tokens, place, sorted(lefts), stops):
                owned = (*tokens[place + 1 : stop], *tokens[start:place])
                yield (*tokens[:start], *owned, *tokens[stop:])


def _is_acted(claim: Claim, tokens: Form) -> bool:
    """Return True where something is done with what follows."""
    return any(may_be_verb(claim, token) for token in tokens)


def _starts(
    claim: Claim, tokens: Form, place: int, lefts: Sequence[int], stops: set[str]
) -> Iterator[int]:
    """Yield where what is owned may begin, being so many words long."""
    for start in (place - left for left in lefts):
        if tokens[start] in stops:
            return
        if begins_noun(claim, tokens[max(start - 1, 0) : start], tokens[start]):
            yield start


def ends_noun(language: Language, tokens: Form, stop: int) -> bool:
    """Return True where no further word of a noun can stand at a place: `the old wiki`."""
    if stop >= len(tokens):
        return True
    voice, word = language.passive, tokens[stop]
    return (
        word == MARK
        or word in language.fronting | language.conjunctions | voice.be | voice.have | voice.modals
        or word
        in (language.verb_bases - language.properties)
        | voice.present.keys()
        | _JOINING
        | {"not", "to"}
        or word.endswith(("ed", "ly"))
        or is_dated(word)
    )


_BELONGS = rule_words("restating.belongs")
_JOINING = _BELONGS - {"of"}


def _having(language: Language, tokens: Form) -> Iterator[Form]:
    """Yield `the plan's limit is 5` for `the plan has a limit of 5`."""
    if "have" in tokens:
        place = tokens.index("have")
        for end in range(place + 2, min(place + 6, len(tokens) - 1)):
            if tokens[end - 1] not in language.properties:
                continue
            if tokens[end] == "of" and (tokens[end + 1][0].isdigit() or is_dated(tokens[end + 1])):
                yield (*tokens[:place], *tokens[place + 1 : end], "is", *tokens[end + 1 :])


def _there(tokens: Form, other: Claim) -> Iterator[Form]:
    """Yield `the office has showers` for `there are showers at the office`.

    Only where the other says so: what is in the box is not what is on the box.
    """
    for place in range(3, len(tokens) - 1):
        if tokens[place] in {"at", "in", "on"} and MARK not in tokens[place:]:
            if "have" in other.words:
                yield (*tokens[place + 1 :], "have", *tokens[2:place])
            if tokens[place] == "in":
                yield (*tokens[place + 1 :], "contain", *tokens[2:place])
            yield (*tokens[2:place], "is", *tokens[place:])


def _with_be(language: Language, tokens: Form) -> Form:
    """Return a telling with `needed by` as `is needed by`, and `gets sent by` as `is sent by`."""
    voice = language.passive
    place = next(i for i, token in enumerate(tokens) if token in language.by)
    if place < 2 or not voice.be.isdisjoint(tokens[:place]):
        return tokens
    verb = tokens[place - 1]
    if verb in voice.bases or verb.endswith("ed"):
        return (*tokens[: place - 1], "is", *tokens[place - 1 :])
    return tokens
