"""Markdown memories, with YAML front matter or without: plain, Obsidian, Claude, basic-memory."""

from __future__ import annotations

import re

from memsleep.dialects.base import Dialect, FieldName, ListName, Options, Syntax
from memsleep.dialects.plain import TRAITS as PLAIN
from memsleep.dialects.traits import Traits
from memsleep.editors import frontmatter, frontmatter_lists, heads, heads_remove
from memsleep.editors.frontmatter_text import encode_scalar
from memsleep.editors.markdown import remove_link, retarget
from memsleep.editors.markdown_body import append_paragraphs
from memsleep.editors.markdown_links import add_link, states_link
from memsleep.editors.markdown_spelling import spell
from memsleep.errors import EditRefused
from memsleep.instants import epoch_seconds
from memsleep.model import Link, Memory, Unreadable
from memsleep.readers import markdown as reader
from memsleep.readers.dates import format_as, parse_date
from memsleep.readers.frontmatter import (
    Broken,
    Entry,
    FrontMatter,
    Scalar,
    body_offset,
    normal_key,
)
from memsleep.readers.head import block_of, head_and_fields, read_head
from memsleep.readers.markdown_fields import INLINE_KEYS, KEYS, date_order
from memsleep.readers.markdown_values import (
    CONFIDENCE_WORDS,
    IMPORTANCE_WORDS,
    parse_confidence,
    parse_importance,
    unbracketed,
)
from memsleep.spelled import Spelled

DATE_FIELDS = ("updated", "created", "event_time", "valid_from", "valid_until", "archived_at")
NUMBER_FIELDS = ("confidence", "importance", "reprieves")
_READ_ONLY_KEYS = frozenset({"id"})
_NOT_ADDED = frozenset({"content_hash"})
_INLINE_TAG = re.compile(r"[^\W\d_][\w/-]*\Z")
_MARKUP = re.compile(r"[\[\]{}<>]")
"""What a date or number that went wrong does not hold: it may be a link."""
_TRUTH = frozenset({"true", "false", "yes", "no", "on", "off"})


class MarkdownDialect:
    """Reader and editor of Markdown files. Contract: `Dialect`."""

    syntax: Syntax = "markdown"

    def __init__(self, traits: Traits = PLAIN, options: Options = Options()) -> None:  # noqa: B008
        self.name = traits.name
        self.traits = traits
        self.options = options
        self.how = reader.ReadAs(
            dialect=traits.name,
            day_first=options.day_first,
            label_first=traits.label_first,
            inline_tags=traits.inline_tags,
        )

    def read(self, path: str, source: bytes) -> Memory | Unreadable:
        """Parse one file. Link targets stay unresolved."""
        return reader.read(path, source, self.how)

    def read_links(self, path: str, source: bytes) -> tuple[Link, ...]:
        """Return the links of a file that is no memory itself."""
        return reader.read_links(path, source, self.how)

    def set_field(
        self, memory: Memory, source: bytes, field: FieldName, value: str
    ) -> bytes | None:
        """Write one scalar in the form that stands there.

        None without a head, for a word of confidence or importance, for a content hash that the
        file does not state, and for a key that the store's program would refuse.
        """
        block = _block(memory, source)
        entry = None if block is None else _entry(block, field)
        if block is not None and entry in block.inline and memory.stated.get(field) != entry.key:
            return None  # words of the text that only look like a field
        if block is None or entry is None:
            return self._add_field(source, block, field, value)
        written = entry.value.text if isinstance(entry.value, Scalar) else ""
        like = self._text_like(block, written, field, value)
        if like is None:
            return None
        edit = heads.set_scalar if heads.handles(block, entry) else frontmatter.set_scalar
        return edit(source, block, entry, like, textual=_is_textual(field))

    def _add_field(
        self, source: bytes, block: FrontMatter | None, field: FieldName, value: str
    ) -> bytes | None:
        """State a field that no key states yet."""
        if field in _NOT_ADDED:
            return None
        if block is None or block.kind == "none":
            return self._first_key(source, field, _yaml_pair(field, value))
        key = _key_like(block, field)
        if not self._knows(key):
            return None
        text = _new_text(block, field, value)
        edit = heads.add_key if heads.handles(block) else frontmatter.add_key
        return edit(source, block, key, text, textual=_is_textual(field))

    def _knows(self, key: str) -> bool:
        """Return True for a key that the store's program accepts."""
        known = self.traits.known_keys
        return not known or normal_key(key) in {normal_key(name) for name in known}

    def _first_key(self, source: bytes, key: str, pair: str) -> bytes | None:
        """Give a file its first front matter, if the config allows it and nothing else changes."""
        if not self.options.add_front_matter or not self._knows(key):
            return None
        start = body_offset(source)
        end = source.find(b"\n", start)
        eol = "\r\n" if end > start and source[end - 1 : end] == b"\r" else "\n"
        head = f"---{eol}{pair}{eol}---{eol}".encode()
        result = source[:start] + head + source[start:]
        found = head_and_fields(result, frozenset())
        if not isinstance(found, FrontMatter) or found.body_start != start + len(head):
            raise EditRefused("the file would not be read with that front matter", line=1)
        return result

    def _text_like(
        self, block: FrontMatter, written: str, field: FieldName, value: str
    ) -> str | None:
        """Return the value in the form of the one that stands there, None to leave a word."""
        if field in DATE_FIELDS:
            return _date_like(written, value, date_order(block, self.options.day_first))
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
        if entry is None:
            return source
        _check_kind(entry, field)
        edit = heads_remove.remove_key if heads.handles(block, entry) else frontmatter.remove_key
        return edit(source, block, entry)

    def add_value(self, memory: Memory, source: bytes, field: ListName, value: str) -> bytes | None:
        """Extend a list in its own style; the same bytes when the value is there already.

        A file without a head takes a tag at the end of its text where the store reads it there.
        """
        known: tuple[str, ...] = getattr(memory, field)
        block = _block(memory, source)
        if value in known:
            return source
        entry = None if block is None else block.find(*KEYS[field])
        if block is None or entry is None:
            return self._first_value(source, block, field, value)
        words = field == "tags"
        edit = heads.add_text if heads.handles(block, entry) else frontmatter_lists.add_text
        return edit(source, block, entry, value, words=words)

    def _first_value(
        self, source: bytes, block: FrontMatter | None, field: ListName, value: str
    ) -> bytes | None:
        if block is not None and block.kind != "none" and self._knows(field):
            edit = heads.add_list if heads.handles(block) else frontmatter_lists.add_text_line
            return edit(source, block, field, value)
        if field == "tags" and self.traits.inline_tags and _INLINE_TAG.match(value):
            start = block_of(source, block).body_start
            return append_paragraphs(source, start, (f"#{value}",))
        return None

    def add_link(
        self, memory: Memory, source: bytes, relation: str, target_path: str, *, exact: bool = False
    ) -> bytes | None:
        """State one more typed link; the same bytes when it is there already."""
        block = _block(memory, source)
        if states_link(memory, relation, target_path):
            return source
        if block is None or block.kind == "none" or not self._knows(relation):
            return None
        return add_link(memory, source, block, relation, target_path, self.how, exact=exact)

    def remove_link(self, source: bytes, link: Link) -> bytes:
        """Take out a front matter entry or a relation line."""
        return remove_link(source, link, self.how)

    def retarget_link(
        self, path: str, source: bytes, link: Link, target_path: str, *, exact: bool = False
    ) -> bytes:
        """Point one link at another path, keeping its form, label and fragment."""
        return retarget(path, source, link, target_path, self.how, exact=exact)

    def spell(self, memory: Memory, source: bytes, wanted: tuple[str, ...]) -> tuple[Spelled, ...]:
        """Return sentences of the body with their inline markup."""
        del memory
        start = block_of(source, read_head(source)).body_start
        return spell(source[start:].decode("utf-8"), wanted)

    def append_details(
        self,
        memory: Memory,
        source: bytes,
        sentences: tuple[str, ...],
        origin_path: str,
        *,
        markup: tuple[str, ...] = (),
    ) -> bytes | None:
        """Add sentences as paragraphs at the end of the body.

        `origin_path` is not written: the ledger and the link say where they come from.
        """
        del origin_path
        block = _block(memory, source)
        start = body_offset(source) if block is None else block.body_start
        result = append_paragraphs(source, start, sentences, markup, outline=self.traits.outline)
        if _keys(read_head(result)) != _keys(read_head(source)):
            raise EditRefused("the file would be read with another head", line=1)
        return result


def _block(memory: Memory, source: bytes) -> FrontMatter | None:
    """Return the head to edit, None without one; refuse a file that is read-only."""
    if memory.read_only:
        raise EditRefused(memory.read_only, line=1)
    found = head_and_fields(source, INLINE_KEYS)
    return found if isinstance(found, FrontMatter) else None


def _keys(head: FrontMatter | Broken | None) -> list[str]:
    return [entry.key for entry in head.entries] if isinstance(head, FrontMatter) else []


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


def _check_kind(entry: Entry, field: FieldName) -> None:
    """Refuse to take out what only stands in the place of a date or a number: it may be a link."""
    text = entry.value.text if isinstance(entry.value, Scalar) else ""
    if not _is_textual(field) and _MARKUP.search(text):
        kind = "date" if field in DATE_FIELDS else "number"
        raise EditRefused(f"the value that stands there is no {kind}", line=entry.line)


def _yaml_pair(field: FieldName, value: str) -> str:
    return f"{field}: {encode_scalar(value, '', textual=_is_textual(field))}"


def _is_textual(field: FieldName) -> bool:
    return field not in DATE_FIELDS and field not in NUMBER_FIELDS


def _date_like(written: str, value: str, day_first: bool | None) -> str:
    """Return an instant in the shape of the written date; the same text for an equal one."""
    if epoch_seconds(value) is None:
        raise EditRefused("expected a canonical instant as the new date")
    parsed = parse_date(written, day_first=day_first)
    if parsed is None:
        if _MARKUP.search(written):
            raise EditRefused("the value that stands there is no date")
        return value
    return written if parsed.instant == value else format_as(parsed.shape, value)


def _number_like(written: str, field: FieldName, value: str) -> str | None:
    """Return a number in the written form; a word is never rewritten."""
    if written.casefold() in (CONFIDENCE_WORDS if field == "confidence" else IMPORTANCE_WORDS):
        return None
    parse = parse_confidence if field == "confidence" else parse_importance
    if _MARKUP.search(written) and parse(written) is None:
        raise EditRefused("the value that stands there is no number")
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
