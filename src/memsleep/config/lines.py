"""On which line of a TOML text each key stands: the standard parser does not tell."""

from __future__ import annotations

import re
import tomllib
from bisect import bisect_right
from collections.abc import Callable

KeyPath = tuple[str, ...]
Reader = Callable[[KeyPath], None]

_TRIVIA = re.compile(r"(?:[ \t\r\n]|#[^\n]*)*")
_BLANKS = re.compile(r"[ \t]*")
_BARE_KEY = re.compile(r"[A-Za-z0-9_-]+")
_STRING = re.compile(
    r'"""(?:\\.|[^\\])*?""""{0,2}'  # up to two quotes may stand before the closing three
    r"|'''.*?''''{0,2}"
    r'|"(?:\\.|[^"\\\n])*"'
    r"|'[^'\n]*'",
    re.DOTALL,
)
_SCALAR = re.compile(r"[^,\]}#\n]*")


def key_lines(text: str) -> dict[KeyPath, int]:
    r"""Return the line, counted from 1, of every key and table of a valid TOML text.

    A key that is named several times (a dotted prefix, an array of tables) counts where it
    stands first.

    Examples
    --------
    >>> key_lines('[run]\n\nview.a = 1')
    {('run',): 1, ('run', 'view'): 3, ('run', 'view', 'a'): 3}
    """
    return _Scanner(text).scan()


class _Scanner:
    """One pass over a text that the standard parser has accepted; it checks nothing itself."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._at = 0
        self._ends = [match.start() for match in re.finditer("\n", text)]
        self._lines: dict[KeyPath, int] = {}

    def scan(self) -> dict[KeyPath, int]:
        table: KeyPath = ()
        while self._peek():
            if self._peek() == "[":
                self._skip("[")
                table = self._key(())
                self._skip("]")
            else:
                self._pair(table)
        return self._lines

    def _peek(self) -> str:
        self._match(_TRIVIA)
        return self._text[self._at : self._at + 1]

    def _skip(self, char: str) -> None:
        while self._text.startswith(char, self._at):
            self._at += 1

    def _match(self, pattern: re.Pattern[str]) -> str:
        found = pattern.match(self._text, self._at)
        if found is None:
            return ""
        self._at = found.end()
        return found.group()

    def _key(self, table: KeyPath) -> KeyPath:
        path = table
        while True:
            self._match(_BLANKS)
            line = bisect_right(self._ends, self._at - 1) + 1
            path = (*path, self._match(_BARE_KEY) or _decoded(self._match(_STRING)))
            self._lines.setdefault(path, line)
            self._match(_BLANKS)
            if not self._text.startswith(".", self._at):
                return path
            self._at += 1

    def _pair(self, table: KeyPath) -> None:
        path = self._key(table)
        self._at += 1  # the equals sign
        self._value(path)

    def _value(self, path: KeyPath) -> None:
        opening = self._peek()
        if opening == "[":
            self._inside("]", path, self._value)
        elif opening == "{":
            self._inside("}", path, self._pair)
        elif not self._match(_STRING):
            self._match(_SCALAR)

    def _inside(self, closing: str, path: KeyPath, read_item: Reader) -> None:
        self._at += 1
        while self._peek() not in (closing, ""):
            read_item(path)
            if self._peek() == ",":
                self._at += 1
        self._at += 1


def _decoded(quoted: str) -> str:
    return str(tomllib.loads(f"key = {quoted}")["key"])
