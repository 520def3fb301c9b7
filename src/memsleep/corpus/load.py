"""Load a corpus: list, read, tell memories from the rest, parse, flag, resolve links."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from memsleep.corpus.detect import Detection
from memsleep.corpus.source import SourceKind
from memsleep.model import Link, Memory, Problem, Unreadable


@dataclass(frozen=True, slots=True)
class LoadedCorpus:
    """Everything a night knows of the files. Every mapping is in path order."""

    memories: Mapping[str, Memory]
    files: Mapping[str, bytes]
    """Path -> bytes of every memory and of every protected file whose links are read."""
    references: Mapping[str, tuple[Link, ...]]
    """Protected file that is no memory (index page, README) -> its links, resolved."""
    unreadable: tuple[Unreadable, ...]
    problems: tuple[Problem, ...]
    left_out: Mapping[str, int]
    """Cause -> how many names were left out for it."""
    taken: frozenset[str]
    """Every path that exists in the corpus: none may be written over."""
    source_kind: SourceKind
    source_reason: str
    """Why the files were read from there, in words."""
    commit: str | None
    """The commit that was read; None for a folder."""
    detection: Detection
    digest: str
    """Digest of `files`, see `corpus_digest`."""
