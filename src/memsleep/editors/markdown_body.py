"""Appending to a Markdown body: a paragraph that says exactly the given sentences."""

from __future__ import annotations

import re

from memsleep.editors.splice import Replacement, splice
from memsleep.errors import EditRefused
from memsleep.readers.markdown_text import Block, blocks_of, parse

_MARKUP = re.compile(r"([\\`*_\[\]<>~|&])")
_LIST_NUMBER = re.compile(r"\A(\d{1,9})([.)])")


def append_paragraph(source: bytes, body_start: int, sentences: tuple[str, ...]) -> bytes:
    """Add sentences as one paragraph at the end, with the file's line end and final newline.

    The result is read again: the old blocks must be the same and the new one must say the
    sentences. Where their characters would be markup they are escaped.

    Raises
    ------
    EditRefused
        When no paragraph can be added, for instance inside a fence that is never closed.
    """
    text = " ".join(" ".join(sentence.split()) for sentence in sentences if sentence.strip())
    if not text:
        return source
    before = _blocks(source, body_start)
    for written in (text, _escaped(text)):
        result = _appended(source, body_start, written)
        after = _blocks(result, body_start)
        if after[:-1] == before and after and after[-1] == Block("text", text):
            return result
    line = source.count(b"\n") + 1
    raise EditRefused("no paragraph can be added at the end of the body", line=line)


def _escaped(text: str) -> str:
    """Return a text with backslashes before what would be markup."""
    escaped = _MARKUP.sub(r"\\\1", text)
    if escaped[0] in "#+=:-":
        return "\\" + escaped
    return _LIST_NUMBER.sub(r"\1\\\2", escaped, count=1) if escaped[0].isdigit() else escaped


def _blocks(source: bytes, body_start: int) -> list[Block]:
    return blocks_of(parse(source[body_start:].decode("utf-8")))


def _appended(source: bytes, body_start: int, text: str) -> bytes:
    first = source.find(b"\n")
    eol = b"\r\n" if first > 0 and source[first - 1 : first] == b"\r" else b"\n"
    body = source[body_start:]
    if not body.strip():
        gap, final = b"" if source.endswith(b"\n") or not source else eol, eol
    elif body.endswith(b"\n"):
        blank = re.search(rb"\n[ \t]*\r?\n\Z", body) is not None
        gap, final = b"" if blank else eol, eol
    else:
        gap, final = eol + eol, b""
    new = gap + text.encode("utf-8") + final
    return splice(source, [Replacement(len(source), len(source), new)])
