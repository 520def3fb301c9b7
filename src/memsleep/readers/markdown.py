"""The reader of Markdown memories: bytes of one file in, a `Memory` or the reason against it."""

from __future__ import annotations

import gc
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import PurePosixPath
from types import MappingProxyType

from memsleep.model import EMPTY, Link, Memory, Problem, Unreadable, digest_bytes
from memsleep.readers.dates import parse_date
from memsleep.readers.frontmatter import Broken, FrontMatter, repeated_keys
from memsleep.readers.head import block_of, read_head, with_inline
from memsleep.readers.linkscan import scan_body
from memsleep.readers.linkscan_head import links_of_head
from memsleep.readers.markdown_citations import citations_of
from memsleep.readers.markdown_facets import facets_of, inline_tags
from memsleep.readers.markdown_fields import (
    INLINE_KEYS,
    Fields,
    stated_dates,
    stated_list,
    stated_number,
    stated_pinned,
    stated_reprieves,
    stated_status,
    stated_text,
    stated_type,
    valid_until_of_ttl,
)
from memsleep.readers.markdown_text import (
    Events,
    TooMuchMarkupError,
    blocks_of,
    content_hash,
    count_words,
    first_heading,
    first_sentence,
    parse,
    plain_text,
)

DEFAULT_TYPE = "semantic"
"""Type of a memory that states none: a plain page is a fact until it says otherwise."""
DEFAULT_CONFIDENCE, DEFAULT_IMPORTANCE = 1.0, 5.0

_NAME_DATE = re.compile(
    r"(\d{4}[-_.]\d\d[-_.]\d\d(?:[T _-]\d\d[-_]?\d\d(?:[-_]?\d\d)?)?"
    r"|\d{8}(?:[T _-]?\d{4}(?:\d\d)?)?)(?!\d)"
)


_LARGE_BYTES = 1 << 18


@dataclass(frozen=True, slots=True)
class ReadAs:
    """How a store writes what Markdown leaves open."""

    dialect: str = "plain"
    day_first: bool | None = None
    """Order of dates such as `06/08/2017` where the file's own dates do not tell."""
    label_first: bool = False
    """True where `[[label|target]]` is the order of a link's parts."""
    inline_tags: bool = False
    """True where `#tag` in the text is a tag."""


PLAIN = ReadAs()


def read(path: str, source: bytes, how: ReadAs = PLAIN) -> Memory | Unreadable:
    """Read one Markdown file; link targets stay unresolved.

    Parameters
    ----------
    path : str
        Path below the corpus root.
    source : bytes
        The file as it is on disk.
    how : ReadAs
        What the store's dialect and the config say of reading.
    """
    problem = text_problem(path, source)
    if problem is not None:
        return Unreadable(path, (problem,))
    found = read_head(source)
    block = block_of(source, found)
    try:
        with _without_collector(len(source)):
            memory = _memory(path, source, block, how)
            return _marked_broken(memory, source, found) if isinstance(found, Broken) else memory
    except TooMuchMarkupError as error:
        return Unreadable(path, (Problem(path, None, "too-much-markup", f"{error}; left alone"),))


@contextmanager
def _without_collector(size: int) -> Iterator[None]:
    """Keep the cycle collector from walking millions of young events again and again.

    A file of 10 MB gives millions of them, none in a cycle; with the collector on, reading takes
    ten times as long.
    """
    if size < _LARGE_BYTES or not gc.isenabled():
        yield
        return
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


def text_problem(path: str, source: bytes) -> Problem | None:
    """Return why bytes are not the text of a file, None when they are."""
    if b"\0" in source:
        line = source.count(b"\n", 0, source.index(b"\0")) + 1
        return Problem(path, line, "binary", "the file holds a NUL byte, so it is not text")
    try:
        source.decode("utf-8")
    except UnicodeDecodeError as error:
        line = source.count(b"\n", 0, error.start) + 1
        return Problem(path, line, "not-utf-8", f"byte {error.start} is not valid UTF-8")
    return None


def read_links(path: str, source: bytes, how: ReadAs = PLAIN) -> tuple[Link, ...]:
    """Return the links of a file that is no memory itself; none when it cannot be read."""
    try:
        return () if text_problem(path, source) is not None else _links_of_text(source, how)
    except TooMuchMarkupError:
        return ()


@lru_cache(maxsize=16)
def _links_of_text(source: bytes, how: ReadAs) -> tuple[Link, ...]:
    """Keep the last answers: each edit of a link is proven by reading the file before and after."""
    with _without_collector(len(source)):
        return _links(source, block_of(source, read_head(source)), how)


def _links(
    source: bytes, block: FrontMatter, how: ReadAs, events: Events | None = None
) -> tuple[Link, ...]:
    # Properties are lines of the text to other programs, and their links are those of the text.
    start = block.start if block.kind == "properties" else block.body_start
    if events is None or start != block.body_start:
        events = parse(source[start:].decode("utf-8"))
    head = () if block.kind == "properties" else links_of_head(source, block)
    return (*head, *scan_body(source, start, events, label_first=how.label_first))


def _memory(path: str, source: bytes, block: FrontMatter, how: ReadAs) -> Memory:
    body = source[block.body_start :]
    events = parse(body.decode("utf-8"))
    block = with_inline(source, block, events, INLINE_KEYS)
    fields = Fields(path, source, block)
    blocks = blocks_of(events)
    text = plain_text(blocks)
    links = _links(source, block, how, events)
    title = fields.text("title") or first_heading(blocks) or PurePosixPath(path).stem
    gist = fields.text("gist") or first_sentence(blocks) or title
    for name in ("name", "permalink", "superseded_by", "content_hash"):
        fields.text(name)  # kept in `stated` and `raw` for names and editors
    memory = Memory(
        path=path,
        dialect=how.dialect,
        type=stated_type(fields) or DEFAULT_TYPE,
        title=title,
        gist=" ".join(gist.split()),
        body=text,
        word_count=count_words(text),
        digest=digest_bytes(source),
        content_hash=content_hash(body, events),
        facets=facets_of(blocks),
        citations=citations_of(fields, links, events),
        links=links,
        superseded_by=_replacement(links),
    )
    memory = _with_bookkeeping(_with_dates(memory, fields, how.day_first), fields)
    if how.inline_tags:
        tags = (*memory.tags, *inline_tags(blocks))
        memory = replace(memory, tags=tuple(dict.fromkeys(tags)))
    return memory


def _with_dates(memory: Memory, fields: Fields, day_first: bool | None) -> Memory:
    dates = stated_dates(fields, day_first)
    created = dates.get("created") or name_instant(memory.path)
    updated = dates.get("updated")
    valid_until = dates.get("valid_until") or valid_until_of_ttl(fields, updated or created)
    return replace(
        memory,
        created=created,
        updated=updated,
        event_time=dates.get("event_time"),
        valid_from=dates.get("valid_from"),
        valid_until=valid_until,
        archived_at=dates.get("archived_at"),
    )


def _with_bookkeeping(memory: Memory, fields: Fields) -> Memory:
    stated = replace(
        memory,
        confidence=stated_number(fields, "confidence", DEFAULT_CONFIDENCE),
        importance=stated_number(fields, "importance", DEFAULT_IMPORTANCE),
        reprieves=stated_reprieves(fields),
        status=stated_status(fields),
        pinned=stated_pinned(fields),
        author=stated_text(fields, "author"),
        tags=stated_list(fields, "tags"),
        entities=stated_list(fields, "entities"),
        aliases=stated_list(fields, "aliases"),
        scope=stated_text(fields, "scope"),
        language=stated_text(fields, "language"),
    )
    return replace(
        stated,
        stated=MappingProxyType(fields.stated) if fields.stated else EMPTY,
        raw=MappingProxyType(fields.raw) if fields.raw else EMPTY,
        warnings=(*repeated_keys(memory.path, fields.front_matter), *fields.problems),
    )


def _replacement(links: tuple[Link, ...]) -> str | None:
    """Return the target of the first `superseded_by`, as written."""
    found = (link.target for link in links if link.relation == "superseded_by")
    return next((target.lstrip("/") for target in found), None)


def _marked_broken(memory: Memory, source: bytes, broken: Broken) -> Memory:
    """Return the memory of a file that must not be edited, its title from below the block."""
    blocks = blocks_of(parse(source[broken.text_start :].decode("utf-8")))
    title = first_heading(blocks) or PurePosixPath(memory.path).stem
    problem = Problem(memory.path, broken.line, "front-matter-unreadable", broken.reason)
    return replace(
        memory,
        title=title,
        gist=first_sentence(blocks) or title,
        read_only=f"its front matter is broken: {broken.reason}",
        warnings=(problem, *memory.warnings),
    )


def name_instant(path: str) -> str | None:
    """Return the date that a file name begins with, such as `2026-03-04-title.md`.

    Examples
    --------
    >>> name_instant("log/20260304T1015.md"), name_instant("notes/12345678.md")
    ('2026-03-04T10:15:00Z', None)
    """
    match = _NAME_DATE.match(PurePosixPath(path).name)
    parsed = parse_date(match[1]) if match else None
    return parsed.instant if parsed else None
