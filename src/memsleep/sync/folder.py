"""The files of a sync: whole or not at all, on disk when a call returns, links never followed."""

from __future__ import annotations

import errno
import fcntl
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from memsleep.landing.place import sync_folder
from memsleep.sync.errors import SyncError

PART = ".part"
_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_READ = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
_LOCK = os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC
_NO_FOLDER_LOCKS = {errno.EBADF, errno.EINVAL, errno.ENOLCK, errno.ENOTSUP, errno.EISDIR}
LOCK_NAME = ".lock"


class Folder:
    """An open folder; a context manager. Names are single steps below it."""

    def __init__(self, handle: int) -> None:
        self._handle = handle

    def __enter__(self) -> Folder:
        return self

    def __exit__(self, *_: object) -> None:
        os.close(self._handle)

    def names(self) -> list[str]:
        """Return all names, in order."""
        return sorted(os.listdir(self._handle))  # noqa: PTH208 (an open folder, no path)

    def read(self, name: str) -> bytes | None:
        """Return the bytes of a file; None for what is no regular file, a link above all.

        Raises
        ------
        FileNotFoundError
            When nothing is there.
        """
        try:
            handle = os.open(name, _READ, dir_fd=self._handle)
        except OSError as error:
            if error.errno in (errno.ELOOP, errno.ENXIO, errno.EACCES):
                return None
            raise
        if not stat.S_ISREG(os.fstat(handle).st_mode):
            os.close(handle)
            return None
        with os.fdopen(handle, "rb") as stream:
            return stream.read()

    def write(self, name: str, content: bytes) -> None:
        """Give a name its bytes: temporary name, flush, rename, flush of the folder."""
        part = f".{name}{PART}"
        self.discard(part)
        handle = os.open(part, _NEW, 0o600, dir_fd=self._handle)
        try:
            with os.fdopen(handle, "wb") as stream:
                stream.write(content)
                stream.flush()
                os.fsync(handle)
            os.rename(part, name, src_dir_fd=self._handle, dst_dir_fd=self._handle)
        except BaseException:
            self.discard(part)
            raise
        os.fsync(self._handle)

    def remove(self, name: str) -> None:
        """Take a name away, and have that on disk; nothing where it is gone already."""
        self.discard(name)
        os.fsync(self._handle)

    def discard(self, name: str) -> None:
        """Take a name away."""
        with suppress(FileNotFoundError):
            os.unlink(name, dir_fd=self._handle)

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Wait for the folder and hold it, against other processes and other threads too.

        The lock is the kernel's on the folder itself, so it dies with its process; where folders
        cannot be locked it is one on a file in it.
        """
        handle = os.open(".", _FOLDER, dir_fd=self._handle)
        try:
            try:
                fcntl.flock(handle, fcntl.LOCK_EX)
            except OSError as error:
                if error.errno not in _NO_FOLDER_LOCKS:
                    raise
                os.close(handle)
                handle = os.open(LOCK_NAME, _LOCK, 0o600, dir_fd=self._handle)
                fcntl.flock(handle, fcntl.LOCK_EX)
            yield
        finally:
            os.close(handle)


def existing(path: Path) -> Folder | None:
    """Open a folder, None when there is none.

    Raises
    ------
    SyncError
        `sync-folder-link`, when it is a link or no folder.
    """
    try:
        return Folder(os.open(path, _FOLDER))
    except FileNotFoundError:
        return None
    except OSError as error:
        if error.errno not in (errno.ELOOP, errno.ENOTDIR):
            raise
        raise SyncError(
            "sync-folder-link",
            f"expected a folder of memsleep's own, found a link or a file: {path}",
            context=["nothing was written"],
            hint="move it away; memsleep makes the folder itself",
        ) from error


def made(path: Path) -> Folder:
    """Open a folder, making it and those above it first.

    Raises
    ------
    SyncError
        `sync-folder-link`, when it is a link or no folder.
    """
    if not os.path.lexists(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        with suppress(FileExistsError):
            path.mkdir(mode=0o700)
        sync_folder(path.parent)
    found = existing(path)
    assert found is not None
    return found
