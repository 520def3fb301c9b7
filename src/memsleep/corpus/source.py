"""Where the bytes of a corpus come from: the protocol of a source and its values.

Paths are text below the corpus root, `/`-separated, decoded from UTF-8. A name that is not UTF-8
never becomes a path: it is counted, named with its bytes escaped, and left alone.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Literal, Protocol

from memsleep.giterrors import shown
from memsleep.gitrepo import Repository
from memsleep.model import EMPTY, Problem

SourceKind = Literal["git", "folder"]
FileKind = Literal["file", "symlink", "submodule", "special"]

TEXT_SUFFIXES = (".md", ".markdown", ".html")
"""Endings, in small letters, of the names whose bytes are read."""
CORPUS = "."
"""Path of a problem that concerns the corpus as a whole."""
NO_COUNTS: Mapping[str, int] = MappingProxyType({})

BUILD_FOLDERS = frozenset(
    {".venv", "__pycache__", "build", "dist", "node_modules", "site-packages", "target", "venv"}
)
"""Folders of what programs make or fetch: never entered, tracked by git or not."""
TOOL_FOLDERS = frozenset(
    {".git", ".github", ".gitlab", ".idea", ".memhtml", ".memsleep", ".obsidian", ".trash",
     ".vscode"}
)  # fmt: skip
"""Hidden folders that belong to a program, never entered even where git tracks what is in them."""


@dataclass(frozen=True, slots=True)
class FileEntry:
    """One name in the corpus."""

    path: str
    size: int
    """Bytes; -1 where the source was not asked or cannot say (a missing object)."""
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

    @property
    def repository(self) -> Repository | None:
        """Return the repository whose work tree holds the corpus, tracked or not."""
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


@dataclass(slots=True)
class Notes:
    """What a listing gathers on its way: files, counts, problems, taken paths."""

    files: list[FileEntry] = field(default_factory=list)
    counts: Counter[str] = field(default_factory=Counter)
    problems: list[Problem] = field(default_factory=list)
    taken: set[str] = field(default_factory=set)

    def leave(self, path: str, cause: str, code: str = "", message: str = "") -> None:
        """Count a name that is left out, and name it where there is something to say."""
        self.taken.add(path)
        self.counts[cause] += 1
        if code:
            self.problems.append(Problem(path, None, code, message))

    def name(self, raw: bytes) -> str | None:
        """Return a name as a path, or note that it is not UTF-8 and return None."""
        try:
            return raw.decode("utf-8")
        except UnicodeDecodeError:
            self.leave(
                shown(raw), "name is not UTF-8", "name-not-utf-8",
                "expected a name in UTF-8, found other bytes; left alone",
            )  # fmt: skip
            return None

    def listing(self, read_only: Mapping[str, str] = EMPTY) -> Listing:
        """Return what was gathered, in an order that does not depend on the disk."""
        return Listing(
            files=tuple(sorted(self.files, key=lambda entry: entry.path)),
            left_out=dict(sorted(self.counts.items())),
            problems=tuple(sorted(self.problems, key=lambda p: (p.path, p.code, p.message))),
            taken=frozenset(self.taken),
            read_only=dict(sorted(read_only.items())),
        )


def is_text_name(path: str) -> bool:
    """Return True for a name whose bytes may hold a memory or links to one."""
    return path.lower().endswith(TEXT_SUFFIXES)


def folder_cause(path: str) -> str:
    """Say why no file below some folder of a path is read; empty when one may be."""
    folders = path.split("/")[:-1]
    if any(folder in TOOL_FOLDERS for folder in folders):
        return "folder of a program"
    built = any(folder in BUILD_FOLDERS for folder in folders)
    return "build or dependency folder" if built else ""


def folders_above(paths: set[str]) -> set[str]:
    """Return every folder that one of the paths lies in."""
    found: set[str] = set()
    for path in paths:
        folder = path.rpartition("/")[0]
        while folder and folder not in found:
            found.add(folder)
            folder = folder.rpartition("/")[0]
    return found
