"""Byte-minimal edits of heads that are not YAML, and of fields that a body states in its text.

TOML, JSON, comments, properties (`key:: value`) and inline fields. The promises are those of
`editors.frontmatter`: each edit is proven by reading the result, what is not fully understood is
refused by key, and the same object comes back when there is nothing to do.
"""

from __future__ import annotations

import re

from memsleep.editors.heads_check import (
    Shape,
    check,
    kind_of,
    place,
    proven,
    refuse,
    shape_of,
    shape_of_text,
)
from memsleep.editors.heads_encode import encode
from memsleep.editors.splice import Replacement, splice
from memsleep.errors import EditRefused
from memsleep.readers.frontmatter import (
    Entry,
    FrontMatter,
    Scalar,
    Sequence,
    normal_key,
)
from memsleep.readers.markdown_values import list_texts

_ONE_LINK = re.compile(r"\[\[[^\[\]]+\]\]")
_SEPARATOR = re.compile(rb"[ \t]*,\s*\Z")


def handles(block: FrontMatter, entry: Entry | None = None) -> bool:
    """Return True for what this editor is for: all but the YAML of a head."""
    return block.kind != "yaml" or (entry is not None and entry in block.inline)


def set_scalar(
    source: bytes, block: FrontMatter, entry: Entry, text: str, *, textual: bool = True
) -> bytes:
    """Write one scalar in place, in its own quotes."""
    value = entry.value
    if not isinstance(value, Scalar):
        raise refuse(entry, "its value is a list or a mapping")
    if value.text == text and not value.null:
        return source
    kind = kind_of(block, entry)
    check(source, block, entry)
    if kind in ("properties", "inline") and _holds_links(value.text) and value.text not in text:
        raise refuse(entry, "its value holds links")
    style = value.style if not value.null else ('"' if kind == "json" and textual else "")
    new = encode(kind, text, style, textual=textual)
    if new is None:
        raise refuse(entry, "the new value cannot be written in its form")
    blank = " " if _needs_blank(source, kind, value) else ""
    result = splice(source, [Replacement(value.start, value.end, (blank + new).encode())])
    return proven(source, block, result, {place(block, entry): shape_of_text(text)})


def _holds_links(text: str) -> bool:
    """Return True for a value with a link in it that is more than one link alone."""
    return "[" in text and not _ONE_LINK.fullmatch(text.strip())


def _needs_blank(source: bytes, kind: str, value: Scalar) -> bool:
    return (
        kind in ("properties", "inline", "comment")
        and source[value.start - 1 : value.start] == b":"
    )


def add_key(
    source: bytes, block: FrontMatter, key: str, text: str, *, textual: bool = True
) -> bytes | None:
    """Add one key as a new line in the style of its neighbours; None where no line can be added."""
    new = encode(block.kind, text, '"' if textual else "", textual=textual)
    if block.kind == "none":
        return None
    if new is None:
        raise EditRefused(f"the key `{key}` cannot be written in this head", line=1)
    return _add_line(source, block, key, new, shape_of_text(text))


def add_list(source: bytes, block: FrontMatter, key: str, text: str) -> bytes | None:
    """Add a list of one text as a new key."""
    if block.kind not in ("toml", "json"):
        return add_key(source, block, key, text)
    item = encode(block.kind, text, '"', textual=True)
    shape = ("list", shape_of_text(text))
    return _add_line(source, block, key, f"[{item}]", shape)


def _add_line(source: bytes, block: FrontMatter, key: str, value: str, shape: Shape) -> bytes:
    if block.locked:
        raise EditRefused(block.locked, line=1)
    if any(normal_key(entry.key) == normal_key(key) for entry in block.entries):
        raise EditRefused(f"the key `{key}` is there already", line=1)
    edit = _NEW_LINES[block.kind](source, block, key, value)
    result = splice(source, [edit])
    return proven(source, block, result, {}, added=(normal_key(key), shape))


def _toml_line(source: bytes, block: FrontMatter, key: str, value: str) -> Replacement:
    top = [entry for entry in block.entries if entry.value.end <= block.insert_at]
    sign = " = "
    if top:
        between = source[top[-1].name.end : top[-1].value.start]
        sign = "=" if between == b"=" else " = "
    line = f"{key}{sign}{value}".encode() + _eol(source, block.start)
    return Replacement(block.insert_at, block.insert_at, line)


def _json_line(source: bytes, block: FrontMatter, key: str, value: str) -> Replacement:
    if not block.entries:
        raise EditRefused("the JSON head holds no key to stand beside", line=1)
    last = block.entries[-1]
    line_start = source.rfind(b"\n", 0, last.name.start) + 1
    indent = source[line_start : last.name.start]
    colon = source[last.name.end : last.value.start]
    colon = colon if b"\n" not in colon else b": "
    own_line = not indent.strip(b" \t") and line_start > block.start - 1 and line_start > 0
    gap = b"," + (_eol(source, block.start) + indent if own_line else b" ")
    pair = gap + encode_key(key) + colon + value.encode()
    return Replacement(last.value.end, last.value.end, pair)


def encode_key(key: str) -> bytes:
    """Return a key of JSON."""
    return f'"{key}"'.encode()


def _comment_line(source: bytes, block: FrontMatter, key: str, value: str) -> Replacement:
    last = block.entries[-1]
    line_start = source.rfind(b"\n", 0, last.name.start) + 1
    eol = _eol(source, block.start)
    if b"<!--" in source[line_start : last.name.start] and _closes(source, last):
        return Replacement(block.end, block.end, f"<!-- {key}: {value} -->".encode() + eol)
    indent = source[line_start : last.name.start].replace(b"<!--", b"").rstrip(b" \t") or b""
    stop = source.find(b"\n", last.value.end) + 1
    if stop <= 0 or stop > block.end or indent.strip() or b"-->" in source[last.value.end : stop]:
        raise EditRefused("the comment is written in a form the editor does not know", line=1)
    lead = source[line_start : last.name.start]
    lead = lead if not lead.strip() else b""
    return Replacement(stop, stop, lead + f"{key}: {value}".encode() + eol)


def _closes(source: bytes, entry: Entry) -> bool:
    """Return True when the comment ends on the line of its last key."""
    stop = source.find(b"\n", entry.value.end)
    return b"-->" in source[entry.value.end : len(source) if stop < 0 else stop]


def _property_line(source: bytes, block: FrontMatter, key: str, value: str) -> Replacement:
    last = block.entries[-1]
    line_start = source.rfind(b"\n", 0, last.name.start) + 1
    lead = source[line_start : last.name.start]
    lead = re.sub(rb"[-*+]", b" ", lead)
    line = lead + f"{key}:: {value}".encode()
    eol = _eol(source, block.start)
    if not source[: block.end].endswith(b"\n"):
        return Replacement(block.end, block.end, eol + line)
    return Replacement(block.end, block.end, line + eol)


_NEW_LINES = {
    "toml": _toml_line,
    "json": _json_line,
    "comment": _comment_line,
    "properties": _property_line,
}


def _eol(source: bytes, start: int) -> bytes:
    end = source.find(b"\n", max(start - 1, 0))
    return b"\r\n" if end > 0 and source[end - 1 : end] == b"\r" else b"\n"


# Lists ------------------------------------------------------------------------------------


def add_text(source: bytes, block: FrontMatter, entry: Entry, text: str, *, words: bool) -> bytes:
    """Extend a list by one text in its own style: an array, or a string with separators."""
    value = entry.value
    kind = kind_of(block, entry)
    if isinstance(value, Sequence):
        item = encode(kind, text, _item_style(value), textual=True)
        if item is None:
            raise refuse(entry, "the new element cannot be written in its form")
        return _add_item(source, block, entry, value, item, text)
    if not isinstance(value, Scalar):
        raise refuse(entry, "it is no list")
    return set_scalar(source, block, entry, _joined(source, entry, value, text, words=words))


def _joined(source: bytes, entry: Entry, value: Scalar, text: str, *, words: bool) -> str:
    if value.null or not value.text.strip():
        return text
    before = list_texts(value, source, words=words)
    separator = ", "
    if "," in value.text:
        separator = ", " if ", " in value.text else ","
    elif words and len(before) > 1 and "[[" not in value.text:
        separator = " "
    added = text
    if before and all(part.startswith("#") for part in before):
        added = f"#{text}"
    elif value.text.lstrip().startswith("[[") and value.text.rstrip().endswith("]]"):
        added = f"[[{text}]]"
    joined = f"{value.text.rstrip()}{separator}{added}"
    after = list_texts(Scalar(joined, 0, 0, value.style), source, words=words)
    if len(after) != len(before) + 1 or after[:-1] != before:
        raise refuse(entry, "the new element would not be read as one element of its string")
    return joined


def _item_style(value: Sequence) -> str:
    last = value.items[-1] if value.items else None
    style = last.style if isinstance(last, Scalar) else '"'
    return style if style in ("'", '"') else '"'


def _add_item(
    source: bytes, block: FrontMatter, entry: Entry, value: Sequence, item: str, text: str
) -> bytes:
    check(source, block, entry)
    if value.items:
        last = value.items[-1]
        separator = b", "
        if len(value.items) > 1:
            between = source[value.items[-2].end : last.start]
            separator = between if _SEPARATOR.match(between) else separator
        edit = Replacement(last.end, last.end, separator + item.encode())
    else:
        edit = Replacement(value.start + 1, value.start + 1, item.encode())
    result = splice(source, [edit])
    shape = (*shape_of(value), shape_of_text(text))
    return proven(source, block, result, {place(block, entry): shape})
