"""Which of several files lies in the folder nearest to another one."""

from __future__ import annotations

import posixpath
from collections.abc import Iterable, Iterator

SHOWN = 8
"""How many equally near paths are named: 27,000 files called `index.md` are one case."""
_KEPT = SHOWN + 1  # one of them may be the asking file itself


class Nearby:
    """Paths indexed by every folder above them, so that a question costs its own depth only."""

    def __init__(self, paths: Iterable[str]) -> None:
        """Keep, for each folder, the paths that lie least deep below it."""
        below: dict[str, list[tuple[int, str]]] = {}
        for path in paths:
            for depth, folder in _above(path):
                below.setdefault(folder, []).append((depth, path))
        self._below = {folder: sorted(found)[:_KEPT] for folder, found in below.items()}

    def nearest(self, from_path: str) -> tuple[str, ...]:
        """Return the nearest paths by steps up and down, at most `SHOWN`, in path order.

        A file is near itself only when there is no other.
        """
        found = [
            (up + depth, path)
            for up, folder in _above(from_path)
            for depth, path in self._below.get(folder, ())
        ]
        others = [pair for pair in found if pair[1] != from_path] or found
        least = min(distance for distance, _ in others)
        return tuple(sorted({path for distance, path in others if distance == least})[:SHOWN])


def _above(path: str) -> Iterator[tuple[int, str]]:
    """Yield the folders above a path with the steps up to each, the root last."""
    folder = posixpath.dirname(path)
    steps = 0
    while folder:
        yield steps, folder
        folder = posixpath.dirname(folder)
        steps += 1
    yield steps, ""
