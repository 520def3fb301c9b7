"""A memhtml file opened for editing, and the proof that an edit did what was asked and no more."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from memsleep.editors.html_lines import insert_before
from memsleep.editors.html_text import escape_attribute
from memsleep.editors.splice import Replacement, splice
from memsleep.errors import EditRefused
from memsleep.readers.memhtml_head import Entry, Head, head_of
from memsleep.readers.memhtml_source import UnfitSourceError
from memsleep.readers.memhtml_tree import SMALL, Item, Tree, parse

_SUFFIX = re.compile(r"[?#].*", re.DOTALL)
_RAW_SUFFIX = re.compile(rb"[?#]")

Pairs = list[tuple[str, str | None]]


@dataclass(frozen=True, slots=True)
class Document:
    """One parsed source."""

    source: bytes
    tree: Tree
    head: Head

    @property
    def metas(self) -> Pairs:
        """(name, content) of each memhtml meta."""
        return [(entry.name, entry.value) for entry in self.head.metas]

    @property
    def links(self) -> Pairs:
        """(rel, href) of each memhtml link."""
        return [(entry.name, entry.value) for entry in self.head.links]

    def span(self, entry: Entry) -> tuple[int, int]:
        """Return the bytes of a head entry."""
        span = self.tree.span(entry.item)
        if span is None:
            raise EditRefused("a head entry has no place in the source")
        return span

    def line(self, entry: Entry) -> int:
        """Return the line of a head entry."""
        return self.tree.line(entry.item)


def open_document(source: bytes) -> Document:
    """Parse a source for editing. Raises `EditRefused` where it is not plain UTF-8.

    The last few small ones are kept: what one edit proves is where the next one begins.
    The document holds the very bytes that were given, so that no edit can be told by identity.
    """
    if len(source) > SMALL:
        return _opened(source)
    kept = _kept(source)
    return kept if kept.source is source else replace(kept, source=source)


def _opened(source: bytes) -> Document:
    try:
        tree = parse(source)
    except UnfitSourceError as error:
        raise EditRefused(error.message, line=error.line) from None
    return Document(source, tree, head_of(tree))


_kept = lru_cache(maxsize=8)(_opened)


def value_edit(tree: Tree, item: Item, attribute: str, value: str) -> Replacement:
    """Return the edit that gives an attribute another value, in the quotes that it has."""
    span = tree.value_span(item, attribute)
    if span is not None and span.quote:
        return Replacement(span.start, span.end, escape_attribute(value, span.quote).encode())
    quoted = f'"{escape_attribute(value)}"'.encode()
    if span is not None:
        return Replacement(span.start, span.end, quoted)
    location = item.node.source_location
    if location is None:
        raise EditRefused("an element has no place in the source")
    if attribute in location.attrs:
        place = tree.source.byte(location.attrs[attribute].end_offset)
        return Replacement(place, place, b"=" + quoted)
    place = tree.source.byte(location.start_tag.start_offset) + len("<" + item.tag)
    return Replacement(place, place, b" " + attribute.encode() + b"=" + quoted)


def path_edit(tree: Tree, item: Item, path: str) -> tuple[Replacement, str]:
    """Return the edit that gives an href another path, and the href that results.

    Query and fragment keep their bytes, unless the path before them holds references or the
    value has no quotes: then the whole value is written anew.
    """
    href = item.attr("href") or ""
    suffix = _SUFFIX.search(href)
    whole = path + (suffix[0] if suffix else "")
    span = tree.value_span(item, "href")
    if span is not None and span.quote:
        raw = tree.source.data[span.start : span.end]
        cut = _RAW_SUFFIX.search(raw)
        written = raw[: cut.start()] if cut else raw
        if b"&" not in written:
            new = escape_attribute(path, span.quote).encode()
            return Replacement(span.start, span.start + len(written), new), whole
    return value_edit(tree, item, "href", whole), whole


def before_head_end(document: Document, line: bytes) -> Replacement:
    """Return the insertion of a line above `</head>`."""
    head = document.head.item
    end_tag = None if head is None else document.tree.end_tag(head)
    if end_tag is None:
        raise EditRefused("expected a </head> tag to insert before, found none")
    return insert_before(document.source, end_tag, line)


def apply_head_edits(
    before: Document,
    edits: Sequence[Replacement],
    *,
    metas: Pairs | None = None,
    links: Pairs | None = None,
) -> bytes:
    """Splice edits of the head and prove the result.

    Parsed again, the file must state exactly the given metas and links (those it stated before,
    where none are given), and everything else must be as it was. Otherwise the edit is refused.
    """
    source = splice(before.source, edits)
    if source is before.source:
        return source
    after = open_document(source)
    asked = (
        before.metas if metas is None else metas,
        before.links if links is None else links,
        _rest(before),
    )
    if (after.metas, after.links, _rest(after)) != asked:
        line = before.source.count(b"\n", 0, edits[0].start) + 1
        raise EditRefused("the edit would change more of the file than was asked", line=line)
    return source


def _rest(document: Document) -> tuple[object, ...]:
    """Return what no edit of the head may change: the other elements and the article's text."""
    tree = document.tree
    edited = {entry.item.index for entry in (*document.head.metas, *document.head.links)}
    others = [item.tag for item in tree.items if item.index not in edited]
    text = [tree.canonical_text(item) for item in tree.items if item.tag in {"article", "title"}]
    return others, text
