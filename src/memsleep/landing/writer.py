"""The one module that writes memory files.

Every step from the root to a file is opened without following links, so that a symlink that is
swapped in during the run never leads out of the corpus. A file is replaced by exchanging names:
what was there comes back in our hands, and when it is not what we expected it goes back.
"""

from __future__ import annotations

import contextlib
import errno
import os
import stat
import unicodedata
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from memsleep.corpus.source import TOOL_FOLDERS
from memsleep.landing import renames
from memsleep.model import digest_bytes

_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_READ = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
_TURNS = 100
"""How often somebody may write between two exchanges before we let it be."""


class BlockedError(Exception):
    """A file that must not or cannot be written, and why. Becomes a rejection."""

    def __init__(self, path: str, reason: str) -> None:
        super().__init__(f"{path}: {reason}")
        self.path = path
        self.reason = reason


class ChangedError(Exception):
    """A file that somebody else wrote meanwhile; what they wrote is where they wrote it."""

    def __init__(self, path: str) -> None:
        super().__init__(path)
        self.path = path


class Writer:
    """Changes files below one folder, and nothing else. A context manager."""

    def __init__(self, root: Path) -> None:
        self._root = os.open(root, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)

    def __enter__(self) -> Writer:
        return self

    def __exit__(self, *_: object) -> None:
        os.close(self._root)

    # Looking ----------------------------------------------------------------------------------

    def read(self, path: str) -> bytes | None:
        """Return the bytes of a file, None when nothing is there.

        Raises
        ------
        BlockedError
            For what is no regular file, or lies behind a link.
        """
        try:
            with self._folder_of(path) as (folder, name):
                return self._read(folder, name, path)
        except FileNotFoundError:
            return None

    def _read(self, folder: int, name: bytes, path: str) -> bytes | None:
        try:
            handle = os.open(name, _READ, dir_fd=folder)
        except FileNotFoundError:
            return None
        except OSError as error:
            raise BlockedError(path, _why(error)) from error
        with os.fdopen(handle, "rb") as stream:
            if not stat.S_ISREG(os.fstat(handle).st_mode):
                raise BlockedError(path, "it is no regular file")
            return stream.read()

    def obstacle(self, path: str) -> str:
        """Say why a file must not be written; empty when it may be."""
        try:
            with self._folder_of(path) as (folder, name):
                return self._obstacle(folder, name)
        except FileNotFoundError:
            return self._collision_above(path)
        except BlockedError as error:
            return error.reason

    def _obstacle(self, folder: int, name: bytes) -> str:
        try:
            status = os.stat(name, dir_fd=folder, follow_symlinks=False)
        except FileNotFoundError:
            return _collision(folder, name) or _closed(folder)
        if not stat.S_ISREG(status.st_mode):
            return "it is no regular file"
        writable = os.access(name, os.W_OK, dir_fd=folder, follow_symlinks=False)
        if not status.st_mode & 0o222 or not writable:
            return "it is read-only"
        return _closed(folder)

    def _collision_above(self, path: str) -> str:
        """Say which folder that exists a new one would differ from only by case or form."""
        parts = steps_of(path)
        for depth in range(1, len(parts)):
            above = "/".join(parts[:depth])
            try:
                with self._folder_of(above) as (folder, name):
                    if not os.access(name, os.F_OK, dir_fd=folder, follow_symlinks=False):
                        return _collision(folder, name)
            except (FileNotFoundError, BlockedError):
                return ""
        return ""

    # Staging ----------------------------------------------------------------------------------

    def make_folders(self, path: str) -> list[str]:
        """Make the folders of a file; return those that were not there, the outer one first."""
        parts, made = steps_of(path)[:-1], []
        for depth in range(1, len(parts) + 1):
            folder = "/".join(parts[:depth])
            with self._folder_of(folder) as (above, name):
                try:
                    os.mkdir(name, dir_fd=above)
                except FileExistsError:
                    continue
                os.fsync(above)
                made.append(folder)
        return made

    def missing_folders(self, path: str) -> list[str]:
        """Return the folders of a file that are not there, the outer one first."""
        parts = steps_of(path)[:-1]
        folders = ["/".join(parts[:depth]) for depth in range(1, len(parts) + 1)]
        return [folder for folder in folders if not self._is_there(folder)]

    def _is_there(self, path: str) -> bool:
        try:
            with self._folder_of(path) as (folder, name):
                os.stat(name, dir_fd=folder, follow_symlinks=False)
        except FileNotFoundError:
            return False
        return True

    def remove_folder(self, path: str) -> None:
        """Take a folder away if it is empty."""
        with contextlib.suppress(OSError, BlockedError), self._folder_of(path) as (above, name):
            os.rmdir(name, dir_fd=above)

    def stage(self, path: str, temp: str, data: bytes, like: str | None) -> None:
        """Write the bytes that a file shall have beside it, on disk, with mode and owner kept.

        `like` is the file whose mode, owner and attributes it takes over.
        """
        with self._folder_of(path) as (folder, _):
            handle = os.open(os.fsencode(temp), _NEW, 0o666, dir_fd=folder)
            with os.fdopen(handle, "wb") as stream:
                stream.write(data)
                stream.flush()
                if like is not None:
                    self._take_after(handle, like)
                os.fsync(handle)

    def _take_after(self, handle: int, like: str) -> None:
        with self._folder_of(like) as (folder, name):
            model = os.open(name, _READ, dir_fd=folder)
            try:
                status, own = os.fstat(model), os.fstat(handle)
                if (status.st_uid, status.st_gid) != (own.st_uid, own.st_gid):
                    try:
                        os.fchown(handle, status.st_uid, status.st_gid)
                    except PermissionError as error:
                        raise BlockedError(like, "its owner could not be kept") from error
                os.fchmod(handle, stat.S_IMODE(status.st_mode))
                _copy_attributes(model, handle)
            finally:
                os.close(model)

    def discard(self, path: str, temp: str) -> None:
        """Take away what was staged beside a file."""
        with contextlib.suppress(FileNotFoundError), self._folder_of(path) as (folder, _):
            os.unlink(os.fsencode(temp), dir_fd=folder)

    def delete(self, path: str) -> bool:
        """Forget a file for good; False when nothing is there, or it lies behind a link."""
        with (
            contextlib.suppress(FileNotFoundError, BlockedError),
            self._folder_of(path) as (folder, name),
        ):
            os.unlink(name, dir_fd=folder)
            return True
        return False

    def staged(self, path: str, temp: str) -> bytes | None:
        """Return what lies beside a file under a temporary name."""
        try:
            with self._folder_of(path) as (folder, _):
                renames.finish_exchange(folder, os.fsencode(temp))
                return self._read(folder, os.fsencode(temp), path)
        except FileNotFoundError:
            return None

    # Changing ---------------------------------------------------------------------------------

    def replace(self, path: str, temp: str, expected: str) -> None:
        """Put the staged bytes in place of a file; what was there lies under `temp` then.

        Raises
        ------
        ChangedError
            When the file's digest is not the expected one; it is as it was.
        """
        with self._folder_of(path) as (folder, name):
            part = os.fsencode(temp)
            try:
                renames.exchange(folder, part, name)
            except FileNotFoundError as error:
                raise ChangedError(path) from error
            if self._digest(folder, part, path) != expected:
                self._give_back(folder, part, name, path)
                raise ChangedError(path)

    def restore(self, path: str, temp: str) -> bool:
        """Take a replacement back; False when somebody wrote the file since, and that stays."""
        with self._folder_of(path) as (folder, name):
            return self._give_back(folder, os.fsencode(temp), name, path)

    def _give_back(self, folder: int, part: bytes, name: bytes, path: str) -> bool:
        """Exchange until what comes out is what we had put in: then the newest write is in.

        Returns True when that is what we held at first.
        """
        held, put = self._digest(folder, part, path), self._digest(folder, name, path)
        for turn in range(_TURNS):
            renames.exchange(folder, part, name)
            out = self._digest(folder, part, path)
            if out == put:
                return turn == 0
            held, put = out, held
        return False

    def create(self, path: str, temp: str) -> None:
        """Give the staged bytes a name that nobody has; ChangedError when somebody has it."""
        with self._folder_of(path) as (folder, name):
            try:
                renames.move(folder, os.fsencode(temp), name)
            except FileExistsError as error:
                raise ChangedError(path) from error

    def remove(self, path: str, temp: str, expected: str) -> None:
        """Take a file's name away; its bytes lie under `temp` then.

        Raises
        ------
        ChangedError
            When the file is gone or its digest is not the expected one; it is as it was.
        """
        with self._folder_of(path) as (folder, name):
            part = os.fsencode(temp)
            try:
                renames.move(folder, name, part)
            except FileNotFoundError as error:
                raise ChangedError(path) from error
            if self._digest(folder, part, path) != expected:
                with contextlib.suppress(FileExistsError):  # a newer write took the name
                    renames.move(folder, part, name)
                raise ChangedError(path)

    def put_back(self, path: str, temp: str) -> bool:
        """Give what lies under `temp` its name again; False when somebody took the name."""
        with self._folder_of(path) as (folder, name):
            try:
                renames.move(folder, os.fsencode(temp), name)
            except FileExistsError:
                return False
        return True

    def sync(self, path: str) -> None:
        """Have the names of a file's folder on disk."""
        with contextlib.suppress(FileNotFoundError), self._folder_of(path) as (folder, _):
            os.fsync(folder)

    def _digest(self, folder: int, name: bytes, path: str) -> str | None:
        try:
            data = self._read(folder, name, path)
        except BlockedError:
            return None
        return None if data is None else digest_bytes(data)

    @contextmanager
    def _folder_of(self, path: str) -> Iterator[tuple[int, bytes]]:
        """Open the folder of a path, step by step, and give it with the last name."""
        *above, last = [part.encode("utf-8") for part in steps_of(path)]
        current = os.dup(self._root)
        try:
            for step in above:
                try:
                    inner = os.open(step, _FOLDER, dir_fd=current)
                except OSError as error:
                    if error.errno in (errno.ELOOP, errno.ENOTDIR):
                        reason = "it lies behind a symlink, or behind what is no folder"
                        raise BlockedError(path, reason) from error
                    raise
                os.close(current)
                current = inner
            yield current, last
        finally:
            os.close(current)


def steps_of(path: str) -> list[str]:
    """Return the steps of a path that stays below the root and out of programs' folders.

    Raises
    ------
    BlockedError
        For any other path. Letters count in either case, since some file systems do not tell them.
    """
    parts = path.split("/")
    if "\0" in path or any(part in ("", ".", "..") for part in parts):
        raise BlockedError(path, "its name leads out of the corpus")
    if any(part.casefold() in TOOL_FOLDERS for part in parts):
        raise BlockedError(path, "it lies in the folder of a program")
    return parts


def _closed(folder: int) -> str:
    writable = os.access(".", os.W_OK | os.X_OK, dir_fd=folder)
    return "" if writable else "its folder is read-only"


def _collision(folder: int, name: bytes) -> str:
    wanted = _folded(name)
    for there in os.listdir(folder):
        if os.fsencode(there) != name and _folded(os.fsencode(there)) == wanted:
            return f"it would differ from {there} only by case or form"
    return ""


def _folded(name: bytes) -> str:
    return unicodedata.normalize("NFC", name.decode("utf-8", "surrogateescape").casefold())


def _why(error: OSError) -> str:
    if error.errno == errno.ELOOP:
        return "it is a symlink"
    return "it cannot be read" if error.errno != errno.ENXIO else "it is no regular file"


def _copy_attributes(source: int, target: int) -> None:
    """Copy extended attributes as far as the system lets us; they are no part of the bytes."""
    if not hasattr(os, "listxattr"):
        return
    with contextlib.suppress(OSError):
        for name in os.listxattr(source):
            with contextlib.suppress(OSError):
                os.setxattr(target, name, os.getxattr(source, name))
