"""One writer per corpus: a lock that dies with its process, whatever kills it.

The lock is the kernel's (`flock`) on the corpus folder itself: no file is needed, two paths to
one folder are one lock, and every user who may read the folder sees it. Beside it, in the folder
of the state, stands who holds it, for people.
"""

from __future__ import annotations

import errno
import fcntl
import json
import os
import socket
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

from memsleep.errors import MemsleepError, StateError
from memsleep.landing.place import Place
from memsleep.state.network import refuse_network_folder

_BOOT = Path("/proc/sys/kernel/random/boot_id")
_NO_FOLDER_LOCKS = {errno.EBADF, errno.EINVAL, errno.ENOLCK, errno.ENOTSUP, errno.EISDIR}
# Who only asks whether it is held (`is_held`) has the lock for an instant: no reason to give up.
_TRIES, _WAIT_SECONDS = 5, 0.02


class LockHeldError(MemsleepError):
    """Another run holds the corpus: exit 4."""

    exit_code = 4


@contextmanager
def locked(place: Place, *, what: str, started_at: str, break_lock: bool = False) -> Iterator[None]:
    """Hold the corpus while the block runs.

    Parameters
    ----------
    what : str
        The command, told to whoever finds the lock held.
    break_lock : bool
        Take a lock that a process of another host left behind.

    Raises
    ------
    LockHeldError
        `lock-held`, naming the holder, or `lock-foreign-host`.
    StateError
        `state-read-only`, where nothing can be written beside the corpus, or `state-on-network`.
    """
    refuse_network_folder(place.folder)
    with ExitStack() as held:
        handle = os.open(place.corpus, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        held.callback(os.close, handle)
        _take(handle, place)
        info = _opened(place)
        held.callback(os.close, info)
        _take(info, place)  # where folders cannot be locked, and for those who know no better
        _refuse_other_host(info, place, break_lock)
        _write(info, {"what": what, "since": started_at, **_here()})
        held.callback(os.ftruncate, info, 0)
        yield


def is_held(place: Place) -> bool:
    """Return True while a process holds the corpus; nothing is made to find out."""
    return _is_locked(place.corpus, os.O_DIRECTORY) or _is_locked(place.lock, os.O_NOFOLLOW)


def _is_locked(path: Path, flags: int) -> bool:
    try:
        handle = os.open(path, os.O_RDONLY | os.O_CLOEXEC | flags)
    except OSError:
        return False
    try:
        fcntl.flock(handle, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    except OSError:
        return False  # a file system without such locks
    finally:
        os.close(handle)
    return False


def _opened(place: Place) -> int:
    try:
        place.prepare()
        return os.open(place.lock, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o666)
    except OSError as error:
        if error.errno not in (errno.EROFS, errno.EACCES, errno.EPERM):
            raise
        raise StateError(
            "state-read-only",
            f"nothing can be written in {place.folder}: {os.strerror(error.errno)}",
            context=["nothing was changed"],
            hint="pass --state-dir with a folder of yours, or propose only: memsleep run --dry-run",
        ) from error


def _take(handle: int, place: Place) -> None:
    for tries_left in reversed(range(_TRIES)):
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            if not tries_left:
                raise _held(place, handle) from error
            time.sleep(_WAIT_SECONDS)
        except OSError as error:
            if error.errno not in _NO_FOLDER_LOCKS:
                raise
            return
        else:
            return


def _here() -> dict[str, str | int]:
    boot = ""
    with suppress(OSError):
        boot = _BOOT.read_bytes().decode("ascii", "replace").strip()
    return {"host": socket.gethostname(), "pid": os.getpid(), "boot": boot}


def _refuse_other_host(info: int, place: Place, break_lock: bool) -> None:
    """Refuse what another host left: its kernel's lock may not reach us."""
    holder = _read(info)
    if holder.get("host", _here()["host"]) == _here()["host"] or break_lock:
        return
    raise LockHeldError(
        "lock-foreign-host",
        f"{_told(holder)} left its lock in {place.lock}",
        context=["nothing was changed"],
        hint="if it is no longer running there, pass --break-lock",
    )


def _held(place: Place, handle: int) -> LockHeldError:
    """Return the error that names the holder: as it says itself, else as the kernel says."""
    holder, by_kernel = _written(place), _by_kernel(handle)
    if by_kernel and holder.get("pid") != by_kernel["pid"]:
        holder = by_kernel  # what is written was left by a dead one
    return LockHeldError(
        "lock-held",
        f"{_told(holder)} holds {place.corpus}",
        context=["nothing was changed"],
        hint="wait for it to end; a lock never outlives its process",
    )


def _told(holder: dict[str, str | int]) -> str:
    who = f"process {holder['pid']}" if "pid" in holder else "another process"
    if "host" in holder:
        who += f" on {holder['host']}"
    if "what" in holder:
        who += f" ({holder['what']}, since {holder.get('since', '?')})"
    return who


def _by_kernel(handle: int) -> dict[str, str | int]:
    """Return the process that the kernel says holds a lock on an inode, where it says so."""
    inode = os.fstat(handle).st_ino
    with suppress(OSError):
        for line in Path("/proc/locks").read_bytes().decode("ascii", "replace").split("\n"):
            words = line.split()
            if len(words) > 5 and words[1] == "FLOCK" and words[5].endswith(f":{inode}"):
                return {"pid": int(words[4])}
    return {}


def _written(place: Place) -> dict[str, str | int]:
    with suppress(OSError):
        info = os.open(place.lock, os.O_RDONLY | os.O_CLOEXEC | os.O_NOFOLLOW)
        try:
            return _read(info)
        finally:
            os.close(info)
    return {}


def _read(info: int) -> dict[str, str | int]:
    try:
        value = json.loads(os.pread(info, 4096, 0))
    except ValueError:
        return {}
    return value if isinstance(value, dict) else {}


def _write(info: int, value: dict[str, str | int]) -> None:
    os.ftruncate(info, 0)
    os.pwrite(info, json.dumps(value).encode("ascii") + b"\n", 0)
