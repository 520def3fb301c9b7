"""How near the memories of a corpus lie to each other, and which floors that suggests."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from memsleep.calibrate.totals import five_numbers
from memsleep.embedders.base import TextEmbedder
from memsleep.model import Memory, Snapshot, digest_bytes

MOST_MEMORIES = 3000
"""A larger corpus is looked at by so many of its memories, chosen by the digests of their paths."""
DROPPED_WORD = 8
"""A stand-in for a duplicate lacks every eighth word."""
BINS = 40
UNRELATED = 0.999
RELATED = 0.99
FEWEST = 20
"""Fewer memories tell nothing about the others."""


@dataclass(frozen=True, slots=True)
class Distribution:
    """Cosines of a corpus under one embedder."""

    embedder: str
    memories: int
    """Memories with a vector that were looked at."""
    pairs: tuple[float, ...]
    """Least, 5 %, median, 95 % and greatest cosine of two memories."""
    nearest: tuple[float, ...]
    """The same of each memory and its nearest neighbour."""
    reworded: tuple[float, ...]
    """The same of each memory and its text without every eighth word; empty for stored vectors."""
    histogram: tuple[int, ...]
    """Pairs by cosine, from -1 to 1 in steps of 0.05."""
    duplicate_floor: float | None
    """What `pairing.duplicate_floor` could be; None where the corpus is too small to tell."""
    mined_floor: float | None
    """What `pairing.mined_floor` could be."""


def distribution_of(snapshot: Snapshot, embedder: TextEmbedder | None) -> Distribution:
    """Look at the vectors of a snapshot's active memories.

    Notes
    -----
    A duplicate lies above the 99.9th percentile of all pairs, or at or above what a text without
    every eighth word lies at in 19 of 20 cases, whichever is less: losing a duplicate costs more
    than judging a pair that the guards part. Most pairs are unrelated, so the floor of mined
    edges is the 99th percentile of those that are no duplicates.
    """
    position = snapshot.vectors.position
    chosen = _chosen([memory for memory in snapshot.active() if memory.path in position])
    rows = _unit(snapshot.vectors.array[[position[memory.path] for memory in chosen]])
    near = rows @ rows.T if len(chosen) else np.zeros((0, 0))
    upper = near[np.triu_indices(len(chosen), 1)]
    np.fill_diagonal(near, -1.0)
    nearest = near.max(axis=1) if len(chosen) > 1 else np.zeros(0)
    reworded = _reworded(chosen, embedder) if embedder else []
    counts, _ = np.histogram(upper, bins=BINS, range=(-1.0, 1.0))
    duplicate, mined = _floors(upper, reworded) if len(chosen) >= FEWEST else (None, None)
    return Distribution(
        embedder=snapshot.vectors.identity,
        memories=len(chosen),
        pairs=five_numbers(upper.tolist()),
        nearest=five_numbers(nearest.tolist()),
        reworded=five_numbers(reworded),
        histogram=tuple(int(count) for count in counts),
        duplicate_floor=duplicate,
        mined_floor=mined,
    )


def _chosen(memories: list[Memory]) -> list[Memory]:
    by_digest = sorted(memories, key=lambda memory: digest_bytes(memory.path.encode()))
    return sorted(by_digest[:MOST_MEMORIES], key=lambda memory: memory.path)


def _unit(rows: NDArray[np.float32]) -> NDArray[np.float64]:
    wide = rows.astype(np.float64)
    norms = np.sqrt((wide * wide).sum(axis=1, keepdims=True))
    return np.clip(np.nan_to_num(wide / np.where(norms > 0, norms, 1.0)), -1.0, 1.0)


def _reworded(memories: Sequence[Memory], embedder: TextEmbedder) -> list[float]:
    texts = [embedder.text_of(memory) for memory in memories]
    twins = [_without_some(text) for text in texts]
    one, other = (_unit(embedder.embed(side)) for side in (texts, twins))
    cosines: list[float] = (one * other).sum(axis=1).tolist()
    return [near for near, a, b in zip(cosines, texts, twins, strict=True) if a != b]


def _without_some(text: str) -> str:
    words = text.split()
    return " ".join(word for place, word in enumerate(words, 1) if place % DROPPED_WORD)


def _floors(pairs: NDArray[np.float64], reworded: Sequence[float]) -> tuple[float, float]:
    duplicate = float(np.quantile(pairs, UNRELATED))
    if reworded:
        duplicate = min(duplicate, float(np.quantile(np.array(reworded), 0.05)))
    others = pairs[pairs < duplicate]
    mined = float(np.quantile(others, RELATED)) if len(others) else duplicate
    return round(duplicate, 3), round(mined, 3)
