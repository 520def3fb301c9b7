"""Rows of one length with their norms, their scaled forms and the pairs found for them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from memsleep.core.rounding import FloatType, row_length
from memsleep.core.shelf import Ranked, Shelf
from memsleep.core.similarity import cosine_ratio
from memsleep.core.sums import Doubles, Indices, products, row_sums

Float32Array: TypeAlias = NDArray[np.float32]

RESCORE_PAIRS: Final = 512  # pairs whose products are held at a time
# Between these norms a float32 row can be scaled in float32 without losing bits.
PLAIN_NORM: Final = (2.0**-40, 2.0**100)
EVERY: Final = slice(None)


@dataclass(slots=True, eq=False)
class Block:
    """Some rows of one length, with the pairs found for them so far."""

    source: Float32Array  # shape (n, d)
    row: Indices  # rows of `source`
    number: Indices  # the same rows in the caller's numbering
    rank: Indices  # place of each row's key in key order
    shelf: Shelf
    sketch: Float32Array | None = None  # see :mod:`memsleep.core.sketches`
    _norms: dict[int, tuple[Doubles, NDArray[np.bool_]]] = field(default_factory=dict)
    _squares: dict[int, Doubles] = field(default_factory=dict)
    stays: bool = False
    """Whether the units outlive :meth:`release`."""
    _held: tuple[int, Float32Array] | None = None

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

    def norms(self, width: int, places: Indices | slice) -> Doubles:
        """Return squared norms of the first `width` components, exactly as `cosine` does."""
        count = len(self.row)
        if width not in self._norms:
            self._norms[width] = np.zeros(count), np.zeros(count, bool)
        norms, known = self._norms[width]
        asked = np.zeros(count, bool)
        asked[places] = True
        lacking = np.flatnonzero(asked & ~known)
        for chunk in chunks(len(lacking)):
            values = self.picked(lacking[chunk], width)
            norms[lacking[chunk]] = row_sums(products(values, values))
        known[lacking] = True
        return norms[places]

    def squares(self, width: int) -> Doubles:
        """Return the squared norms of all rows, added in any order: in a fifth of the time."""
        if width not in self._squares:
            squares = np.empty(len(self.row))
            for chunk in chunks(len(self.row)):
                values = self.picked(chunk, width).astype(np.float64)
                squares[chunk] = np.einsum("ij,ij->i", values, values)
            self._squares[width] = squares
        return self._squares[width]

    def found(self) -> Ranked:
        """Return the pairs found so far, in the caller's numbering."""
        pairs = self.shelf.pairs
        return pairs._replace(src=self.number[pairs.src])

    def units(
        self, width: int, dtype: FloatType, places: Indices | slice = EVERY
    ) -> NDArray[np.floating]:
        """Return rows scaled to :func:`row_length`; rows without a direction are 0."""
        is_short = dtype is np.float32
        norm = np.sqrt(self.squares(width)[places] if is_short else self.norms(width, places))
        regular = (norm > 0) & np.isfinite(norm)
        length = row_length(width, dtype)
        scale = np.divide(length, norm, out=np.zeros_like(norm), where=regular)
        low, high = PLAIN_NORM
        plain = is_short and bool(((norm >= low) & (norm <= high))[regular].all())
        inner = np.dtype(np.float32 if plain else np.float64)
        with np.errstate(all="ignore"):
            scaled = self.picked(places, width).astype(inner, copy=False)
            scaled *= scale.astype(inner)[:, np.newaxis]
            units: NDArray[np.floating] = scaled.astype(dtype, copy=False)
        if not regular.all():
            units[~regular] = 0
        return units

    def held(self, width: int) -> Float32Array:
        """Return the units in float32, kept until they are released."""
        if self._held is None or self._held[0] != width:
            self._held = width, self.units(width, np.float32).astype(np.float32, copy=False)
        return self._held[1]

    def release(self) -> None:
        """Forget the units, unless they stay."""
        if not self.stays:
            self._held = None


def chunks(count: int) -> Iterator[slice]:
    """Yield the slices of `count` items that bound the memory of rescoring."""
    for start in range(0, count, RESCORE_PAIRS):
        yield slice(start, start + RESCORE_PAIRS)


def even_slices(count: int, most: int) -> Iterator[slice]:
    """Yield as few slices of `count` items as there can be of at most `most`, alike in length.

    Examples
    --------
    >>> [(part.start, part.stop) for part in even_slices(10, 4)]
    [(0, 4), (4, 7), (7, 10)]
    """
    parts = -(-count // most)
    for index in range(parts):
        yield slice(-(-count * index // parts), -(-count * (index + 1) // parts))


def similarity(first: Block, second: Block, i: Indices, j: Indices) -> Doubles:
    """Return the exact similarities of rows of two blocks; NaN where undefined."""
    width = min(first.width, second.width)
    dot = np.empty(len(i))
    for chunk in chunks(len(i)):
        dot[chunk] = row_sums(
            products(first.picked(i[chunk], width), second.picked(j[chunk], width))
        )
    ratio = cosine_ratio(dot, first.norms(width, i), second.norms(width, j))
    if first.width != second.width:
        ratio[np.isnan(ratio)] = 0.0
    return ratio
