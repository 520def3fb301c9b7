"""Exact neighbour search in tiles: a fast product nominates, index-order sums decide.

The product of two blocks of unit rows is right within a proven bound, whatever
order the library adds in. A pair is nominated unless that bound shows that it
cannot enter a list; the reported similarity is then computed in index order. So
the tile height, the thread count and the BLAS change the time, never the answer.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from memsleep.core.shelf import Ranked, Shelf
from memsleep.core.similarity import cosine_ratio
from memsleep.core.sums import Doubles, Indices, row_sums

Float32Array: TypeAlias = NDArray[np.float32]
FloatType: TypeAlias = type[np.float32] | type[np.float64]

BLOCK_ROWS: Final = 1024
RESCORE_PAIRS: Final = 2048  # pairs whose products are held at a time
CHEAP_PAIRS: Final = 4096  # below this, rescoring costs less than nominating better
# Between these norms a float32 row can be scaled in float32 without losing bits.
PLAIN_NORM: Final = (2.0**-100, 2.0**100)


@dataclass(slots=True, eq=False)
class Block:
    """Some rows of one length, with the pairs found for them so far."""

    source: Float32Array  # shape (n, d)
    row: Indices  # rows of `source`
    number: Indices  # the same rows in the caller's numbering
    rank: Indices  # place of each row's key in key order
    shelf: Shelf
    _norms: dict[int, Doubles] = field(default_factory=dict)

    @property
    def width(self) -> int:
        """Return the length of the rows."""
        return int(self.source.shape[1])

    def rows(self, width: int) -> Float32Array:
        """Return the first `width` components of all rows."""
        return self.source[self.row, :width]

    def picked(self, places: Indices | slice, width: int) -> Float32Array:
        """Return the first `width` components of some rows, as a copy."""
        return self.source[self.row[places], :width]

    def norms(self, width: int) -> Doubles:
        """Return the squared norms of the first `width` components, exactly as `cosine` does."""
        if width not in self._norms:
            norms = np.empty(len(self.row))
            for chunk in chunks(len(self.row)):
                with np.errstate(all="ignore"):
                    norms[chunk] = row_sums(self.picked(chunk, width).astype(np.float64) ** 2)
            self._norms[width] = norms
        return self._norms[width]

    def found(self) -> Ranked:
        """Return the pairs found so far, in the caller's numbering."""
        return self.shelf.pairs._replace(src=self.number[self.shelf.pairs.src])

    def units(self, width: int, dtype: FloatType) -> NDArray[np.floating]:
        """Return the rows scaled to norm 1; rows without a direction are 0."""
        norm = np.sqrt(self.norms(width))
        regular = (norm > 0) & np.isfinite(norm)
        scale = np.divide(1.0, norm, out=np.zeros_like(norm), where=regular)
        low, high = PLAIN_NORM
        plain = dtype is np.float32 and bool(((norm >= low) & (norm <= high))[regular].all())
        inner = np.dtype(np.float32 if plain else np.float64)
        with np.errstate(all="ignore"):
            scaled = self.rows(width).astype(inner, copy=False) * scale.astype(inner)[:, np.newaxis]
            units: NDArray[np.floating] = scaled.astype(dtype, copy=False)
        units[~regular] = 0
        return units


def product_error(width: int, dtype: FloatType) -> float:
    """Return how far a product of unit rows may lie from the reported similarity.

    Parameters
    ----------
    width : int
        Number of components.
    dtype : float32 or float64
        Type that the product is computed in.

    Returns
    -------
    float
        A bound on the absolute difference; inf where no bound holds.

    Notes
    -----
    With unit roundoff u, an inner product of n terms in any order, fused or not,
    errs by at most g(n) = n u / (1 - n u) times the product of the norms [1]_.
    Scaling costs two roundings a component on either side, 4 u together: g(n + 8)
    covers both, with room for underflow. The reported similarity itself, in
    double, errs by g(n) for its product, g(n) for its two norms under a root, and
    four roundings: g(2 n + 8).

    References
    ----------
    .. [1] N. J. Higham, "Accuracy and Stability of Numerical Algorithms", 2nd ed.,
       SIAM 2002, section 3.1.

    Examples
    --------
    >>> product_error(512, np.float32) < 3.2e-5, product_error(512, np.float64) < 2e-13
    (True, True)
    """
    nominated = (width + 8) * float(np.finfo(dtype).eps) / 2
    reported = (2 * width + 8) * float(np.finfo(np.float64).eps) / 2
    if nominated >= 0.5:
        return np.inf
    return nominated / (1 - nominated) + reported / (1 - reported)


def fill_shelves(blocks: Sequence[Block], floor: float, k: int) -> None:
    """Offer every unordered pair of rows to the shelves of both.

    Parameters
    ----------
    blocks : sequence of Block
    floor : float
        Pairs below it are left out, and so are undefined ones.
    k : int
        Size of the shelves, at least 1.

    Notes
    -----
    Time O(n^2 d) in tiles of fixed size; memory O(n k) and one tile.
    """
    for index, first in enumerate(blocks):
        for second in blocks[index:]:
            tile = Tile(first, second, floor, k)
            i, j = tile.nominate()
            sim = np.empty(len(i))
            for chunk in chunks(len(i)):
                sim[chunk] = tile.similarity(i[chunk], j[chunk])
            passed = sim >= floor
            i, j, sim = i[passed], j[passed], sim[passed]
            first.shelf.add(Ranked(i, second.number[j], second.rank[j], sim))
            second.shelf.add(Ranked(j, first.number[i], first.rank[i], sim))


@dataclass(frozen=True, slots=True, eq=False)
class Tile:
    """All pairs of a row of `first` with a row of `second`; each pair once."""

    first: Block
    second: Block
    floor: float
    k: int

    @property
    def width(self) -> int:
        """Return the number of components that both sides have."""
        return min(self.first.width, self.second.width)

    def nominate(self) -> tuple[Indices, Indices]:
        """Return the pairs that may enter a list, as places within the two blocks."""
        budget = max(CHEAP_PAIRS, 2 * self.k * (len(self.first.row) + len(self.second.row)))
        mask = np.zeros((0, 0), bool)
        for dtype in (np.float32, np.float64):
            approx = self._product(dtype)
            error = product_error(self.width, dtype)
            low = [np.maximum(side.shelf.worst, self.floor) for side in (self.first, self.second)]
            mask = self._reaching(approx, low, error)
            if np.count_nonzero(mask) > CHEAP_PAIRS:
                low = [
                    np.maximum(bound, _kth_largest(side, self.k) - error)
                    for bound, side in zip(low, (approx, approx.T), strict=True)
                ]
                mask = self._reaching(approx, low, error)
            if np.count_nonzero(mask) <= budget:
                break
        i, j = np.nonzero(mask)
        return i, j

    def similarity(self, i: Indices, j: Indices) -> Doubles:
        """Return the exact similarities of the pairs; NaN where undefined."""
        norms = self.first.norms(self.width)[i], self.second.norms(self.width)[j]
        products = self.first.picked(i, self.width).astype(np.float64)
        with np.errstate(all="ignore"):
            products *= self.second.picked(j, self.width)
        ratio = cosine_ratio(row_sums(products), *norms)
        if self.first.width != self.second.width:
            ratio[np.isnan(ratio)] = 0.0
        return ratio

    def _product(self, dtype: FloatType) -> NDArray[np.floating]:
        """Return the approximate similarities; -inf where there is no such pair."""
        first, second = self.first, self.second
        with np.errstate(all="ignore"):  # some libraries raise flags that mean nothing
            approx = first.units(self.width, dtype) @ second.units(self.width, dtype).T
        if first.width == second.width:
            self._mark_undefined(approx)
        if first is second:
            np.fill_diagonal(approx, -np.inf)
        return approx

    def _mark_undefined(self, approx: NDArray[np.floating]) -> None:
        """Mark pairs with a NaN or infinite row, but for those with a zero row."""
        norms = self.first.norms(self.width), self.second.norms(self.width)
        odd_first, odd_second = (~np.isfinite(norm) for norm in norms)
        if not odd_first.any() and not odd_second.any():
            return
        zero_first, zero_second = (norm == 0 for norm in norms)
        undefined = (
            odd_first[:, np.newaxis] & ~zero_second | ~zero_first[:, np.newaxis] & odd_second
        )
        approx[undefined] = -np.inf

    def _reaching(
        self, approx: NDArray[np.floating], low: Sequence[Doubles], error: float
    ) -> NDArray[np.bool_]:
        """Return which pairs may reach the bound of either side."""
        by_row, by_column = (_at_or_below(bound - error, approx.dtype) for bound in low)
        mask = approx >= by_row[:, np.newaxis]
        mask |= approx >= by_column
        return np.triu(mask, 1) if self.first is self.second else mask


def _kth_largest(approx: NDArray[np.floating], k: int) -> Doubles:
    """Return each row's k-th largest value; -inf where a row has fewer."""
    n_columns = approx.shape[1]
    if k > n_columns:
        return np.full(len(approx), -np.inf)
    return np.partition(approx, n_columns - k, axis=1)[:, n_columns - k].astype(np.float64)


def _at_or_below(bound: Doubles, dtype: np.dtype[np.floating]) -> NDArray[np.floating]:
    """Return the bounds in the type of the product, rounded down."""
    with np.errstate(over="ignore"):
        rounded = bound.astype(dtype)
        return np.where(rounded > bound, np.nextafter(rounded, dtype.type(-np.inf)), rounded)


def chunks(count: int) -> Iterator[slice]:
    """Yield the slices of `count` items that bound the memory of rescoring."""
    for start in range(0, count, RESCORE_PAIRS):
        yield slice(start, start + RESCORE_PAIRS)
