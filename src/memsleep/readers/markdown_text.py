"""What a Markdown body says: plain text without markup, its claim, its words, its digest."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import islice
from typing import Any, Literal

import pyromark

Events = list[tuple[Any, Any]]
"""Pairs of event and range (`start`, `end` in bytes of the body), as pyromark gives them."""
BlockName = Literal["heading", "text", "item", "code"]

OPTIONS = (
    pyromark.Options.ENABLE_TABLES
    | pyromark.Options.ENABLE_WIKILINKS
    | pyromark.Options.ENABLE_FOOTNOTES
    | pyromark.Options.ENABLE_STRIKETHROUGH
    | pyromark.Options.ENABLE_TASKLISTS
)
GIST_CHARACTERS = 300
"""A first sentence that runs longer is cut at a word and marked with `...`."""

OPEN = "\u2610 "
"""Stands for the empty box of a task: what is ticked holds, what is open does not hold yet."""
STRUCK = "Strikethrough"
"""Markup that takes back what it encloses, so it stays in the text."""

_INLINE_STARTS = frozenset({"Emphasis", "Strong", "Strikethrough", "Superscript", "Subscript"})
_INLINE_NAMED = frozenset({"Link", "Image"})
_TAG = re.compile(r"<!--.*?(?:-->|\Z)|<[/!?]?[A-Za-z][^<>]*>", re.DOTALL)
_SPACE = re.compile(r"[ \t\r\n\f\v]+")
_SENTENCE_END = re.compile(
    r"[.!?\u2026]+[\"'\u201d\u2019)\]]*(?=\s+[^\sa-z]|\s*\Z)|[\u3002\uff01\uff1f\uff61]+[\u300d\u300f\uff09\u201d]*"
)
_CATEGORY = re.compile(r"\[[^\[\]]{1,40}\]\s+(?=\S)")
_CJK = re.compile(
    "[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003ffff]+"
)


@dataclass(frozen=True, slots=True)
class Block:
    """One block of a body: what it is and its text without markup."""

    name: BlockName
    text: str


MAX_EVENTS = 600_000
"""Pieces of markup of one file: about 10 MB of plain lines, or 1 GB of memory."""


class TooMuchMarkupError(ValueError):
    """A body of so many pieces that reading it could cost the whole night."""


def parse(body: str) -> Events:
    """Return the events of a Markdown body; their ranges are bytes of its UTF-8 form.

    Raises
    ------
    TooMuchMarkupError
        There are more than `MAX_EVENTS`.
    """
    events = list(islice(pyromark.events_with_range(body, options=OPTIONS), MAX_EVENTS + 1))
    if len(events) > MAX_EVENTS:
        raise TooMuchMarkupError(f"expected at most {MAX_EVENTS} pieces of markup, found more")
    return events


def blocks_of(events: Events) -> list[Block]:
    """Return the blocks with text, in order. Comments, tags and link targets are left out."""
    collector = Collector()
    for event, _ in events:
        collector.take(event)
    collector.close()
    return collector.blocks


class Collector:
    """Gathers the pieces of one block until its structure ends."""

    inline = _INLINE_STARTS | _INLINE_NAMED
    """Names of the markup that stands within a block."""

    def __init__(self) -> None:
        self.blocks: list[Block] = []
        self._pieces: list[str] = []
        self._name: BlockName = "text"
        self._items = 0
        self._html = False

    def take(self, event: Any) -> None:
        """Take the next event of the body."""
        if isinstance(event, str):
            if event in ("SoftBreak", "HardBreak"):
                self._pieces.append(" ")
            else:
                self.close()
            return
        ((kind, value),) = event.items()
        if kind in ("Text", "Code", "Html"):
            self._pieces.append(value)
        elif kind == "InlineHtml" and value.lower().startswith("<br"):
            self._pieces.append(" ")
        elif kind == "TaskListMarker":
            self._pieces.append("" if value else OPEN)
        elif kind == "Start":
            self._start(value)
        elif kind == "End":
            self._end(value)

    def _start(self, value: Any) -> None:
        name = value if isinstance(value, str) else next(iter(value))
        if name == STRUCK:
            self._pieces.append("~~")
        if name in self.inline:
            return
        if name == "TableCell":
            self._pieces.append(" ")
            return
        self.close()
        self._items += name == "Item"
        self._html = name == "HtmlBlock"
        if name == "CodeBlock":
            self._name = "code"
        elif name == "Heading":
            self._name = "heading"

    def _end(self, value: Any) -> None:
        name = value if isinstance(value, str) else next(iter(value))
        if name == STRUCK:
            self._pieces.append("~~")
        if name in self.inline or name == "TableCell":
            return
        self.close()
        self._items -= name == "Item"

    def close(self) -> None:
        """End the current block; blank ones are dropped."""
        text = "".join(self._pieces)
        if self._name == "code":
            text = text.strip("\r\n")
        else:
            text = _SPACE.sub(" ", _TAG.sub(" ", text) if self._html else text).strip(" ")
        if text.strip():
            name: BlockName = "item" if self._name == "text" and self._items else self._name
            self.blocks.append(Block(name, text))
        self._pieces, self._name, self._html = [], "text", False


def plain_text(blocks: Iterable[Block]) -> str:
    """Return the text of all blocks, one block a line (code keeps its own lines)."""
    return "\n".join(block.text for block in blocks)


def first_heading(blocks: Iterable[Block]) -> str | None:
    """Return the text of the first heading."""
    return next((block.text for block in blocks if block.name == "heading"), None)


def first_sentence(blocks: Iterable[Block]) -> str | None:
    """Return the first sentence of the first paragraph or list item, None without one.

    Headings and code are skipped, and so is the category of an observation (`[fact] ...`).
    """
    texts = (block.text for block in blocks if block.name in ("text", "item"))
    first = next(texts, None)
    if first is None:
        return None
    text = _CATEGORY.sub("", first, count=1) if _CATEGORY.match(first) else first
    end = _SENTENCE_END.search(text)
    sentence = text[: end.end()] if end else text
    if len(sentence) <= GIST_CHARACTERS:
        return sentence
    cut = sentence[:GIST_CHARACTERS].rpartition(" ")[0] or sentence[:GIST_CHARACTERS]
    return cut + "..."


def count_words(text: str) -> int:
    """Return how many words a text has: runs without blanks, and two CJK characters a word.

    A run of CJK characters counts half its length, rounded up; what stands between such runs
    without a blank counts as a word of its own.

    Examples
    --------
    >>> count_words("two words"), count_words("\u6625\u7720\u4e0d"), count_words("")
    (2, 2, 0)
    """
    if text.isascii():
        return len(text.split())
    runs = _CJK.findall(text)
    return len(_CJK.sub(" ", text).split()) + sum((len(run) + 1) // 2 for run in runs)


def content_hash(body: bytes, events: Events) -> str:
    """Return `sha256:` and hex over the canonical text of a body.

    Outside fenced code each run of blanks and line ends is one space; fenced code is taken
    byte for byte. Nothing is normalised beyond that, so that equal digests mean equal content.
    """
    digest = hashlib.sha256()
    reached = 0
    for start, end in _fences(events):
        digest.update(_collapsed(body[reached:start]) + b"\n")
        digest.update(body[start:end] + b"\n")
        reached = end
    digest.update(_collapsed(body[reached:]))
    return f"sha256:{digest.hexdigest()}"


def _fences(events: Events) -> Iterable[tuple[int, int]]:
    for event, span in events:
        if isinstance(event, dict) and "Start" in event:
            start = event["Start"]
            block = start.get("CodeBlock") if isinstance(start, dict) else None
            if isinstance(block, dict):
                yield span["start"], span["end"]


def _collapsed(text: bytes) -> bytes:
    return b" ".join(text.split())
