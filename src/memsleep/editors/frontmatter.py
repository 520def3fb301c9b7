"""Byte-minimal edits of front matter: one value, one line or one list item at a time.

Every function gives bytes in which nothing else has changed, proves it by loading the result,
and raises `EditRefused` where the block holds something that it does not fully understand. The
very same object comes back when the value is there already.
"""

from __future__ import annotations

import re
from collections import Counter

from memsleep.editors.frontmatter_check import (
    Event,
    block_events,
    block_text,
    check_block,
    check_entry,
    check_result,
    has_merge_key,
    refuse,
    value_end,
)
from memsleep.editors.frontmatter_text import encode_scalar
from memsleep.editors.splice import Replacement, splice
from memsleep.errors import EditRefused
from memsleep.readers.frontmatter import Entry, FrontMatter, Scalar, normal_key

_BLOCK_SCALAR = re.compile(
    rb"[|>](?P<sign>(?:[-+]?[1-9]?|[1-9][-+]))(?:[ ]+#[^\r\n]*|[ ]*)\r?\n(?:[ ]*\r?\n)*"
    rb"(?P<indent>[ ]+)(?P<lines>[^ \r\n](?:[^\r]|\r(?=\n))*?)[ \r\n]*\Z"
)


def set_scalar(
    source: bytes, block: FrontMatter, entry: Entry, text: str, *, textual: bool = True
) -> bytes:
    """Write one scalar in place, in its own quotes; alignment and comments stay.

    Parameters
    ----------
    source : bytes
        The file.
    block : FrontMatter
        Its front matter, read from exactly these bytes.
    entry : Entry
        The key, from `block.find`; a nested one such as `metadata.type` too.
    text : str
        What a loader shall read.
    textual : bool
        False for dates and numbers, which stay without quotes where they had none.
    """
    value = entry.value
    if not isinstance(value, Scalar):
        raise refuse(entry, "its value is a list or a mapping")
    if value.text == text and not value.null:
        return source
    check_entry(source, block, entry, spans_lines=True)
    if value.style in ("|", ">"):
        return _set_block_scalar(source, block, entry, value, text)
    encoded = encode_scalar(text, value.style, textual=textual)
    blank = " " if value.null and source[value.start - 1 : value.start] == b":" else ""
    new = (blank + encoded).encode("utf-8")
    result = splice(source, [Replacement(value.start, value.end, new)])
    expected = _with_scalar(source, block, entry, text)
    return check_result(source, block, result, expected)


def _set_block_scalar(
    source: bytes, block: FrontMatter, entry: Entry, value: Scalar, text: str
) -> bytes:
    """Write one line below the `|` or `>` that stands there, with the indentation of its lines."""
    match = _BLOCK_SCALAR.match(source, value.start, value.end)
    if match is None or not text or text != text.strip() or "\n" in text:
        raise refuse(entry, "its value spans several lines in a form the editor does not know")
    if value.text.rstrip("\n") == text:
        return source
    sign = match["sign"].decode()
    start = match.start("lines")
    width = sign.strip("+-")
    if width:  # what goes beyond the stated indentation is text
        column = entry.name.start - (source.rfind(b"\n", 0, entry.name.start) + 1)
        start = match.start("indent") + column + int(width)
    edit = Replacement(start, match.end("lines"), text.encode("utf-8"))
    result = splice(source, [edit])
    kept = "" if "-" in sign else "\n"
    if "+" in sign:
        kept = value.text[len(value.text.rstrip("\n")) :]
    return check_result(source, block, result, _with_scalar(source, block, entry, text + kept))


def _with_scalar(
    source: bytes, block: FrontMatter, entry: Entry, text: str
) -> list[tuple[Event, ...]]:
    """Return the events of the block as they are with one scalar replaced."""
    events = block_events(block_text(source, block))
    index = _entry_index(block, entry)
    before = list(events[index])
    place = 1
    if entry not in block.entries:
        place = 1 + next(
            i for i, event in enumerate(before[1:], 1) if event[1] == entry.name.text and i > 1
        )
    kind, _, tag, anchor = before[place]
    before[place] = (kind, text, tag, anchor)
    events[index] = tuple(before)
    return events


def _entry_index(block: FrontMatter, entry: Entry) -> int:
    """Return the position of an entry, or of the one that holds a nested entry."""
    for index, candidate in enumerate(block.entries):
        if candidate == entry or entry.key.startswith(candidate.key + "."):
            return index
    raise refuse(entry, "it is not in the block")


# Lines ------------------------------------------------------------------------------------


def add_key(
    source: bytes, block: FrontMatter, key: str, text: str, *, textual: bool = True
) -> bytes:
    """Add one key as a new line before the closer, in the style of its neighbours."""
    style = common_quote(block)
    return add_line(source, block, key, encode_scalar(text, style, textual=textual))


def add_line(source: bytes, block: FrontMatter, key: str, value: str) -> bytes:
    """Add a key whose value is written as YAML already."""
    check_block(source, block)
    if has_merge_key(block):
        raise EditRefused("a merge key may state the new key already", line=1)
    if any(normal_key(entry.key) == normal_key(key) for entry in block.entries):
        raise EditRefused(f"the key `{key}` is there already", line=1)
    eol = b"\r\n" if source[: block.end].endswith(b"\r\n") else b"\n"
    line = f"{_indent(source, block)}{key}{_colon(source, block, key)}{value}"
    new = line.encode("utf-8") + eol
    result = splice(source, [Replacement(block.end, block.end, new)])
    added = block_events(f"{key}: {value}\n")
    return check_result(source, block, result, block_events(block_text(source, block)) + added)


def common_quote(block: FrontMatter) -> str:
    """Return the quote that every stated scalar of the block has, empty when they differ."""
    values = [entry.value for entry in block.entries if isinstance(entry.value, Scalar)]
    styles = {value.style for value in values if not value.null}
    return next(iter(styles)) if len(values) > 1 and styles in ({"'"}, {'"'}) else ""


def _indent(source: bytes, block: FrontMatter) -> str:
    first = block.entries[0].name.start
    return " " * (first - (source.rfind(b"\n", 0, first) + 1))


def _colon(source: bytes, block: FrontMatter, key: str) -> str:
    """Return the colon with the blanks that align it with the other lines."""
    plain = [
        entry
        for entry in block.entries
        if isinstance(entry.value, Scalar)
        and not entry.value.null
        and b"\n" not in source[entry.name.start : entry.value.start]
    ]
    columns = Counter(entry.value.start - entry.name.start for entry in plain)
    column, count = max(columns.items(), key=lambda pair: (pair[1], pair[0]), default=(0, 0))
    aligned = [entry for entry in plain if entry.value.start - entry.name.start == column]
    widths = {entry.name.end - entry.name.start for entry in aligned}
    if len(widths) < 2 or count * 2 <= len(plain):
        return ": "
    before = source[aligned[0].name.end : aligned[0].value.start]
    pad = " " * max(1, column - len(key.encode("utf-8")) - 1)
    if before.rstrip(b" ").endswith(b":") and before.startswith(b" "):
        return pad[:-1] + ": "
    return ":" + pad


def remove_key(source: bytes, block: FrontMatter, entry: Entry) -> bytes:
    """Take a key and its value out, whole lines only.

    The last key of a block stays: without it the block would be front matter no more.
    """
    check_entry(source, block, entry)
    if entry not in block.entries:
        raise refuse(entry, "it is nested")
    if len(block.entries) == 1:
        raise refuse(entry, "it is the only key of the block")
    start = source.rfind(b"\n", 0, entry.name.start) + 1
    stop = source.find(b"\n", value_end(entry)) + 1
    result = splice(source, [Replacement(start, stop, b"")])
    expected = block_events(block_text(source, block))
    del expected[_entry_index(block, entry)]
    return check_result(source, block, result, expected)
