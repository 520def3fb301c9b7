"""A folder for copies that is never inside the corpus, wherever the corpus lies.

`tempfile` would write a probe into the folder that the environment names before it could be asked
whether that lies in the corpus.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import shutil
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from memsleep.errors import StateError

USUAL = ("/tmp", "/var/tmp", "/dev/shm")  # noqa: S108 (the folder made there is private)

_PREFIX = "memsleep-"
_MARK = ".memsleep-scratch"
_MARKED = b"Copies of one night; whoever finds nobody to hold this folder may remove it.\n"


@contextmanager
def scratch_folder(corpus: Path) -> Iterator[Path]:
    """Give a private folder outside the corpus, and take it away at the end.

    Raises
    ------
    StateError
        `no-scratch-folder` when every place for temporary files lies in the corpus or refuses.
    """
    for place in places_outside(corpus, os.environ):
        remove_left(place)
        try:
            made = tempfile.TemporaryDirectory(prefix=_PREFIX, dir=place)
        except OSError:
            continue
        with made as folder, _held(Path(folder)):
            yield Path(folder)
        return
    raise StateError(
        "no-scratch-folder",
        "expected a place for temporary files outside the corpus, found none",
        context=["nothing was read"],
        hint="TMPDIR=DIR memsleep ..., with a folder that is not in the corpus",
    )


def remove_left(place: Path) -> None:
    """Remove what killed processes of this user left there: copies quote what memories say.

    Only folders with our mark, and with the lock that each holds as long as its process lives.
    """
    for folder in sorted(place.glob(f"{_PREFIX}*")):
        with contextlib.suppress(OSError), _opened(folder) as handle:
            mine = os.fstat(handle).st_uid == os.geteuid()
            if mine and _is_marked(folder):
                fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
                shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def _held(folder: Path) -> Iterator[None]:
    """Hold a new folder; it is marked only then, so that nobody takes it for one that was left."""
    with _opened(folder) as handle:
        with contextlib.suppress(OSError):  # no locks there: it stays unmarked
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            (folder / _MARK).write_bytes(_MARKED)
        yield


@contextmanager
def _opened(folder: Path) -> Iterator[int]:
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC)
    try:
        yield handle
    finally:
        os.close(handle)


def _is_marked(folder: Path) -> bool:
    mark = folder / _MARK
    return mark.is_file() and not mark.is_symlink() and mark.read_bytes() == _MARKED


def places_outside(corpus: Path | None, environ: Mapping[str, str]) -> Iterator[Path]:
    """Yield the folders for temporary files that exist and do not lie in the corpus."""
    named = [environ[name] for name in ("TMPDIR", "TEMP", "TMP") if environ.get(name)]
    root = None if corpus is None else corpus.resolve()
    for place in dict.fromkeys((*named, *USUAL)):
        folder = Path(place)
        if not folder.is_absolute() or not folder.is_dir():
            continue
        if root is None or not folder.resolve().is_relative_to(root):
            yield folder
