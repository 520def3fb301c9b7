"""Vectors of claims alone: a question of a few words lies nearer to a claim than to a page."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from memsleep.embedders.base import Embedder, FloatRows, StoredVectors, TextEmbedder
from memsleep.embedders.cache import VectorCache
from memsleep.embedders.vectors import vectors_for
from memsleep.model import Floors, Memory, Vectors
from memsleep.search.documents import summary_of


@dataclass(frozen=True, slots=True)
class _OfClaims:
    """An embedder whose text rule is title and claim."""

    inner: TextEmbedder
    identity: str
    dimension: int
    floors: Floors | None = None

    def text_of(self, memory: Memory) -> str:
        return summary_of(memory)

    def embed(self, texts: Sequence[str]) -> FloatRows:
        return self.inner.embed(texts)


def claims_for(
    memories: Sequence[Memory], embedder: Embedder, cache: VectorCache | None
) -> Vectors:
    """Return one row per memory, none for an embedder that knows whole memories only."""
    if isinstance(embedder, StoredVectors):
        return Vectors(embedder.identity, (), np.zeros((0, embedder.dimension), np.float32))
    wrapped = _OfClaims(embedder, embedder.identity, embedder.dimension)
    return vectors_for(memories, wrapped, cache)
