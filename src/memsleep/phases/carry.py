"""What a dropped memory says and its keeper does not: carried over, or a matter for a person."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from memsleep.guards.claims import claim_of
from memsleep.guards.clauses import extends
from memsleep.guards.identity import identifier_set, parted_endings
from memsleep.guards.sameness import says_same
from memsleep.guards.scripts import is_unspaced
from memsleep.model import Memory
from memsleep.phases.conflicts import Held, content, marks
from memsleep.text import sentences, word_total

# Markup that a plain sentence cannot carry: code, tables, lists of properties, pictures.
_STRUCTURE = re.compile(
    rb"<(?:pre|code|table|dl|ul|ol|figure|img)\b|^```|^~~~|^\s*\||!\[|^\s*[-*+] \[", re.I | re.M
)
# In code a capital or a blank can be the whole difference.
_CODE = re.compile(rb"<(?:pre|code)\b|^\s*(?:```|~~~)|`|^(?: {4}|\t)\S", re.I | re.M)
_INDENTED = re.compile(rb"<pre\b|^(?: {4}|\t)\S", re.I | re.M)
_SPANS = re.compile(
    rb"^\s*```[^\n]*\n(.*?)^\s*```|^\s*~~~[^\n]*\n(.*?)^\s*~~~|(?<!`)`([^`\n]+)`(?!`)"
    rb"|<code\b[^>]*>(.*?)</code>",
    re.S | re.M | re.I,
)
SHORT = 3
"""Content words of a sentence that says little of its own, and so speaks of what stands before."""


@dataclass(frozen=True, slots=True)
class Details:
    """Sentences to append to the keeper, or why a person has to look."""

    sentences: tuple[str, ...] = ()
    doubt: str = ""


def missing_details(
    keeper: Memory, dropped: Memory, keeper_source: bytes, dropped_source: bytes
) -> Details:
    """Return the sentences of the dropped memory that the keeper does not hold.

    A sentence that speaks of what the keeper speaks of and says it otherwise is a doubt, and so
    is a detail that a sentence cannot carry: code, a table, a list, a source, a property.
    """
    doubt = unsaid(keeper, dropped)
    if doubt:
        return Details(doubt=doubt)
    verbatim = False
    if holds_code(keeper_source) or holds_code(dropped_source):
        verbatim = not _same_code(keeper, dropped, keeper_source, dropped_source)
    holds = _holds_verbatim if verbatim else _holds
    held, told = sentences(keeper.body), sentences(dropped.body)
    places = list(_places(held, told, verbatim=verbatim))
    known = [place for _, place in places if place is not None]
    turned = known != sorted(known)
    if not verbatim and _is_held(keeper, dropped, held, told, known, turned=turned):
        return Details()
    missing = [sentence for sentence, place in places if place is None]
    if missing and Held(held).contradicts_one_of(missing):
        return Details(doubt="one detail is told differently on the two sides")
    if missing and (verbatim or _STRUCTURE.search(dropped_source)):
        return Details(doubt="the missing details stand in code, a table or a list")
    if turned:
        return Details(doubt="the same sentences stand in another order")
    if missing and _says_more(held, told, holds):
        return Details(doubt="each of them says something that the other does not")
    new = [s for s in missing if not any(extends(mine, s) for mine in held)]
    if 2 * sum(map(word_total, new)) > word_total(dropped.body):
        return Details(doubt="most of what the dropped one says is new to the keeper")
    doubt = _taken_back(held, told, new, holds)
    return Details(doubt=doubt) if doubt else Details(sentences=tuple(missing))


def _taken_back(
    held: list[str], told: list[str], new: list[str], holds: Callable[[str, str], bool]
) -> str:
    """Return which side adds a sentence that may take back what both say, empty for none."""
    if any(_turns(sentence) for sentence in new):
        return "what the dropped one adds doubts or denies something"
    alone = (mine for mine in held if not any(holds(other, mine) for other in told))
    if any(_turns(mine) for mine in alone):
        return "what only the keeper says doubts or denies something"
    return ""


def _is_held(
    keeper: Memory,
    dropped: Memory,
    held: list[str],
    told: list[str],
    known: list[int],
    *,
    turned: bool,
) -> bool:
    """Return True when the keeper says all of it, where no sentence is code.

    Steps in another order are no paraphrase, whatever the sentences say one by one; facts that
    stand side by side may stand in any order.
    """
    if turned and len(known) == len(told):
        return len(set(known)) == len(told) and all(map(_stands_alone, (*held, *told)))
    return _says_all(keeper, dropped)


def _stands_alone(sentence: str) -> bool:
    """Return True for a sentence that says the same wherever it stands among others.

    It is no step: it does not begin with a verb, takes nothing up that stands before it ("It",
    "After that"), and no word of it says where it belongs.
    """
    claim = claim_of(sentence)
    language, opening = claim.language, claim.marked[:2]
    if not language.sequence or opening[0] in language.known_verbs:
        return False
    return language.referring.isdisjoint(opening) and language.sequence.isdisjoint(claim.marked)


def _says_more(held: list[str], told: list[str], holds: Callable[[str, str], bool]) -> bool:
    """Return True when the keeper has a sentence that the other neither holds nor shortens.

    Then what is missing may well be the same thing told otherwise; who adds, only adds.
    """
    return any(
        not any(
            holds(other, mine) or extends(other, mine) or extends(mine, other) for other in told
        )
        for mine in held
    )


def _turns(sentence: str) -> bool:
    """Return True for a sentence that may take back what stands before it, as in `It is wrong`.

    So may one that says it otherwise: `Update: 80 calls`, `It was moved to Tuesday`, `It is 80`.
    """
    claim = claim_of(sentence)
    retracting, said = claim.language.retracting, content(claim)
    written = [word.strip(".,;:!()") for word in sentence.lower().split()]
    takes_back = not retracting.isdisjoint(claim.words)
    takes_back = takes_back or not claim.language.amending.isdisjoint(written)
    refers = claim.marked[0] in claim.language.referring
    figure = refers and bool(claim.numbers or claim.dates) and len(said) <= 1
    doubts = claim.negations or claim.denials or claim.of_class("hedges")
    if not (takes_back or figure or doubts):
        return False
    refers = refers or claim.marked[0] in retracting or written[0] in claim.language.amending
    return refers or len(said) <= SHORT


def _says_all(keeper: Memory, dropped: Memory) -> bool:
    """Return True when two bodies say the same, wherever their sentences end."""
    if not says_same(keeper.body, dropped.body):
        return False
    return identifier_set(keeper.body) == identifier_set(dropped.body)


def _same_code(
    keeper: Memory, dropped: Memory, keeper_source: bytes, dropped_source: bytes
) -> bool:
    """Return True when all code of either side stands in the other to the letter.

    Then only what is no code may be written differently. Indented code is no span, so it is
    compared as a whole.
    """
    for source, other in ((keeper_source, dropped), (dropped_source, keeper)):
        spans = [next(filter(None, found), b"") for found in _SPANS.findall(source)]
        if _INDENTED.search(source) or (holds_code(source) and not spans):
            return False
        body = " ".join(other.body.split())
        if any(" ".join(span.decode("utf-8").split()) not in body for span in spans):
            return False
    return True


def _places(
    held: list[str], told: list[str], *, verbatim: bool
) -> Iterator[tuple[str, int | None]]:
    """Give each sentence with which of the keeper's holds it: the very same before a longer one."""
    same = _first_places(held)
    composed = _first_places(list(map(_composed, held))) if verbatim else {}
    for sentence in told:
        place = same.get(sentence)
        if place is None and verbatim:
            place = composed.get(_composed(sentence))
        elif place is None:
            place = next((i for i, mine in enumerate(held) if _holds(mine, sentence)), None)
        yield sentence, place


def _first_places(sentences: list[str]) -> dict[str, int]:
    last_first = reversed(range(len(sentences)))
    return {sentences[place]: place for place in last_first}


def holds_code(source: bytes) -> bool:
    """Return True for a file in which only word for word counts as the same."""
    return _CODE.search(source) is not None


def unsaid(keeper: Memory, dropped: Memory) -> str:
    """Return what the keeper has no sentence for, empty when there is nothing of the kind."""
    if _sources(dropped) - _sources(keeper):
        return "the dropped one names a source that the keeper does not name"
    known = {(facet.name.casefold(), facet.value.casefold()) for facet in keeper.facets}
    if any((f.name.casefold(), f.value.casefold()) not in known for f in dropped.facets):
        return "the dropped one states a property that the keeper does not state"
    return ""


def _sources(memory: Memory) -> set[str]:
    """Return the addresses outside the corpus that a memory leads to, and what it cites."""
    outside = {link.target for link in memory.links if link.external}
    return outside | {citation.href or citation.text for citation in memory.citations}


def _holds(mine: str, other: str) -> bool:
    """Return True when a sentence of the keeper says all that the other one says."""
    if says_same(mine, other):
        return identifier_set(mine) == identifier_set(other) and not parted_endings(mine, other)
    if is_unspaced(other) or marks(mine) != marks(other):
        return False
    return extends(other, mine) and not parted_endings(mine, other)


def _holds_verbatim(mine: str, other: str) -> bool:
    return _composed(mine) == _composed(other)


def _composed(text: str) -> str:
    return unicodedata.normalize("NFC", text)


def same_words(a: str, b: str) -> bool:
    """Return True when two texts are the same but for white space and Unicode form."""
    left, right = (unicodedata.normalize("NFC", text).split() for text in (a, b))
    return left == right
