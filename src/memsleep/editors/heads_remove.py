"""Taking a key, an item or a link out of a head that is not YAML. Promises: `editors.heads`."""

from __future__ import annotations

import re

from memsleep.editors.heads_check import check, place, proven, refuse, shape_of, shape_of_text
from memsleep.editors.splice import Replacement, splice
from memsleep.readers.frontmatter import Entry, FrontMatter, Scalar, Sequence, Value

_LINKS = re.compile(rb"\[\[[^\[\]\r\n]+\]\](?:[ \t]*,[ \t]*\[\[[^\[\]\r\n]+\]\])*")
_LINK = re.compile(rb"\[\[[^\[\]\r\n]+\]\]")


def remove_key(source: bytes, block: FrontMatter, entry: Entry) -> bytes:
    """Take a key and its value out; the last key of a head stays, and so does a nested one."""
    if entry not in block.entries:
        raise refuse(entry, "it stands in the text, or it is nested")
    if len(block.entries) == 1:
        raise refuse(entry, "it is the only key of the head")
    check(source, block, entry)
    edit = _removal(source, block, entry)
    result = splice(source, [edit])
    return proven(source, block, result, {place(block, entry): None})


def _removal(source: bytes, block: FrontMatter, entry: Entry) -> Replacement:
    index = block.entries.index(entry)
    if block.kind == "json":
        if index + 1 < len(block.entries):
            return Replacement(entry.name.start, block.entries[index + 1].name.start, b"")
        return Replacement(block.entries[index - 1].value.end, entry.value.end, b"")
    start = source.rfind(b"\n", 0, entry.name.start) + 1
    stop = source.find(b"\n", entry.value.end) + 1 or len(source)
    if block.kind == "properties" and source[start : entry.name.start].strip():
        raise refuse(entry, "it opens the block")
    line = source[start:stop]
    if block.kind == "comment" and (b"<!--" in line) != (b"-->" in line):
        raise refuse(entry, "its line opens or closes a comment of several keys")
    return Replacement(start, stop, b"")


def remove_item(source: bytes, block: FrontMatter, entry: Entry, item: Value) -> bytes:
    """Take one item out of an array; the array stays, empty if need be. A key goes whole."""
    value = entry.value
    if not isinstance(value, Sequence) or item not in value.items:
        return remove_key(source, block, entry)
    check(source, block, entry)
    items, position = value.items, value.items.index(item)
    if position + 1 < len(items):
        edit = Replacement(item.start, items[position + 1].start, b"")
    else:
        edit = Replacement(items[position - 1].end if position else item.start, item.end, b"")
    if b"#" in source[edit.start : item.start] + source[item.end : edit.end]:
        raise refuse(entry, "a comment stands beside the item")
    result = splice(source, [edit])
    shape = ("list", *(shape_of(one) for one in items if one is not item))
    return proven(source, block, result, {place(block, entry): shape})


def remove_of_several(source: bytes, block: FrontMatter, entry: Entry, start: int) -> bytes:
    """Take one link out of a value that is nothing but links, `[[a]], [[b]]`.

    `start` is the first byte of its target.
    """
    value = entry.value
    if not isinstance(value, Scalar) or not _LINKS.fullmatch(source, value.start, value.end):
        raise refuse(entry, "its value is more than links")
    check(source, block, entry)
    links = list(_LINK.finditer(source, value.start, value.end))
    position = next((i for i, one in enumerate(links) if one.start() + 2 <= start < one.end()), -1)
    if position < 0 or len(links) == 1:
        return remove_key(source, block, entry)
    if position + 1 < len(links):
        edit = Replacement(links[position].start(), links[position + 1].start(), b"")
    else:
        edit = Replacement(links[position - 1].end(), links[position].end(), b"")
    result = splice(source, [edit])
    left = source[value.start : edit.start] + source[edit.end : value.end]
    shape = shape_of_text(left.decode("utf-8"))
    return proven(source, block, result, {place(block, entry): shape})
