"""Which two memories are twins: close claims that a guard parts because they contradict."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from memsleep.gate.ranker import Ranker
from memsleep.guards import CONTRADICTING, fired
from memsleep.guards.wording import slot
from memsleep.model import Memory
from memsleep.text import gist_words

LEAST_SHARED = 0.74
"""Share of common words from which on two claims may be twins, where no vector says so."""


class Parted:
    """Asks the guards about pairs, each pair once."""

    def __init__(
        self, memories: Mapping[str, Memory], ranker: Ranker, guards: Sequence[str], near: float
    ) -> None:
        self._memories, self._ranker, self._near = memories, ranker, near
        self._guards = tuple(name for name in guards if name in CONTRADICTING)
        self._known: dict[tuple[str, str], bool] = {}

    def are_twins(self, one: str, other: str, place: int, beside: int) -> bool:
        """Return True for two memories that the guards hold apart though they lie close."""
        key = (min(one, other), max(one, other))
        if key not in self._known:
            a, b = self._memories[key[0]], self._memories[key[1]]
            close = self._ranker.similarity(place, beside) >= self._near or _alike(a, b)
            self._known[key] = close and bool(fired(self._guards, a, b))
        return self._known[key]


def _alike(a: Memory, b: Memory) -> bool:
    left, right = slot(a.gist), slot(b.gist)
    if left is not None and right is not None and left[0] == right[0]:
        return True
    one, other = gist_words(a.gist), gist_words(b.gist)
    return bool(one) and len(one & other) >= LEAST_SHARED * len(one | other)
