"""Renames that lose nothing: exchange two names, or move one where none is.

Linux has both as one call. Elsewhere, and on file systems without them, hard links stand in:
the same result, with an instant between in which a third writer of the same name is overwritten.
"""

from __future__ import annotations

import contextlib
import ctypes
import errno
import os
from collections.abc import Callable

_NOREPLACE, _EXCHANGE = 1, 2
_UNSUPPORTED = {errno.ENOSYS, errno.EINVAL, errno.ENOTSUP, errno.EOPNOTSUPP}
SPARE = ".old"
"""Ending of the name that stands in while an exchange is emulated."""

_Call = Callable[[int, bytes, int, bytes, int], int]


def _renameat2() -> _Call | None:
    try:
        call: _Call = ctypes.CDLL(None, use_errno=True).renameat2
    except (AttributeError, OSError, TypeError):
        return None
    call.argtypes = (  # type: ignore[attr-defined]
        ctypes.c_int, ctypes.c_char_p, ctypes.c_int, ctypes.c_char_p, ctypes.c_uint,
    )  # fmt: skip
    return call


_CALL = _renameat2()


def exchange(folder: int, one: bytes, other: bytes) -> None:
    """Swap two names of a folder; both must exist."""
    if not _call(folder, one, folder, other, _EXCHANGE):
        spare = one + SPARE.encode()
        os.link(other, spare, src_dir_fd=folder, dst_dir_fd=folder, follow_symlinks=False)
        os.rename(one, other, src_dir_fd=folder, dst_dir_fd=folder)
        os.rename(spare, one, src_dir_fd=folder, dst_dir_fd=folder)


def move(folder: int, old: bytes, new: bytes) -> None:
    """Rename within a folder; FileExistsError when the new name is taken."""
    if not _call(folder, old, folder, new, _NOREPLACE):
        os.link(old, new, src_dir_fd=folder, dst_dir_fd=folder, follow_symlinks=False)
        os.unlink(old, dir_fd=folder)


def finish_exchange(folder: int, one: bytes) -> None:
    """Finish an emulated exchange that was killed: give the spare name back."""
    spare = one + SPARE.encode()
    with contextlib.suppress(FileNotFoundError):
        with contextlib.suppress(FileExistsError):  # it was killed before the exchange
            os.link(spare, one, src_dir_fd=folder, dst_dir_fd=folder, follow_symlinks=False)
        os.unlink(spare, dir_fd=folder)


def _call(old_folder: int, old: bytes, new_folder: int, new: bytes, flags: int) -> bool:
    """Return False when the system or the file system cannot do this in one call."""
    if _CALL is None or _CALL(old_folder, old, new_folder, new, flags) == 0:
        return _CALL is not None
    number = ctypes.get_errno()
    if number in _UNSUPPORTED:
        return False
    raise OSError(number, os.strerror(number), os.fsdecode(new))
