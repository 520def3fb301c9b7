"""What a file says, as a sequence of pieces, each with its line.

No editor and no reader is trusted with the text: pieces are cut from the raw bytes. A file only
ever gains, so the pieces before must be found after, in their order. What a night may change in
place (a managed field, the target of a link) is one piece of its own, compared elsewhere.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Literal

from memsleep.model import Memory
from memsleep.readers.frontmatter import FrontMatter
from memsleep.readers.head import head_and_fields
from memsleep.readers.markdown_fields import INLINE_KEYS

Part = Literal["text", "code", "link", "field"]

MANAGED = (
    "status",
    "updated",
    "created",
    "event_time",
    "valid_from",
    "valid_until",
    "archived_at",
    "confidence",
    "importance",
    "reprieves",
    "superseded_by",
    "content_hash",
)
"""Fields of a memory that a night may write."""

_PIECE = re.compile(r"\w+(?:[.,:/@+-]\w+)*|[^\w\s]")
_FENCE = re.compile(r"^[ >\t]{0,9}(`{3,}|~{3,})")
_PRE = re.compile(rb"<(pre|code)\b[^>]*>.*?</\1\s*>", re.DOTALL | re.IGNORECASE)
_META = re.compile(
    rb"<meta\b[^>]*?\bname\s*=\s*[\"']?memhtml-"
    rb"(?:status|updated|created|valid-from|valid-until|archived|confidence|importance|reprieves"
    rb"|superseded-by|content-hash)\b[^>]*>",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Piece:
    """A word, a mark, a line of code, or the place of something that may change."""

    text: str
    line: int
    part: Part


@dataclass(frozen=True, slots=True)
class _Span:
    start: int
    end: int
    part: Part
    text: str = ""


def pieces(
    source: bytes, memory: Memory | None, removed: frozenset[str] = frozenset()
) -> list[Piece]:
    """Return what a file says, in order.

    Parameters
    ----------
    memory : Memory or None
        As it was read from these bytes; None for a file that is none: everything is text.
    removed : frozenset of str
        Targets whose links a recorded decision takes out; they and their marks are left out.
    """
    lines = _Lines(source)
    found: list[Piece] = []
    for start, end, span in _stretches(source, memory, removed):
        if span is None:
            found.extend(_cut(source[start:end], lines, start))
        else:
            found.extend(_special(source, span, lines))
    return found


def texts(source: bytes, memory: Memory | None, removed: frozenset[str] = frozenset()) -> list[str]:
    """Return the texts of what `pieces` finds, without their lines: a third of the work.

    Nearly every file holds all that it held; lines are asked for where one does not.
    """
    lines = _Lines(source)
    found: list[str] = []
    for start, end, span in _stretches(source, memory, removed):
        if span is None:
            found += _PIECE.findall(source[start:end].decode("utf-8", "surrogateescape"))
        else:
            found += (piece.text for piece in _special(source, span, lines))
    return found


def _stretches(
    source: bytes, memory: Memory | None, removed: frozenset[str]
) -> Iterator[tuple[int, int, _Span | None]]:
    """Give what a file is made of, in order: begin, end, and the span where it is no plain text.

    Of spans that lie in each other the first and longest counts.
    """
    at = 0
    spans = _spans(source, memory, removed)
    for span in sorted(spans, key=lambda span: (span.start, -span.end)):
        if span.start >= at:
            yield at, span.start, None
            yield span.start, span.end, span
            at = span.end
    yield at, len(source), None


def holds_texts(after: Iterable[str], before: Iterable[str]) -> bool:
    """Return True when the one sequence of texts is found in the other, in its order."""
    rest = iter(after)
    return all(text in rest for text in before)


def _special(source: bytes, span: _Span, lines: _Lines) -> Iterator[Piece]:
    if span.part == "code":
        for start, line in _with_offsets(source[span.start : span.end]):
            text = line.decode("utf-8", "surrogateescape").rstrip()
            if text:
                yield Piece(text, lines.of(span.start + start), "code")
    elif span.part != "text":
        yield Piece(f"\0{span.part} {span.text}", lines.of(span.start), span.part)


def _spans(source: bytes, memory: Memory | None, removed: frozenset[str]) -> Iterator[_Span]:
    """Give what is not plain text: links that can be edited, managed fields, code."""
    if memory is None:
        return
    html = memory.dialect == "memhtml"
    for link in memory.links:
        if link.start < 0:
            continue
        if link.target in removed:
            yield _construct(source, link.start, link.end, html=html)
        else:
            yield _Span(link.start, link.end, "link")
    if html:
        for match in _META.finditer(source):
            yield _Span(match.start(), match.end(), "field")
        for match in _PRE.finditer(source):
            if not any(match.start() <= link.start < match.end() for link in memory.links):
                yield _Span(match.start(), match.end(), "code")
        return
    yield from _head_spans(source, memory)
    yield from _markdown_spans(source, memory)


def _head_spans(source: bytes, memory: Memory) -> Iterator[_Span]:
    """Give the managed values of a head that is not YAML, and those that the text states."""
    block = head_and_fields(source, INLINE_KEYS)
    if not isinstance(block, FrontMatter):
        return
    names = {memory.stated[name] for name in MANAGED if memory.states(name)}
    entries = block.inline if block.kind == "yaml" else (*block.entries, *block.inline)
    for entry in entries:
        if entry.key in names:
            yield _Span(entry.value.start, entry.value.end, "field")


def _markdown_spans(source: bytes, memory: Memory) -> Iterator[_Span]:
    keys = {memory.stated[name].rpartition(".")[2] for name in MANAGED if memory.states(name)}
    inside, fence, begun = source.startswith((b"---", b"\xef\xbb\xbf---")), "", False
    for start, raw in _with_offsets(source):
        line = raw.decode("utf-8", "surrogateescape")
        if inside:
            key = line.partition(":")[0].strip().strip("\"'- ")
            if begun and line.strip() in ("---", "..."):
                inside = False
            elif ":" in line and key in keys:
                yield _Span(start, start + len(raw), "field")
            begun = True
            continue
        match = _FENCE.match(line)
        if fence:
            yield _Span(start, start + len(raw), "code")
            if match and match[1].startswith(fence) and not line.strip(" >\t\r`~"):
                fence = ""
        elif match:
            fence = match[1]
            yield _Span(start, start + len(raw), "code")


def _construct(source: bytes, start: int, end: int, *, html: bool) -> _Span:
    """Return the whole of a link that was taken out: its element, brackets or list entry."""
    opening, closing = (b"<", b">") if html else (b"\n", b"\n")
    left, right = source.rfind(opening, 0, start), source.find(closing, end)
    return _Span(max(left, 0), len(source) if right < 0 else right + html, "text")


def _with_offsets(source: bytes) -> Iterator[tuple[int, bytes]]:
    """Give each line without its line feed, and where it starts."""
    at = 0
    for line in source.split(b"\n"):
        yield at, line
        at += len(line) + 1


def _cut(source: bytes, lines: _Lines, offset: int) -> Iterator[Piece]:
    """Give the words, numbers and marks of a stretch of text. White space is not content."""
    for start, raw in _with_offsets(source):
        line = raw.decode("utf-8", "surrogateescape")
        number = lines.of(offset + start)
        for match in _PIECE.finditer(line):
            yield Piece(match[0], number, "text")


class _Lines:
    """Line of a byte, from 1. Offsets must be asked for in order."""

    def __init__(self, source: bytes) -> None:
        self._source, self._at, self._line = source, 0, 1

    def of(self, offset: int) -> int:
        self._line += self._source.count(b"\n", self._at, offset)
        self._at = max(self._at, offset)
        return self._line


def holds(after: Iterable[Piece], before: Iterable[Piece]) -> bool:
    """Return True when the texts of one sequence are found in the other, in its order."""
    return holds_texts((piece.text for piece in after), (piece.text for piece in before))
