"""Bytes to standard output as they are, lines to standard error."""

from __future__ import annotations

import errno
import json
import os
import sys
from collections.abc import Iterable
from typing import Any


def write_output(output: bytes) -> None:
    """Write a result, byte for byte and at once: an error must show before the command ends."""
    if sys.stdout is None:  # the caller closed it
        raise OSError(errno.EBADF, os.strerror(errno.EBADF), "standard output")
    sys.stdout.flush()
    sys.stdout.buffer.write(output)
    sys.stdout.buffer.flush()


def flush_output() -> None:
    """Write out what others, such as the parser's help, have left in the buffer."""
    if sys.stdout is not None:
        sys.stdout.flush()


def write_text(text: str) -> None:
    """Write a result that is text, as UTF-8 whatever the terminal says."""
    write_output(text.encode("utf-8", "backslashreplace"))


def write_json(document: dict[str, Any]) -> None:
    """Write one JSON document. ASCII, since names may hold what no encoding can."""
    write_text(json.dumps(document, indent=2, ensure_ascii=True) + "\n")


def write_remarks(lines: Iterable[str]) -> None:
    """Write lines to standard error; a control character in a name cannot steer the terminal."""
    if sys.stderr is None:  # the caller closed it and wants to hear nothing
        return
    from memsleep.safety import masked

    sys.stderr.write("".join(f"{printable(masked(line))}\n" for line in lines))
    sys.stderr.flush()


def printable(line: str) -> str:
    r"""Return a line with everything escaped that is not printable.

    Examples
    --------
    >>> printable("areas/a\x1b[2J.html")
    'areas/a\\x1b[2J.html'
    """
    return "".join(
        char if char.isprintable() else char.encode("unicode_escape").decode("ascii")
        for char in line
    )
