"""Whole-line insertions and deletions that are refused where a line holds something else.

An inserted line takes the indentation and the line end of its neighbour. Positions are bytes.
"""

from __future__ import annotations

import re

from memsleep.editors.splice import Replacement
from memsleep.errors import EditRefused

_COMMENTS = rb"(?:<!--(?:(?!--!?>)[^\n])*-->[ \t\f]*)*"
_BEFORE = re.compile(rb"([ \t\f]*)" + _COMMENTS)
_AFTER = re.compile(rb"[ \t\f]*" + _COMMENTS + rb"(\r?\n)")
_BLANK_BEFORE = re.compile(rb"[ \t\f]*")
_BLANK_AFTER = re.compile(rb"[ \t\f]*(?:\r?\n|\Z)")


def line_start(source: bytes, position: int) -> int:
    """Return the position just after the last LF before a position."""
    return source.rfind(b"\n", 0, position) + 1


def line_end(source: bytes, position: int) -> int:
    """Return the position just after the first LF at or after a position."""
    return source.find(b"\n", position) + 1 or len(source)


def eol_after(source: bytes, position: int) -> bytes:
    """Return the line end of the line at a position, or of the file when it has none there."""
    end = line_end(source, position)
    if not source.endswith(b"\n", 0, end):
        end = source.find(b"\n") + 1
    return b"\r\n" if source.endswith(b"\r\n", 0, end) else b"\n"


def indent_at(source: bytes, position: int) -> bytes:
    """Return the blanks at the start of the line that holds a position."""
    match = _BLANK_BEFORE.match(source, line_start(source, position), position)
    return match[0] if match else b""


def insert_before(source: bytes, span: tuple[int, int], line: bytes) -> Replacement:
    """Insert a line above the line on which an element starts."""
    start = line_start(source, span[0])
    match = _BEFORE.fullmatch(source, start, span[0])
    if match is None:
        raise _shared(source, span[0], "above")
    return Replacement(start, start, match[1] + line + eol_after(source, span[1]))


def insert_after(source: bytes, span: tuple[int, int], line: bytes) -> Replacement:
    """Insert a line below the line on which an element ends."""
    end = line_end(source, span[1])
    match = _AFTER.fullmatch(source, span[1], end)
    if match is None:
        raise _shared(source, span[1], "below")
    return Replacement(end, end, indent_at(source, span[0]) + line + match[1])


def delete_lines(source: bytes, span: tuple[int, int]) -> Replacement:
    """Delete the lines of an element that stands alone on them."""
    start, end = line_start(source, span[0]), line_end(source, span[1])
    alone = _BLANK_BEFORE.fullmatch(source, start, span[0]) and _BLANK_AFTER.fullmatch(
        source, span[1], end
    )
    if not alone:
        line = source.count(b"\n", 0, span[0]) + 1
        raise EditRefused(
            "expected a head entry alone on its line, found more beside it", line=line
        )
    return Replacement(start, end, b"")


def _shared(source: bytes, position: int, where: str) -> EditRefused:
    """Return the refusal for a line that holds something else."""
    line = source.count(b"\n", 0, position) + 1
    reason = f"expected a head with one entry a line, found more beside it: no place {where} it"
    return EditRefused(reason, line=line)
