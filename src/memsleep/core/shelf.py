"""Bounded lists: the best k partners of each row, kept while pairs stream in."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from memsleep.core.rounding import at_or_below
from memsleep.core.sums import Doubles, Indices

FEW: Final = 1024  # pairs that may come before the lists are looked through
GROWTH: Final = 0.25  # or such a share of those that wait
CROWD: Final = 8  # pairs beyond two for each place that may wait for one row


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


class Waiting(NamedTuple):
    """Directed pairs whose similarity is known within bounds only, as parallel arrays."""

    src: Indices  # row numbers
    dst: Indices  # row numbers
    low: Doubles
    high: Doubles

    def picked(self, chosen: Indices | NDArray[np.bool_]) -> Waiting:
        """Return the pairs at the given places, in that order."""
        return Waiting(self.src[chosen], self.dst[chosen], self.low[chosen], self.high[chosen])

    @classmethod
    def joined(cls, parts: Iterable[Waiting]) -> Waiting:
        """Return the pairs of all parts, in order."""
        none = np.zeros(0, np.int64)
        columns = zip(cls(none, none, np.zeros(0), np.zeros(0)), *parts, strict=True)
        return cls(*(np.concatenate(column) for column in columns))


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
    pairs = pairs.picked(_best_first(pairs))
    count = np.bincount(pairs.src)
    place = np.arange(len(pairs.src)) - (np.cumsum(count) - count)[pairs.src]
    return pairs.picked(np.flatnonzero(place < k))


def _best_first(pairs: Ranked) -> Indices:
    """Return the order by source, sim descending and rank; as `np.lexsort`, in less time.

    What one number of 64 bits tells apart is sorted by it, and only the rest by all three.
    """
    key = _falling(pairs.src, pairs.sim.astype(np.float32))
    order = np.argsort(key)
    same = np.diff(key[order]) == 0
    tied = np.flatnonzero(np.append(False, same) | np.append(same, False))
    those = order[tied]
    ranked = np.lexsort((pairs.rank[those], -pairs.sim[those], key[those]))
    order[tied] = those[ranked]
    return order


def _falling(src: Indices, values: NDArray[np.float32]) -> NDArray[np.uint64]:
    """Return numbers that ascend with the source, and within it with falling values."""
    bits = (values + np.float32(0)).view(np.uint32)  # -0.0 becomes 0.0
    falling = np.where(bits >> 31 == 1, bits, ~bits & np.uint32(0x7FFFFFFF))
    return src.astype(np.uint64) << np.uint64(32) | falling.astype(np.uint64)


def kth_largest(src: Indices, values: Doubles, n_rows: int, k: int) -> Doubles:
    """Return at most the k-th largest value of each source; -inf where there are fewer.

    The values are rounded down to float32: so a source and a value fit one number, and numbers
    are sorted several times as fast as pairs.

    Examples
    --------
    >>> kth_largest(np.array([0, 0, 1]), np.array([0.25, 0.5, 0.5]), 2, 2).tolist()
    [0.25, -inf]
    """
    rounded = at_or_below(values, np.dtype(np.float32)).astype(np.float32, copy=False)
    key = np.sort(_falling(src, rounded))
    count = np.bincount(src, minlength=n_rows)
    full = np.flatnonzero(count >= k)
    at = (key[np.cumsum(count)[full] - count[full] + k - 1] & np.uint64(0xFFFFFFFF)).astype("u4")
    result = np.full(n_rows, -np.inf)
    result[full] = np.where(at >> 31 == 1, at, ~at & np.uint32(0x7FFFFFFF)).view(np.float32)
    return result


class Shelf:
    """The best k pairs of each of a block's rows.

    Pairs that may be among them wait here with bounds on their similarity, until it is known.
    """

    def __init__(self, n_rows: int, k: int) -> None:
        self.worst = np.full(n_rows, -np.inf)
        """At most the sim of each row's k-th pair; -inf while the row has fewer."""
        self.crowded = np.zeros(n_rows, bool)
        """Rows for which so many pairs wait that their similarity should be found out."""
        self._k = k
        self._kept = Ranked.empty()  # no row has more than k; in no order
        self._waiting: list[Waiting] = []
        self._news = 0

    @property
    def pairs(self) -> Ranked:
        """Return the pairs of known similarity, grouped by source, ascending, best first."""
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
        kth = best.sim[np.searchsorted(best.src, last) + self._k - 1]
        self.worst[last] = np.maximum(self.worst[last], kth)

    def wait(self, pairs: Waiting) -> None:
        """Offer pairs that have bounds only, none of them offered before."""
        pairs = pairs.picked(np.flatnonzero(pairs.high >= self.worst[pairs.src]))
        if len(pairs.src) == 0:
            return
        self._waiting.append(pairs)
        self._news += len(pairs.src)
        if self._news > max(FEW, GROWTH * sum(len(part.src) for part in self._waiting)):
            self._look_through()

    def released(self, *, crowded: bool) -> Waiting:
        """Return the pairs that still may enter, of crowded rows or of all; they wait no longer."""
        self._look_through()
        (waiting,) = self._waiting
        freed = self.crowded[waiting.src] if crowded else np.ones(len(waiting.src), bool)
        self._waiting = [waiting.picked(~freed)]
        self.crowded[:] = False
        return waiting.picked(freed)

    def _look_through(self) -> None:
        """Raise the bars to what is known, and let go what does not reach them."""
        waiting = Waiting.joined(self._waiting)
        src = np.concatenate([self._kept.src, waiting.src])
        low = np.concatenate([self._kept.sim, waiting.low])
        np.maximum(self.worst, kth_largest(src, low, len(self.worst), self._k), out=self.worst)
        waiting = waiting.picked(np.flatnonzero(waiting.high >= self.worst[waiting.src]))
        self._waiting, self._news = [waiting], 0
        count = np.bincount(waiting.src, minlength=len(self.worst))
        self.crowded = count > 2 * self._k + CROWD
