"""One file as rules see it: its bytes, what the reader made of it, and its parts, parsed once."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property

from memsleep.check.places import LineIndex
from memsleep.corpus.select import Role
from memsleep.dialects.memhtml import META_NAMES
from memsleep.dialects.registry import TRAITS
from memsleep.dialects.traits import Traits
from memsleep.model import Link, Memory, Unreadable
from memsleep.readers.frontmatter import (
    Broken,
    Entry,
    FrontMatter,
    body_offset,
    normal_key,
)
from memsleep.readers.head import read_head
from memsleep.readers.markdown_fields import KEYS
from memsleep.readers.markdown_text import parse as parse_markdown
from memsleep.readers.memhtml_head import Head, head_of
from memsleep.readers.memhtml_source import UnfitSourceError
from memsleep.readers.memhtml_tree import Item, Tree, parse
from memsleep.settings import CheckSettings

Span = tuple[int, int]
NOWHERE: Span = (-1, -1)


class PlacedLine(int):
    """A line number that remembers the bytes it was counted for."""

    span: Span = NOWHERE


class PlacedTree(Tree):
    """A document whose lines remember their bytes: the readers' findings carry them along."""

    def __init__(self, tree: Tree) -> None:
        self.__dict__.update(tree.__dict__)

    def line(self, item: Item | None, attribute: str | None = None) -> int:
        """Return the line of an element, or of the value of one of its attributes."""
        found = PlacedLine(super().line(item, attribute))
        found.span = self._place(item, attribute)
        return found

    def _place(self, item: Item | None, attribute: str | None) -> Span:
        value = self.value_span(item, attribute) if item is not None and attribute else None
        if value is not None:
            return value.start, value.end
        for around in () if item is None else (item, *item.ancestors()):
            span = self.span(around)
            if span is not None:
                return span
        return NOWHERE


@dataclass
class FileView:
    """One file of a corpus."""

    path: str
    source: bytes
    role: Role
    read: Memory | Unreadable | None
    """What the reader made of it; None for a page that is no memory of its own."""
    links: tuple[Link, ...]
    settings: CheckSettings

    @property
    def traits(self) -> Traits:
        """What is particular to the store that the file belongs to."""
        return TRAITS[self.role.dialect]

    @property
    def is_markup(self) -> bool:
        """True for HTML of any kind."""
        return self.traits.html

    @property
    def memory(self) -> Memory | None:
        """The memory, None where there is none or it cannot be read."""
        return self.read if isinstance(self.read, Memory) else None

    @property
    def is_html(self) -> bool:
        """True for a file of the memhtml dialect."""
        return self.role.dialect == "memhtml"

    @cached_property
    def text(self) -> str:
        """The whole text; empty where the bytes are none."""
        try:
            return self.source.decode("utf-8")
        except UnicodeDecodeError:
            return ""

    @cached_property
    def lines(self) -> LineIndex:
        """The lines of the file."""
        return LineIndex(self.source)

    @cached_property
    def tree(self) -> PlacedTree | None:
        """The HTML document, None for other files and for bytes that are no text."""
        if not self.is_html:
            return None
        try:
            return PlacedTree(parse(self.source))
        except UnfitSourceError:
            return None

    @cached_property
    def head(self) -> Head | None:
        """The head of the HTML document."""
        return None if self.tree is None else head_of(self.tree)

    @cached_property
    def front(self) -> FrontMatter | Broken | None:
        """The head of a Markdown file, however it is written."""
        return None if self.is_markup or not self.text else read_head(self.source)

    @property
    def block(self) -> FrontMatter | None:
        """The front matter where it loads."""
        return self.front if isinstance(self.front, FrontMatter) else None

    def span(self, start: int, end: int) -> Span:
        """Return the bytes of a span of characters of `text`."""
        if len(self.text) == len(self.source):
            return start, end
        before = len(self.text[:start].encode())
        return before, before + len(self.text[start:end].encode())

    def line_span(self, line: int) -> Span:
        """Return the bytes of a line's words."""
        return self.lines.span_of_line(line)

    def entry(self, *names: str) -> Entry | None:
        """Return the entry of the front matter that has one of these keys."""
        return self.block.find(*names) if self.block else None

    def field_span(self, name: str) -> Span:
        """Return where the value of a field stands; `NOWHERE` when the file does not state it."""
        if self.is_html:
            return self.meta_span(META_NAMES.get(name, ""))  # type: ignore[call-overload]
        stated = self.memory.stated.get(name, "") if self.memory else ""
        keys = (normal_key(stated) if "." not in stated else stated,) if stated else ()
        entry = self.entry(*keys, *KEYS.get(name, (name,)))
        return NOWHERE if entry is None else (entry.value.start, entry.value.end)

    def meta_span(self, name: str) -> Span:
        """Return where the content of the first meta of a name stands."""
        entry = self.head.first(name) if self.head else None
        if entry is None or self.tree is None:
            return NOWHERE
        value = self.tree.value_span(entry.item, "content")
        return (value.start, value.end) if value else self.tree.span(entry.item) or NOWHERE

    def claim_span(self) -> Span:
        """Return where the memory says what it says: its mark, its gist, its first words."""
        if self.is_html:
            marks = self.tree.named("mark") if self.tree else []
            return (self.tree.span(marks[0]) if self.tree and marks else None) or NOWHERE
        if self.is_markup:
            return NOWHERE
        if self.memory and self.memory.states("gist"):
            return self.field_span("gist")
        start = self.block.body_start if self.block else body_offset(self.source)
        word = re.compile(rb"[^\s#>*-]").search(self.source, start)
        return self.line_span(self.lines.line(word.start())) if word else NOWHERE

    @cached_property
    def code_spans(self) -> list[Span]:
        """The bytes of a Markdown body's code blocks."""
        start = self.block.body_start if self.block else body_offset(self.source)
        body = self.source[start:].decode("utf-8", "replace")
        return [
            (start + span["start"], start + span["end"])
            for event, span in parse_markdown(body)
            if isinstance(event, dict) and "CodeBlock" in (event.get("Start") or ())
        ]

    @cached_property
    def prose(self) -> str:
        """The text with all that is no running prose blanked: same length, same line ends.

        Blanked are markup, code, quotations, comments, link targets and front matter.
        """
        return _html_prose(self.text) if self.is_markup else self._markdown_prose()

    def _markdown_prose(self) -> str:
        start = self.block.body_start if self.block else body_offset(self.source)
        body = self.source[start:].decode("utf-8", "replace")
        kept = bytearray(_blank(self.source))
        depth = 0
        for event, span in parse_markdown(body):
            if not isinstance(event, dict):
                continue
            depth += _quotes(event.get("Start")) - _quotes(event.get("End"))
            if "Text" in event and not depth:
                first, last = start + span["start"], start + span["end"]
                kept[first:last] = self.source[first:last]
        # Characters outside prose were blanked byte by byte: join each to one character again.
        return _recombined(self.source, bytes(kept))


_QUOTING = ("BlockQuote", "CodeBlock", "MetadataBlock", "HtmlBlock")


def _quotes(value: object) -> int:
    """Return 1 for the start or end of a block that is no prose of its own."""
    name = value if isinstance(value, str) else next(iter(value), "") if value else ""  # type: ignore[call-overload]
    return int(name in _QUOTING)


def _blank(source: bytes) -> bytes:
    return re.sub(rb"[^\n]", b" ", source)


def _recombined(source: bytes, kept: bytes) -> str:
    """Return text of the same characters as the source, those not kept as blanks."""
    text = source.decode("utf-8", "replace")
    if len(text) == len(source):
        return kept.decode("utf-8")
    out, at = [], 0
    for character in text:
        size = len(character.encode("utf-8"))
        out.append(character if kept[at : at + size] == source[at : at + size] else " ")
        at += size
    return "".join(out)


_NOT_PROSE = re.compile(
    r"<!--.*?-->|<(head|pre|code|q|blockquote|time|script|style|cite)\b.*?</\1\s*>|<[^<>]*>",
    re.DOTALL | re.IGNORECASE,
)


def _html_prose(text: str) -> str:
    return _NOT_PROSE.sub(lambda match: re.sub(r"[^\n]", " ", match[0]), text)
