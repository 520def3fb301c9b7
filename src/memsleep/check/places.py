"""From bytes of a file to lines and columns, and to the source line with a caret below it.

Lines end with LF. Columns count from 1: characters (code points) for people, UTF-16 units for
formats that ask for them. A byte order mark takes no column. Nothing that hides or steers a
terminal is shown as it is, and no secret is shown at all.
"""

from __future__ import annotations

import unicodedata
from bisect import bisect_right

from memsleep.check.model import Place
from memsleep.report.shown import shown_line
from memsleep.safety import masked

BOM = b"\xef\xbb\xbf"
TAB_CELLS = 4
SHOWN_CELLS = 100
"""Wider lines are cut around the finding."""
_LEFT_CELLS = 40


class LineIndex:
    """The lines of one file."""

    def __init__(self, source: bytes) -> None:
        self._source = source
        self._starts = [0]
        at = source.find(b"\n")
        while at >= 0:
            self._starts.append(at + 1)
            at = source.find(b"\n", at + 1)
        self._masked: list[str] | None = None

    def line(self, byte: int) -> int:
        """Return the line of a byte."""
        return bisect_right(self._starts, byte)

    def span_of_line(self, line: int) -> tuple[int, int]:
        """Return the bytes of a line without its indentation and its end."""
        start = self._starts[min(max(line, 1), len(self._starts)) - 1]
        stop = self._source.find(b"\n", start)
        raw = self._source[start : len(self._source) if stop < 0 else stop].rstrip(b"\r \t")
        raw_start = start + (len(BOM) if start == 0 and raw.startswith(BOM) else 0)
        inner = raw[raw_start - start :]
        return raw_start + len(inner) - len(inner.lstrip(b" \t")), start + len(raw)

    def place(self, start: int, end: int) -> Place:
        """Return the place of a span of bytes; it never ends before it starts."""
        start = min(max(start, 0), len(self._source))
        end = min(max(end, start), len(self._source))
        first, last = self.line(start), self.line(end)
        before, through = self._text(first, start), self._text(last, end)
        return Place(
            first,
            len(before) + 1,
            last,
            len(through) + 1,
            _utf16(before) + 1,
            _utf16(through) + 1,
        )

    def _text(self, line: int, byte: int) -> str:
        """Return the text of a line before a byte."""
        start = self._starts[line - 1]
        if start == 0 and self._source.startswith(BOM):
            start = min(len(BOM), byte)
        return self._source[start:byte].decode("utf-8", "replace")

    def snippet(self, place: Place) -> tuple[str, str]:
        """Return the source line as it may be shown, and the line with carets below it."""
        if self._masked is None:
            text = self._source.removeprefix(BOM).decode("utf-8", "replace")
            self._masked = masked(text).split("\n")
        line = self._masked[place.line - 1].rstrip("\r")
        stop = place.end_column if place.end_line == place.line else len(line) + 1
        plain = line.isascii() and line.isprintable()
        cells = [(c, 1) for c in line] if plain else [_cell(character) for character in line]
        return _cut(cells, place.column - 1, max(stop - 1, place.column))


def _utf16(text: str) -> int:
    return len(text) + sum(character > "\uffff" for character in text)


def _cell(character: str) -> tuple[str, int]:
    """Return a character as it is shown, and how many cells it takes."""
    if character == "\t":
        return " " * TAB_CELLS, TAB_CELLS
    shown = shown_line(character)
    if shown != character:
        return shown, len(shown)
    if unicodedata.category(character) in ("Mn", "Me", "Cf"):
        return character, 0
    return character, 2 if unicodedata.east_asian_width(character) in "WF" else 1


def _cut(cells: list[tuple[str, int]], start: int, stop: int) -> tuple[str, str]:
    """Return the part of a line around a span, and the carets below the span."""
    first, width = start, 0
    while first > 0 and width + cells[min(first, len(cells)) - 1][1] <= _LEFT_CELLS:
        first -= 1
        width += cells[first][1] if first < len(cells) else 1
    last, width = first, 0
    while last < len(cells) and width + cells[last][1] <= SHOWN_CELLS:
        width += cells[last][1]
        last += 1
    head, tail = ("..." if first else ""), ("..." if last < len(cells) else "")
    text = head + "".join(shown for shown, _ in cells[first:last]) + tail
    pad = len(head) + sum(width for _, width in cells[first:start])
    marked = sum(width for _, width in cells[start : min(stop, last)])
    return safe_line(text), " " * pad + "^" * max(marked, 1)


def safe_line(text: str) -> str:
    """Return text that no CI service takes for a command: `##[` is one anywhere in a line."""
    return text.replace("##[", "##(")


def quoted(text: str) -> str:
    """Return text of a corpus as a message may hold it: one line, no secret, not long."""
    one_line = shown_line(masked(text))
    return one_line if len(one_line) <= 120 else one_line[:117] + "..."
