"""Vectors that were made elsewhere: an npz archive, or the index database of a memhtml store."""

from __future__ import annotations

import hashlib
import io
import sqlite3
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from memsleep.embedders.base import FloatRows, StoredRows
from memsleep.errors import EmbedderError, StateError
from memsleep.model import Floors, Memory
from memsleep.state.database import copy_database

_IDENTITY_DIGITS = 16

_FIRST_CHUNKS = """
    SELECT chunks.path, chunks.content_hash, embeddings.model, embeddings.dim, embeddings.vec
    FROM chunks JOIN embeddings ON embeddings.chunk_id = chunks.chunk_id
    WHERE chunks.ordinal = 0
    ORDER BY chunks.path, chunks.chunk_id, embeddings.model
"""


@dataclass(frozen=True, slots=True)
class FileVectors:
    """Rows by path, each with the digest of the content it was made from, if the file says."""

    identity: str
    dimension: int
    rows: Mapping[str, FloatRows]
    digests: Mapping[str, str] = field(default_factory=dict)
    unusable: frozenset[str] = frozenset()
    """Paths whose row holds no finite numbers."""
    floors: Floors | None = None

    def lookup(self, memories: Sequence[Memory]) -> StoredRows:
        """Return rows of the content that the memories have now."""
        found: dict[str, FloatRows] = {}
        stale = 0
        for memory in memories:
            row = self.rows.get(memory.path)
            if row is None:
                stale += memory.path in self.unusable
                continue
            digest = self.digests.get(memory.path, "")
            if digest and digest not in (memory.content_hash, memory.digest):
                stale += 1
            else:
                found[memory.path] = row
        return StoredRows(found, stale)


def open_vector_file(path: Path, scratch: Path) -> FileVectors:
    """Read an npz archive or a memhtml index; `scratch` is a folder outside the corpus.

    Raises
    ------
    EmbedderError
        `vectors-missing` or `vectors-unreadable`.
    """
    try:
        with path.open("rb") as file:
            magic = file.read(16)
    except OSError as error:
        raise EmbedderError(
            "vectors-missing",
            f"cannot read the vectors at {path}: {error.strerror}",
            hint="set [embedder] path to an .npz or to .memhtml/index.db",
        ) from error
    if magic.startswith(b"PK"):
        return _from_npz(path)
    if magic == b"SQLite format 3\0":
        return _from_index(path, scratch)
    raise _unreadable(path, "expected an npz archive or a memhtml index database")


def _unreadable(path: Path, detail: str) -> EmbedderError:
    return EmbedderError(
        "vectors-unreadable",
        f"cannot use the vectors at {path}: {detail}",
        context=("no phase was run",),
        hint="an npz needs the arrays paths (text) and vectors (float32, one row per path)",
    )


def _from_npz(path: Path) -> FileVectors:
    source = path.read_bytes()
    try:
        with np.load(io.BytesIO(source), allow_pickle=False) as archive:
            arrays = {name: archive[name] for name in archive.files}
    except Exception as error:  # zip, zlib and numpy raise a dozen kinds over hostile bytes
        raise _unreadable(path, "it is damaged or holds Python objects") from error
    paths, vectors = _checked_arrays(path, arrays)
    digests = _names(arrays["digests"]) if "digests" in arrays else [""] * len(paths)
    if len(digests) != len(paths):
        raise _unreadable(path, f"found {len(digests)} digests for {len(paths)} paths")
    said = str(arrays["identity"][()]) if "identity" in arrays else ""
    identity = said or f"npz:{hashlib.sha256(source).hexdigest()[:_IDENTITY_DIGITS]}"
    rows = {name: row for name, row in zip(paths, vectors, strict=True) if np.isfinite(row).all()}
    by_path = dict(zip(paths, digests, strict=True))
    return FileVectors(identity, vectors.shape[1], rows, by_path, frozenset(paths) - rows.keys())


def _checked_arrays(path: Path, arrays: Mapping[str, NDArray[Any]]) -> tuple[list[str], FloatRows]:
    missing = sorted({"paths", "vectors"} - set(arrays))
    if missing:
        raise _unreadable(path, f"it has no array {missing[0]}")
    paths, vectors = _names(arrays["paths"]), arrays["vectors"]
    if vectors.ndim != 2 or vectors.dtype.kind != "f" or vectors.shape[1] == 0:
        raise _unreadable(path, f"expected float rows, found {vectors.dtype} {vectors.shape}")
    if len(paths) != len(vectors):
        raise _unreadable(path, f"found {len(vectors)} rows for {len(paths)} paths")
    repeated = [name for name, count in sorted(Counter(paths).items()) if count > 1]
    if repeated:
        raise _unreadable(path, f"{len(repeated)} paths occur twice, such as {repeated[0]}")
    with np.errstate(over="ignore"):  # what does not fit in a float32 is found not to be finite
        return paths, np.ascontiguousarray(vectors, np.float32)


def _names(array: NDArray[Any]) -> list[str]:
    return [str(name).removeprefix("/") for name in array.reshape(-1)]


def _from_index(path: Path, scratch: Path) -> FileVectors:
    """Read first-chunk vectors from a copy: opening the store's own database writes beside it."""
    try:
        copy = copy_database(path, scratch)
        if copy is None:
            raise _unreadable(path, "it is empty")
        connection = sqlite3.connect(copy)
        try:
            rows = connection.execute(_FIRST_CHUNKS).fetchall()
        finally:
            connection.close()
    except (sqlite3.Error, StateError) as error:
        raise _unreadable(path, f"as a memhtml index database: {error}") from error
    return _from_chunks(rows)


def _is_whole(row: Sequence[object]) -> bool:
    """Return True for a row as the format has it; SQLite keeps any value in any column."""
    path, digest, model, dim, blob = row
    texts = isinstance(path, str) and isinstance(model, str) and isinstance(digest, str | None)
    return texts and isinstance(dim, int) and isinstance(blob, bytes) and 0 < len(blob) == 4 * dim


def _from_chunks(rows: Iterable[tuple[str, str, str, int, bytes]]) -> FileVectors:
    """Keep the model that most rows are of; a blob that is no row of its length takes no part."""
    whole = [row for row in rows if _is_whole(row)]
    spaces = Counter((model, dim) for _, _, model, dim, _ in whole)
    if not spaces:
        return FileVectors("memhtml:none@0:chunk0", 0, {})
    model, dim = min(spaces, key=lambda space: (-spaces[space], space))
    kept = [row for row in whole if row[2:4] == (model, dim)]
    vectors = {path: np.frombuffer(blob, "<f4").astype(np.float32) for path, *_, blob in kept}
    finite = {path: row for path, row in vectors.items() if np.isfinite(row).all()}
    digests = {path: digest or "" for path, digest, *_ in kept}
    unusable = frozenset(vectors) - finite.keys()
    return FileVectors(f"memhtml:{model}@{dim}:chunk0", dim, finite, digests, unusable)
