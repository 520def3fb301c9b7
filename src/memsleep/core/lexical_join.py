"""Self-join of word sets by Jaccard similarity, with prefix filtering."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, groupby
from operator import itemgetter
from typing import Final

import numpy as np
from numpy.typing import NDArray

from memsleep.core.sums import Indices

Bits = NDArray[np.uint64]

SPREAD: Final = 0x0001000100010001
LOOK_BACK: Final = 8
"""Keys looked at for each pair that may be found, where pairs are limited."""


def similar_sets(
    sets: Mapping[str, frozenset[str]], floor: float, *, most: int | None = None
) -> Iterator[tuple[str, str]]:
    """Yield the pairs of keys whose sets have a Jaccard similarity of at least `floor`.

    Parameters
    ----------
    sets : mapping of str to frozenset of str
        An empty set is similar to nothing.
    floor : float
        In (0, 1].
    most : int or None
        How many smaller keys one key is paired with at most, the nearest in key order; None finds
        every pair. With a limit the work grows with the keys, however alike the sets are.

    Yields
    ------
    (str, str)
        Keys with first < second, each pair once, in an order fixed by the keys.

    Notes
    -----
    Two sets that reach the floor share a word among the first `n - ceil(floor * n) + 1` of each,
    in any common order of words; the rarest come first, so few candidates are looked at. Each set
    has a signature, a bit of 128 for each word: two sets share at most as many words as their
    signatures share bits, and those that one of them lost to a bit that was taken. That rules out
    nearly all candidates without a look at their words.

    References
    ----------
    .. [1] R. Bayardo, Y. Ma, R. Srikant, "Scaling up all pairs similarity search", WWW 2007.

    Examples
    --------
    >>> words = {"a": frozenset("xyz"), "b": frozenset("xyzw"), "c": frozenset("q")}
    >>> list(similar_sets(words, 0.74))
    [('a', 'b')]
    """
    keys = sorted(key for key in sets if sets[key])
    rows = [sets[key] for key in keys]
    if not rows:
        return
    table = _Table.of(rows)
    pairs = table.nominated(floor, None if most is None else LOOK_BACK * most)
    for number, nearest in groupby(pairs, itemgetter(0)):
        alike = []
        for _, other in nearest:
            if _reaches(rows[number], rows[other], floor):
                alike.append(other)
                if len(alike) == most:
                    break
        for other in reversed(alike):
            yield keys[other], keys[number]


def _reaches(words: frozenset[str], others: frozenset[str], floor: float) -> bool:
    size, length = len(words), len(others)
    if length < floor * size or size < floor * length:
        return False
    shared = len(words & others)
    return shared >= floor * (size + length - shared)


@dataclass(frozen=True, slots=True, eq=False)
class _Table:
    """Sets of words as numbers."""

    size: Indices  # shape (n,)
    owner: Indices  # shape (m,): the set of each word
    word: Indices  # shape (m,): the number of each word, the rarest first within each set
    signature: tuple[Bits, Bits]  # shape (n,) each
    lost: Indices  # shape (n,): words without a bit of their own

    @classmethod
    def of(cls, rows: Sequence[frozenset[str]]) -> _Table:
        """Return the table of sets, none of them empty."""
        frequency = Counter(chain.from_iterable(rows))
        ordered = sorted(frequency, key=lambda word: (frequency[word], word))
        rank = {word: place for place, word in enumerate(ordered)}
        size = np.fromiter(map(len, rows), np.int64, len(rows))
        word = np.fromiter(map(rank.__getitem__, chain.from_iterable(rows)), np.int64, size.sum())
        owner, word = np.divmod(
            np.sort(np.repeat(np.arange(len(rows)), size) * len(rank) + word), len(rank)
        )
        one = np.uint64(1) << (word % 64).astype(np.uint64)
        start = np.cumsum(size) - size
        halves = [
            np.bitwise_or.reduceat(np.where(word % 128 // 64 == half, one, np.uint64(0)), start)
            for half in (0, 1)
        ]
        lost = size - sum(map(_ones, halves))
        return cls(size, owner, word, (halves[0], halves[1]), lost)

    def nominated(self, floor: float, back: int | None) -> list[tuple[int, int]]:
        """Return pairs that may reach a floor, the later first, each with its nearest first.

        Only so many entries of a word are looked back at.
        """
        place = np.arange(len(self.owner)) - (np.cumsum(self.size) - self.size)[self.owner]
        length = self.size - np.ceil(floor * self.size - 1e-9).astype(np.int64) + 1
        first = np.flatnonzero(place < length[self.owner])
        first = first[np.argsort(self.word[first], kind="stable")]  # by word, then by set
        owner, word = self.owner[first], self.word[first]
        later = np.arange(len(owner))
        found = [np.zeros(0, np.int64)]
        step = 0
        while len(later) and step != back:
            step += 1
            later = later[later >= step]
            later = later[word[later - step] == word[later]]
            pairs = owner[later], owner[later - step]
            near = np.flatnonzero(self._may_reach(*pairs, floor))
            found.append(pairs[0][near] * len(self.size) + (len(self.size) - 1 - pairs[1][near]))
        number, other = np.divmod(np.unique(np.concatenate(found)), len(self.size))
        other = len(self.size) - 1 - other
        return list(zip(number.tolist(), other.tolist(), strict=True))

    def _may_reach(self, one: Indices, other: Indices, floor: float) -> NDArray[np.bool_]:
        """Return which pairs share enough words as far as sizes and signatures tell."""
        size, length = self.size[one], self.size[other]
        bits = sum(_ones(half[one] & half[other]) for half in self.signature)
        shared = np.minimum(bits + np.minimum(self.lost[one], self.lost[other]), size)
        shared = np.minimum(shared, length)
        reached: NDArray[np.bool_] = shared + 1e-6 >= floor * (size + length - shared)
        return reached


def _ones(bits: Bits) -> Indices:
    """Return how many bits are set in each number."""
    odd, pairs, fours = (np.uint64(n) for n in (0x5555 * SPREAD, 0x3333 * SPREAD, 0x0F0F * SPREAD))
    bits = bits - (bits >> np.uint64(1) & odd)
    bits = (bits & pairs) + (bits >> np.uint64(2) & pairs)
    bits = (bits + (bits >> np.uint64(4))) & fours
    return (bits * np.uint64(0x0101 * SPREAD) >> np.uint64(56)).astype(np.int64)
