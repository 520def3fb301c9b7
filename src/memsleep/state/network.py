"""Folders in which a database is not safe: network file systems and synchronised folders.

Their locks do not work across machines, and a copy that is taken in the middle of a write is no
database.
"""

from __future__ import annotations

import re
from pathlib import Path, PurePosixPath

from memsleep.errors import StateError

NETWORK_TYPES = frozenset(
    {
        "9p",
        "acfs",
        "afs",
        "beegfs",
        "ceph",
        "cifs",
        "coda",
        "davfs",
        "drvfs",
        "gfs2",
        "glusterfs",
        "gpfs",
        "lustre",
        "ncpfs",
        "nfs",
        "nfs4",
        "ocfs2",
        "orangefs",
        "smb3",
        "smbfs",
        "virtiofs",
    }
)
"""File system types of other machines, as the kernel names them."""

LOCAL_FUSE_TYPES = frozenset(
    {
        "fuse.bindfs",
        "fuse.cryfs",
        "fuse.encfs",
        "fuse.fuse-overlayfs",
        "fuse.gocryptfs",
        "fuse.lxcfs",
        "fuse.mergerfs",
        "fuse.ntfs-3g",
        "fuse.unionfs",
        "fuse.veracrypt",
    }
)
"""FUSE file systems over local disks; every other `fuse.*` is taken to be remote."""

SYNC_FOLDERS = re.compile(
    r"(dropbox|onedrive|google ?drive|icloud ?drive|mobile documents|nextcloud|owncloud|pcloud"
    r"|box sync|megasync)( .*)?\Z",
    re.IGNORECASE,
)
"""Names that synchronising programs give their folders, with a company's name behind them."""

_ESCAPE = re.compile(r"\\([0-7]{3})")
_MOUNTS = Path("/proc/mounts")


def unsafe_folder(path: str, mounts: str) -> str | None:
    """Return why no database may lie in a folder, None where it may.

    Parameters
    ----------
    path : str
        Absolute path without symbolic links.
    mounts : str
        Lines of `/proc/mounts`: device, mount point, type, options.
    """
    for part in PurePosixPath(path).parts:
        if SYNC_FOLDERS.match(part):
            return f"a synchronised folder ({part})"
    kind = _filesystem(path, mounts)
    if kind in NETWORK_TYPES or (kind.startswith("fuse.") and kind not in LOCAL_FUSE_TYPES):
        return f"a network file system ({kind})"
    return None


def refuse_network_folder(folder: Path) -> None:
    """Raise where a database must not lie.

    Raises
    ------
    StateError
        `state-on-network`, with the `--state-dir` line to paste.
    """
    real = folder.resolve()
    try:
        mounts = _MOUNTS.read_bytes().decode("utf-8", "surrogateescape")
    except OSError:  # another system: only names can be judged
        mounts = ""
    reason = unsafe_folder(real.as_posix(), mounts)
    if reason is not None:
        raise StateError(
            "state-on-network",
            f"the state would lie in {reason}: {folder}",
            context=("locks do not hold there; nothing was written",),
            hint='pass --state-dir "$HOME/.local/state/memsleep"',
        )


def _filesystem(path: str, mounts: str) -> str:
    """Return the type of the file system that a path lies on; the last mount of a point counts."""
    best, kind = -1, ""
    for line in mounts.split("\n"):
        fields = line.split(" ")
        if len(fields) < 3:
            continue
        point = _ESCAPE.sub(lambda match: chr(int(match.group(1), 8)), fields[1])
        if _below(path, point) and len(point) >= best:
            best, kind = len(point), fields[2]
    return kind


def _below(path: str, point: str) -> bool:
    return path == point or path.startswith(point.rstrip("/") + "/")
