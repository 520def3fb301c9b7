"""Source bytes, their text as an HTML parser sees it, and the way back from offset to byte."""

from __future__ import annotations

import re
from bisect import bisect_left
from functools import cached_property
from itertools import accumulate

_CHUNK = 1024
_BOM = b"\xef\xbb\xbf"


class UnfitSourceError(ValueError):
    """The bytes are not the text that the format asks for: UTF-8 without a byte order mark."""

    def __init__(self, code: str, message: str, line: int) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.line = line


class Source:
    """Decoded source whose parser offsets map back to bytes.

    HTML parsers count code points after CRLF and lone CR have become LF. `byte` undoes both
    steps, so one parse serves for text and spans whatever the line ends and the script.
    """

    def __init__(self, data: bytes) -> None:
        if data.startswith(_BOM):
            found = "expected no byte order mark, found one"
            raise UnfitSourceError("byte-order-mark", found, 1)
        try:
            decoded = data.decode("utf-8")
        except UnicodeDecodeError as error:
            line = data.count(b"\n", 0, error.start) + 1
            found = f"expected UTF-8, found byte 0x{data[error.start]:02x}"
            raise UnfitSourceError("not-utf-8", found, line) from None
        self.data = data
        self.text = decoded
        self._pairs: list[int] = []
        if "\r" in decoded:
            self.text = decoded.replace("\r\n", "\n").replace("\r", "\n")
            # Offset, in the normalised text, of each LF that was CRLF.
            found_at = (match.start() for match in re.finditer("\r\n", decoded))
            self._pairs = [offset - index for index, offset in enumerate(found_at)]
        self._plain = len(data) == len(self.text)

    def byte(self, offset: int) -> int:
        """Return the byte position of a parser offset."""
        if self._plain:
            return offset
        chunk = offset // _CHUNK
        tail = self.text[chunk * _CHUNK : offset]
        return self._starts[chunk] + len(tail.encode()) + bisect_left(self._pairs, offset)

    def line(self, byte: int) -> int:
        """Return the line of a byte position, from 1; lines end with LF."""
        return bisect_left(self._line_ends, byte) + 1

    @cached_property
    def _starts(self) -> list[int]:
        """UTF-8 length of the normalised text before each chunk."""
        sizes = (
            len(self.text[start : start + _CHUNK].encode())
            for start in range(0, len(self.text), _CHUNK)
        )
        return list(accumulate(sizes, initial=0))

    @cached_property
    def _line_ends(self) -> list[int]:
        """Byte position of every LF."""
        return [match.start() for match in re.finditer(b"\n", self.data)]
