"""Links that front matter states: `links`, `supersedes`, `up` ... and any `"[[x]]"`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from memsleep.model import Link
from memsleep.readers.frontmatter import (
    Entry,
    FrontMatter,
    Mapping,
    Scalar,
    Sequence,
    Value,
    bracketed,
    normal_key,
    scalars,
)
from memsleep.readers.linkscan import relation_of
from memsleep.readers.linkscan_targets import (
    Written,
    is_external,
    placed_url,
    wikilink_target,
    without_fragment,
)

LINK_KEYS = {
    normal_key(key): relation_of(key)
    for key in (
        "supersedes", "superseded_by", "contradicts", "supports", "relates_to", "part_of",
        "caused_by", "leads_to", "example_of", "laterally_related", "upstream", "downstream",
        "links", "up", "parent", "related",
    )
}  # fmt: skip
"""Normal form of a key whose entries are links -> its relation."""
REL_KEYS = ("rel", "relation", "type")
TO_KEYS = ("to", "target", "path", "href", "link")

_WIKILINK = re.compile(rb"\[\[([^\[\]\n]+)\]\]")
_INLINE = re.compile(rb"\[[^\[\]\n]*\]\(\s*<?([^\s<>()]+)>?\s*\)")


@dataclass(frozen=True, slots=True)
class HeadLink:
    """A link of the front matter with the entry and the list item that hold it."""

    entry: Entry
    item: Value
    written: Written
    relation: str


def head_links(source: bytes, front_matter: FrontMatter) -> Iterator[HeadLink]:
    """Yield the links of a front matter block in file order."""
    wikilinks = b"[[" in source[front_matter.start : front_matter.end]
    for entry in front_matter.entries:
        relation = LINK_KEYS.get(normal_key(entry.key))
        if relation is not None:
            for item in items_of(entry.value, source):
                yield from _item_links(source, entry, item, relation)
        elif wikilinks:
            for scalar in scalars(entry.value):
                for written in _wikilinks_in(source, scalar):
                    yield HeadLink(entry, scalar, written, "relates_to")


def links_of_head(source: bytes, front_matter: FrontMatter) -> list[Link]:
    """Return the links of a front matter block as values of the model."""
    links = []
    line, counted = 1, 0
    for found in head_links(source, front_matter):
        start = found.written.start if found.written.start >= 0 else found.item.start
        start = max(start, counted)
        line += source.count(b"\n", counted, start)
        counted = start
        links.append(
            Link(
                found.relation, found.written.target, line, "front-matter",
                found.written.start, found.written.end, external=found.written.external,
            )
        )  # fmt: skip
    return links


def items_of(value: Value, source: bytes) -> tuple[Value, ...]:
    """Return the items of a list, or the value itself when it is one item."""
    if isinstance(value, Sequence) and bracketed(value, source) is None:
        return value.items
    return (value,)


def _item_links(source: bytes, entry: Entry, item: Value, relation: str) -> Iterator[HeadLink]:
    if isinstance(item, Mapping):
        named = {normal_key(name.text): value for name, value in item.entries}
        verb = next((named[key] for key in REL_KEYS if key in named), None)
        target = next((named[key] for key in TO_KEYS if key in named), None)
        if isinstance(verb, Scalar) and not verb.null:
            relation = relation_of(verb.text)
        if isinstance(target, Scalar):
            for written in _targets(source, target):
                yield HeadLink(entry, item, written, relation)
        return
    plain = bracketed(item, source)
    if plain is not None:
        target_inside = wikilink_target(source, plain[1], plain[2])
        if target_inside is not None:
            yield HeadLink(entry, item, target_inside, relation)
    elif isinstance(item, Scalar):
        for written in _targets(source, item):
            yield HeadLink(entry, item, written, relation)


def _targets(source: bytes, scalar: Scalar) -> Iterator[Written]:
    """Yield the targets of one scalar: wikilinks, inline links, or the whole text."""
    if scalar.null or not scalar.text.strip():
        return
    found = False
    for written in _wikilinks_in(source, scalar):
        found = True
        yield written
    if found:
        return
    start, end = inner_span(source, scalar)
    inline = _INLINE.search(source, start, end) if start >= 0 else None
    if inline is not None:
        url = placed_url(source, inline.start(1), inline.end(1))
        if url is not None:
            yield url
        return
    text = scalar.text.strip()
    external = is_external(text)
    target = text if external else without_fragment(text).rstrip()
    if target and not _is_no_name(target):
        begin = source.find(target.encode("utf-8"), start, end) if start >= 0 else -1
        stop = begin + len(target.encode("utf-8")) if begin >= 0 else -1
        yield Written(target, begin, stop, external)


def _is_no_name(text: str) -> bool:
    return text.casefold() in ("true", "false") or (text.isdecimal() and len(text) < 8)


def _wikilinks_in(source: bytes, scalar: Scalar) -> Iterator[Written]:
    start, end = inner_span(source, scalar)
    if start < 0:
        for match in _WIKILINK.finditer(scalar.text.encode("utf-8")):
            written = wikilink_target(match[1], 0, len(match[1]))
            if written is not None:
                yield Written(written.target, -1, -1, written.external)
        return
    for match in _WIKILINK.finditer(source, start, end):
        written = wikilink_target(source, match.start(1), match.end(1))
        if written is not None:
            yield written


def inner_span(source: bytes, scalar: Scalar) -> tuple[int, int]:
    """Return the bytes of a scalar's text, (-1, -1) when they are not its text as it is.

    Escapes, folds and block scalars write a text in other bytes than its own.
    """
    start, end = scalar.start, scalar.end
    if scalar.style in ("'", '"'):
        start, end = start + 1, end - 1
    if source[start:end] != scalar.text.encode("utf-8"):
        return -1, -1
    return start, end
