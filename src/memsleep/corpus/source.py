"""Where the bytes of a corpus come from: the protocol of a source and its values.

Paths are text below the corpus root, `/`-separated, decoded from UTF-8. A name that is not UTF-8
never becomes a path: it is counted, named with its bytes escaped, and left alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Literal, Protocol

from memsleep.model import EMPTY, Problem

SourceKind = Literal["git", "folder"]
FileKind = Literal["file", "symlink", "submodule", "special"]

NO_COUNTS: Mapping[str, int] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class FileEntry:
    """One name in the corpus."""

    path: str
    size: int
    """Bytes; -1 where the source cannot say (a missing object)."""
    mode: int
    """Mode bits as the source has them (a git mode, or `st_mode`)."""
    kind: FileKind


@dataclass(frozen=True, slots=True)
class Listing:
    """All that a source holds, in path order."""

    files: tuple[FileEntry, ...]
    """Regular files that may be read."""
    left_out: Mapping[str, int] = field(default_factory=lambda: NO_COUNTS)
    """Cause -> how many names (a folder that is not entered counts as one)."""
    problems: tuple[Problem, ...] = ()
    taken: frozenset[str] = frozenset()
    """Every path that exists, folders and names left out included."""
    read_only: Mapping[str, str] = field(default_factory=lambda: EMPTY)
    """Path -> why the source forbids an edit."""


class Source(Protocol):
    """A corpus as it stands at one moment."""

    @property
    def kind(self) -> SourceKind:
        """Say where the bytes come from."""
        ...

    @property
    def commit(self) -> str | None:
        """Full id of the commit that is read; None for a folder."""
        ...

    @property
    def reason(self) -> str:
        """Why this kind of source was chosen, in words for the report."""
        ...

    def listing(self) -> Listing:
        """List every name. What cannot be listed is a problem, never an exception."""
        ...

    def read_many(self, paths: Sequence[str]) -> Iterator[tuple[str, bytes | Problem]]:
        """Give the bytes of each path, in the order asked, or why there are none."""
        ...

    def being_edited(self, path: str, source: bytes) -> str:
        """Say why somebody seems to be editing the file; empty when nobody is.

        `source` is what `read_many` gave for the path.
        """
        ...


def decode_name(name: bytes) -> str | None:
    """Return a file name as text, None when it is not UTF-8."""
    try:
        return name.decode("utf-8")
    except UnicodeDecodeError:
        return None


def show_name(name: bytes) -> str:
    r"""Return a file name for a reader: bytes that are not UTF-8 stand as `\xNN`."""
    return name.decode("utf-8", "backslashreplace")
