"""One sync of a corpus at a time: two would deliver the same changes out of order."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from memsleep.sync.errors import SyncError
from memsleep.sync.folder import made

LOCK = "lock"


class SyncHeldError(SyncError):
    """Another sync is under way: exit 4."""

    exit_code = 4


@contextmanager
def one_sync(folder: Path) -> Iterator[None]:
    """Hold the sync of a corpus while the block runs; the lock dies with its process.

    Raises
    ------
    SyncHeldError
        `sync-held`.
    """
    with made(folder):
        flags = os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC
        handle = os.open(folder / LOCK, flags, 0o600)
        try:
            try:
                fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError as error:
                raise SyncHeldError(
                    "sync-held",
                    f"another sync of this corpus is under way: {folder}",
                    context=["nothing was fetched or delivered"],
                    hint="wait for it to end; the lock never outlives its process",
                ) from error
            yield
        finally:
            os.close(handle)
