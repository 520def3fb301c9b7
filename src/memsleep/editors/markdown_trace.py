"""Where each character of a Markdown block comes from, and the inline markup around it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from memsleep.readers.markdown_text import STRUCK, Collector

BLANK = " \t\r\n\f\v"
_TAG = re.compile(r"</?([a-z][a-z0-9]*)[^<>]*>\Z", re.I)
_PLAIN_TAGS = frozenset("b big em i ins kbd mark small span strong u wbr".split())
"""Tags that may be left out: their text says all that they say. Not so `10<sup>5</sup>`."""
_SILENT = {"FootnoteReference": "a footnote", "TaskListMarker": "the mark of a task"}
_NO_TEXT = {
    "code": "code",
    "BlockQuote": "a quotation",
    "FootnoteDefinition": "a footnote",
    "Table": "a table",
    "HtmlBlock": "HTML",
}
"""Blocks whose sentences are no sentences of the memory, or cannot be told as such."""


@dataclass(slots=True)
class Span:
    """A stretch of inline markup around some text, and the bytes where its inner part lies."""

    name: str
    start: int
    end: int
    inner: int = -1
    inner_end: int = -1
    link: str = ""
    """Type of a link; empty for what is none."""
    target: str = ""
    said: bool = False
    """True once there is text in it."""


@dataclass(frozen=True, slots=True)
class Piece:
    """Some text of a block and where it comes from."""

    text: str
    kind: str
    start: int
    end: int
    around: tuple[Span, ...]


@dataclass(frozen=True, slots=True)
class Source:
    """The pieces of one block, and what of it has no text: footnote marks, tags, empty links."""

    text: str
    origins: tuple[tuple[int, int], ...]
    """Character of the text -> (number of its piece, place in it)."""
    pieces: tuple[Piece, ...]
    unsaid: tuple[tuple[int, str], ...]
    """(place in the text, what stands there)."""
    structure: str
    """What the block is, where it is no text; empty for a text."""


class Tracer(Collector):
    """Gathers blocks as the reader does, and remembers where each character comes from."""

    def __init__(self, data: bytes) -> None:
        super().__init__()
        self.data = data
        self.sources: list[Source] = []
        self._open: list[Span] = []
        self._outer: list[str] = []
        self._traced: list[Piece] = []
        self._silent: list[tuple[int, str]] = []

    def trace(self, event: Any, start: int, end: int) -> None:
        """Take one event and the bytes that it stands for."""
        for span in self._open:
            if span.inner < 0:
                span.inner = start - self._escaped(start, span.start + 1)
        pieces, count = self._pieces, len(self._pieces)
        self.take(event)
        grown = self._pieces is pieces and len(pieces) > count
        if grown:
            self._traced.append(Piece(pieces[-1], _kind(event), start, end, tuple(self._open)))
            for span in self._open:
                span.said = True
        self._follow(event, start, end, grown=grown)
        for span in self._open:
            if (start, end) != (span.start, span.end):
                span.inner_end = end

    def _escaped(self, start: int, least: int) -> int:
        """Return how many bytes before a text escape it, 0 or 1."""
        return int(start > least and self.data[start - 1 : start] == b"\\")

    def _follow(self, event: Any, start: int, end: int, *, grown: bool) -> None:
        if isinstance(event, str):
            return
        ((kind, value),) = event.items()
        name = next(iter(value), "") if isinstance(value, dict) else str(value)
        self._note(kind, value, grown=grown)
        if name == STRUCK:
            return  # its marks are part of the text
        if kind == "Start" and name in self.inline:
            self._open.append(
                _span(name, value[name] if isinstance(value, dict) else {}, start, end)
            )
        elif kind == "Start":
            self._outer.append(name)
        elif kind == "End" and name in self.inline:
            span = self._open.pop()
            if span.link and not span.said:
                self._silent.append((len(self._traced), "a link without a text"))
        elif kind == "End" and self._outer:
            self._outer.pop()

    def _note(self, kind: str, value: Any, *, grown: bool) -> None:
        """Note what stands at a place of the text without being text."""
        what = _SILENT.get(kind, "")
        if kind == "InlineHtml" and not grown and not _is_plain_tag(value):
            what = "HTML"
        if what:
            self._silent.append((len(self._traced), what))

    def close(self) -> None:
        """End the current block."""
        known, name = len(self.blocks), self._name
        traced, silent, pieces = self._traced, self._silent, self._pieces
        super().close()
        self._traced, self._silent = [], []
        if len(self.blocks) == known:
            return
        text = self.blocks[-1].text
        within = [_NO_TEXT[outer] for outer in self._outer if outer in _NO_TEXT]
        structure = "code" if name == "code" else next(iter(within), "")
        if len(traced) != len(pieces):
            structure = structure or "a table"
        origins, starts = ((), ()) if structure else _origins(traced)
        marks = tuple((starts[at] if starts else 0, what) for at, what in silent)
        if not structure and "".join(traced[n].text[k] for n, k in origins).split() != text.split():
            structure = "what cannot be traced"
        self.sources.append(Source(text, origins, tuple(traced), marks, structure))


def _kind(event: Any) -> str:
    return "break" if isinstance(event, str) else str(next(iter(event)))


def _span(name: str, link: Any, start: int, end: int) -> Span:
    if name not in ("Link", "Image"):
        return Span(name, start, end)
    kind = link["link_type"]
    kind = kind if isinstance(kind, str) else next(iter(kind))
    target = link["dest_url"]
    if re.search(r"[\s()<>]", target):
        target = f"<{target}>"
    title = link["title"].replace("\\", "\\\\").replace('"', '\\"')
    return Span(name, start, end, link=kind, target=f'{target} "{title}"' if title else target)


def _is_plain_tag(tag: str) -> bool:
    match = _TAG.match(tag)
    return match is not None and match.group(1).lower() in _PLAIN_TAGS


def _origins(
    pieces: Sequence[Piece],
) -> tuple[tuple[tuple[int, int], ...], tuple[int, ...]]:
    """Return the origin of each character of the text, and where each piece begins in it.

    The text is that of the reader: each run of blanks is one space, none at the edges.
    """
    origins: list[tuple[int, int]] = []
    starts: list[int] = []
    blank: tuple[int, int] | None = None
    for number, piece in enumerate(pieces):
        starts.append(len(origins) + (blank is not None and bool(origins)))
        for place, char in enumerate(piece.text):
            if char in BLANK:
                blank = blank or (number, place)
                continue
            if blank is not None and origins:
                origins.append(blank)
            blank = None
            origins.append((number, place))
    return tuple(origins), (*starts, len(origins))
