"""The log of a defect: where it happened, and nothing that a memory says."""

from __future__ import annotations

import os
import platform
import sys
import tempfile
import time
import traceback
from collections.abc import Iterator
from pathlib import Path

from memsleep import __version__
from memsleep.cli.paths import corpus_in_use, is_inside
from memsleep.scratch import places_outside


def write_crash_log(error: BaseException) -> Path | None:
    """Return the file that the traceback was written to, None when no folder takes one.

    Messages of exceptions are left out: they may quote a memory, and logs travel.
    """
    text = "\n".join(_head() + list(_frames(error))) + "\n"
    for folder in _folders():
        try:
            folder.mkdir(parents=True, exist_ok=True)
            return _written(folder, text.encode("utf-8", "backslashreplace"))
        except OSError:
            continue
    return None


def _folders() -> Iterator[Path]:
    """Yield the user's state folder, then the one for temporary files, if outside the corpus."""
    state_home = os.environ.get("XDG_STATE_HOME") or os.environ.get("LOCALAPPDATA")
    home = Path(state_home or os.path.expanduser("~/.local/state"))  # noqa: PTH111 (may be no user)
    corpus = corpus_in_use.get()
    logs = home / "memsleep" / "logs"
    if logs.is_absolute() and (corpus is None or not is_inside(logs, corpus)):
        yield logs
    yield from places_outside(corpus, os.environ)


def _written(folder: Path, content: bytes) -> Path:
    stamp = time.strftime("%Y%m%dT%H%M%SZ", time.gmtime())
    handle, name = tempfile.mkstemp(prefix=f"memsleep-{stamp}-", suffix=".log", dir=folder)
    with os.fdopen(handle, "wb") as stream:
        stream.write(content)
    return Path(name)


def _head() -> list[str]:
    return [
        f"memsleep {__version__}, Python {platform.python_version()}, {sys.platform}",
        f"arguments: {sys.argv[1:]!r}",
        "messages of exceptions are left out: they may quote a memory",
    ]


def _frames(error: BaseException) -> Iterator[str]:
    """Yield the tracebacks of an exception and its causes, the first cause first."""
    cause = error.__cause__ or (None if error.__suppress_context__ else error.__context__)
    if cause is not None:
        yield from _frames(cause)
        yield "and then:"
    yield from traceback.format_tb(error.__traceback__)
    yield type(error).__qualname__
