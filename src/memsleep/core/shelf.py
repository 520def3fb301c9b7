"""Bounded lists: the best k partners of each row, kept while pairs stream in."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np

from memsleep.core.sums import Doubles, Indices


class Ranked(NamedTuple):
    """Directed pairs as parallel arrays."""

    src: Indices  # row numbers
    dst: Indices  # row numbers
    rank: Indices  # place of dst's key in key order: it decides between equal sims
    sim: Doubles

    @classmethod
    def empty(cls) -> Ranked:
        """Return no pairs."""
        none = np.zeros(0, np.int64)
        return cls(none, none, none, np.zeros(0))

    def picked(self, chosen: Indices) -> Ranked:
        """Return the pairs at the given places, in that order."""
        return Ranked(self.src[chosen], self.dst[chosen], self.rank[chosen], self.sim[chosen])

    @classmethod
    def joined(cls, parts: Iterable[Ranked]) -> Ranked:
        """Return the pairs of all parts, in order."""
        held = [cls.empty(), *parts]
        return cls(
            src=np.concatenate([pairs.src for pairs in held]),
            dst=np.concatenate([pairs.dst for pairs in held]),
            rank=np.concatenate([pairs.rank for pairs in held]),
            sim=np.concatenate([pairs.sim for pairs in held]),
        )


def best_per_source(pairs: Ranked, k: int) -> Ranked:
    """Return each source's k best pairs: sim descending, then rank ascending.

    Returns
    -------
    Ranked
        Grouped by source, ascending, best first.

    Examples
    --------
    >>> src, rank, sim = np.array([0, 0, 0]), np.array([2, 1, 0]), np.array([0.5, 0.5, 0.1])
    >>> best_per_source(Ranked(src, rank, rank, sim), 2).rank.tolist()
    [1, 2]
    """
    pairs = pairs.picked(np.lexsort((pairs.rank, -pairs.sim, pairs.src)))
    place = np.arange(len(pairs.src)) - np.searchsorted(pairs.src, pairs.src)
    return pairs.picked(np.flatnonzero(place < k))


class Shelf:
    """The best k pairs of each of a block's rows."""

    def __init__(self, n_rows: int, k: int) -> None:
        self.pairs = Ranked.empty()
        self.worst = np.full(n_rows, -np.inf)
        """Sim of each row's k-th pair; -inf while the row has fewer."""
        self._k = k

    def add(self, pairs: Ranked) -> None:
        """Offer pairs, `src` counted within the block."""
        if len(pairs.src) == 0:
            return
        self.pairs = best_per_source(Ranked.joined([self.pairs, pairs]), self._k)
        last = np.flatnonzero(np.bincount(self.pairs.src, minlength=len(self.worst)) >= self._k)
        self.worst[last] = self.pairs.sim[np.searchsorted(self.pairs.src, last) + self._k - 1]
