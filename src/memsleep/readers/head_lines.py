"""Heads of one `key: value` a line without a language of their own.

Comments at the top (`<!-- key: value -->`, or several keys in one), and the properties of a first
block (`key:: value`), as Logseq and others write them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from memsleep.readers.frontmatter import (
    Entry,
    FrontMatter,
    Scalar,
    body_offset,
    head_of_kind,
)
from memsleep.readers.linkscan import is_hidden

_COMMENT = re.compile(rb"[ \t]*<!--(?P<inner>(?:[^-]|-(?!->))*)-->[ \t]*(?:\r?\n|\Z)")
_COMMENT_LINE = re.compile(
    rb"[ \t]*(?P<key>[^\s:<>{}\[\]|`#][^:\n<>{}\[\]|`]{0,60}?)[ \t]*:[ \t]+"
    rb"(?P<value>[^\r\n]*?)[ \t]*\Z"
)
PROPERTY = re.compile(
    rb"(?P<lead>[ \t]*(?:[-*+][ \t]+)?)(?P<key>[^\s:\[\](){}|`#<>*\-][^:\n\[\](){}|`<>]{0,60}?)"
    rb"::(?P<blank>[ \t]*)(?P<value>(?<=[ \t])[^\r\n]*?|)[ \t]*(?:\r?\n|\r?\Z)"
)


def read_comment_head(source: bytes) -> FrontMatter | None:
    """Return the comments at the top whose every line is `key: value`, None without one."""
    start = at = body_offset(source)
    entries: list[Entry] = []
    while (match := _COMMENT.match(source, at)) is not None:
        found = _comment_entries(source, match.start("inner"), match.end("inner"))
        if not found:
            break
        entries += found
        at = match.end()
    if not entries:
        return None
    return head_of_kind("comment", (start, at, at), tuple(entries), insert_at=at)


def _comment_entries(source: bytes, start: int, end: int) -> list[Entry]:
    """Return the keys of one comment; none where a line of it is something else."""
    entries = []
    at = start
    for line in source[start:end].split(b"\n"):
        content = line.rstrip(b"\r")
        match = _COMMENT_LINE.match(content)
        if match is not None:
            entries.append(_entry(source, at, match))
        elif content.strip():
            return []
        at += len(line) + 1
    return entries


def read_property_head(source: bytes) -> FrontMatter | None:
    """Return the properties of the first block, None where the first line is none."""
    start = at = body_offset(source)
    entries: list[Entry] = []
    while (match := PROPERTY.match(source, at)) is not None and match.end() > at:
        if entries and match["lead"].strip():
            break  # the next block of the outline
        entries.append(_entry(source, 0, match))
        at = match.end()
    if not entries:
        return None
    return head_of_kind("properties", (start, at, at), tuple(entries), insert_at=at)


def _entry(source: bytes, base: int, match: re.Match[bytes]) -> Entry:
    """Return the entry of a matched line that begins at byte `base` of the file."""
    key = match["key"].decode("utf-8")
    name = Scalar(key, base + match.start("key"), base + match.end("key"), "")
    text = match["value"].decode("utf-8")
    value = Scalar(text, base + match.start("value"), base + match.end("value"), "", null=not text)
    return Entry(key, name, value, source.count(b"\n", 0, name.start) + 1)


_INLINE_LINE = re.compile(
    rb"^[ \t]*(?:[-*+][ \t]+)?(?P<key>[^\W\d_][\w -]{0,40}?)::[ \t]+"
    rb"(?P<value>[^\s\[][^\r\n]*?)[ \t]*\r?$",
    re.MULTILINE,
)
_INLINE_BRACKETS = re.compile(
    rb"(?P<open>[\[(])(?P<key>[^\W\d_][\w -]{0,40}?)::[ \t]+(?P<value>[^\s\[\]()][^\[\]()\r\n]*?)"
    rb"[ \t]*(?P<close>[\])])"
)


def inline_fields(source: bytes, start: int, hidden: list[tuple[int, int]]) -> Iterator[Entry]:
    """Yield the fields that a body states in its text: a line `key:: value`, or `[key:: value]`.

    `hidden` are the bytes of code and comments, where nothing is stated.
    """
    if source.find(b"::", start) < 0:
        return
    found = [
        *_INLINE_LINE.finditer(source, start),
        *(m for m in _INLINE_BRACKETS.finditer(source, start) if m["open"] + m["close"] in _PAIRS),
    ]
    for match in sorted(found, key=lambda match: match.start("key")):
        value = match["value"]
        if b"<" in value or b"::" in value:
            continue
        if not is_hidden(hidden, match.start("key")):
            yield _entry(source, 0, match)


_PAIRS = (b"[]", b"()")
