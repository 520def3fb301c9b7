"""TOML front matter, `+++` above and below, with the bytes of each value.

`tomllib` decides whether it is TOML at all; the walk here only finds places. Where the two do not
agree nothing in the block is edited.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from typing import Any

from memsleep.readers.frontmatter import (
    Broken,
    Entry,
    FrontMatter,
    Mapping,
    Scalar,
    Sequence,
    Value,
    body_offset,
    head_of_kind,
)

_OPENER = re.compile(rb"\+\+\+[ \t]*\r?\n")
_CLOSER = re.compile(rb"^\+\+\+[ \t]*(?:\r?\n|\r?\Z)", re.MULTILINE)
_BLANK = re.compile(rb"(?:[ \t\r\n]|#[^\n]*)*")
_SPACE = re.compile(rb"[ \t]*")
_KEY = re.compile(rb"(?:[A-Za-z0-9_-]+|\"(?:[^\"\\\n]|\\.)*\"|'[^'\n]*')")
_DOT = re.compile(rb"[ \t]*\.[ \t]*")
_STRING = re.compile(
    rb'"""(?:[^"\\]|\\.|"(?!""))*"{3,5}|\'\'\'(?:[^\']|\'(?!\'\'))*\'{3,5}'
    rb"|\"(?:[^\"\\\n]|\\.)*\"|'[^'\n]*'",
    re.DOTALL,
)
_BARE = re.compile(rb"[^\s,\]}#=][^,\]}#\n]*")
_LINE_END = re.compile(rb"[ \t]*(?:#[^\n]*)?(?:\r?\n|\Z)")
_MAX_DEPTH = 8


def read_toml_head(source: bytes) -> FrontMatter | Broken | None:
    """Return the block, `Broken` for one that does not load, None without opener or closer."""
    opener = _OPENER.match(source, body_offset(source))
    closer = opener and _CLOSER.search(source, opener.end())
    if opener is None or closer is None:
        return None
    start, end = opener.end(), closer.start()
    try:
        loaded = tomllib.loads(source[start:end].decode("utf-8").replace("\r\n", "\n"))
    except tomllib.TOMLDecodeError as error:
        found = re.search(r"at line (\d+)", str(error))
        line = source.count(b"\n", 0, start) + (int(found[1]) if found else 1)
        return Broken(line, "the TOML front matter does not load", closer.end())
    walk = _Walk(source, start, end)
    bounds = (start, end, closer.end())
    try:
        entries = tuple(walk.entries())
    except ValueError:
        entries = ()
    if not _agrees(entries, loaded):
        reason = "the TOML front matter is written in a form the editor does not know"
        return head_of_kind("toml", bounds, (), insert_at=walk.insert_at, locked=reason)
    return head_of_kind("toml", bounds, entries, insert_at=walk.insert_at)


class _Walk:
    """A position in the block; reads keys and values with their places."""

    def __init__(self, source: bytes, start: int, end: int) -> None:
        self.source = source[:end]
        self.at = start
        self.insert_at = start
        """After the last line of the keys above the first table."""
        self.start = start

    def entries(self) -> Iterator[Entry]:
        """Yield the keys above the first table, then one mapping for each plain table."""
        table: list[tuple[Scalar, Value]] | None = None
        header: tuple[Scalar, int] | None = None
        while True:
            self._skip()
            if self.at >= len(self.source):
                break
            if self.source[self.at : self.at + 1] == b"[":
                if header is not None and table is not None:
                    yield _table(header, table)
                header, table = self._header()
                continue
            name, value, line = self._pair()
            if table is not None:
                table.append((name, value))
            elif header is None:
                yield Entry(name.text, name, value, line)
                self.insert_at = self.at
        if header is not None and table is not None:
            yield _table(header, table)

    def _header(self) -> tuple[tuple[Scalar, int], list[tuple[Scalar, Value]]]:
        array = self.source[self.at : self.at + 2] == b"[["
        line = self.source.count(b"\n", 0, self.at) + 1
        self.at = self._after(_SPACE, self.at + (2 if array else 1))
        name = self._key()
        self.at = self._after(_SPACE, self.at)
        closing = b"]]" if array else b"]"
        if not self.source.startswith(closing, self.at):
            raise ValueError
        self.at = self._after(_LINE_END, self.at + len(closing))
        shown = Scalar(f"[[{name.text}]]" if array else name.text, name.start, name.end, "")
        return (shown, line), []

    def _pair(self) -> tuple[Scalar, Value, int]:
        line = self.source.count(b"\n", 0, self.at) + 1
        name = self._key()
        self.at = self._after(_SPACE, self.at)
        if not self.source.startswith(b"=", self.at):
            raise ValueError
        self.at = self._after(_SPACE, self.at + 1)
        value = self._value(_MAX_DEPTH)
        self.at = self._after(_LINE_END, self.at)
        return name, value, line

    def _key(self) -> Scalar:
        start, parts = self.at, []
        while True:
            match = _KEY.match(self.source, self.at)
            if match is None:
                raise ValueError
            parts.append(_text(match[0]))
            self.at = match.end()
            dot = _DOT.match(self.source, self.at)
            if dot is None:
                return Scalar(".".join(parts), start, self.at, "")
            self.at = dot.end()

    def _value(self, depth: int) -> Value:
        if not depth:
            raise ValueError
        first = self.source[self.at : self.at + 1]
        if first == b"[":
            return self._array(depth)
        if first == b"{":
            return self._inline_table(depth)
        match = _STRING.match(self.source, self.at)
        if match is not None:
            self.at = match.end()
            quote = match[0][:3] if match[0][:3] in (b'"""', b"'''") else match[0][:1]
            return Scalar(_text(match[0]), match.start(), match.end(), quote.decode())
        bare = _BARE.match(self.source, self.at)
        if bare is None:
            raise ValueError
        text = bare[0].rstrip()
        self.at = bare.start() + len(text)
        return Scalar(text.decode("utf-8"), bare.start(), self.at, "")

    def _array(self, depth: int) -> Sequence:
        start = self.at
        items: list[Value] = []
        self.at += 1
        while True:
            self._skip()
            if self.source.startswith(b"]", self.at):
                self.at += 1
                return Sequence(tuple(items), start, self.at, flow=True)
            items.append(self._value(depth - 1))
            self._skip()
            if self.source.startswith(b",", self.at):
                self.at += 1
            elif not self.source.startswith(b"]", self.at):
                raise ValueError

    def _inline_table(self, depth: int) -> Mapping:
        start, pairs = self.at, []
        self.at = self._after(_SPACE, self.at + 1)
        while not self.source.startswith(b"}", self.at):
            name = self._key()
            self.at = self._after(_SPACE, self.at)
            if not self.source.startswith(b"=", self.at):
                raise ValueError
            self.at = self._after(_SPACE, self.at + 1)
            pairs.append((name, self._value(depth - 1)))
            self.at = self._after(_SPACE, self.at)
            if self.source.startswith(b",", self.at):
                self.at = self._after(_SPACE, self.at + 1)
            elif not self.source.startswith(b"}", self.at):
                raise ValueError
        self.at += 1
        return Mapping(tuple(pairs), start, self.at, flow=True)

    def _skip(self) -> None:
        self.at = self._after(_BLANK, self.at)

    def _after(self, pattern: re.Pattern[bytes], at: int) -> int:
        match = pattern.match(self.source, at)
        if match is None:
            raise ValueError
        return match.end()


def _table(header: tuple[Scalar, int], pairs: list[tuple[Scalar, Value]]) -> Entry:
    name, line = header
    end = max((value.end for _, value in pairs), default=name.end)
    return Entry(name.text, name, Mapping(tuple(pairs), name.start, end, flow=False), line)


def _text(raw: bytes) -> str:
    if raw[:1] not in (b'"', b"'"):
        return raw.decode("utf-8")
    text = raw.decode("utf-8").replace("\r\n", "\n")
    return str(tomllib.loads(f"x = {text}")["x"])


def _agrees(entries: tuple[Entry, ...], loaded: dict[str, Any]) -> bool:
    """Return True when the walk found the keys that a load finds, with the same texts."""
    names = {_bare(entry.key).partition(".")[0] for entry in entries}
    return names == loaded.keys() and all(
        _same(entry.value, loaded[entry.key])
        for entry in entries
        if _bare(entry.key) == entry.key and "." not in entry.key
    )


def _bare(key: str) -> str:
    return key.removeprefix("[[").removesuffix("]]")


def _same(value: Value, loaded: Any) -> bool:
    if isinstance(value, Sequence):
        return (
            isinstance(loaded, list)
            and len(loaded) == len(value.items)
            and all(map(_same, value.items, loaded))
        )
    if isinstance(value, Mapping):
        return isinstance(loaded, dict) and all(
            name.text in loaded and _same(inner, loaded[name.text])
            for name, inner in value.entries
            if "." not in name.text
        )
    if value.style:
        return bool(value.text == loaded)
    return not isinstance(loaded, str | list | dict)
