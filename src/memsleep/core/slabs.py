"""One product of a tile's rows with some of its columns, and the pairs that it nominates."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from memsleep.core.blocks import Float32Array
from memsleep.core.rounding import FloatType, at_or_below, product_error, row_length
from memsleep.core.sums import Doubles, Indices

if TYPE_CHECKING:
    from memsleep.core.tiles import Tile

Products = NDArray[np.floating]

BATCH_ROWS: Final = 512  # rows nominated at a time
CHEAP_PAIRS: Final = 4096  # below this, rescoring costs less than nominating better
RESCORING: Final = 200  # products that cost as much as an exact similarity
LEAST: Final = -4.0  # below any product, so that what is marked -inf never reaches a bar


def multiply(left: Products, right: Products, out: Products) -> None:
    """Compute ``left @ right.T`` into `out`: the one place that calls the BLAS."""
    with np.errstate(all="ignore"):  # some libraries raise flags that mean nothing
        np.matmul(left, right.T, out=out)


class Space:
    """Memory for one product, used again by the next: fresh pages cost more than the selection."""

    def __init__(self) -> None:
        self._buffer = np.empty(0, np.float32)
        self._triangle = np.empty((0, 0), np.bool_)

    def triangle(self, size: int) -> NDArray[np.bool_]:
        """Return the places on and below the diagonal of a square."""
        if len(self._triangle) != size:
            self._triangle = np.tri(size, dtype=np.bool_)
        return self._triangle

    def product(self, left: Float32Array, right: Float32Array) -> Float32Array:
        """Return ``left @ right.T``, valid until the next call."""
        size = len(left) * len(right)
        if len(self._buffer) < size:
            self._buffer = np.empty(size, np.float32)
        out = self._buffer[:size].reshape(len(left), len(right))
        multiply(left, right, out)
        return out


class Scale(NamedTuple):
    """What a product says about the similarity: ``abs(product - square * sim) <= error``."""

    square: float
    error: float

    @classmethod
    def of(cls, width: int, dtype: FloatType) -> Scale:
        """Return the scale of the product of scaled rows."""
        return cls(row_length(width, dtype) ** 2, product_error(width, dtype))

    def bar(self, low: Doubles, dtype: np.dtype[np.floating]) -> Products:
        """Return the smallest products that a similarity of `low` may have."""
        return at_or_below(np.maximum(self.square * low - self.error, LEAST), dtype)

    def bounds(self, products: Products) -> tuple[Doubles, Doubles] | None:
        """Return the least and the greatest similarity that products may stand for."""
        if not np.isfinite(self.error):
            return None
        middle = products.astype(np.float64)
        return (middle - self.error) / self.square, (middle + self.error) / self.square


class Nominees(NamedTuple):
    """Pairs that may enter a list, as places within the two blocks."""

    i: Indices
    j: Indices
    bounds: tuple[Doubles, Doubles] | None
    """The least and the greatest that each similarity can be; None where nothing is known."""


@dataclass(frozen=True, slots=True, eq=False)
class Slab:
    """The pairs of a tile's rows with some of its columns; each pair once."""

    tile: Tile
    columns: slice

    def nominations(self) -> Iterator[Nominees]:
        """Yield the pairs that may enter a list, in batches."""
        tile = self.tile
        # Within a block, rows from below the columns have no pair here.
        rows = np.arange(self.columns.stop if tile.is_own else len(tile.first.row))
        tile.work.pairs += self._count(len(rows))
        if tile.sketch_scale is not None:
            rows, few = self._surviving(rows, tile.sketch_scale)
            yield from few
        if len(rows) == 0:
            return
        scale = Scale.of(tile.width, np.float32)
        approx = self._product(rows)
        alive = self._reaching_rows(approx, rows, scale)
        for start in range(0, len(alive), BATCH_ROWS):
            batch = alive[start : start + BATCH_ROWS]
            i, j, bounds = self._nominees(approx[batch], rows[batch], scale)
            yield Nominees(rows[batch[i]], j + self.columns.start, bounds)

    def _count(self, n_rows: int) -> int:
        """Return the number of unordered pairs."""
        length = int(self.columns.stop - self.columns.start)
        doubled = length * (length + 1) // 2 if self.tile.is_own else 0
        return n_rows * length - doubled

    def _surviving(self, rows: Indices, scale: Scale) -> tuple[Indices, list[Nominees]]:
        """Return what a short product, which is never too small, does not rule out.

        Rows that have to be multiplied in full, or where that costs less no rows and some pairs.
        """
        tile = self.tile
        left, right = tile.first.sketch, tile.second.sketch
        assert left is not None
        assert right is not None
        upper = tile.space.product(left[: len(rows)], right[self.columns])
        tile.work.sketched += upper.size
        self._unpair(upper, rows)
        alive = self._reaching_rows(upper, rows, scale)
        most = len(alive) * upper.shape[1] // RESCORING
        few: list[Nominees] = []
        for start in range(0, len(alive), BATCH_ROWS):
            batch = alive[start : start + BATCH_ROWS]
            mask = _reaching(upper[batch], self._lows(rows[batch]), scale)
            i, j = np.divmod(np.flatnonzero(mask), upper.shape[1])
            most -= len(i)
            if most < 0:
                return rows[alive], []
            few.append(Nominees(rows[batch[i]], j + self.columns.start, None))
        tile.work.direct += sum(len(found.i) for found in few)
        return rows[:0], few

    def _product(self, rows: Indices) -> Float32Array:
        """Return the approximate similarities; -inf where there is no such pair."""
        tile = self.tile
        left, right = tile.first.held(tile.width), tile.right(self.columns)
        is_prefix = int(rows[-1]) == len(rows) - 1  # they ascend
        approx = tile.space.product(left[: len(rows)] if is_prefix else left[rows], right)
        tile.work.multiplied += approx.size
        self._mark(approx, rows)
        return approx

    def _in_double(self, rows: Indices) -> Products:
        """Return the same in double, of a few rows."""
        tile = self.tile
        left = tile.first.units(tile.width, np.float64, rows)
        right = tile.second.units(tile.width, np.float64, self.columns)
        approx = np.empty((len(left), len(right)))
        multiply(left, right, approx)
        self._mark(approx, rows)
        return approx

    def _mark(self, approx: Products, rows: Indices) -> None:
        """Mark what is no pair, and pairs with a NaN or infinite row, but for those with a zero."""
        self._unpair(approx, rows)
        tile = self.tile
        if tile.first.width != tile.second.width:
            return
        first, second = (block.squares(tile.width) for block in (tile.first, tile.second))
        squares = first[rows], second[self.columns]
        odd_first, odd_second = (~np.isfinite(square) for square in squares)
        if not odd_first.any() and not odd_second.any():
            return
        zero_first, zero_second = (square == 0 for square in squares)
        undefined = odd_first[:, np.newaxis] & ~zero_second
        undefined |= ~zero_first[:, np.newaxis] & odd_second
        approx[undefined] = -np.inf

    def _unpair(self, approx: Products, rows: Indices) -> None:
        """Mark, within a block, a row with itself and the second sight of a pair."""
        if self.tile.is_own:
            below = int(np.searchsorted(rows, self.columns.start))
            column = np.arange(self.columns.start, self.columns.stop)
            if len(rows) - below == len(column):  # all of them: the same triangle each time
                second_sight = self.tile.space.triangle(len(column))
            else:
                second_sight = column <= rows[below:, np.newaxis]
            np.copyto(approx[below:], -np.inf, where=second_sight)

    def _lows(self, rows: Indices) -> tuple[Doubles, Doubles]:
        """Return the smallest similarity that each row, and each column, has room for."""
        tile = self.tile
        first, second = tile.first.shelf.worst[rows], tile.second.shelf.worst[self.columns]
        return np.maximum(first, tile.floor), np.maximum(second, tile.floor)

    def _reaching_rows(self, approx: Products, rows: Indices, scale: Scale) -> Indices:
        """Return the places of the rows whose largest product reaches some bar."""
        by_row, by_column = (scale.bar(low, approx.dtype) for low in self._lows(rows))
        return np.flatnonzero(approx.max(axis=1) >= np.minimum(by_row, by_column.min()))

    def _nominees(self, approx: Products, rows: Indices, scale: Scale) -> Nominees:
        """Return the places of the products that reach the bar of either side."""
        k, lows = self.tile.k, self._lows(rows)
        budget = max(CHEAP_PAIRS, 2 * k * sum(approx.shape))
        mask = _tightened(approx, lows, scale, k)
        if np.count_nonzero(mask) > budget:  # alike in float32, perhaps not in double
            approx, scale = self._in_double(rows), Scale.of(self.tile.width, np.float64)
            mask = _tightened(approx, lows, scale, k)
        chosen = np.flatnonzero(mask)  # quicker than in two dimensions
        i, j = np.divmod(chosen, approx.shape[1])
        return Nominees(i, j, scale.bounds(approx.ravel()[chosen]))


def _tightened(
    approx: Products, lows: tuple[Doubles, Doubles], scale: Scale, k: int
) -> NDArray[np.bool_]:
    """Return which pairs may reach a low, given that only a row's k best have room."""
    mask = _reaching(approx, lows, scale)
    if np.count_nonzero(mask) <= CHEAP_PAIRS:
        return mask
    raised = [
        np.maximum(low, (_kth_largest(side, k, crowded) - scale.error) / scale.square)
        for low, side, crowded in zip(
            lows, (approx, approx.T), (mask.sum(axis=1) > k, mask.sum(axis=0) > k), strict=True
        )
    ]
    return _reaching(approx, (raised[0], raised[1]), scale)


def _reaching(approx: Products, lows: tuple[Doubles, Doubles], scale: Scale) -> NDArray[np.bool_]:
    """Return which products reach the bar of either side."""
    by_row, by_column = (scale.bar(low, approx.dtype) for low in lows)
    mask: NDArray[np.bool_] = approx >= by_row[:, np.newaxis]
    mask |= approx >= by_column
    return mask


def _kth_largest(approx: Products, k: int, wanted: NDArray[np.bool_]) -> Doubles:
    """Return the k-th largest value of the wanted rows; -inf for the others."""
    result = np.full(len(approx), -np.inf)
    n_columns = approx.shape[1]
    if k <= n_columns and wanted.any():
        result[wanted] = np.partition(approx[wanted], n_columns - k, axis=1)[:, n_columns - k]
    return result
