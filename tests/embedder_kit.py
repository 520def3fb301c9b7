"""Memories and vector files for the tests of the embedders."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from memsleep.model import Memory

INDEX_TABLES = """
    CREATE TABLE files (path TEXT PRIMARY KEY, content_hash TEXT NOT NULL);
    CREATE TABLE chunks (chunk_id TEXT PRIMARY KEY, path TEXT, content_hash TEXT,
        ordinal INTEGER, text TEXT, char_count INTEGER);
    CREATE TABLE embeddings (chunk_id TEXT, model TEXT, dim INTEGER, vec BLOB, created_at TEXT,
        PRIMARY KEY (chunk_id, model));
"""


def memory(path: str, body: str = "Body text", *, gist: str = "", content: str = "c") -> Memory:
    """Return a memory of which an embedder needs no more than this."""
    return Memory(
        path=path,
        dialect="markdown",
        type="semantic",
        title="",
        gist=gist,
        body=body,
        word_count=len(body.split()),
        digest=f"digest-{content}",
        content_hash=f"sha256:{content}",
    )


Chunk = tuple[str, str, int, str, int, bytes]


def write_index(path: Path, chunks: Sequence[Chunk]) -> Path:
    """Write a memhtml index: (path, content hash, ordinal, model, dim, vector bytes)."""
    connection = sqlite3.connect(path)
    connection.executescript(INDEX_TABLES)
    for number, (name, content_hash, ordinal, model, dim, vector) in enumerate(chunks):
        connection.execute(
            "INSERT INTO chunks VALUES (?, ?, ?, ?, '', 0)",
            (f"chunk-{number}", name, content_hash, ordinal),
        )
        connection.execute(
            "INSERT INTO embeddings VALUES (?, ?, ?, ?, '')",
            (f"chunk-{number}", model, dim, vector),
        )
    connection.commit()
    connection.close()
    return path


def row_bytes(*values: float) -> bytes:
    """Return a vector as the index stores it."""
    return np.array(values, "<f4").tobytes()
