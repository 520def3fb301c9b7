"""What an embedder must be able to do, and what all of them share."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from memsleep.model import Floors, Memory

FloatRows = NDArray[np.float32]


class TextEmbedder(Protocol):
    """Turns text into rows. The same text gives the same row whatever stands beside it."""

    @property
    def identity(self) -> str:
        """Name, dimension and text rule; vectors of two identities are never compared."""
        ...

    @property
    def dimension(self) -> int:
        """Length of a row."""
        ...

    @property
    def floors(self) -> Floors | None:
        """Calibrated floors; None when nobody measured any."""
        ...

    def text_of(self, memory: Memory) -> str:
        """Return the text of a memory that is embedded: the text rule."""
        ...

    def embed(self, texts: Sequence[str]) -> FloatRows:
        """Return one row per text, of unit length or all zero where a text says nothing."""
        ...


@dataclass(frozen=True, slots=True)
class StoredRows:
    """Rows found for some memories, path -> row, and how many were of another content."""

    rows: Mapping[str, FloatRows]
    stale: int = 0


@runtime_checkable
class StoredVectors(Protocol):
    """Vectors that were made elsewhere and are looked up by path."""

    @property
    def identity(self) -> str:
        """What made them, as far as the file says."""
        ...

    @property
    def dimension(self) -> int:
        """Length of a row, 0 when there is none."""
        ...

    @property
    def floors(self) -> Floors | None:
        """Always None: floors of foreign vectors come from the config."""
        ...

    def lookup(self, memories: Sequence[Memory]) -> StoredRows:
        """Return the rows of these memories; what is absent or stale is left out."""
        ...


Embedder = TextEmbedder | StoredVectors
"""Either kind; `vectors.vectors_for` takes both."""
