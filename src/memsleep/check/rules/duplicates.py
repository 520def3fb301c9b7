"""MS3xx: memories that say the same, nearly the same, or the opposite."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from typing import TYPE_CHECKING

from memsleep.check.age import age_key
from memsleep.check.model import CLAIM, Found, Rule
from memsleep.check.places import quoted
from memsleep.guards.wording import slot
from memsleep.model import Memory

if TYPE_CHECKING:
    from memsleep.check.corpus import CheckedCorpus

RULES = (
    Rule(
        "MS301", "exact-duplicate", "warning",
        "A memory says word for word what an older one says.",
        "Equal content, type and scope: recall returns both, and each correction must be made "
        "twice. Texts shorter than `dedup.min_words` may well be meant twice and are not asked, "
        "nor are tasks, pinned and archived memories.",
        "garden/compost.md and inbox/compost-2.md hold the same text",
        "Delete the younger one, or let the next night merge them.",
    ),
    Rule(
        "MS302", "near-duplicate", "warning",
        "A memory says nearly what another one says.",
        "Their vectors or words are near, and no guard speaks against it: no number, negation, "
        "name, qualifier or word order differs. The night would merge them.",
        "The probe waits 30 s.   /   The probe waits 30s.",
        "Merge them, or say what sets them apart; the next night would merge them.",
    ),
    Rule(
        "MS303", "contradiction", "warning",
        "Two memories contradict each other.",
        "Both claims fill one slot with different values (`the deploy window is Tuesday`, `... "
        "Thursday`), or one denies the other. Which of them holds is for a person to say. Pairs "
        "that a `supersedes` or `contradicts` link already explains are not asked; a slot that "
        "many memories fill is a pattern and not one either.",
        "The port of the gateway is 8080.   /   The port of the gateway is 8443.",
        "Correct or archive the one that is wrong, and link what replaced it with `supersedes`.",
    ),
)  # fmt: skip

LARGEST_SLOT = 8
"""A slot that more memories fill is a pattern, not a contradiction."""
_EXPLAINS = frozenset({"supersedes", "superseded_by", "contradicts"})
_BOTH_HOLD = "both claims fill one slot with different values"


def find_in_corpus(corpus: CheckedCorpus) -> Iterator[tuple[str, Found]]:
    """Yield exact duplicates, near ones and contradictions, one finding for each pair."""
    for group in _equal(corpus):
        first, *others = sorted(group, key=age_key)
        for memory in others:
            message = f"says word for word what {quoted(first.path)} says"
            yield memory.path, _at("MS301", message, first)
    told: set[tuple[str, str]] = set()
    for younger, older in _in_one_slot(corpus):
        told.add((younger.path, older.path))
        yield younger.path, _contradiction(older, _BOTH_HOLD)
    for younger, older, outcome in corpus.near_pairs():
        if outcome == "near":
            message = f"says nearly what {quoted(older.path)} says"
            yield younger.path, _at("MS302", message, older)
        elif (younger.path, older.path) not in told and not _explained(corpus, younger, older):
            yield younger.path, _contradiction(older, outcome)


def _contradiction(older: Memory, why: str) -> Found:
    message = f"contradicts {quoted(older.path)}: {why}"
    return _at("MS303", message, older)


def _at(code: str, message: str, other: Memory) -> Found:
    return Found(code, CLAIM, CLAIM, message, "", other.path)


def _equal(corpus: CheckedCorpus) -> Iterator[list[Memory]]:
    groups: dict[tuple[str, str, str], list[Memory]] = defaultdict(list)
    least = corpus.settings.dedup.min_words
    for memory in corpus.comparable:
        same = corpus.facts[memory.path].same
        if same and not memory.pinned and memory.word_count >= least:
            groups[same, memory.scope, memory.type].append(memory)
    return (group for group in groups.values() if len(group) > 1)


def _in_one_slot(corpus: CheckedCorpus) -> Iterator[tuple[Memory, Memory]]:
    """Yield (younger, older) of each pair that fills one slot with different values."""
    groups: dict[tuple[str, str, str], list[Memory]] = defaultdict(list)
    for memory in corpus.comparable:
        found = slot(memory.gist)
        if found is not None:
            groups[found[0], memory.scope, memory.type].append(memory)
    for group in groups.values():
        if not 1 < len(group) <= LARGEST_SLOT:
            continue
        ordered = sorted(group, key=age_key)
        for index, older in enumerate(ordered):
            for younger in ordered[index + 1 :]:
                if _differ(older, younger) and not _explained(corpus, younger, older):
                    yield younger, older


def _differ(a: Memory, b: Memory) -> bool:
    """Return True where two values of one slot cannot both hold."""
    left, right = slot(a.gist), slot(b.gist)
    if left is None or right is None or left[1] == right[1]:
        return False
    if a.valid_until and b.valid_from and a.valid_until <= b.valid_from:
        return False
    return not (b.valid_until and a.valid_from and b.valid_until <= a.valid_from)


def _explained(corpus: CheckedCorpus, a: Memory, b: Memory) -> bool:
    return any(
        link.path == other.path and link.relation in _EXPLAINS
        for memory, other in ((a, b), (b, a))
        for link in corpus.links_of(memory.path)
    )
