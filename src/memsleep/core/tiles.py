"""Exact neighbour search in tiles: a fast product nominates, index-order sums decide.

The product of two blocks of scaled rows is right within a proven bound, whatever
order the library adds in. A pair is nominated unless that bound shows that it
cannot enter a list; the reported similarity is then computed in index order. So
the tile's shape, the thread count and the BLAS change the time, never the answer.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

import numpy as np

from memsleep.core.blocks import Block, Float32Array, even_slices, similarity
from memsleep.core.scores import Scores
from memsleep.core.shelf import Ranked, Waiting
from memsleep.core.sketches import attach_sketches, drop_sketches, pays, sketch_scale
from memsleep.core.slabs import Nominees, Scale, Slab, Space
from memsleep.core.sums import Doubles, Indices
from memsleep.core.work import Work, counted

__all__ = ["BLOCK_ROWS", "Block", "Float32Array", "Tile", "fill_shelves"]

BLOCK_ROWS: Final = 4096
SLAB_COLUMNS: Final = 2048  # columns multiplied at a time: the product takes 32 MB
HELD_NUMBERS: Final = 1 << 23  # of scaled rows that are kept, so as not to scale them again: 32 MB
OWN_COLUMNS: Final = 512  # likewise within a block, where half of the last square is wasted


def fill_shelves(
    blocks: Sequence[Block], floor: float, k: int, *, work: Work | None = None
) -> None:
    """Offer every unordered pair of rows to the shelves of both.

    Parameters
    ----------
    blocks : sequence of Block
    floor : float
        Pairs below it are left out, and so are undefined ones.
    k : int
        Size of the shelves, at least 1.
    work : Work, optional
        What was done is added to it.

    Notes
    -----
    Time O(n^2 d) in tiles of fixed size; memory O(n k) and one tile, and for high
    floors the sketches, at most 128 numbers a row.
    """
    done, space, scores = Work(), Space(), Scores(blocks)
    attach_sketches(blocks, floor, done)
    _let_stay(blocks, room=HELD_NUMBERS)
    for index, first in enumerate(blocks):
        if not pays(done):
            drop_sketches(blocks)
        for second in blocks[index:]:
            tile = Tile(first, second, floor, k, space, done)
            tile.fill(scores)
        first.release()
    _let_stay(blocks, room=0)
    scores.settle(floor, done)
    counted(done)
    if work is not None:
        work.add(done)


def _let_stay(blocks: Sequence[Block], room: int) -> None:
    """Let the units of the last blocks, which are needed most often, stay while there is room."""
    for block in reversed(blocks):
        room -= block.width * len(block.row)
        block.stays = room >= 0
        if not block.stays:
            block.release()


@dataclass(frozen=True, slots=True, eq=False)
class Tile:
    """All pairs of a row of `first` with a row of `second`; each pair once."""

    first: Block
    second: Block
    floor: float
    k: int
    space: Space = field(default_factory=Space)
    work: Work = field(default_factory=Work)

    @property
    def width(self) -> int:
        """Return the number of components that both sides have."""
        return min(self.first.width, self.second.width)

    @property
    def is_own(self) -> bool:
        """Return whether the tile pairs a block with itself."""
        return self.first is self.second

    @property
    def sketch_scale(self) -> Scale | None:
        """Return the scale of the short product, where both sides have sketches."""
        if self.first.sketch is None or self.second.sketch is None:
            return None
        return sketch_scale(self.first.sketch.shape[1])

    def right(self, columns: slice) -> Float32Array:
        """Return the scaled rows of some columns."""
        if self.is_own or self.second.stays:
            return self.second.held(self.width)[columns]
        return self.second.units(self.width, np.float32, columns).astype(np.float32, copy=False)

    def nominations(self) -> Iterator[Nominees]:
        """Yield the pairs that may enter a list, as places within the two blocks, in batches.

        What is offered in between raises the bar for the rest.
        """
        step = OWN_COLUMNS if self.is_own else SLAB_COLUMNS
        for columns in even_slices(len(self.second.row), step):
            yield from Slab(self, columns).nominations()

    def fill(self, scores: Scores) -> None:
        """Offer the pairs to the shelves of both sides; most of them wait there, unscored."""
        for i, j, bounds in self.nominations():
            if bounds is None:
                self.offer(i, j)
                continue
            near = np.flatnonzero(bounds[1] >= self.floor)
            i, j, low, high = i[near], j[near], bounds[0][near], bounds[1][near]
            for block, src, dst in (
                (self.first, i, self.second.number[j]),
                (self.second, j, self.first.number[i]),
            ):
                block.shelf.wait(Waiting(src, dst, low, high))
                if block.shelf.crowded.any():
                    scores.relieve(block, self.floor, self.work)

    def offer(self, i: Indices, j: Indices) -> None:
        """Put the pairs that reach the floor on the shelves of both sides."""
        sim = self.similarity(i, j)
        self.work.rescored += len(i)
        passed = sim >= self.floor
        i, j, sim = i[passed], j[passed], sim[passed]
        first, second = self.first, self.second
        first.shelf.add(Ranked(i, second.number[j], second.rank[j], sim))
        second.shelf.add(Ranked(j, first.number[i], first.rank[i], sim))

    def similarity(self, i: Indices, j: Indices) -> Doubles:
        """Return the exact similarities of the pairs; NaN where undefined."""
        return similarity(self.first, self.second, i, j)
