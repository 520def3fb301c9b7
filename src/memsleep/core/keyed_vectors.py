"""Vectors under keys: checked, ranked by key and grouped by length."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from memsleep.core.blocks import even_slices
from memsleep.core.ordering import sorted_unique
from memsleep.core.scores import Scores
from memsleep.core.shelf import Shelf
from memsleep.core.sums import Doubles, Indices
from memsleep.core.tiles import Block, Float32Array

Vectors: TypeAlias = Float32Array | Sequence[ArrayLike]


@dataclass(frozen=True, slots=True, eq=False)
class KeyedVectors:
    """Rows in the caller's numbering, held as one matrix per vector length."""

    names: list[str]  # distinct keys, in code unit order
    rank: Indices  # shape (n,): place of each row's key in `names`
    groups: list[tuple[Float32Array, Indices]]  # matrix (m, d) and its row numbers (m,)

    @classmethod
    def of(cls, keys: Sequence[str], vectors: Vectors) -> KeyedVectors:
        """Return the checked input.

        Raises
        ------
        ValueError
            If there are not as many keys as vectors, or a vector is not 1-D.
        """
        if len(keys) != len(vectors):
            raise ValueError(f"{len(keys)} keys for {len(vectors)} vectors")
        names = sorted_unique(keys)
        place = {name: index for index, name in enumerate(names)}
        rank = np.array([place[key] for key in keys], dtype=np.int64)
        return cls(names, rank, _groups(vectors))

    def blocks(self, wanted: Indices, k: int, height: int) -> list[Block]:
        """Return the wanted rows in blocks with empty shelves, each group in key order."""
        is_wanted = np.zeros(len(self.rank), bool)
        is_wanted[wanted] = True
        blocks = []
        for matrix, number in self.groups:
            local = np.flatnonzero(is_wanted[number])
            local = local[np.argsort(self.rank[number[local]], kind="stable")]
            for part in even_slices(len(local), height):
                row = local[part]
                rows = number[row]
                blocks.append(Block(matrix, row, rows, self.rank[rows], Shelf(len(row), k)))
        return blocks

    def similarities(self, src: Indices, dst: Indices) -> Doubles:
        """Return the exact similarity of each pair of rows; NaN where undefined."""
        blocks = self.blocks(np.concatenate([src, dst]), 1, max(len(self.rank), 1))
        return Scores(blocks).similarities(src, dst)


def _groups(vectors: Vectors) -> list[tuple[Float32Array, Indices]]:
    """Return one float32 matrix per vector length."""
    with np.errstate(over="ignore"):
        if isinstance(vectors, np.ndarray) and vectors.ndim == 2:
            return [(vectors.astype(np.float32, copy=False), np.arange(len(vectors)))]
        rows = [np.asarray(vector, dtype=np.float32) for vector in vectors]
    by_length: dict[int, list[int]] = {}
    for number, row in enumerate(rows):
        if row.ndim != 1:
            raise ValueError(f"vector {number} has {row.ndim} dimensions, expected 1")
        by_length.setdefault(len(row), []).append(number)
    return [
        (np.stack([rows[number] for number in numbers]), np.array(numbers, dtype=np.int64))
        for numbers in by_length.values()
    ]
