"""Corpora of every dialect, for tests: from files to a snapshot, and back to a folder."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from corpus_kit import write
from memsleep.corpus.load import LoadedCorpus, load_corpus
from memsleep.landing.base import NO_VECTORS
from memsleep.model import Snapshot
from memsleep.settings import CorpusSettings

NOW = "2026-11-30T03:00:00Z"


def load(root: Path, **fields: Any) -> LoadedCorpus:
    """Load a corpus with these settings."""
    return load_corpus(root, CorpusSettings(**fields))


def snapshot_of(root: Path, files: Mapping[str, str | bytes], **fields: Any) -> Snapshot:
    """Write files and return the snapshot of a night's start, without vectors."""
    write(root, dict(files))
    corpus = load(root, **fields)
    return Snapshot(
        now=NOW,
        memories=corpus.memories,
        files=corpus.files,
        vectors=NO_VECTORS,
        references=corpus.references,
        taken=corpus.taken,
        page_dialects=corpus.page_dialects,
        locked=corpus.locked,
        archive_folder=corpus.detection.traits.archive,
    )


def real_files(snapshot: Snapshot) -> dict[str, bytes]:
    """Return the files of a snapshot that are files on disk."""
    return {p: data for p, data in snapshot.files.items() if not snapshot.is_entry(p)}
