"""The embedder that a config names."""

from __future__ import annotations

from pathlib import Path

from memsleep.embedders.base import Embedder
from memsleep.errors import ConfigError


def embedder_named(name: str, *, path: Path | None = None, scratch: Path | None = None) -> Embedder:
    """Return the embedder of a name; imports only what it needs.

    Parameters
    ----------
    name : str
        `hashgram`, `none` or `file`.
    path, scratch : Path or None
        For `file`: the npz or index database, and a folder outside the corpus for a copy of it.
    """
    if name == "hashgram":
        from memsleep.embedders.hashgram import Hashgram

        return Hashgram()
    if name == "none":
        from memsleep.embedders.none import NoVectors

        return NoVectors()
    if name != "file":
        raise ConfigError(
            "unknown-embedder",
            f"expected hashgram, none or file, found {name!r}",
            hint='set [embedder] name = "hashgram"',
        )
    if path is None or scratch is None:
        raise ConfigError(
            "vectors-path-missing",
            "the file embedder needs a path, found none",
            hint="set [embedder] path to an .npz or to .memhtml/index.db",
        )
    from memsleep.embedders.file import open_vector_file

    return open_vector_file(path, scratch)
