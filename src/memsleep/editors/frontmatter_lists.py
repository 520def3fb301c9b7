"""Lists of front matter, extended or shortened by one element in their own style."""

from __future__ import annotations

import re

from memsleep.editors.frontmatter import add_line, remove_key, set_scalar
from memsleep.editors.frontmatter_check import (
    EntryEvents,
    block_events,
    block_text,
    check_entry,
    check_result,
    item_events,
    last_byte,
    refuse,
)
from memsleep.editors.frontmatter_text import encode_scalar
from memsleep.editors.splice import Replacement, splice
from memsleep.readers.frontmatter import (
    Entry,
    FrontMatter,
    Mapping,
    Scalar,
    Sequence,
    Value,
    bracketed,
)
from memsleep.readers.markdown_values import list_texts

_SEPARATOR = re.compile(rb",\s*\Z")
_DASH = re.compile(rb"[ ]*-[ ]+\Z")


def add_text(source: bytes, block: FrontMatter, entry: Entry, text: str, *, words: bool) -> bytes:
    """Extend a list by one text: flow, block, comma string, or (with `words`) space string."""
    value = entry.value
    if isinstance(value, Scalar) and not value.null:
        return _add_to_string(source, block, entry, value, text, words=words)
    style = _item_style(value)
    flow = not (isinstance(value, Sequence) and not value.flow)
    return add_item(source, block, entry, encode_scalar(text, style, textual=True, flow=flow))


def add_text_line(source: bytes, block: FrontMatter, key: str, text: str) -> bytes:
    """Add a list of one text as a new key."""
    encoded = encode_scalar(text, "", textual=True, flow=True)
    return add_line(source, block, key, f"[{encoded}]")


def _item_style(value: Value) -> str:
    items = value.items if isinstance(value, Sequence) else ()
    last = items[-1] if items else None
    return last.style if isinstance(last, Scalar) and last.style in ("'", '"') else ""


def _add_to_string(
    source: bytes, block: FrontMatter, entry: Entry, value: Scalar, text: str, *, words: bool
) -> bytes:
    check_entry(source, block, entry)
    before = list_texts(value, source, words=words)
    separator = ", "
    if "," in value.text:
        separator = ", " if ", " in value.text else ","
    elif words and len(before) > 1:
        separator = " "
    added = f"#{text}" if before and all(part.startswith("#") for part in before) else text
    joined = f"{value.text.rstrip()}{separator}{added}"
    after = list_texts(Scalar(joined, 0, 0, value.style), source, words=words)
    if after != [*before, added]:
        raise refuse(entry, "the new element would not be read as one element of its string")
    return set_scalar(source, block, entry, joined)


def add_item(source: bytes, block: FrontMatter, entry: Entry, item: str) -> bytes:
    """Extend a flow or block list by an item that is written as YAML already."""
    check_entry(source, block, entry)
    value = entry.value
    if isinstance(value, Scalar) and value.null:
        blank = b" " if source[value.start - 1 : value.start] == b":" else b""
        new = blank + b"[" + item.encode("utf-8") + b"]"
        edit = Replacement(value.start, value.end, new)
    elif not isinstance(value, Sequence) or bracketed(value, source) is not None:
        raise refuse(entry, "it is no list")
    elif value.flow:
        edit = _flow_insertion(source, value, item)
    else:
        edit = _block_insertion(source, entry, value, item)
    result = splice(source, [edit])
    expected = block_events(block_text(source, block))
    index = block.entries.index(entry)
    expected[index] = _extended(expected[index], item)
    return check_result(source, block, result, expected)


def _extended(events: EntryEvents, item: str) -> EntryEvents:
    """Return the events of an entry with one more item at the end of its list."""
    added = item_events(item)
    if events[1][0] == "Scalar":
        start = ("SequenceStart", None, None, None)
        return (events[0], start, *added, ("SequenceEnd", None, None, None))
    return (*events[:-1], *added, events[-1])


def _flow_insertion(source: bytes, value: Sequence, item: str) -> Replacement:
    new = item.encode("utf-8")
    if not value.items:
        return Replacement(value.start + 1, value.start + 1, new)
    separator = b", "
    if len(value.items) > 1:
        between = source[last_byte(value.items[-2]) : value.items[-1].start]
        separator = between if _SEPARATOR.match(between) else separator
    at = last_byte(value.items[-1])
    return Replacement(at, at, separator + new)


def _block_insertion(source: bytes, entry: Entry, value: Sequence, item: str) -> Replacement:
    last = value.items[-1]
    line_start = source.rfind(b"\n", 0, last.start) + 1
    prefix = source[line_start : last.start]
    stop = last_byte(last)
    lines = isinstance(last, Mapping) and not last.flow
    if not _DASH.match(prefix) or (not lines and b"\n" in source[last.start : stop]):
        raise refuse(entry, "its last item is written in a form the editor does not know")
    end = source.find(b"\n", stop) + 1
    eol = b"\r\n" if source[:end].endswith(b"\r\n") else b"\n"
    return Replacement(end, end, prefix + item.encode("utf-8") + eol)


def remove_item(source: bytes, block: FrontMatter, entry: Entry, item: Value) -> bytes:
    """Take one item out of a list; the key goes with its last block item."""
    value = entry.value
    if not isinstance(value, Sequence) or item not in value.items:
        return remove_key(source, block, entry)
    check_entry(source, block, entry)
    position = value.items.index(item)
    if not value.flow and len(value.items) == 1:
        return remove_key(source, block, entry)
    edit = (
        _flow_removal(value, position)
        if value.flow
        else _block_removal(source, entry, value, position)
    )
    result = splice(source, [edit])
    expected = block_events(block_text(source, block))
    index = block.entries.index(entry)
    expected[index] = _shortened(expected[index], position)
    return check_result(source, block, result, expected)


def _flow_removal(value: Sequence, position: int) -> Replacement:
    items = value.items
    if position + 1 < len(items):
        return Replacement(items[position].start, items[position + 1].start, b"")
    start = last_byte(items[position - 1]) if position else items[position].start
    return Replacement(start, last_byte(items[position]), b"")


def _block_removal(source: bytes, entry: Entry, value: Sequence, position: int) -> Replacement:
    item = value.items[position]
    start = source.rfind(b"\n", 0, item.start) + 1
    if not _DASH.match(source[start : item.start]):
        raise refuse(entry, "the item is written in a form the editor does not know")
    return Replacement(start, source.find(b"\n", last_byte(item)) + 1, b"")


def _shortened(events: EntryEvents, position: int) -> EntryEvents:
    """Return the events of an entry without one item of its list."""
    depth, items = 0, 0
    kept = list(events[:2])
    for event in events[2:-1]:
        if event[0].endswith("End"):
            depth -= 1
        if items != position:
            kept.append(event)
        if event[0].endswith("Start"):
            depth += 1
        if depth == 0:
            items += 1
    return (*kept, events[-1])
