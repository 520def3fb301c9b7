"""Appending to a Markdown body: paragraphs that say exactly the given sentences."""

from __future__ import annotations

import re
from collections.abc import Sequence

from memsleep.editors.splice import Replacement, splice
from memsleep.errors import EditRefused
from memsleep.readers.markdown_text import Block, Collector, Events, blocks_of, parse
from memsleep.text import paragraphs

_MARKUP = re.compile(r"([\\`*_\[\]<>~|&])")
_LIST_NUMBER = re.compile(r"\A(\d{1,9})([.)])")


def append_paragraphs(
    source: bytes,
    body_start: int,
    sentences: Sequence[str],
    markup: Sequence[str] = (),
    *,
    outline: bool = False,
) -> bytes:
    """Add sentences as paragraphs at the end, with the file's line end and final newline.

    A sentence that ends without a stop is a paragraph of its own. The result is read again: the
    old blocks and their links must be the same, and the new ones must say the sentences and hold
    the links, the code and the emphasis of their markup. Without markup, characters that would be
    markup are escaped.

    Parameters
    ----------
    markup : sequence of str
        Each sentence as Markdown writes it; empty: as it is.
    outline : bool
        Whether a body that ends with a list goes on as one: each paragraph is an item.

    Raises
    ------
    EditRefused
        When no paragraph can be added, for instance inside a fence that is never closed.
    """
    told = [" ".join(sentence.split()) for sentence in sentences]
    groups = [group for group in paragraphs(told) if any(told[at] for at in group)]
    if not groups:
        return source
    texts = [" ".join(told[at] for at in group if told[at]) for group in groups]
    before, marks = _read(source, body_start)
    if markup:
        marks += [mark for one in markup for mark in marks_of(one)]
        lines = [" ".join(markup[at] for at in group) for group in groups]
        tries = (lines, [_guarded(line) for line in lines])
    else:
        tries = (texts, [_guarded(escaped(text)) for text in texts])
    lead = "- " if outline and before and before[-1].name == "item" else ""
    new = [Block("item" if lead else "text", text) for text in texts]
    for written in tries:
        result = _appended(source, body_start, written, lead)
        if _read(result, body_start) == ([*before, *new], marks):
            return result
    line = source.count(b"\n") + 1
    raise EditRefused("no paragraph can be added at the end of the body", line=line)


def marks_of(text: str) -> list[str]:
    """Return the inline markup of a Markdown text, in order: targets of links, code, emphasis."""
    return _marks(parse(text))


def _marks(events: Events) -> list[str]:
    found = []
    for event, _ in events:
        ((kind, value),) = event.items() if isinstance(event, dict) else ((event, ""),)
        if kind == "Code":
            found.append(f"code {value}")
        elif kind == "Start" and isinstance(value, str) and value in Collector.inline:
            found.append(value)
        elif kind == "Start" and isinstance(value, dict):
            ((name, what),) = value.items()
            found += [f"{name} {what['dest_url']}"] if name in Collector.inline else []
    return found


def escaped(text: str) -> str:
    """Return a text with backslashes before what would be markup."""
    return _MARKUP.sub(r"\\\1", text)


def _guarded(line: str) -> str:
    """Return a line that begins no heading and no list."""
    if line[0] in "#+=:-":
        return "\\" + line
    return _LIST_NUMBER.sub(r"\1\\\2", line, count=1) if line[0].isdigit() else line


def _read(source: bytes, body_start: int) -> tuple[list[Block], list[str]]:
    events = parse(source[body_start:].decode("utf-8"))
    return blocks_of(events), _marks(events)


def _appended(source: bytes, body_start: int, lines: Sequence[str], lead: str) -> bytes:
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
    between = eol + eol
    if lead:
        gap, between = b"" if body.endswith(b"\n") else eol, eol
    new = gap + between.join(f"{lead}{line}".encode() for line in lines) + final
    return splice(source, [Replacement(len(source), len(source), new)])
