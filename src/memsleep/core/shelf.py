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
        self.worst = np.full(n_rows, -np.inf)
        """Sim of each row's k-th pair; -inf while the row has fewer."""
        self._k = k
        self._kept = Ranked.empty()  # no row has more than k; in no order

    @property
    def pairs(self) -> Ranked:
        """Return the pairs, grouped by source, ascending, best first."""
        return best_per_source(self._kept, self._k)

    def add(self, pairs: Ranked) -> None:
        """Offer pairs, `src` counted within the block; only lists that they enter are sorted."""
        pairs = pairs.picked(np.flatnonzero(pairs.sim >= self.worst[pairs.src]))
        if len(pairs.src) == 0:
            return
        touched = np.zeros(len(self.worst), bool)
        touched[pairs.src] = True
        again = touched[self._kept.src]
        offered = Ranked.joined([self._kept.picked(np.flatnonzero(again)), pairs])
        best = best_per_source(offered, self._k)
        self._kept = Ranked.joined([self._kept.picked(np.flatnonzero(~again)), best])
        last = np.flatnonzero(np.bincount(best.src, minlength=len(self.worst)) >= self._k)
        self.worst[last] = best.sim[np.searchsorted(best.src, last) + self._k - 1]
