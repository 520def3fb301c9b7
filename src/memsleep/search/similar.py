"""The vector arm: memories whose vector lies near that of the question."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from memsleep.core.similarity import cosine_rows
from memsleep.model import Vectors

FloatRows = NDArray[np.float32]
NOMINATED = 2
"""Times as many rows as are wanted are nominated by fast products; exact cosines decide."""
SLACK = 1e-4
"""More than fast products of unit rows can be off."""


class VectorIndex:
    """Rows of one embedder, which may change one by one."""

    def __init__(self, vectors: Vectors) -> None:
        self.identity = vectors.identity
        self._paths: list[str] = list(vectors.paths)
        self._rows: FloatRows = np.array(vectors.array, np.float32)
        self._place = {path: row for row, path in enumerate(self._paths)}

    def __len__(self) -> int:
        return len(self._place)

    def write(self, path: str, row: FloatRows) -> None:
        """Add or change the row of one memory."""
        place = self._place.get(path)
        if place is None:
            place = len(self._place)
            if place == len(self._rows):
                more = np.zeros((max(64, len(self._rows) // 2), len(row)), np.float32)
                self._rows = np.concatenate([self._rows.reshape(-1, len(row)), more])
            self._place[path] = place
            self._paths.append(path)
        self._rows[place] = row

    def remove(self, path: str) -> None:
        """Take one row out; the last one takes its place."""
        place = self._place.pop(path, None)
        if place is None:
            return
        last = self._paths.pop()
        if last != path:
            self._rows[place] = self._rows[len(self._place)]
            self._paths[place] = last
            self._place[last] = place

    def row(self, path: str) -> FloatRows | None:
        """Return the row of a memory, None when it has none."""
        place = self._place.get(path)
        return None if place is None else self._rows[place]

    def near(
        self, row: FloatRows, admits: Callable[[str], bool], limit: int, floor: float
    ) -> list[tuple[str, float]]:
        """Return (path, cosine) of the nearest admitted memories at or above a floor."""
        count = len(self._place)
        if count == 0 or limit <= 0 or not row.any():
            return []
        rough = self._rows[:count] @ row
        nominated = self._nominated(rough, admits, limit * NOMINATED, floor - SLACK)
        if not nominated:
            return []
        rows = self._rows[nominated].astype(np.float64)
        exact = cosine_rows(row.astype(np.float64)[np.newaxis, :], rows)
        found = [
            (self._paths[place], similarity)
            for place, similarity in zip(nominated, exact.tolist(), strict=True)
            if similarity >= floor
        ]
        found.sort(key=lambda item: (-item[1], item[0]))
        return found[:limit]

    def _nominated(
        self, rough: FloatRows, admits: Callable[[str], bool], wanted: int, least: float
    ) -> list[int]:
        """Return admitted rows by rough product, the best first; few are sorted where that does."""
        depth = wanted * 2
        while True:
            whole = depth >= len(rough)
            top = np.arange(len(rough)) if whole else np.argpartition(-rough, depth)[:depth]
            top = top[rough[top] >= least]
            order = top[np.lexsort((top, -rough[top]))].tolist()
            found = [place for place in order if admits(self._paths[place])]
            if len(found) >= wanted or whole or len(top) < depth:
                return found[:wanted]
            depth *= 8
