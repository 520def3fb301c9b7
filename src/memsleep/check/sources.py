"""Where a check reads from: the work tree as git sees it, the index, or a commit.

All three give the same names for the same content, so that two checks can be compared: whatever
git tracks, and in the work tree also what it does not ignore. Bytes of the work tree are read as
they lie on disk; no filter is run.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from memsleep.corpus.folder import read_file
from memsleep.corpus.source import (
    FileEntry,
    Listing,
    Notes,
    SourceKind,
    folder_cause,
    folders_above,
    is_text_name,
)
from memsleep.gitrepo import Repository, TreeEntry
from memsleep.model import Problem

MISSING_OBJECT = "the repository lacks its object, or it is damaged (git fsck tells)"


@dataclass(slots=True)
class BlobSource:
    """Files whose bytes git keeps: a commit's tree, or the index."""

    repository: Repository
    entries: Callable[[], tuple[TreeEntry, ...]]
    reason: str
    oids: dict[str, str] = field(default_factory=dict, repr=False)
    """Path -> blob, once the source was listed."""

    @property
    def kind(self) -> SourceKind:
        """Bytes come from git."""
        return "git"

    @property
    def commit(self) -> str | None:
        """No commit stands for it as a whole."""
        return None

    def listing(self) -> Listing:
        """List every name; symlinks and submodules are named and left alone."""
        notes = Notes()
        for entry in self.entries():
            path = notes.name(entry.path)
            if path is None or not _is_file(path, entry.kind, notes):
                continue
            notes.taken.add(path)
            self.oids[path] = entry.oid
            if not folder_cause(path):
                notes.files.append(FileEntry(path, -1, entry.mode, "file"))
        notes.taken |= folders_above(notes.taken)
        return notes.listing()

    def read_many(self, paths: Sequence[str]) -> Iterator[tuple[str, bytes | Problem]]:
        """Give the bytes of each path, in the order asked."""
        blobs = self.repository.blobs([self.oids[path] for path in paths if path in self.oids])
        for path in paths:
            data = next(blobs) if path in self.oids else None
            yield (
                path,
                Problem(path, None, "object-missing", MISSING_OBJECT) if data is None else data,
            )

    def being_edited(self, path: str, source: bytes) -> str:  # noqa: ARG002 (protocol)
        """Say nothing: nobody edits what git keeps."""
        return ""


@dataclass(frozen=True, slots=True)
class WorkTreeSource:
    """The files of a work tree that git tracks or does not ignore, as they lie on disk."""

    repository: Repository
    reason: str = "the work tree, as git sees it"

    @property
    def kind(self) -> SourceKind:
        """Bytes come from the folder."""
        return "folder"

    @property
    def commit(self) -> str | None:
        """A work tree is no commit."""
        return None

    @property
    def root(self) -> bytes:
        """The corpus folder."""
        return b"/".join((self.repository.toplevel, self.repository.prefix)).rstrip(b"/")

    def listing(self) -> Listing:
        """List every name that is there."""
        notes = Notes()
        for entry in self.repository.index():
            raw = entry.path
            if raw.endswith(b"/"):
                self._note_folder(raw.rstrip(b"/"), notes)
                continue
            path = notes.name(raw)
            if path is not None and path not in notes.taken:
                self._note(path, raw, notes)
        notes.taken |= folders_above(notes.taken)
        return notes.listing()

    def read_many(self, paths: Sequence[str]) -> Iterator[tuple[str, bytes | Problem]]:
        """Give the bytes of each path, in the order asked."""
        for path in paths:
            yield path, read_file(self.root, path)

    def being_edited(self, path: str, source: bytes) -> str:  # noqa: ARG002 (protocol)
        """Say nothing: a work tree is there to be edited."""
        return ""

    def _note_folder(self, raw: bytes, notes: Notes) -> None:
        path = notes.name(raw)
        if path is not None:
            message = "a repository of its own inside the corpus; left alone"
            notes.leave(path, "nested repository", "nested-repository", message)

    def _note(self, path: str, raw: bytes, notes: Notes) -> None:
        """Note one name; one that git tracks and that is gone is not there."""
        try:
            status = os.lstat(b"/".join((self.root, raw)))
        except OSError:
            return
        if stat.S_ISLNK(status.st_mode):
            _is_file(path, "symlink", notes)
        elif stat.S_ISDIR(status.st_mode):
            _is_file(path, "submodule", notes)
        elif stat.S_ISREG(status.st_mode):
            notes.taken.add(path)
            if not folder_cause(path):
                notes.files.append(FileEntry(path, status.st_size, status.st_mode, "file"))
        else:
            message = "a pipe, socket or device; left alone"
            notes.leave(path, "not a regular file", "special-file", message)


def _is_file(path: str, kind: str, notes: Notes) -> bool:
    """Return True for a file; name what is none, if it could be taken for a memory."""
    if kind == "file":
        return True
    told = is_text_name(path) if kind == "symlink" else True
    message = "a symlink; not followed" if kind == "symlink" else "a submodule; left alone"
    notes.leave(path, kind, kind if told else "", message)
    return False
