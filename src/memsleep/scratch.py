"""A folder for copies that is never inside the corpus, wherever the corpus lies.

`tempfile` would write a probe into the folder that the environment names before it could be asked
whether that lies in the corpus.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from memsleep.errors import StateError

USUAL = ("/tmp", "/var/tmp", "/dev/shm")  # noqa: S108 (the folder made there is private)


@contextmanager
def scratch_folder(corpus: Path) -> Iterator[Path]:
    """Give a private folder outside the corpus, and take it away at the end.

    Raises
    ------
    StateError
        `no-scratch-folder` when every place for temporary files lies in the corpus or refuses.
    """
    for place in places_outside(corpus, os.environ):
        try:
            made = tempfile.TemporaryDirectory(prefix="memsleep-", dir=place)
        except OSError:
            continue
        with made as folder:
            yield Path(folder)
        return
    raise StateError(
        "no-scratch-folder",
        "expected a place for temporary files outside the corpus, found none",
        context=["nothing was read"],
        hint="TMPDIR=DIR memsleep ..., with a folder that is not in the corpus",
    )


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
