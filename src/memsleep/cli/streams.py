"""Bytes to standard output as they are, lines to standard error."""

from __future__ import annotations

import errno
import json
import os
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any

from memsleep.cli.aiming import aimed


def write_output(output: bytes) -> None:
    """Write a result, byte for byte and at once: an error must show before the command ends.

    A terminal is shown the bytes that could steer it spelt out: a diff quotes what memories say.
    """
    if sys.stdout is None:  # the caller closed it
        raise OSError(errno.EBADF, os.strerror(errno.EBADF), "standard output")
    sys.stdout.flush()
    sys.stdout.buffer.write(for_terminal(output) if sys.stdout.isatty() else output)
    sys.stdout.buffer.flush()


def for_terminal(output: bytes) -> bytes:
    r"""Return text with control and invisible characters as visible stand-ins.

    Examples
    --------
    >>> for_terminal(b"a\x1b]0;owned\x07\n")
    b'a[U+001B]]0;owned[U+0007]\n'
    """
    from memsleep.report.shown import shown

    return shown(output.decode("utf-8", "backslashreplace")).encode("utf-8")


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
    """Write lines to standard error; a control character in a name cannot steer the terminal.

    Commands in them name the corpus that was given.
    """
    if sys.stderr is None:  # the caller closed it and wants to hear nothing
        return
    from memsleep.safety import masked

    sys.stderr.write("".join(f"{printable(masked(aimed(line)))}\n" for line in lines))
    sys.stderr.flush()


@contextmanager
def telling(lines: Iterable[str], *, quiet: bool) -> Iterator[None]:
    """Say lines once a result is written, and where it cannot be even if quiet.

    What has landed has landed, whatever becomes of the folder or the pipe that should hear of it.
    """
    try:
        yield
    except OSError as error:
        if not (quiet and isinstance(error, BrokenPipeError)):
            write_remarks(lines)
        raise
    if not quiet:
        write_remarks(lines)


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
