"""Writing the artifacts of a run to the folder that `--out` names."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryFile

from memsleep.cli.paths import MARKER
from memsleep.errors import UsageError


def make_out(out: Path) -> None:
    """Make the folder and see that it takes a file, before the night: a run that landed is told.

    Raises
    ------
    UsageError
        `out-not-writable`.
    """
    try:
        out.mkdir(parents=True, exist_ok=True)
        with TemporaryFile(dir=out):
            pass
    except OSError as error:
        raise UsageError(
            "out-not-writable",
            f"nothing can be written to --out {str(out)!r}: {os.strerror(error.errno or 0)}",
            context=["nothing was changed"],
            hint="pass a folder of yours",
        ) from error


def write_artifacts(out: Path, artifacts: Mapping[str, bytes]) -> None:
    """Write each artifact whole or not at all, the one that marks the folder as ours first."""
    out.mkdir(parents=True, exist_ok=True)
    for name in sorted(artifacts, key=lambda name: (name != MARKER, name)):
        _replace(out, name, artifacts[name])


def _replace(out: Path, name: str, content: bytes) -> None:
    part = out / f".{name}.{os.getpid()}.part"
    part.unlink(missing_ok=True)
    handle = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), 0o666)
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(content)
            stream.flush()
            os.fsync(stream.fileno())
        part.replace(out / name)
    except BaseException:
        part.unlink(missing_ok=True)
        raise
