"""How two claims stand to each other: whether every difference between them is explained.

Claims of one form say the same. Beyond that, three changes of order are explained where nothing
else differs: an adjunct at the front or at the end, the members of one list, active and passive.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import Literal

from memsleep.guards.claims import Claim, claim_in, claim_of, languages_of
from memsleep.guards.clauses import goes_on
from memsleep.guards.inflection import bases_of, gerund_of
from memsleep.guards.language import Language
from memsleep.guards.scripts import is_unspaced
from memsleep.guards.tokens import MARK
from memsleep.guards.typography import plain_typography
from memsleep.model import Memory

Relation = Literal["same", "longer", "listed", "narrower", "order", "other"]
Form = tuple[str, ...]


@lru_cache(maxsize=1 << 14)
def relation(a: Claim, b: Claim) -> Relation:
    """Return how two claims stand to each other, the same from either side.

    `same`; `longer`: one adds clauses; `listed`: one goes on with its list; `narrower`: one has
    words inside that the other lacks; `order`: equal words in another order; `other`: each has a
    word that the other lacks.
    """
    if a.form == b.form:
        return "same"
    if (a.joined == b.joined or a.squeezed == b.squeezed) and a.negations == b.negations:
        return "same"
    if a.bag == b.bag:
        return "same" if _reordered(a, b) else "order"
    if (
        a.language is b.language
        and not a.language.by.isdisjoint((*a.form, *b.form))
        and (_is_passive_of(a, b) or _is_passive_of(b, a))
    ):
        return "same"
    if a.language is b.language and (_is_reworded(a, b) or _is_reworded(b, a)):
        return "same"
    if a.words - b.words and b.words - a.words:
        return "other"
    short, long = (a, b) if len(a.form) <= len(b.form) else (b, a)
    if Counter(short.bag) - Counter(long.bag):
        return "other"
    if a.unspaced or b.unspaced:
        return "other"  # no word to tell a detail from a part of another word
    how = goes_on(short, long)
    return "narrower" if not how else "longer" if how == "clause" else "listed"


class _Last:
    """The pair that was looked at last: all guards of one pair ask for the same two claims."""

    __slots__ = ("a", "b", "claims")

    def __init__(self) -> None:
        self.a: Memory | None = None
        self.b: Memory | None = None
        self.claims: tuple[Claim, Claim] | None = None


_LAST = _Last()


def claims_of(a: Memory, b: Memory) -> tuple[Claim, Claim]:
    """Return what two memories claim, as it is compared: the claims, or all that they say.

    Where the claims differ and yet all of it is one, a sentence ends elsewhere: then the bodies
    are compared. A glance at their words comes first, since most pairs differ there already.
    """
    last = _LAST
    if last.a is a and last.b is b and last.claims is not None:
        return last.claims
    found = _claims(a, b)
    last.a, last.b, last.claims = a, b, found
    return found


def _claims(a: Memory, b: Memory) -> tuple[Claim, Claim]:
    left, right = claim_of(a.gist), claim_of(b.gist)
    if relation(left, right) == "same":
        return left, right
    if len({*languages_of(a.gist), *languages_of(b.gist)}) > 1 and left.words & right.words:
        for pair in _readings(a.gist, b.gist):
            if relation(*pair) == "same":
                return pair
    parted = _says_more(a) != _says_more(b) or _ends_elsewhere(left, right)
    if parted and _look_alike(a.body, b.body):
        for pair in _readings(a.body, b.body):
            if relation(*pair) == "same":
                return pair
    return left, right


def _says_more(memory: Memory) -> bool:
    """Return True where the body goes on behind the claim."""
    return len(memory.body) > len(memory.gist) + 2


def _ends_elsewhere(a: Claim, b: Claim) -> bool:
    """Return True where one claim is nearly a part of the other, or both are a word or two."""
    short, long = sorted((len(a.form), len(b.form)))
    if short == long:
        return short <= 2
    return 5 * len(a.words & b.words) >= 4 * min(len(a.words), len(b.words))


def _look_alike(a: str, b: str) -> bool:
    """Return True where most words of either stand in both, as they are written."""
    if 5 * min(len(a), len(b)) < 3 * max(len(a), len(b)):
        return False
    one, other = _raw_words(a), _raw_words(b)
    return 10 * len(one & other) >= ALIKE * max(len(one), len(other), 2)


ALIKE = 5
"""Tenths of the words that two texts share which differ in where their sentences end."""


@lru_cache(maxsize=1 << 16)
def _raw_words(text: str) -> frozenset[str]:
    if is_unspaced(text):
        return frozenset(text)
    return frozenset(word.strip("*_`#:;,.()<>\"'-") for word in text.lower().split())


def _readings(one: str, other: str) -> Iterator[tuple[Claim, Claim]]:
    """Yield two texts as claims of one language each; short ones may be taken for two."""
    for code in sorted({*languages_of(one), *languages_of(other)}):
        yield claim_in(one, code), claim_in(other, code)


def says_same(a: str, b: str) -> bool:
    """Return True when a table explains every difference between two texts."""
    return any(relation(*pair) == "same" for pair in _readings(a, b))


def only_in(a: Claim, b: Claim) -> list[str]:
    """Return the words of the first claim that the second lacks, in code point order."""
    return sorted(a.words - b.words)


MOST_REWORDED = 4
"""Words of either claim that the other lacks, above which no rule of the ending is tried."""


def _is_reworded(a: Claim, b: Claim) -> bool:
    """Return True when an ending, a denying prefix or a genitive explains all that differs."""
    mine, theirs = a.words - b.words, b.words - a.words
    if len(mine) > MOST_REWORDED or len(theirs) > MOST_REWORDED:
        return False
    if not a.language.by_rule or not (mine or theirs):
        return False
    if len(mine) == len(theirs) and len(a.form) == len(b.form):
        return all(
            x == y or _is_gerund(x, y, a.language) for x, y in zip(a.form, b.form, strict=True)
        )
    return _denied(a, b, mine) == b.form or ("of" in mine and _is_genitive(a, b))


def _is_gerund(word: str, verb: str, language: Language) -> bool:
    """Return True for the -ing form of a verb that is no noun of its own."""
    if len(verb) < 3 or gerund_of(verb) != word or word in language.nouns:
        return False
    return verb not in language.classes


def _denied(a: Claim, b: Claim, mine: frozenset[str]) -> Form:
    """Return a claim whose words with a denying prefix are `not` and the rest; none in pairs."""
    result: list[str] = []
    for token in a.form:
        base = next((token[len(p) :] for p in _DENYING if token.startswith(p)), "")
        if token in mine and base in b.words and len(base) > 3:
            if result[-1:] == ["not"]:
                result[-1] = base
            else:
                result += ["not", base]
        else:
            result.append(token)
    return tuple(result)


_DENYING = ("un", "non", "in", "im", "ir", "il", "dis")


def _is_genitive(a: Claim, b: Claim) -> bool:
    """Return True when `the lid of the pot` in the one is `the pot's lid` in the other."""
    if "'" not in plain_typography(b.text) or a.words - b.words != {"of"} or b.words - a.words:
        return False
    form = a.form
    for place in (i for i, token in enumerate(form) if token == "of"):  # noqa: S105 (a word)
        for left in range(1, min(place, 3) + 1):
            for right in range(1, min(len(form) - place - 1, 3) + 1):
                start, stop = place - left, place + 1 + right
                turned = form[place + 1 : stop] + form[start:place]
                if form[:start] + turned + form[stop:] == b.form:
                    return True
    return False


def _is_adverb_moved(a: Claim, b: Claim) -> bool:
    """Return True when one adverb stands elsewhere; a denial would say what it belongs to."""
    if "not" in a.words or len(a.form) != len(b.form):
        return False
    for adverb in sorted(a.words):
        if adverb not in (a.form[0], b.form[0]) or not _is_adverb(adverb) or adverb in _FIXED:
            continue
        if a.form.count(adverb) == 1:
            one, other = list(a.form), list(b.form)
            one.remove(adverb)
            other.remove(adverb)
            if one == other:
                return True
    return False


_FIXED = frozenset({"only", "nearly", "early", "never", "hardly", "barely", "scarcely", "mainly"})


def _reordered(a: Claim, b: Claim) -> bool:
    if a.language is not b.language:
        return False
    fronting = a.language.fronting
    if _turned(a.form, b.form, fronting) or _turned(b.form, a.form, fronting):
        return True
    return _is_permuted(a, b) or (a.language.by_rule and _is_adverb_moved(a, b))


def _turned(front: Form, end: Form, fronting: frozenset[str]) -> bool:
    """Return True when `end` has at its end the adjunct with which `front` begins."""
    if not front or front[0] not in fronting or len(front) != len(end):
        return False
    first = front[0]
    for size in range(1, len(front) - 1):
        if end[-size] == first and end[-size:] == front[:size]:
            return end[:-size] == front[size:]
    return False


# Lists ------------------------------------------------------------------------------------


def _is_permuted(a: Claim, b: Claim) -> bool:
    """Return True when all that differs is the order of the members of one list."""
    language = a.language
    one, other = _with_conjunctions(a), _with_conjunctions(b)
    if not language.conjunctions or len(one) != len(other):
        return False
    start = next((i for i, (x, y) in enumerate(zip(one, other, strict=True)) if x != y), len(one))
    stop = len(one)
    while stop > start and one[stop - 1] == other[stop - 1]:
        stop -= 1
    return any(
        _is_one_list(a, b, one, other, slice(place, stop))
        for place in range(start, max(start - 3, -1), -1)
    )


def _is_one_list(a: Claim, b: Claim, one: Form, other: Form, span: slice) -> bool:
    """Return True when a span of both holds the members of one list, and their order is free."""
    language = a.language
    ends = language.conjunctions | {MARK}
    left, right = _members(one[span], ends), _members(other[span], ends)
    if len(left) < 2 or sorted(left) != sorted(right):
        return False
    before, inner, behind = one[: span.start], one[span], one[span.stop :]
    joins = [token for token in inner if token in language.conjunctions]
    goes_on = any(token in language.conjunctions for token in behind[:2])
    if (len(joins) > 1 and len(set(joins)) > 1) or (len(joins) > 1 and MARK in inner):
        return False
    if not joins and not goes_on and len(left) < 3:
        return False
    fixed = language.either | language.negation | language.numbers.any_ordinal
    if fixed.intersection(before[-1:]) or not fixed.isdisjoint(inner):
        return False
    return _may_turn(a, b, before, behind, left, goes_on=goes_on)


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
    rest = behind
    if goes_on:  # the last members of the list are the same on both sides
        place = next(i for i, token in enumerate(behind) if token in language.conjunctions)
        rest = behind[place + 2 :]
    stops = language.fronting | language.referring | {MARK}
    ends_here = not rest or rest[0] in stops
    head_noun = len(rest) == 1 or (len(rest) > 1 and rest[1] in stops | language.passive.be)
    if rest and rest[0] in language.passive.be | language.passive.modals:
        return True
    if before and before[-1] != MARK:
        return ends_here or head_noun
    if before and ends_here:
        return True
    free = _names(a.text) & _names(b.text)
    return all(member[-1] in free for member in members)


@lru_cache(maxsize=4096)
def _names(text: str) -> frozenset[str]:
    """Return the canonical words of a text that are names or plurals: none of them is a command.

    The first word of a text has a capital in any case, so it counts where the other text has it
    further inside.
    """
    words = [word.strip(".,;:()") for word in plain_typography(text).split()]
    base = claim_of(text).language.final
    plural = {base(w.lower()) for w in words if w.endswith("s") and not w.endswith("ss")}
    articles = claim_of(text).language.articles
    behind = {base(w.lower()) for b, w in pairwise(words) if b.lower() in articles}
    return frozenset(plural | behind | {base(w.lower()) for w in words if w[:1].isupper()})


def _with_conjunctions(claim: Claim) -> Form:
    language = claim.language
    kept = language.conjunctions | language.passive.be
    return tuple(t for t in claim.marked if t not in language.silent or t in kept)


def _members(tokens: Sequence[str], ends: frozenset[str]) -> list[Form]:
    found: list[list[str]] = [[]]
    for token in tokens:
        if token in ends:
            found.append([])
        else:
            found[-1].append(token)
    return [tuple(member) for member in found if member]


# Active and passive -----------------------------------------------------------------------


def _is_passive_of(passive: Claim, active: Claim) -> bool:
    """Return True when one is in the passive what the other is in the active, with its agent."""
    by = passive.language.by
    if by.isdisjoint(passive.form) or len(passive.form) < len(active.form):
        return False
    fronting = passive.language.fronting
    return any(
        form == active.form
        or _turned(form, active.form, fronting)
        or _turned(active.form, form, fronting)
        for form in _actives(passive)
    )


def _actives(claim: Claim) -> Iterator[Form]:
    """Yield the forms in the active of a claim in the passive, one for each reading."""
    language, tokens = claim.language, claim.marked
    voice = language.passive
    for place, token in enumerate(tokens):
        if token not in language.by:
            continue
        for verb in range(place - 1, max(place - 9, 0), -1):
            start = verb
            while start and (
                tokens[start - 1] in voice.be | voice.have | voice.modals | {"not"}
                or _is_adverb(tokens[start - 1])
            ):
                start -= 1
            aux = tokens[start:verb]
            if start and not voice.be.isdisjoint(aux):
                yield from _turned_round(claim, start, verb, place)


def _turned_round(claim: Claim, start: int, verb: int, by: int) -> Iterator[Form]:
    language, tokens = claim.language, claim.marked
    head = next((i + 1 for i in range(start - 1, -1, -1) if tokens[i] == MARK), 0)
    patient, extra = tokens[head:start], tokens[verb + 1 : by]
    stops = [
        i for i in range(by + 2, len(tokens)) if tokens[i] == MARK or tokens[i] in language.fronting
    ]
    for stop in [*stops, len(tokens)]:
        agent, rest = tokens[by + 1 : stop], tokens[stop:]
        for words in _verb_group(claim, tokens[start:verb], tokens[verb]):
            for front, who in _fronted(patient, language.fronting):
                order = (*tokens[:head], *agent, *words, *who, *extra, *rest, *front)
                yield tuple(t for t in order if t != MARK and t not in language.silent)


def _fronted(words: Form, fronting: frozenset[str]) -> Iterator[tuple[Form, Form]]:
    """Yield (adjunct at the front, rest) for every reading of what stands before a verb."""
    yield (), words
    if words and words[0] in fronting:
        for place in range(1, min(len(words), 7)):
            yield words[:place], words[place:]


def _verb_group(claim: Claim, aux: Sequence[str], participle: str) -> Iterator[Form]:
    """Yield what the active has for an auxiliary and a participle."""
    voice, single = claim.language.passive, claim.language.single
    bases = [*voice.bases.get(participle, ()), *(single.get(b, b) for b in bases_of(participle))]
    known = voice.be | voice.have | voice.modals | {"not"}
    adverbs = tuple(token for token in aux if token not in known)
    modals = tuple(token for token in aux if token in voice.modals)
    denied = ("not",) if "not" in aux else ()
    if "been" in aux:
        have = tuple(token for token in aux if token in voice.have)
        yield (*modals, *have, *denied, *adverbs, participle)
    elif modals:
        yield from ((*modals, *denied, *adverbs, base) for base in bases)
    elif "being" in aux:
        was = ("was",) if "was" in aux else ()
        yield from ((*was, *denied, *adverbs, base) for base in bases)
    elif "was" in aux and denied:
        yield from (("did", "not", *adverbs, base) for base in bases)
    elif "was" in aux:
        if bases:
            yield (*adverbs, voice.past.get(participle, participle))
    elif "is" in aux:
        yield from ((*denied, *adverbs, base) for base in bases)


def _is_adverb(token: str) -> bool:
    return token.endswith("ly") or token in {"always", "never", "often", "seldom", "usually"}
