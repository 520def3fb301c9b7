"""MS6xx, first part: files that are too large for those who load them."""

from __future__ import annotations

from collections.abc import Iterator

from memsleep.check.model import Found, Rule
from memsleep.check.view import FileView
from memsleep.limits import USER, limits_of, over_limit
from memsleep.readers.frontmatter import Scalar

RULES = (
    Rule(
        "MS601", "file-too-large", "warning",
        "A memory is larger than its limit.",
        "The limit is `check.max_file_bytes`, or a `limit` of characters that the file itself "
        "states, as Letta's do. A large memory is cut when it is loaded, and its claims cannot "
        "be found one by one.",
        "limit: 2000   (over 2,300 characters of text)",
        "Split it by subject, one memory a claim.",
    ),
    Rule(
        "MS602", "index-too-large", "error",
        "A MEMORY.md is longer than what agents load of it.",
        "Agents read the first 200 lines or 25 KB of the index into every session and never see "
        "the rest. The limits are `check.max_index_lines` and `check.max_index_bytes`, and for "
        "files of several memories `check.max_memory_chars` and `check.max_user_chars`.",
        "line 201 of MEMORY.md",
        "Move details into topic files, and keep one line for each.",
    ),
)  # fmt: skip
_LEAST_LIMIT = 100
"""A smaller `limit` is something else's."""


def find(view: FileView) -> Iterator[Found]:
    """Yield a finding for each limit that one file is over."""
    if view.role.dialect == "hermes":
        yield from _shared(view)
    elif view.path.rpartition("/")[2] == "MEMORY.md":
        yield from _index(view)
    if view.memory is None:
        return
    size, most = len(view.source), view.settings.max_file_bytes
    if size > most:
        message = f"expected at most {most} bytes, found {size}"
        yield Found("MS601", *view.line_span(view.lines.line(most)), message, "bytes")
    entry = view.entry("limit")
    if entry is not None and isinstance(entry.value, Scalar) and view.block is not None:
        yield from _stated(view, entry.value, view.block.body_start)


def _index(view: FileView) -> Iterator[Found]:
    settings = view.settings
    lines = view.source.count(b"\n") + (not view.source.endswith(b"\n") and view.source != b"")
    if lines > settings.max_index_lines:
        message = f"expected at most {settings.max_index_lines} lines, found {lines}"
        yield Found("MS602", *view.line_span(settings.max_index_lines + 1), message, "lines")
    size, most = len(view.source), settings.max_index_bytes
    if size > most:
        message = f"expected at most {most} bytes, found {size}"
        yield Found("MS602", *view.line_span(view.lines.line(most)), message, "bytes")


def _shared(view: FileView) -> Iterator[Found]:
    """Yield a file of several memories that holds more than its program loads."""
    limits = limits_of(view.settings)
    reason = over_limit(view.path, view.source, "hermes", limits)
    if reason and view.role.part == "entries":
        user = view.path.rpartition("/")[2] == USER
        most = limits.user_chars if user else limits.memory_chars
        start, _ = view.span(most, most + 1)
        yield Found("MS602", *view.line_span(view.lines.line(start)), reason, "characters")


def _stated(view: FileView, limit: Scalar, body_start: int) -> Iterator[Found]:
    text = limit.text.strip()
    least = 1 if view.role.dialect == "letta" else _LEAST_LIMIT
    if not (text.isascii() and text.isdigit() and least <= int(text[:9])):
        return
    length = len(view.source[body_start:].decode("utf-8").strip())
    if length > int(text):
        message = f"expected at most {text} characters, as the file states, found {length}"
        yield Found("MS601", limit.start, limit.end, message, "limit")
