"""JSON front matter, between `;;;` lines or as a leading `{...}`, with the bytes of each value."""

from __future__ import annotations

import json
import re
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

_FENCE = re.compile(rb";;;[ \t]*\r?\n")
_CLOSER = re.compile(rb"^;;;[ \t]*(?:\r?\n|\r?\Z)", re.MULTILINE)
_LINE_END = re.compile(rb"[ \t]*(?:\r?\n|\Z)")
_BLANK = re.compile(rb"[ \t\r\n]*")
_STRING = re.compile(rb'"(?:[^"\\\x00-\x1f]|\\.)*"')
_BARE = re.compile(rb"[-+.0-9A-Za-z]+")
_MAX_DEPTH = 8


def read_json_head(source: bytes) -> FrontMatter | Broken | None:
    """Return the block, `Broken` for a fenced one that does not load, None where there is none."""
    begin = body_offset(source)
    fence = _FENCE.match(source, begin)
    if fence is not None:
        return _fenced(source, fence.end())
    if not source.startswith(b"{", begin):
        return None
    walk = _Walk(source, begin, len(source))
    try:
        pairs = tuple(walk.pairs(bare=False))
    except (ValueError, RecursionError):
        return None
    line_end = _LINE_END.match(source, walk.at)
    if line_end is None or not _loads(source[begin : walk.at], pairs):
        return None
    return _head(source, (begin, walk.at, line_end.end()), pairs)


def _fenced(source: bytes, start: int) -> FrontMatter | Broken | None:
    closer = _CLOSER.search(source, start)
    if closer is None:
        return None
    end = closer.start()
    text = source[start:end]
    bare = not text.lstrip().startswith(b"{")
    walk = _Walk(source, start, end)
    try:
        pairs = tuple(walk.pairs(bare=bare))
        whole = text if not bare else b"{" + text + b"}"
        good = not walk.rest() and _loads(whole, pairs)
    except (ValueError, RecursionError):
        good, pairs = False, ()
    if not good:
        line = source.count(b"\n", 0, min(walk.at, end)) + 1
        return Broken(line, "the JSON front matter does not load", closer.end())
    return _head(source, (start, end, closer.end()), pairs)


def _head(
    source: bytes, bounds: tuple[int, int, int], pairs: tuple[tuple[Scalar, Value], ...]
) -> FrontMatter:
    entries = (
        Entry(name.text, name, value, source.count(b"\n", 0, name.start) + 1)
        for name, value in pairs
    )
    return head_of_kind("json", bounds, tuple(entries), insert_at=bounds[1])


def _loads(text: bytes, pairs: tuple[tuple[Scalar, Value], ...]) -> bool:
    """Return True when a load gives the same keys and texts as the walk."""
    try:
        loaded = json.loads(text)
    except ValueError:
        return False
    if not isinstance(loaded, dict):
        return False
    last = {name.text: value for name, value in pairs}
    return last.keys() == loaded.keys() and all(_same(last[key], loaded[key]) for key in last)


def _same(value: Value, loaded: Any) -> bool:
    if isinstance(value, Scalar):
        return bool(value.text == loaded) if value.style else not isinstance(loaded, str)
    if isinstance(value, Sequence):
        return (
            isinstance(loaded, list)
            and len(loaded) == len(value.items)
            and all(map(_same, value.items, loaded))
        )
    return isinstance(loaded, dict) and {name.text for name, _ in value.entries} == loaded.keys()


class _Walk:
    """A position in JSON text; reads values with their places."""

    def __init__(self, source: bytes, start: int, end: int) -> None:
        self.source = source[:end]
        self.at = start

    def rest(self) -> bytes:
        """Return what is left but blanks."""
        return self.source[self.at :].strip()

    def pairs(self, *, bare: bool) -> Iterator[tuple[Scalar, Value]]:
        """Yield the pairs of an object; `bare` is one without its braces."""
        self._skip()
        if not bare:
            self._expect(b"{")
        yield from self._pairs(_MAX_DEPTH, b"" if bare else b"}")

    def _pairs(self, depth: int, closing: bytes) -> Iterator[tuple[Scalar, Value]]:
        self._skip()
        while not self._closed(closing):
            name = self._string()
            self._skip()
            self._expect(b":")
            self._skip()
            yield name, self._value(depth)
            self._skip()
            if self._closed(closing):
                break
            self._expect(b",")
            self._skip()
        self.at += len(closing)

    def _closed(self, closing: bytes) -> bool:
        if not closing:
            return self.at >= len(self.source)
        return self.source.startswith(closing, self.at)

    def _value(self, depth: int) -> Value:
        if not depth:
            raise ValueError
        first, start = self.source[self.at : self.at + 1], self.at
        if first == b'"':
            return self._string()
        if first == b"{":
            self.at += 1
            pairs = tuple(self._pairs(depth - 1, b"}"))
            return Mapping(pairs, start, self.at, flow=True)
        if first == b"[":
            return self._list(depth)
        match = _BARE.match(self.source, self.at)
        if match is None:
            raise ValueError
        self.at = match.end()
        text = match[0].decode("ascii")
        return Scalar(text, start, self.at, "", null=text == "null")

    def _list(self, depth: int) -> Sequence:
        start, items = self.at, []
        self.at += 1
        self._skip()
        while not self.source.startswith(b"]", self.at):
            items.append(self._value(depth - 1))
            self._skip()
            if self.source.startswith(b"]", self.at):
                break
            self._expect(b",")
            self._skip()
        self.at += 1
        return Sequence(tuple(items), start, self.at, flow=True)

    def _string(self) -> Scalar:
        match = _STRING.match(self.source, self.at)
        if match is None:
            raise ValueError
        self.at = match.end()
        return Scalar(json.loads(match[0]), match.start(), match.end(), '"')

    def _skip(self) -> None:
        found = _BLANK.match(self.source, self.at)
        assert found is not None  # it matches nothing too
        self.at = found.end()

    def _expect(self, sign: bytes) -> None:
        if not self.source.startswith(sign, self.at):
            raise ValueError
        self.at += len(sign)
