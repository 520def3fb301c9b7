"""Markdown memories, with YAML front matter or without: plain, Obsidian, Claude, basic-memory."""

from __future__ import annotations

import re
from dataclasses import dataclass

from memsleep.dialects.base import Dialect, FieldName, ListName
from memsleep.editors import frontmatter, frontmatter_lists
from memsleep.editors.markdown import remove_link, retarget
from memsleep.editors.markdown_body import append_paragraph
from memsleep.editors.markdown_links import add_link, states_link
from memsleep.errors import EditRefused
from memsleep.instants import epoch_seconds
from memsleep.model import Link, Memory, Unreadable
from memsleep.readers import markdown as reader
from memsleep.readers.dates import format_as, parse_date
from memsleep.readers.frontmatter import Entry, FrontMatter, Scalar, body_offset, read_front_matter
from memsleep.readers.markdown_fields import KEYS, date_order
from memsleep.readers.markdown_values import (
    CONFIDENCE_WORDS,
    IMPORTANCE_WORDS,
    parse_confidence,
    parse_importance,
    unbracketed,
)

DATE_FIELDS = ("updated", "created", "event_time", "valid_from", "valid_until", "archived_at")
NUMBER_FIELDS = ("confidence", "importance", "reprieves")
_READ_ONLY_KEYS = frozenset({"id"})
_NOT_ADDED = frozenset({"content_hash"})
_TRUTH = frozenset({"true", "false", "yes", "no", "on", "off"})


@dataclass(slots=True)
class MarkdownDialect:
    """Reader and editor of Markdown files. Contract: `Dialect`."""

    name: str = reader.DIALECT
    day_first: bool | None = None
    """Order of dates such as `06/08/2017` where a file's own dates do not tell."""

    def read(self, path: str, source: bytes) -> Memory | Unreadable:
        """Parse one file. Link targets stay unresolved."""
        return reader.read(path, source, day_first=self.day_first)

    def read_links(self, path: str, source: bytes) -> tuple[Link, ...]:
        """Return the links of a file that is no memory itself."""
        return reader.read_links(path, source)

    def set_field(
        self, memory: Memory, source: bytes, field: FieldName, value: str
    ) -> bytes | None:
        """Write one scalar in the form that stands there.

        None without front matter, for a word of confidence or importance, and for a content
        hash that the file does not state.
        """
        block = _block(memory, source)
        if block is None:
            return None
        entry = _entry(block, field)
        if entry is None:
            if field in _NOT_ADDED:
                return None
            text = _new_text(block, field, value)
            key = _key_like(block, field)
            textual = _is_textual(field)
            return frontmatter.add_key(source, block, key, text, textual=textual)
        written = entry.value.text if isinstance(entry.value, Scalar) else ""
        like = self._text_like(block, written, field, value)
        if like is None:
            return None
        return frontmatter.set_scalar(source, block, entry, like, textual=_is_textual(field))

    def _text_like(
        self, block: FrontMatter, written: str, field: FieldName, value: str
    ) -> str | None:
        """Return the value in the form of the one that stands there, None to leave a word."""
        if field in DATE_FIELDS:
            return _date_like(written, value, date_order(block, self.day_first))
        if field in NUMBER_FIELDS:
            return _number_like(written.strip(), field, value)
        if field == "status":
            return written if written.strip().casefold() == value.casefold() else value
        if field == "superseded_by":
            return _path_like(written, value)
        return value

    def remove_field(self, memory: Memory, source: bytes, field: FieldName) -> bytes | None:
        """Take one scalar out with its line; the same bytes when no key states it."""
        block = _block(memory, source)
        if block is None:
            return None
        entry = _entry(block, field)
        return source if entry is None else frontmatter.remove_key(source, block, entry)

    def add_value(self, memory: Memory, source: bytes, field: ListName, value: str) -> bytes | None:
        """Extend a list in its own style; the same bytes when the value is there already."""
        block = _block(memory, source)
        if block is None:
            return None
        known: tuple[str, ...] = getattr(memory, field)
        if value in known:
            return source
        entry = block.find(*KEYS[field])
        if entry is None:
            return frontmatter_lists.add_text_line(source, block, field, value)
        words = field == "tags"
        return frontmatter_lists.add_text(source, block, entry, value, words=words)

    def add_link(
        self, memory: Memory, source: bytes, relation: str, target_path: str, *, exact: bool = False
    ) -> bytes | None:
        """State one more typed link; the same bytes when it is there already."""
        block = _block(memory, source)
        if states_link(memory, relation, target_path):
            return source
        if block is None:
            return None
        return add_link(memory, source, block, relation, target_path, exact=exact)

    def remove_link(self, source: bytes, link: Link) -> bytes:
        """Take out a front matter entry or a relation line."""
        return remove_link(source, link)

    def retarget_link(
        self, path: str, source: bytes, link: Link, target_path: str, *, exact: bool = False
    ) -> bytes:
        """Point one link at another path, keeping its form, label and fragment."""
        return retarget(path, source, link, target_path, exact=exact)

    def append_details(
        self, memory: Memory, source: bytes, sentences: tuple[str, ...], origin_path: str
    ) -> bytes | None:
        """Add sentences as a paragraph at the end of the body.

        `origin_path` is not written: the ledger and the link say where they come from.
        """
        del origin_path
        block = _block(memory, source)
        start = body_offset(source) if block is None else block.body_start
        return append_paragraph(source, start, sentences)


def _block(memory: Memory, source: bytes) -> FrontMatter | None:
    """Return the front matter to edit, None without one; refuse a file that is read-only."""
    if memory.read_only:
        raise EditRefused(memory.read_only, line=1)
    found = read_front_matter(source)
    return found if isinstance(found, FrontMatter) else None


def _entry(block: FrontMatter, field: FieldName) -> Entry | None:
    """Return the entry that states a field and may be rewritten."""
    for key in KEYS[field]:
        entry = None if key in _READ_ONLY_KEYS else block.find(key)
        if entry is not None and _states(entry, field):
            return entry
    return None


def _states(entry: Entry, field: FieldName) -> bool:
    """Return False for an `archived: true`, which is no date."""
    if field != "archived_at" or not isinstance(entry.value, Scalar):
        return True
    return entry.value.text.strip().casefold() not in _TRUTH


def _is_textual(field: FieldName) -> bool:
    return field not in DATE_FIELDS and field not in NUMBER_FIELDS


def _date_like(written: str, value: str, day_first: bool | None) -> str:
    """Return an instant in the shape of the written date; the same text for an equal one."""
    if epoch_seconds(value) is None:
        raise EditRefused("expected a canonical instant as the new date")
    parsed = parse_date(written, day_first=day_first)
    if parsed is None:
        return value
    return written if parsed.instant == value else format_as(parsed.shape, value)


def _number_like(written: str, field: FieldName, value: str) -> str | None:
    """Return a number in the written form; a word is never rewritten."""
    if written.casefold() in (CONFIDENCE_WORDS if field == "confidence" else IMPORTANCE_WORDS):
        return None
    parse = parse_confidence if field == "confidence" else parse_importance
    if field != "reprieves" and parse(written) is not None and parse(written) == parse(value):
        return written
    if field == "confidence" and written.endswith("%"):
        blank = " " if written[:-1].endswith(" ") else ""
        return f"{_percent(float(value))}{blank}%"
    return value


def _percent(share: float) -> str:
    """Return a share as a percentage with at most one digit after the point."""
    text = f"{share * 100:.1f}"
    return text.removesuffix(".0")


def _path_like(written: str, value: str) -> str:
    """Return a path as the value that it replaces writes one: `[[...]]`, from the root, plain."""
    if unbracketed(written).lstrip("/") == value:
        return written
    if written.strip().startswith("[["):
        return f"[[{re.sub(r'[.](?:md|markdown)$', '', value)}]]"
    return f"/{value.lstrip('/')}" if written.startswith("/") else value


def _new_text(block: FrontMatter, field: FieldName, value: str) -> str:
    """Return a value for a new line; a date takes the shape of the file's other dates."""
    if field not in DATE_FIELDS:
        return value
    for other in ("updated", "created"):
        entry = block.find(*(key for key in KEYS[other] if key not in _READ_ONLY_KEYS))
        parsed = (
            parse_date(entry.value.text)
            if entry is not None and isinstance(entry.value, Scalar)
            else None
        )
        if parsed is not None:
            return _exact(parsed.shape, value)
    return value


def _exact(shape: str, value: str) -> str:
    """Return a value in another date's shape where that loses nothing of it."""
    text = format_as(shape, value)
    again = parse_date(text)
    return text if again is not None and again.instant == value else value


def _key_like(block: FrontMatter, field: str) -> str:
    """Return a field's key with hyphens where the file's own keys have them."""
    keys = [entry.key for entry in block.entries]
    hyphens = any("-" in key for key in keys) and not any("_" in key for key in keys)
    return field.replace("_", "-") if hyphens else field


MARKDOWN: Dialect = MarkdownDialect()
