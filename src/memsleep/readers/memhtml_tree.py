"""One walk over a parsed HTML document: its elements, its text and where both stand."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import groupby
from typing import Literal

import turbohtml

from memsleep.readers.memhtml_source import Source
from memsleep.readers.memhtml_values import collapse, js_trim
from memsleep.readers.memhtml_vocabulary import INLINE

SMALL = 1 << 16
"""Bytes of a document up to which its tree is kept: a tree takes forty times as many."""
_VALUE_START = re.compile(r"[ \t\n\f]*=[ \t\n\f]*")


class Item:
    """One element: the slice of the document's items and of its text pieces that it spans."""

    __slots__ = ("first", "index", "last", "node", "parent", "pre", "stop", "tag")

    def __init__(
        self, node: turbohtml.Element, parent: Item | None, index: int, first: int, pre: int
    ) -> None:
        self.node = node
        self.tag = node.tag
        self.parent = parent
        self.index = index
        self.stop = index + 1
        """One past the last descendant in `Tree.items`."""
        self.first = first
        self.last = first
        """One past the last piece in `Tree.pieces`."""
        self.pre = pre
        """Number of `pre` ancestors."""

    def attr(self, name: str) -> str | None:
        """Return the decoded value of an attribute, None when it is missing."""
        return self.node.attr(name)

    def ancestors(self) -> Iterator[Item]:
        """Yield the elements around this one, the nearest first."""
        item = self.parent
        while item is not None:
            yield item
            item = item.parent


@dataclass(frozen=True, slots=True)
class ValueSpan:
    """Where an attribute's value stands in the source, quotes left out."""

    start: int
    end: int
    quote: Literal["", "'", '"']


class Tree:
    """A parsed document. Contents of `template` are not part of it."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.items: list[Item] = []
        self.by_tag: dict[str, list[Item]] = {}
        self.pieces: list[str] = []
        """Text in document order, a single space at each edge of a block element."""
        self._verbatim: dict[int, int] = {}
        """Index of each piece of text inside `pre` -> how many `pre` are around it."""

    def named(self, tag: str, within: Item | None = None) -> list[Item]:
        """Return the elements of one name, in document order, of the tree or below an item."""
        items = self.by_tag.get(tag, [])
        if within is None:
            return items
        return [item for item in items if within.index < item.index < within.stop]

    def below(self, item: Item | None) -> list[Item]:
        """Return the descendants of an item, or all elements."""
        return self.items if item is None else self.items[item.index + 1 : item.stop]

    def children(self, item: Item) -> Iterator[Item]:
        """Yield the child elements of an item."""
        index = item.index + 1
        while index < item.stop:
            yield self.items[index]
            index = self.items[index].stop

    def text_of(self, item: Item) -> str:
        """Return the text of a subtree on one line, trimmed."""
        return js_trim(collapse("".join(self.pieces[item.first : item.last])))

    def claim_of(self, item: Item) -> str:
        """Return the text of a subtree without its `pre` and `code` parts."""
        kept, reached = [], item.first
        for cut in self.below(item):
            if cut.tag in {"pre", "code"} and cut.first >= reached:
                kept += self.pieces[reached : cut.first]
                reached = cut.last
        kept += self.pieces[reached : item.last]
        return js_trim(collapse("".join(kept)))

    def canonical_text(self, item: Item) -> str:
        """Return the text that the content hash is taken of: white space collapsed but in `pre`."""
        runs = [
            (verbatim, "".join(self.pieces[index] for index in indexes))
            for verbatim, indexes in groupby(
                range(item.first, item.last),
                lambda index: self._verbatim.get(index, 0) > item.pre,
            )
        ]
        parts = [text if verbatim else collapse(text) for verbatim, text in runs]
        if runs and not runs[0][0]:
            parts[0] = parts[0].removeprefix(" ")
        if runs and not runs[-1][0]:
            parts[-1] = parts[-1].removesuffix(" ")
        return "".join(parts)

    def span(self, item: Item) -> tuple[int, int] | None:
        """Return the bytes of the start tag, None for an element that the parser implied."""
        location = item.node.source_location
        if location is None:
            return None
        tag = location.start_tag
        return self.source.byte(tag.start_offset), self.source.byte(tag.end_offset)

    def end_tag(self, item: Item) -> tuple[int, int] | None:
        """Return the bytes of the end tag, None where the source has none."""
        location = item.node.source_location
        if location is None or location.end_tag is None:
            return None
        tag = location.end_tag
        return self.source.byte(tag.start_offset), self.source.byte(tag.end_offset)

    def value_span(self, item: Item, name: str) -> ValueSpan | None:
        """Return where the value of an attribute stands, None where none is written."""
        location = item.node.source_location
        if location is None or name not in location.attrs:
            return None
        whole = location.attrs[name]
        text = self.source.text
        match = _VALUE_START.match(text, whole.start_offset + len(name), whole.end_offset)
        if match is None:
            return None
        start, end = match.end(), whole.end_offset
        quote: Literal["", "'", '"'] = ""
        if text.startswith(('"', "'"), start, end):
            quote = '"' if text[start] == '"' else "'"
            start, end = start + 1, end - 1
        return ValueSpan(self.source.byte(start), self.source.byte(end), quote)

    def line(self, item: Item | None, attribute: str | None = None) -> int:
        """Return the line of an element or one of its attributes.

        What the parser implied has the line of the nearest element that is written, or 1.
        """
        for place in () if item is None else (item, *item.ancestors()):
            location = place.node.source_location
            if location is not None:
                span = location.attrs.get(attribute or "", location.start_tag)
                return self.source.line(self.source.byte(span.start_offset))
        return 1


def parse(data: bytes) -> Tree:
    """Parse a document. Raises `UnfitSourceError` for bytes that are not plain UTF-8.

    Nobody changes a tree. An edit asks four times for the same two: to find its place, to prove
    its result, and to read that again; so the last few are kept.
    """
    return _kept(data) if len(data) <= SMALL else _parsed(data)


def _parsed(data: bytes) -> Tree:
    source = Source(data)
    document = turbohtml.parse(
        source.text,
        source_locations=True,
        scripting=True,
        allow_declarative_shadow_roots=False,
    )
    return _walk(Tree(source), document.children)


_kept = lru_cache(maxsize=8)(_parsed)


def parse_article(data: bytes) -> Tree:
    """Parse inner markup of an article; the article is the first item of the tree."""
    source = Source(data)
    root = turbohtml.parse_fragment(source.text, "article", source_locations=True, scripting=True)
    return _walk(Tree(source), (root,))


def _walk(tree: Tree, roots: Iterable[turbohtml.Node]) -> Tree:
    """Fill a tree in document order, without recursion: depth is not ours to bound."""
    pieces, items, verbatim = tree.pieces, tree.items, tree._verbatim
    parent: Item | None = None
    pre = 0
    todo: list[turbohtml.Node | Item] = [*reversed(tuple(roots))]
    while todo:
        node = todo.pop()
        if isinstance(node, (turbohtml.Text, turbohtml.CData)):
            if pre:
                verbatim[len(pieces)] = pre
            pieces.append(node.data)
        elif isinstance(node, turbohtml.Element):
            parent = Item(node, parent, len(items), len(pieces), pre)
            items.append(parent)
            tree.by_tag.setdefault(parent.tag, []).append(parent)
            if parent.tag not in INLINE:
                pieces.append(" ")
            pre += parent.tag == "pre"
            todo.append(parent)
            todo.extend(node.children[::-1])
        elif isinstance(node, Item):
            if node.tag not in INLINE:
                pieces.append(" ")
            node.last, node.stop = len(pieces), len(items)
            parent, pre = node.parent, node.pre
    return tree
