"""What an editor of front matter must be sure of, before an edit and after it.

The proof compares the parser's events, entry by entry: aliases are never expanded, so that a
hostile block costs no more than its length.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import yaml

from memsleep.errors import EditRefused
from memsleep.readers.frontmatter import (
    Entry,
    FrontMatter,
    Scalar,
    Sequence,
    read_front_matter,
)

Event = tuple[str, str | None, str | None, str | None]
"""Kind, value, explicit tag, anchor or alias. How a scalar is quoted is not part of it."""
EntryEvents = tuple[Event, ...]
_BESIDE = re.compile(rb"[ ]*:[ ]*(?:(?<=[ ])#[^\r\n]*)?(?:\r?\n[ ]*)?")
"""Between a key and its value, which may stand on the next line."""


def block_events(text: str) -> list[EntryEvents]:
    """Return the events of each entry of a block mapping: its key, then its value."""
    entries: list[EntryEvents] = []
    current: list[Event] = []
    depth = nodes = 0
    for event in _node_events(text):
        kind = event[0]
        if kind.endswith("End"):
            depth -= 1
        if depth >= 1:
            current.append(event)
        if kind.endswith("Start"):
            depth += 1
        if depth == 1 and current:
            nodes += 1
            if nodes % 2 == 0:
                entries.append(tuple(current))
                current = []
    return entries


def item_events(text: str) -> EntryEvents:
    """Return the events of one value that stands alone."""
    return tuple(_node_events(text))


def _node_events(text: str) -> Iterator[Event]:
    for event in yaml.parse(text, Loader=yaml.CSafeLoader):
        found = _event(event)
        if found is not None:
            yield found


def _event(event: Any) -> Event | None:
    kind = type(event).__name__.removesuffix("Event")
    if kind.startswith(("Stream", "Document")):
        return None
    anchor = getattr(event, "anchor", None)
    value = event.value if kind == "Scalar" else None
    return kind, value, getattr(event, "tag", None), anchor


def refuse(entry: Entry, reason: str) -> EditRefused:
    """Return the refusal of one key, with its line."""
    return EditRefused(f"the key `{entry.key}` is left as it is: {reason}", line=entry.line)


def block_text(source: bytes, block: FrontMatter) -> str:
    """Return the text between opener and closer."""
    return source[block.start : block.end].decode("utf-8")


def check_block(source: bytes, block: FrontMatter) -> None:
    """Refuse a block in which no key can be edited or added safely."""
    line = source.count(b"\n", 0, block.start) + 1
    if block.locked:
        raise EditRefused(block.locked, line=line)
    if block.flow:
        raise EditRefused("the front matter is one {...} mapping", line=line)


def has_merge_key(block: FrontMatter) -> bool:
    """Return True when the block takes keys over from an anchor."""
    return any(entry.key == "<<" and not entry.name.style for entry in block.entries)


def check_entry(
    source: bytes, block: FrontMatter, entry: Entry, *, spans_lines: bool = False
) -> None:
    """Refuse a key whose bytes the editor does not fully understand, with the reason.

    `spans_lines` lets a scalar of several lines through: it can be replaced as a whole.
    """
    check_block(source, block)
    if entry.repeated:
        raise refuse(entry, "it is stated more than once")
    if entry.key == "<<":
        raise refuse(entry, "it is a merge key")
    if _uses_anchors(source, block, entry):
        raise refuse(entry, "it uses an anchor, an alias or a tag")
    line_start = source.rfind(b"\n", 0, entry.name.start) + 1
    if b"\t" in source[line_start : value_end(entry)]:
        raise refuse(entry, "a tab stands in it")
    if source[line_start : entry.name.start].strip(b" "):
        raise refuse(entry, "its key is written in a form the editor does not know")
    _check_place(source, entry, spans_lines=spans_lines)


def _uses_anchors(source: bytes, block: FrontMatter, entry: Entry) -> bool:
    text = block_text(source, block)
    if not any(sign in text for sign in "&*!"):
        return False
    outer = entry.key.partition(".")[0] if entry not in block.entries else entry.key
    for events in block_events(text):
        if events[0][1] == outer:
            return any(
                kind == "Alias" or tag is not None or anchor is not None
                for kind, _, tag, anchor in events
            )
    return False


def _check_place(source: bytes, entry: Entry, *, spans_lines: bool) -> None:
    """Refuse a value that spans lines or does not follow its key, beside it or on the next line."""
    value = entry.value
    if isinstance(value, Scalar):
        several = value.style in ("|", ">") or b"\n" in source[value.start : value.end]
        if several and not spans_lines:
            raise refuse(entry, "its value spans several lines")
        absent = value.null and value.start == entry.name.end
        if not absent and not _BESIDE.fullmatch(source, entry.name.end, value.start):
            raise refuse(entry, "its value does not stand beside it")
    elif isinstance(value, Sequence):
        if value.flow and not _BESIDE.fullmatch(source, entry.name.end, value.start):
            raise refuse(entry, "its list does not stand beside it")
    else:
        raise refuse(entry, "it holds a mapping")


def value_end(entry: Entry) -> int:
    """Return the end of what a value holds; PyYAML's own mark runs past comments and blanks."""
    value = entry.value
    if isinstance(value, Scalar):
        return value.end
    if value.flow:
        return value.end
    return last_byte(value) or value.start


def last_byte(value: Any) -> int:
    """Return the end of the last scalar or flow collection in a value, 0 when it is empty."""
    if isinstance(value, Scalar) or value.flow:
        return int(value.end)
    parts = value.items if isinstance(value, Sequence) else [inner for _, inner in value.entries]
    return max((last_byte(part) for part in parts), default=0)


def check_result(
    source: bytes, block: FrontMatter, result: bytes, expected: list[EntryEvents]
) -> bytes:
    """Return the edited bytes when they load as expected and the body is the same.

    Raises
    ------
    EditRefused
        Otherwise; nothing is lost but this edit.
    """
    edited = read_front_matter(result)
    same_body = (
        isinstance(edited, FrontMatter)
        and result[edited.body_start :] == source[block.body_start :]
    )
    if not isinstance(edited, FrontMatter) or not same_body:
        raise EditRefused("the edited front matter would not load", line=1)
    if block_events(block_text(result, edited)) != expected:
        raise EditRefused("the edit would change the meaning of another key", line=1)
    return result
