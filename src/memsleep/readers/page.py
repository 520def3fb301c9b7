"""HTML pages that are no memhtml files: exports of Evernote, saved or generated pages.

Fields come from comments at the top (`<!-- key: value -->`) and from metas with `itemprop`, `name`
or `property`. Nothing about such a page is a violation: what a browser shows can be read.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterator
from dataclasses import dataclass, replace
from types import MappingProxyType

from memsleep.model import EMPTY, Citation, Link, Memory, Problem, Unreadable, digest_bytes
from memsleep.readers.frontmatter import (
    Entry,
    FrontMatter,
    Scalar,
    Sequence,
    body_offset,
    head_of_kind,
    normal_key,
    repeated_keys,
)
from memsleep.readers.head_lines import read_comment_head
from memsleep.readers.markdown_fields import (
    Fields,
    stated_dates,
    stated_list,
    stated_number,
    stated_pinned,
    stated_status,
    stated_text,
    stated_type,
)
from memsleep.readers.markdown_text import count_words
from memsleep.readers.memhtml_hash import hash_of
from memsleep.readers.memhtml_links import anchor_links
from memsleep.readers.memhtml_source import UnfitSourceError
from memsleep.readers.memhtml_tree import Item, Tree, parse

_NAMES = ("itemprop", "name", "property")
_PREFIXES = ("article:", "og:", "dc.", "dcterms.", "dc:", "memhtml-")
_TITLE_CHARACTERS = 300


@dataclass(frozen=True, slots=True)
class Page:
    """One parsed page."""

    source: bytes
    tree: Tree
    shift: int
    """Bytes of the byte order mark before what was parsed."""
    head: FrontMatter


BODIES = ("article", "main", "body")
"""Elements that hold the text of a page: the first that there is."""


def open_page(source: bytes) -> Page:
    """Parse a page. Raises `UnfitSourceError` where it is not UTF-8."""
    shift = body_offset(source)
    tree = parse(source[shift:])
    comments = read_comment_head(source)
    entries = [*(comments.entries if comments else ()), *_meta_entries(tree, shift)]
    start = comments.body_start if comments else shift
    head = head_of_kind("comment" if comments else "none", (shift, start, start), tuple(entries))
    return Page(source, tree, shift, head)


def _meta_entries(tree: Tree, shift: int) -> Iterator[Entry]:
    """Yield one entry for each name that metas give; a repeated name is a list."""
    metas: dict[str, list[tuple[Item, str]]] = {}
    for item in tree.named("meta"):
        name = next((item.attr(attribute) for attribute in _NAMES if item.attr(attribute)), None)
        if name and item.attr("content") is not None:
            metas.setdefault(_bare(name), []).append((item, name))
    for key, stated in metas.items():
        scalars = [_content(tree, item, shift) for item, _ in stated]
        first = scalars[0]
        value = (
            first if len(scalars) == 1 else Sequence(tuple(scalars), first.start, first.end, True)
        )
        line = tree.line(stated[0][0])
        yield Entry(key, Scalar(key, first.start, first.start, ""), value, line)


def _bare(name: str) -> str:
    lowered = name.strip()
    for prefix in _PREFIXES:
        if lowered.lower().startswith(prefix):
            lowered = lowered[len(prefix) :]
    return lowered


def _content(tree: Tree, item: Item, shift: int) -> Scalar:
    text = item.attr("content") or ""
    span = tree.value_span(item, "content")
    if span is None:
        return Scalar(text, -1, -1, "", null=not text)
    return Scalar(text, span.start + shift, span.end + shift, span.quote, null=not text)


def read_page(path: str, source: bytes, dialect: str) -> Memory | Unreadable:
    """Read one page. Never raises; the targets of its links stay unresolved."""
    if b"\0" in source:
        problem = Problem(path, None, "binary", "the file holds a NUL byte, so it is not text")
        return Unreadable(path, (problem,))
    try:
        page = open_page(source)
    except UnfitSourceError as error:
        return Unreadable(path, (Problem(path, error.line, error.code, error.message),))
    return _memory(path, page, dialect)


def _memory(path: str, page: Page, dialect: str) -> Memory:
    fields = Fields(path, page.source, page.head)
    tree = page.tree
    body = next((item for tag in BODIES for item in tree.named(tag)), None)
    text = tree.text_of(body) if body is not None else ""
    title = fields.text("title") or _title(tree) or posixpath.splitext(posixpath.basename(path))[0]
    gist = fields.text("gist") or _first_paragraph(tree, body) or title
    dates = stated_dates(fields, None)
    memory = Memory(
        path=path,
        dialect=dialect,
        type=stated_type(fields) or "semantic",
        title=" ".join(title.split()),
        gist=" ".join(gist.split())[:_TITLE_CHARACTERS],
        body=text,
        word_count=count_words(text),
        digest=digest_bytes(page.source),
        content_hash=hash_of(tree, body) if body is not None else digest_of_nothing(),
        created=dates.get("created"),
        updated=dates.get("updated"),
        valid_until=dates.get("valid_until"),
        confidence=stated_number(fields, "confidence", 1.0),
        importance=stated_number(fields, "importance", 5.0),
        status=stated_status(fields),
        pinned=stated_pinned(fields),
        author=stated_text(fields, "author"),
        tags=stated_list(fields, "tags"),
        aliases=stated_list(fields, "aliases"),
        scope=stated_text(fields, "scope"),
        links=page_links(page),
        citations=_citations(page),
    )
    return replace(
        memory,
        stated=MappingProxyType(fields.stated) if fields.stated else EMPTY,
        raw=MappingProxyType(fields.raw) if fields.raw else EMPTY,
        warnings=(*repeated_keys(path, page.head), *fields.problems),
    )


def digest_of_nothing() -> str:
    """Return the content hash of a page without a body."""
    return f"sha256:{digest_bytes(b'')}"


def page_links(page: Page) -> tuple[Link, ...]:
    """Return the anchors of a page, with their bytes in the file."""
    return tuple(
        replace(
            link,
            start=link.start + page.shift,
            end=link.end + page.shift,
            line=link.line,
        )
        for link in anchor_links(page.tree, None)
    )


def read_page_links(source: bytes) -> tuple[Link, ...]:
    """Return the anchors of a file that is no memory; none when it is not text."""
    try:
        return page_links(open_page(source))
    except UnfitSourceError:
        return ()


def _title(tree: Tree) -> str:
    titles = [*tree.named("title"), *tree.named("h1"), *tree.named("h2")]
    return next((text for item in titles if (text := tree.text_of(item))), "")


def _first_paragraph(tree: Tree, body: Item | None) -> str:
    if body is None:
        return ""
    items = [item for tag in ("p", "li", "div") for item in tree.named(tag, body)]
    items.sort(key=lambda item: item.index)
    return next((text for item in items if (text := tree.text_of(item))), "")


def _citations(page: Page) -> tuple[Citation, ...]:
    found = {}
    for key in ("sourceurl", "source", "citation"):
        entry = next((e for e in page.head.entries if normal_key(e.key) == key), None)
        if entry is not None and isinstance(entry.value, Scalar) and entry.value.text.strip():
            text = entry.value.text.strip()
            found[text] = Citation(text, text if "://" in text else None)
    return tuple(found.values())
