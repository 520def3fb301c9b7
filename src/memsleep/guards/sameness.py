"""How two claims stand to each other: whether every difference between them is explained.

Claims of one form say the same. Beyond that, three changes of order are explained where nothing
else differs: an adjunct at the front or at the end, the members of one list, active and passive.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import lru_cache
from itertools import pairwise
from typing import Literal

from memsleep.guards.accents import accents_part
from memsleep.guards.adverbs import is_adverb_moved
from memsleep.guards.agents import is_agent_turned
from memsleep.guards.alike import alike
from memsleep.guards.arrangement import ARRANGED, BY_PARTS, is_rearranged
from memsleep.guards.capitals import capitals_part
from memsleep.guards.claims import Claim, claim_in, languages_of
from memsleep.guards.clauses import goes_on
from memsleep.guards.duties import duties_part
from memsleep.guards.genders import agree
from memsleep.guards.invariable import tenses_part
from memsleep.guards.inversion import is_concord
from memsleep.guards.orders import is_reordered
from memsleep.guards.pauses import pauses_part
from memsleep.guards.plainly import plain_pair
from memsleep.guards.receivers import receivers_part
from memsleep.guards.restating import is_restated
from memsleep.guards.rewording import is_reworded
from memsleep.guards.side_by_side import is_side_by_side
from memsleep.guards.small_words import small_words_part
from memsleep.guards.surfaces import endings_part, heads_part, mixed_numbers
from memsleep.guards.voice import is_passive_of

Relation = Literal["same", "longer", "listed", "narrower", "order", "other"]


@lru_cache(maxsize=1 << 14)
def relation(a: Claim, b: Claim) -> Relation:
    """Return how two claims stand to each other, the same from either side.

    `same`; `longer`: one adds clauses; `listed`: one goes on with its list; `narrower`: one has
    words inside that the other lacks; `order`: equal words in another order; `other`: each has a
    word that the other lacks.
    """
    if a.form != b.form and not (a.form and b.form):
        return "narrower"
    found = _relation(a, b)
    if found != "same":
        pair = plain_pair(a, b)
        if pair is None or _relation(*pair) != "same":
            return found
        parted = small_words_part(*pair) or tenses_part(a, b) or receivers_part(a, b)
        parted = parted or heads_part(a, b)
        return found if parted else "same"
    if (
        not agree(a.text, a.language, b.text, b.language)
        or duties_part(a, b)
        or capitals_part(a, b)
        or accents_part(a, b)
    ):
        return "other"
    parted = endings_part(a, b) or pauses_part(a, b) or small_words_part(a, b)
    parted = parted or receivers_part(a, b)
    return "order" if parted else "same"


def _relation(a: Claim, b: Claim) -> Relation:
    if a.form == b.form:
        return "same"
    joined = a.joined == b.joined or a.squeezed == b.squeezed
    joined = joined and a.numbers == b.numbers and a.dates == b.dates
    joined = joined and ("to" in a.words) == ("to" in b.words)  # 2-5 kg and 2, 5 kg
    if joined and a.negations == b.negations and a.language.fused.isdisjoint(a.words ^ b.words):
        return "same"
    if a.language.code in ARRANGED and is_rearranged(a, b):
        return "same"
    if a.bag == b.bag:
        moved = a.language.code not in BY_PARTS and is_reordered(a, b)
        moved = moved or is_adverb_moved(a, b)
        return "same" if moved or is_restated(a, b) or is_side_by_side(a, b) else "order"
    if a.language is b.language and _is_told_otherwise(a, b):
        return "same"
    if not (a.words <= b.words or b.words <= a.words):
        return "other"
    short, long = (a, b) if len(a.form) <= len(b.form) else (b, a)
    if Counter(short.bag) - Counter(long.bag):
        return "other"
    if a.unspaced or b.unspaced:
        return "other"  # no word to tell a detail from a part of another word
    how = goes_on(short, long)
    return "narrower" if not how else "longer" if how == "clause" else "listed"


def _is_told_otherwise(a: Claim, b: Claim) -> bool:
    """Return True when the words differ and yet say the same: voice, endings, whose it is."""
    by = a.language.by
    agents = not (by.isdisjoint(a.words) and by.isdisjoint(b.words))
    if agents and not mixed_numbers(a) and (is_passive_of(a, b) or is_passive_of(b, a)):
        return True
    if a.language.agents.by and (is_agent_turned(a, b) or is_agent_turned(b, a)):
        return True
    if a.language.syntax.concord and is_concord(a, b):
        return True
    return is_reworded(a, b) or is_restated(a, b) or is_side_by_side(a, b)


def readings(one: str, other: str) -> Iterator[tuple[Claim, Claim]]:
    """Yield two texts as claims of one language each; short ones may be taken for two.

    A language that does not see what the likeliest one reads as a denial is not theirs. English is
    not where another one is likelier and `a` stands before another name: it is an article there,
    and tells elsewhere to whom.
    """
    mine, theirs = languages_of(one), languages_of(other)
    foreign = {mine[0], theirs[0]} - {"en"}
    denied = [bool(claim_in(one, mine[0]).negations), bool(claim_in(other, theirs[0]).negations)]
    for code in sorted({*mine, *theirs}):
        if foreign and code == "en" and _receivers(one) != _receivers(other):
            continue
        pair = claim_in(one, code), claim_in(other, code)
        if mine[0] != theirs[0] or [bool(claim.negations) for claim in pair] == denied:
            yield pair


@lru_cache(maxsize=1 << 12)
def _receivers(text: str) -> tuple[str, ...]:
    """Return the names behind what is an article in English alone: paga a Bruno."""
    words = text.split()
    return tuple(
        word
        for before, word in pairwise(words)
        if before in _TO and (word[:1].isupper() or before not in "aA")
    )


_TO = frozenset({"a", "A", "\u00e0", "\u00c0"})


def says_same(a: str, b: str) -> bool:
    """Return True when a table explains every difference between two texts."""
    if any(relation(*pair) == "same" for pair in readings(a, b)):
        return True
    told = alike(a, b)
    return told != (a, b) and relation(*(claim_in(text, "en") for text in told)) == "same"
