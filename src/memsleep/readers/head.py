"""The head of a Markdown file, however it is written: the one place that tries all kinds."""

from __future__ import annotations

from dataclasses import replace

from memsleep.readers.frontmatter import (
    Broken,
    Entry,
    FrontMatter,
    body_offset,
    head_of_kind,
    normal_key,
    read_front_matter,
)
from memsleep.readers.head_json import read_json_head
from memsleep.readers.head_lines import inline_fields, read_comment_head, read_property_head
from memsleep.readers.head_toml import read_toml_head
from memsleep.readers.linkscan import hidden_spans
from memsleep.readers.markdown_text import Events, parse


def read_head(source: bytes) -> FrontMatter | Broken | None:
    """Return the head of strict UTF-8 bytes, None where every byte is body.

    `Broken` means that a head was meant that does not load: every byte is body, and the file must
    not be edited.
    """
    first = source[body_offset(source) :][:3]
    if first == b"---":
        return read_front_matter(source)
    if first == b"+++":
        return read_toml_head(source)
    if first == b";;;" or first[:1] == b"{":
        return read_json_head(source)
    if first[:1] in (b"<", b" ", b"\t"):
        return read_comment_head(source) or read_property_head(source)
    return read_property_head(source)


def block_of(source: bytes, found: FrontMatter | Broken | None) -> FrontMatter:
    """Return the head, or an empty one where every byte is body."""
    if isinstance(found, FrontMatter):
        return found
    start = body_offset(source)
    return head_of_kind("none", (start, start, start), ())


def with_inline(
    source: bytes, block: FrontMatter, events: Events, keys: frozenset[str]
) -> FrontMatter:
    """Return the head with the fields that the body states, of those whose keys mean something."""
    if source.find(b"::", block.body_start) < 0:
        return block
    hidden = hidden_spans(block.body_start, events)
    found: dict[str, Entry] = {}
    for entry in inline_fields(source, block.body_start, hidden):
        name = normal_key(entry.key)
        if name in keys:
            seen = found.get(name)
            found[name] = entry if seen is None else replace(seen, repeated=True)
    return replace(block, inline=tuple(found.values())) if found else block


def head_and_fields(source: bytes, keys: frozenset[str]) -> FrontMatter | Broken | None:
    """Return the head with the fields of the body, as an editor needs it.

    None where the file has neither.
    """
    found = read_head(source)
    if isinstance(found, Broken):
        return found
    block = block_of(source, found)
    if source.find(b"::", block.body_start) >= 0:
        events = parse(source[block.body_start :].decode("utf-8"))
        block = with_inline(source, block, events, keys)
    return None if block.kind == "none" and not block.inline else block
