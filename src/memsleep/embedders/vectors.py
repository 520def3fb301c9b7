"""Vectors for the memories of a night, from the cache, the embedder or a file."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final

import numpy as np

from memsleep.embedders.base import Embedder, FloatRows, StoredVectors, TextEmbedder
from memsleep.embedders.cache import VectorCache, text_digest
from memsleep.embedders.none import NoVectors
from memsleep.errors import EmbedderError
from memsleep.model import Memory, Problem, Vectors

BATCH_TEXTS: Final = 1024
"""Embedded and kept at a time: what a kill loses at most."""
Progress = Callable[[int, int], None]
"""Called with how many texts were just embedded, and how many there are to embed."""


def vectors_for(
    memories: Sequence[Memory],
    embedder: Embedder,
    cache: VectorCache | None = None,
    progress: Progress | None = None,
) -> Vectors:
    """Return one row per memory that has one, in path order.

    Equal texts are embedded once; rows that the cache lacked are added to it, batch by batch, so
    that whoever was killed goes on where the last batch ended. Hand in the memories that should
    have a vector, and a copy of the cache where nothing may be written.
    """
    ordered = sorted(memories, key=lambda memory: memory.path)
    if isinstance(embedder, StoredVectors):
        return _from_store(ordered, embedder)
    digests = {memory.path: text_digest(embedder.text_of(memory)) for memory in ordered}
    rows = _rows_by_digest(ordered, digests, embedder, cache, progress)
    by_path = {path: rows[digest] for path, digest in digests.items()}
    return _vectors(embedder.identity, embedder.dimension, by_path, wanted=len(ordered))


def check_coverage(
    vectors: Vectors, *, fail_below: float = 0.5, warn_below: float = 0.95
) -> tuple[Problem, ...]:
    """Return a warning when many memories have no vector.

    Raises
    ------
    EmbedderError
        `coverage-too-low` when so many have none that the night would miss what it looks for.
    """
    if vectors.coverage >= warn_below:
        return ()
    told = (
        f"{len(vectors.paths)} of {vectors.wanted} memories have a vector of {vectors.identity}"
        f" ({vectors.stale} are of another content or hold no finite numbers)"
    )
    if vectors.coverage < fail_below:
        raise EmbedderError(
            "coverage-too-low",
            f"{told}; expected at least {fail_below:.0%}",
            context=("no phase was run",),
            hint='make the vectors anew, or set [embedder] name = "hashgram"',
        )
    return (Problem("", None, "coverage-low", f"{told}; the others are paired by words only"),)


def _from_store(ordered: Sequence[Memory], embedder: StoredVectors) -> Vectors:
    found = embedder.lookup(ordered)
    by_path = {m.path: found.rows[m.path] for m in ordered if m.path in found.rows}
    wanted = 0 if isinstance(embedder, NoVectors) else len(ordered)
    return _vectors(
        embedder.identity, embedder.dimension, by_path, wanted=wanted, stale=found.stale
    )


def _rows_by_digest(
    ordered: Sequence[Memory],
    digests: Mapping[str, bytes],
    embedder: TextEmbedder,
    cache: VectorCache | None,
    progress: Progress | None,
) -> dict[bytes, FloatRows]:
    distinct = sorted(set(digests.values()))
    rows = cache.read(embedder.identity, embedder.dimension, distinct) if cache else {}
    lacking = {digests[m.path]: m for m in ordered if digests[m.path] not in rows}
    wanted = list(lacking.items())
    if progress is not None and wanted:
        progress(0, len(wanted))
    for start in range(0, len(wanted), BATCH_TEXTS):
        batch = wanted[start : start + BATCH_TEXTS]
        made = embedder.embed([embedder.text_of(memory) for _, memory in batch])
        fresh = dict(zip((digest for digest, _ in batch), made, strict=True))
        if cache is not None:
            cache.write(embedder.identity, fresh)
        rows.update(fresh)
        if progress is not None:
            progress(len(batch), len(wanted))
    if cache is not None and wanted:
        cache.prune(embedder.identity, set(distinct))
    return rows


def _vectors(
    identity: str,
    dimension: int,
    by_path: Mapping[str, FloatRows],
    *,
    wanted: int,
    stale: int = 0,
) -> Vectors:
    array = np.zeros((len(by_path), dimension), np.float32)
    for index, row in enumerate(by_path.values()):
        array[index] = row
    array.setflags(write=False)
    return Vectors(identity, tuple(by_path), array, wanted=wanted, stale=stale)
