"""The brief in a file of the user's choice: between two marker lines, and nowhere else."""

from __future__ import annotations

import os
import stat
import tempfile
from pathlib import Path
from typing import Final, Literal

from memsleep.errors import UsageError

BEGIN: Final = "<!-- memsleep:begin -->"
END: Final = "<!-- memsleep:end -->"
_BEGIN, _END = BEGIN.encode(), END.encode()
Placed = Literal["written", "unchanged", "created"]


def place_brief(path: Path, text: str) -> Placed:
    """Write a brief between the two marker lines of a file; all other bytes stay.

    A file that does not exist is made with the two lines; one that has not exactly one pair of
    them is left alone. The file is replaced at once and keeps its mode; a link is followed.

    Raises
    ------
    UsageError
        `brief-markers`, naming the file and the lines to add.
    """
    real = path.resolve()
    try:
        source = real.read_bytes()
    except FileNotFoundError:
        real.parent.mkdir(parents=True, exist_ok=True)
        _replace(real, f"{BEGIN}\n{text}{END}\n".encode(), mode=0o644)
        return "created"
    written = between_markers(source, text, shown=str(path))
    if written == source:
        return "unchanged"
    _replace(real, written, mode=stat.S_IMODE(real.stat().st_mode))
    return "written"


def between_markers(source: bytes, text: str, *, shown: str) -> bytes:
    """Return a file's bytes with a text between its marker lines, in the file's own line ends."""
    lines = source.split(b"\n")
    begins = [at for at, line in enumerate(lines) if line.strip() == _BEGIN]
    ends = [at for at, line in enumerate(lines) if line.strip() == _END]
    if len(begins) != 1 or len(ends) != 1 or ends[0] < begins[0]:
        raise UsageError(
            "brief-markers",
            f"expected one line {BEGIN} and below it one line {END} in {shown!r}, "
            f"found {len(begins)} and {len(ends)}",
            context=("the file was left as it is",),
            hint="add the two lines where the brief is to stand",
        )
    return_mark = b"\r" if lines[begins[0]].endswith(b"\r") else b""
    block = [line.encode() + return_mark for line in text.split("\n")[:-1]]
    return b"\n".join([*lines[: begins[0] + 1], *block, *lines[ends[0] :]])


def _replace(path: Path, content: bytes, *, mode: int) -> None:
    """Put new content in the place of a file, whole or not at all."""
    handle, name = tempfile.mkstemp(prefix=".memsleep-", dir=path.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
            file.flush()
            os.fchmod(file.fileno(), mode)
            os.fsync(file.fileno())
        Path(name).replace(path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise
