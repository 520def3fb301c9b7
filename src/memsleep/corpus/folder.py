"""Read a corpus from the file system. Symlinks are never followed, nothing is ever written."""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from memsleep.corpus.source import (
    TOOL_FOLDERS,
    FileEntry,
    Listing,
    Notes,
    SourceKind,
    folder_cause,
)
from memsleep.gitrepo import Repository
from memsleep.model import ARCHIVE_FOLDERS, Problem

_FLAGS = os.O_RDONLY | os.O_CLOEXEC | os.O_NOFOLLOW | os.O_NONBLOCK
_REASONS = {
    errno.EACCES: ("permission-denied", "no permission to read it"),
    errno.EPERM: ("permission-denied", "no permission to read it"),
    errno.ENOENT: ("vanished", "it vanished while the corpus was read"),
    errno.ENOTDIR: ("vanished", "it vanished while the corpus was read"),
    errno.ELOOP: ("symlink", "it became a symlink while the corpus was read"),
}


@dataclass(frozen=True, slots=True)
class FolderSource:
    """The files of a folder as they lie on disk."""

    root: Path
    reason: str = "the folder was asked for"
    repository: Repository | None = None
    """The repository that holds the folder without tracking it: what it ignores is left out."""

    @property
    def kind(self) -> SourceKind:
        """Say where the bytes come from."""
        return "folder"

    @property
    def commit(self) -> str | None:
        """A folder has no commit."""
        return None

    def listing(self) -> Listing:
        """Walk the folder."""
        notes = Notes()
        inodes: dict[tuple[int, int], list[str]] = {}
        waiting = [b""]
        while waiting:
            waiting.extend(self._list_folder(waiting.pop(), notes, inodes))
        _leave_second_names(notes, inodes)
        self._leave_ignored(notes)
        return notes.listing(_first_names(inodes))

    def read_many(self, paths: Sequence[str]) -> Iterator[tuple[str, bytes | Problem]]:
        """Give the bytes of each path, in the order asked, or why there are none."""
        root = os.fsencode(self.root)
        for path in paths:
            yield path, read_file(root, path)

    def being_edited(self, path: str, source: bytes) -> str:  # noqa: ARG002 (protocol)
        """Nobody can be seen editing a folder."""
        return ""

    def _list_folder(
        self, folder: bytes, notes: Notes, inodes: dict[tuple[int, int], list[str]]
    ) -> list[bytes]:
        """Note every name of one folder and return the folders in it that are to be entered."""
        inner = []
        try:
            with os.scandir(b"/".join((os.fsencode(self.root), folder))) as entries:
                found = list(entries)
        except OSError as error:
            code, message = _why(error)
            path = notes.name(folder) or "."
            notes.leave(path, "folder that cannot be listed", code, f"{message}; folder left out")
            return []
        if folder and any(entry.name == b".git" for entry in found):
            path = notes.name(folder) or "."
            message = "a repository of its own inside the corpus; left alone"
            notes.leave(path, "nested repository", "nested-repository", message)
            return []
        for entry in found:
            raw = folder + b"/" + entry.name if folder else entry.name
            path_or_none = notes.name(raw)
            if path_or_none is not None and self._note(entry, path_or_none, notes, inodes):
                inner.append(raw)
        return inner

    def _note(
        self,
        entry: os.DirEntry[bytes],
        path: str,
        notes: Notes,
        inodes: dict[tuple[int, int], list[str]],
    ) -> bool:
        """Note one name; True for a folder that is to be entered."""
        try:
            status = entry.stat(follow_symlinks=False)
        except OSError as error:
            code, message = _why(error)
            notes.leave(path, "file that cannot be read", code, message)
            return False
        notes.taken.add(path)
        if stat.S_ISDIR(status.st_mode):
            cause = "" if path in ARCHIVE_FOLDERS else _skip_cause(path.rpartition("/")[2])
            if cause:
                notes.leave(path, cause)
            return not cause
        if stat.S_ISLNK(status.st_mode):
            notes.leave(path, "symlink", "symlink", "a symlink; not followed")
        elif stat.S_ISREG(status.st_mode):
            notes.files.append(FileEntry(path, status.st_size, status.st_mode, "file"))
            if status.st_nlink > 1:
                inodes.setdefault((status.st_dev, status.st_ino), []).append(path)
        else:
            message = "a pipe, socket or device; left alone"
            notes.leave(path, "not a regular file", "special-file", message)
        return False

    def _leave_ignored(self, notes: Notes) -> None:
        """Leave out what git ignores, unless it ignores the corpus as a whole."""
        if self.repository is None or self.repository.ignores_corpus():
            return
        asked = [entry.path.encode("utf-8") for entry in notes.files]
        ignored = {path.decode("utf-8") for path in self.repository.ignored(asked)}
        notes.files = [entry for entry in notes.files if entry.path not in ignored]
        for path in sorted(ignored):
            notes.leave(path, "ignored by git")


def read_file(root: bytes, path: str) -> bytes | Problem:
    """Return the bytes of one regular file, or why there are none.

    A file that changes while it is read is read once more; then it is given up, for half of an
    old and half of a new text is neither.
    """
    name = b"/".join((root, path.encode("utf-8")))
    try:
        for _ in range(2):
            data = _read_still(name)
            if data is not None:
                return data
    except OSError as error:
        return Problem(path, None, *_why(error))
    return Problem(path, None, "changing", "it changed while it was read; left for the next night")


def _read_still(name: bytes) -> bytes | None:
    """Read a file; None when it changed meanwhile. One that grows for ever does not hold us."""
    handle = os.open(name, _FLAGS)
    try:
        before = os.fstat(handle)
        if not stat.S_ISREG(before.st_mode):
            raise OSError(errno.ENOENT, "no longer a regular file")
        data = os.read(handle, before.st_size + 1)
        while len(data) < before.st_size:
            chunk = os.read(handle, before.st_size + 1 - len(data))
            if not chunk:
                break
            data += chunk
        after = os.fstat(handle)
    finally:
        os.close(handle)
    still = (before.st_size, before.st_mtime_ns) == (after.st_size, after.st_mtime_ns)
    return data if still and len(data) == before.st_size else None


def _skip_cause(name: str) -> str:
    """Say why a folder is not entered; empty when it is."""
    hidden = name.startswith(".") and name not in TOOL_FOLDERS
    return "hidden folder" if hidden else folder_cause(f"{name}/")


def _leave_second_names(notes: Notes, inodes: dict[tuple[int, int], list[str]]) -> None:
    """Keep one name of a file that has several: the first in path order."""
    second: dict[str, str] = {}
    for names in inodes.values():
        first, *others = sorted(names)
        second |= dict.fromkeys(others, first)
    notes.files = [entry for entry in notes.files if entry.path not in second]
    for path, first in sorted(second.items()):
        message = f"the same file as {first} (a hard link); read once"
        notes.leave(path, "second name of one file", "hard-link", message)


def _first_names(inodes: dict[tuple[int, int], list[str]]) -> dict[str, str]:
    """Forbid edits of a file with two names in the corpus: they would part it in two."""
    found = {}
    for names in inodes.values():
        first, *others = sorted(names)
        if others:
            found[first] = f"has a second name, {others[0]}, that an edit would part from it"
    return found


def _why(error: OSError) -> tuple[str, str]:
    """Return code and message of a problem. The system's words depend on the locale."""
    number = error.errno or 0
    default = ("unreadable", f"the system cannot read it ({errno.errorcode.get(number, 'error')})")
    return _REASONS.get(number, default)
