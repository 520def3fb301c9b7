"""Exact search of a few rows among many: what is new, against all there is.

As in :mod:`memsleep.core.tiles`, a float32 product nominates within a proven bound
and sums in index order decide. Here only some rows are searched; the others state
the similarity above which they want to hear of a partner.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

import numpy as np
from numpy.typing import NDArray

from memsleep.core.shelf import Ranked, Shelf
from memsleep.core.similarity import cosine_ratio
from memsleep.core.sums import Doubles, Indices, products, row_sums
from memsleep.core.tiles import Float32Array

ALL_ROWS: Final = 4096  # of those searched through, held at a time
QUERY_ROWS: Final = 1024  # of those searched for, held at a time
RESCORE_PAIRS: Final = 2048
CROWD: Final = 8  # nominees for each place of a list that make a better bound worth while
# Between these squared norms a row can be scaled in float32 without losing bits.
PLAIN_NORM: Final = (2.0**-100, 2.0**100)


def cross_search(
    table: RowTable, query: Indices, rank: Indices, floor: float, k: int, bound: Doubles
) -> tuple[Ranked, Ranked]:
    """Return the best partners of some rows, and what the other rows gain by them.

    Parameters
    ----------
    table : RowTable
        All rows, no two of them the same.
    query : ndarray of shape (q,), int64
        The rows that are searched for, ascending.
    rank : ndarray of shape (n,), int64
        Decides between partners of equal similarity.
    floor : float
        Greater than 0: what has no direction then has no partner.
    k : int
        Partners of each query row.
    bound : ndarray of shape (n,), float64
        At least the float before `floor`; a row that is no query hears of the query rows
        above it.

    Returns
    -------
    best : Ranked
        Up to k partners of each query row, sim descending, then rank.
    offers : Ranked
        From the other rows to query rows, with a similarity above the bound of the former.

    Notes
    -----
    Time O(n q d), memory O(q (d + k)) and one tile.
    """
    deaf = bound.copy()
    deaf[query] = np.inf
    groups = [query[at : at + QUERY_ROWS] for at in range(0, len(query), QUERY_ROWS)]
    shelves = [Shelf(len(group), k) for group in groups]
    units = [table.units(group) for group in groups]
    offers: list[Ranked] = []
    for start in range(0, len(table.index), ALL_ROWS):
        rows = np.arange(start, min(start + ALL_ROWS, len(table.index)))
        these = table.units(rows)
        for group, shelf, unit in zip(groups, shelves, units, strict=True):
            low = np.maximum(shelf.worst, floor)
            approx = unit @ these.T
            _hide_own(approx, group, rows)
            i, j = _nominees(approx, low, deaf[rows], k, table.error)
            sim = table.similarities(group[i], rows[j])
            near = np.flatnonzero(sim >= floor)
            i, j, sim = i[near], j[near], sim[near]
            shelf.add(Ranked(i, rows[j], rank[rows[j]], sim))
            heard = np.flatnonzero(sim > deaf[rows[j]])
            src, dst = rows[j[heard]], group[i[heard]]
            offers.append(Ranked(src, dst, rank[dst], sim[heard]))
    best = [
        shelf.pairs._replace(src=group[shelf.pairs.src])
        for group, shelf in zip(groups, shelves, strict=True)
    ]
    return Ranked.joined(best), Ranked.joined(offers)


def unit_error(width: int) -> float:
    """Return how far a float32 product of two rows of norm 1 may lie from the exact similarity.

    Parameters
    ----------
    width : int
        Number of components.

    Returns
    -------
    float
        A bound on the absolute difference; inf where no bound holds.

    Notes
    -----
    With unit roundoff u, an inner product of n terms in any order, fused or not,
    errs by at most g(n) = n u / (1 - n u) times the product of the norms [1]_.
    Scaling costs two roundings a component on either side, 4 u together: g(n + 8)
    covers both, with room for a norm in double and for underflow. The reported
    similarity, in double, errs by g(2 n + 8). Twice as wide as the bound of
    :mod:`memsleep.core.rounding`, whose rows are scaled to just below 1: few pairs
    are looked at here, and some more of them cost nothing.

    References
    ----------
    .. [1] N. J. Higham, "Accuracy and Stability of Numerical Algorithms", 2nd ed.,
       SIAM 2002, section 3.1.

    Examples
    --------
    >>> unit_error(512) < 3.2e-5
    True
    """
    nominated = (width + 8) * float(np.finfo(np.float32).eps) / 2
    reported = (2 * width + 8) * float(np.finfo(np.float64).eps) / 2
    if nominated >= 0.5:
        return np.inf
    return nominated / (1 - nominated) + reported / (1 - reported)


@dataclass(slots=True, eq=False)
class RowTable:
    """Rows of one matrix that are searched."""

    source: Float32Array  # shape (m, d)
    index: Indices  # shape (n,): rows of `source`
    _norms: Doubles = field(init=False)

    def __post_init__(self) -> None:
        self._norms = np.full(len(self.index), -1.0)

    @property
    def error(self) -> float:
        """Return how far a product of units may lie from the exact similarity."""
        return unit_error(int(self.source.shape[1]))

    def units(self, rows: Indices) -> NDArray[np.float32]:
        """Return some rows scaled to norm 1; rows without a direction are 0.

        The norm here may be summed in any order: in double its error is far below one rounding
        of float32, which the bound has room for.
        """
        values = self.source[self.index[rows]]
        units: Float32Array
        low, high = PLAIN_NORM
        with np.errstate(all="ignore"):
            squared = np.einsum("ij,ij->i", values, values, dtype=np.float64)
            regular = (squared > 0) & np.isfinite(squared)
            scale = np.divide(1.0, np.sqrt(squared), out=np.zeros_like(squared), where=regular)
            if bool(((squared >= low) & (squared <= high))[regular].all()):
                units = values * scale.astype(np.float32)[:, np.newaxis]
            else:
                units = (values * scale[:, np.newaxis]).astype(np.float32)
        units[~regular] = 0
        return units

    def similarities(self, left: Indices, right: Indices) -> Doubles:
        """Return the exact similarity of each pair of rows; NaN where undefined."""
        norm_left, norm_right = self._squared(left), self._squared(right)
        dot = np.empty(len(left))
        for at in range(0, len(left), RESCORE_PAIRS):
            pair = slice(at, at + RESCORE_PAIRS)
            rows = (self.source[self.index[side[pair]]] for side in (left, right))
            dot[pair] = row_sums(products(*rows))
        return cosine_ratio(dot, norm_left, norm_right)

    def _squared(self, rows: Indices) -> Doubles:
        """Return squared norms, summed in index order; each row's once."""
        lacking = np.unique(rows[self._norms[rows] == -1.0])
        for at in range(0, len(lacking), RESCORE_PAIRS):
            some = lacking[at : at + RESCORE_PAIRS]
            values = self.source[self.index[some]]
            self._norms[some] = row_sums(products(values, values))
        return self._norms[rows]


def _hide_own(approx: NDArray[np.float32], group: Indices, rows: Indices) -> None:
    """Let no row be its own partner."""
    own = np.flatnonzero((group >= rows[0]) & (group <= rows[-1]))
    approx[own, group[own] - rows[0]] = -np.inf


def _nominees(
    approx: NDArray[np.float32], low: Doubles, deaf: Doubles, k: int, error: float
) -> tuple[Indices, Indices]:
    """Return the pairs that may enter a list, or that the row of the column wants to hear of."""
    heard = approx >= _rounded_down(deaf - error)
    mask = approx >= _rounded_down(low - error)[:, np.newaxis]
    if np.count_nonzero(mask) > CROWD * k * len(low) and k <= approx.shape[1]:
        place = approx.shape[1] - k
        kth = np.partition(approx, place, axis=1)[:, place].astype(np.float64)
        # k partners lie within the bound of these products: what is 2 bounds below is none.
        low = np.maximum(low, kth - error)
        mask = approx >= _rounded_down(low - error)[:, np.newaxis]
    i, j = np.nonzero(mask | heard)
    return i, j


def _rounded_down(values: Doubles) -> NDArray[np.float32]:
    """Return float32 values that are at most these."""
    with np.errstate(over="ignore"):
        rounded = values.astype(np.float32)
    return np.where(rounded > values, np.nextafter(rounded, np.float32(-np.inf)), rounded)
