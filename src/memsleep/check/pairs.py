"""Pairs of memories that lie near each other, exactly those whose members changed worked anew.

Whether two memories are near depends on the two alone: on the cosine of their vectors, or on the
words of their claims. So what an earlier check found about a pair of texts still holds, and two
checks can be compared pair by pair. Equal texts count once.
"""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from memsleep.check.age import age_key
from memsleep.check.cache import Cache
from memsleep.check.facts import Facts
from memsleep.core.lexical_join import similar_sets
from memsleep.core.similarity import cosine_rows
from memsleep.embedders.hashgram import Hashgram
from memsleep.guards import POLICY, fired
from memsleep.model import Memory
from memsleep.settings import Settings
from memsleep.text import gist_words

if TYPE_CHECKING:
    from memsleep.check.corpus import CheckedCorpus

NearPair = tuple[Memory, Memory, str]
Group = dict[tuple[str, str], list[Memory]]
"""Scope and type -> memories."""
FloatRows = NDArray[np.float32]
LEXICAL_FLOOR = 0.74
STRIP_ROWS = 512
SLACK = 1e-4
"""Far above the error of a float32 product of unit vectors; what passes is computed exactly."""
MOST_NEAR = 64
"""Texts near to one that are kept; more are a template, and nobody reads them all."""
LARGEST_GROUP = 8
"""Memories of equal claim or text that are compared with others; the oldest stand for the rest."""
FEW = 200
"""Up to so many changed claims each is compared with all; more are joined by an index."""
DENYING = frozenset({"negation", "negation_words"})
"""Guards that make a near pair a contradiction; values of one slot are compared apart."""
SETTLING = POLICY | {"validity"}
"""Guards after which there is nothing to say: two scopes, two types, two times."""
_PARTED = ""


class PairFinder:
    """Finds near pairs, with what earlier checks found."""

    def __init__(self, settings: Settings, cache: Cache) -> None:
        self._settings = settings
        self._cache = cache
        self._embedder = Hashgram()
        floor = settings.pairing.duplicate_floor
        own = settings.embedder.name == "hashgram" and not isinstance(floor, str)
        built_in = self._embedder.floors.duplicate if self._embedder.floors else 1.0
        self._floor = float(floor) if own else built_in
        self._bodies: dict[str, str] = {}

    def with_body(self, light: Memory, facts: Facts, read: Callable[[], Memory | None]) -> Memory:
        """Return a memory with its body, from what was read just now or by reading it again."""
        body = facts.body or self._bodies.get(light.path, "")
        if not body and light.word_count:
            full = read()
            body = full.body if full else ""
            self._bodies[light.path] = body
        return replace(light, body=body)

    def near_pairs(self, corpus: CheckedCorpus) -> Iterator[NearPair]:
        """Yield (younger, older, `near` or why they contradict) in the order of their paths."""
        memories = [m for m in corpus.comparable if corpus.facts[m.path].same]
        by_text = _grouped(corpus, memories, lambda memory: corpus.facts[memory.path].text)
        by_gist = _grouped(corpus, memories, lambda memory: _digest(memory.gist))
        found = {pair for group in by_gist.values() for pair in _within(group)}
        for texts, groups in (
            (self._near_texts(corpus, by_text), by_text),
            (self._near_gists(by_gist), by_gist),
        ):
            for one, other in texts:
                found |= _across(groups[one], groups[other])
        for one, other in sorted(found):
            older, younger = sorted((corpus.memories[one], corpus.memories[other]), key=age_key)
            if corpus.facts[one].same != corpus.facts[other].same:
                outcome = self._outcome(corpus, older, younger)
                if outcome != _PARTED:
                    yield younger, older, outcome

    # Vectors ------------------------------------------------------------------------------

    def _near_texts(
        self, corpus: CheckedCorpus, groups: Mapping[str, Group]
    ) -> set[tuple[str, str]]:
        if self._settings.embedder.name == "none":
            return set()
        wanted = sorted(groups)
        name = f"near {self._embedder.identity} {self._floor!r}"
        known, pairs, capped = self._cache.pairs(name)
        here = set(wanted)
        kept = set() if capped else known & here
        old = {pair for pair in pairs if pair[0] in kept and pair[1] in kept}
        new = [key for key in wanted if key not in kept]
        if new:
            order = [*new, *(key for key in wanted if key in kept)]
            first = {key: next(iter(group.values()))[0] for key, group in groups.items()}
            rows = self._vectors(corpus, order, first)
            fresh, capped = _close(order, rows, len(new), self._floor)
            old |= fresh
        if new or known - here:
            self._cache.keep_pairs(name, here, old, capped=capped)
        return old

    def _vectors(
        self, corpus: CheckedCorpus, order: Sequence[str], first: Mapping[str, Memory]
    ) -> FloatRows:
        known = self._cache.vectors(self._embedder.identity, self._embedder.dimension, order)
        missing = [key for key in order if key not in known]
        texts = [self._embedder.text_of(corpus.whole(first[key].path)) for key in missing]
        made = dict(zip(missing, self._embedder.embed(texts), strict=True))
        self._cache.keep_vectors(self._embedder.identity, made)
        rows = np.empty((len(order), self._embedder.dimension), np.float32)
        for number, key in enumerate(order):
            rows[number] = known[key] if key in known else made[key]
        return rows

    # Words --------------------------------------------------------------------------------

    def _near_gists(self, groups: Mapping[str, Group]) -> set[tuple[str, str]]:
        gists = {key: next(iter(group.values()))[0].gist for key, group in groups.items()}
        known, pairs, _ = self._cache.pairs("words")
        kept = known & gists.keys()
        old = {pair for pair in pairs if pair[0] in kept and pair[1] in kept}
        new = sorted(gists.keys() - kept)
        if new:
            words = {key: gist_words(gists[key]) for key in sorted(gists)}
            joined = _joined(words, new) if len(new) <= FEW else similar_sets(words, LEXICAL_FLOOR)
            fresh = set(new)
            old |= {(a, b) for a, b in joined if a in fresh or b in fresh}
        if new or known - gists.keys():
            self._cache.keep_pairs("words", set(gists), old, capped=False)
        return old

    # Guards -------------------------------------------------------------------------------

    def _outcome(self, corpus: CheckedCorpus, older: Memory, younger: Memory) -> str:
        """Return `near`, why they contradict, or nothing where they are two facts."""
        guards = tuple(g for g in self._settings.dedup.guards if g != "pinned")
        parts = (older.digest, younger.digest, older.scope, younger.scope, older.path,
                 younger.path, *guards)  # fmt: skip
        key = hashlib.sha256("\0".join(parts).encode("utf-8", "surrogatepass")).hexdigest()[:32]
        known = self._cache.outcome(key)
        if known is not None:
            return known
        reasons = fired(guards, corpus.whole(older.path), corpus.whole(younger.path))
        names = {name for name, _ in reasons}
        outcome = _PARTED
        if not names:
            outcome = "near"
        elif not names & SETTLING and names & DENYING:
            outcome = next(reason for name, reason in reasons if name in DENYING)
        self._cache.keep_outcome(key, outcome)
        return outcome


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:32]


def _grouped(
    corpus: CheckedCorpus, memories: Sequence[Memory], key_of: Callable[[Memory], str]
) -> dict[str, Group]:
    """Return key -> scope and type -> memories of distinct content, the oldest first."""
    groups: dict[str, Group] = defaultdict(dict)
    seen: set[tuple[str, str, str, str]] = set()
    for memory in sorted(memories, key=age_key):
        key, kind = key_of(memory), (memory.scope, memory.type)
        members = groups[key].setdefault(kind, [])
        content = (key, *kind, corpus.facts[memory.path].same)
        if content not in seen and len(members) < LARGEST_GROUP:
            seen.add(content)
            members.append(memory)
    return groups


def _within(group: Group) -> Iterator[tuple[str, str]]:
    for members in group.values():
        for index, one in enumerate(members):
            yield from (_ordered(one.path, other.path) for other in members[index + 1 :])


def _across(one: Group, other: Group) -> set[tuple[str, str]]:
    """Return the pairs of equal scope and type."""
    return {
        _ordered(a.path, b.path)
        for kind in one.keys() & other.keys()
        for a in one[kind]
        for b in other[kind]
    }


def _close(
    order: Sequence[str], rows: FloatRows, new: int, floor: float
) -> tuple[set[tuple[str, str]], bool]:
    """Return the pairs of at least the floor of which one is among the first `new` rows.

    The second value is True where a row had more neighbours than are kept.
    """
    found: set[tuple[str, str]] = set()
    capped = False
    for start in range(0, new, STRIP_ROWS):
        stop = min(start + STRIP_ROWS, new)
        near = rows[start:stop] @ rows[start:].T
        left, right = np.nonzero(near >= floor - SLACK)
        later = right > left  # each pair once, and no row with itself
        left, right = left[later] + start, right[later] + start
        exact = _cosines(rows, left, right)
        reached = exact >= floor
        left, right = left[reached], right[reached]
        counts = np.bincount(left - start, minlength=stop - start)
        if counts.max(initial=0) > MOST_NEAR:
            capped = True
            place = np.arange(len(left)) - np.repeat(np.cumsum(counts) - counts, counts)
            left, right = left[place < MOST_NEAR], right[place < MOST_NEAR]
        pairs = zip(left.tolist(), right.tolist(), strict=True)
        found |= {_ordered(order[a], order[b]) for a, b in pairs}
    return found, capped


def _ordered(one: str, other: str) -> tuple[str, str]:
    return (one, other) if one < other else (other, one)


def _cosines(
    rows: FloatRows, left: NDArray[np.intp], right: NDArray[np.intp]
) -> NDArray[np.float64]:
    """Return exact cosines of pairs of rows, in portions that bound the memory."""
    found = np.empty(len(left), np.float64)
    for start in range(0, len(left), 1024):
        part = slice(start, start + 1024)
        found[part] = cosine_rows(
            rows[left[part]].astype(np.float64), rows[right[part]].astype(np.float64)
        )
    return found


def _joined(words: Mapping[str, frozenset[str]], new: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Yield the pairs that hold one of a few keys and reach the lexical floor."""
    for key in new:
        mine = words[key]
        for other, theirs in words.items():
            if other != key and mine and theirs:
                shared = len(mine & theirs)
                if shared >= LEXICAL_FLOOR * (len(mine) + len(theirs) - shared):
                    yield _ordered(key, other)
