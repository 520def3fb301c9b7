"""Exact similarities of the pairs that wait on shelves: each unordered pair once."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from memsleep.core.blocks import Block, similarity
from memsleep.core.shelf import Ranked, Waiting
from memsleep.core.sums import Doubles, Indices
from memsleep.core.work import Work


class Scores:
    """Finds rows by the caller's numbers, and lets what waits for them know."""

    def __init__(self, blocks: Sequence[Block]) -> None:
        size = 1 + max((int(block.number.max(initial=-1)) for block in blocks), default=-1)
        self._blocks = blocks
        self._owner, self._place, self._rank = np.zeros((3, size), np.int64)
        for index, block in enumerate(blocks):
            self._owner[block.number] = index
            self._place[block.number] = np.arange(len(block.number))
            self._rank[block.number] = block.rank

    def settle(self, floor: float, work: Work) -> None:
        """Put all that waits on its shelf, where it reaches the floor and the shelf has room."""
        waiting = [block.shelf.released(crowded=False) for block in self._blocks]
        src = np.concatenate([b.number[w.src] for b, w in zip(self._blocks, waiting, strict=True)])
        dst = np.concatenate([pairs.dst for pairs in waiting])
        sim = self._of_both_sides(src, dst, work)
        stop = np.cumsum([len(pairs.src) for pairs in waiting])
        for block, pairs, end in zip(self._blocks, waiting, stop.tolist(), strict=True):
            self._shelve(block, pairs, sim[end - len(pairs.src) : end], floor)

    def relieve(self, block: Block, floor: float, work: Work) -> None:
        """Do that for the crowded rows of a block: what waits must not outgrow the lists."""
        waiting = block.shelf.released(crowded=True)
        work.rescored += len(waiting.src)
        sim = self.similarities(block.number[waiting.src], waiting.dst)
        self._shelve(block, waiting, sim, floor)

    def similarities(self, src: Indices, dst: Indices) -> Doubles:
        """Return the exact similarity of each pair of numbers; NaN where undefined."""
        result = np.full(len(src), np.nan)
        self._find_norms(np.concatenate([src, dst]))
        tile = self._owner[src] * len(self._blocks) + self._owner[dst]
        order = np.argsort(tile, kind="stable")
        tiles, first = np.unique(tile[order], return_index=True)
        for number, chosen in zip(tiles.tolist(), np.split(order, first)[1:], strict=True):
            one, other = (self._blocks[at] for at in divmod(number, len(self._blocks)))
            places = self._place[src[chosen]], self._place[dst[chosen]]
            result[chosen] = similarity(one, other, *places)
        return result

    def _find_norms(self, numbers: Indices) -> None:
        """Find the norms of rows block by block: many at a time take less time than few."""
        owner, place = self._owner[numbers], self._place[numbers]
        for index, block in enumerate(self._blocks):
            block.norms(block.width, place[owner == index])

    def _of_both_sides(self, src: Indices, dst: Indices, work: Work) -> Doubles:
        """Return the same; a pair that waits on the shelves of both its rows is scored once."""
        low, high = np.minimum(src, dst), np.maximum(src, dst)
        pair, of = np.unique(low * len(self._owner) + high, return_inverse=True)
        work.rescored += len(pair)
        return self.similarities(*np.divmod(pair, max(1, len(self._owner))))[of]

    def _shelve(self, block: Block, pairs: Waiting, sim: Doubles, floor: float) -> None:
        near = np.flatnonzero(sim >= floor)
        dst = pairs.dst[near]
        block.shelf.add(Ranked(pairs.src[near], dst, self._rank[dst], sim[near]))
