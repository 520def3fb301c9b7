"""Random edit histories of vectors, made to be hard: ties, copies, zeros, NaN, tiny numbers."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from memsleep.core import NeighborOptions, top_neighbor_pairs

Rows = NDArray[np.float32]


@dataclass
class History:
    """A small corpus of vectors under keys, edited step by step."""

    seed: int
    rows: dict[str, Rows] = field(default_factory=dict)
    identity: str = "one"
    floor: float = 0.3
    k: int = 3

    def __post_init__(self) -> None:
        self.rng = random.Random(self.seed)
        self.width = self.rng.randint(2, 8)
        for _ in range(24):
            self._put()

    def step(self) -> None:
        """Add, change and remove a few; now and then change floor, k or embedder."""
        for _ in range(self.rng.randint(0, 4)):
            self._put()
        for _ in range(self.rng.randint(0, min(3, len(self.rows)))):
            self.rows.pop(self.rng.choice(sorted(self.rows)))
        if self.rng.random() < 0.2:
            self.floor = self.rng.choice((0.05, 0.3, 0.6, 0.95, 1.0))
        if self.rng.random() < 0.2:
            self.k = self.rng.randint(1, 5)
        if self.rng.random() < 0.1:
            self.identity = self.rng.choice(("one", "two", "three"))
            self.rows = {key: self._row() for key in self.rows}

    def matrix(self) -> tuple[list[str], Rows]:
        """Return keys in order and their rows."""
        keys = sorted(self.rows)
        rows = [self.rows[key] for key in keys]
        return keys, np.array(rows, np.float32).reshape(len(keys), self.width)

    def some(self, count: int) -> list[int]:
        """Return some of so many rows, all of them half the time."""
        if self.rng.random() < 0.5:
            return list(range(count))
        return [row for row in range(count) if self.rng.random() < 0.7]

    def _put(self) -> None:
        # A supplementary character sorts otherwise by code point than by UTF-16 code unit.
        key = self.rng.choice(("a", "b\ufb01", "c", "b\U0001f600")) + str(self.rng.randint(0, 20))
        self.rows[key] = self._row()

    def _row(self) -> Rows:
        kind = self.rng.random()
        row = np.array([self.rng.gauss(0, 1) for _ in range(self.width)], np.float32)
        if kind < 0.2 and self.rows:
            return self.rows[self.rng.choice(sorted(self.rows))].copy()
        if kind < 0.5:
            return np.array([self.rng.randint(-1, 1) for _ in range(self.width)], np.float32)
        if kind < 0.55:
            row[0] = self.rng.choice((np.nan, np.inf, -np.inf))
        elif kind < 0.6:
            row *= np.float32(1e-41)
        elif kind < 0.65:
            row *= np.float32(1e37)
        return row


def in_full(
    keys: Sequence[str], rows: Rows, chosen: Sequence[int], options: NeighborOptions
) -> list[tuple[str, str, float]]:
    """Return what a comparison of all pairs gives: the oracle."""
    found = top_neighbor_pairs([keys[row] for row in chosen], rows[list(chosen)], options)
    return [(pair.src, pair.dst, pair.sim) for pair in found]
