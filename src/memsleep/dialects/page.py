"""The dialect of HTML pages that are no memhtml files: in place or not at all."""

# ruff: noqa: ARG002 - the protocol names parameters that this dialect does not need

from __future__ import annotations

import posixpath
from urllib.parse import quote

from memsleep.dialects.base import FieldName, ListName, Options, Syntax
from memsleep.dialects.traits import Traits
from memsleep.editors.heads_encode import encode
from memsleep.editors.html_spelling import spell
from memsleep.editors.html_text import escape_attribute
from memsleep.editors.splice import Replacement, splice
from memsleep.errors import EditRefused
from memsleep.model import Link, Memory, Unreadable
from memsleep.readers.dates import format_like
from memsleep.readers.frontmatter import Entry, Scalar
from memsleep.readers.markdown_fields import KEYS
from memsleep.readers.memhtml_source import UnfitSourceError
from memsleep.readers.page import BODIES, Page, open_page, read_page, read_page_links
from memsleep.spelled import Spelled

_DATES = ("updated", "created", "event_time", "valid_from", "valid_until", "archived_at")


class PageDialect:
    """Reader and editor of pages. A field that a page does not state is kept in the state."""

    syntax: Syntax = "html"

    def __init__(self, traits: Traits, options: Options) -> None:
        self.name = traits.name
        self.traits = traits
        self.options = options

    def read(self, path: str, source: bytes) -> Memory | Unreadable:
        """Parse one page."""
        return read_page(path, source, self.name)

    def read_links(self, path: str, source: bytes) -> tuple[Link, ...]:
        """Return the anchors of a page that is no memory."""
        return read_page_links(source)

    def set_field(
        self, memory: Memory, source: bytes, field: FieldName, value: str
    ) -> bytes | None:
        """Write one scalar where a meta or a comment states it, None where none does."""
        page = _opened(source)
        entry = page.head.find(*KEYS[field])
        if entry is None:
            return None
        if not isinstance(entry.value, Scalar) or entry.value.start < 0 or entry.repeated:
            raise EditRefused(f"the meta `{entry.key}` is left as it is", line=entry.line)
        written = entry.value.text
        text = format_like(written, value, day_first=self.options.day_first)
        return _with_value(page, entry, entry.value, text if field in _DATES else value)

    def remove_field(self, memory: Memory, source: bytes, field: FieldName) -> bytes | None:
        """Nothing is ever taken out of a page."""
        return None

    def add_value(self, memory: Memory, source: bytes, field: ListName, value: str) -> bytes | None:
        """Leave the page as it is: it takes no new value."""
        return source if value in getattr(memory, field) else None

    def add_link(
        self, memory: Memory, source: bytes, relation: str, target_path: str, *, exact: bool = False
    ) -> bytes | None:
        """Leave the page as it is: it takes no new link."""
        return None

    def remove_link(self, source: bytes, link: Link) -> bytes:
        """Refuse: an anchor stands in the text and is never taken out."""
        raise EditRefused("the link stands in the text of a page", line=link.line)

    def retarget_link(
        self, path: str, source: bytes, link: Link, target_path: str, *, exact: bool = False
    ) -> bytes:
        """Point one anchor at another path; query and fragment stay."""
        if link.target.startswith("/"):
            address = f"/{target_path}"
        else:
            address = posixpath.relpath(target_path, posixpath.dirname(path) or ".")
        encoded = quote(address, safe="/!$()*+,;=:@~-._")
        if ":" in encoded.split("/", 1)[0]:
            encoded = f"./{encoded}"
        page = _opened(source)
        raw = source[link.start : link.end]
        cut = min((at for at in (raw.find(b"?"), raw.find(b"#")) if at >= 0), default=len(raw))
        edit = Replacement(link.start, link.start + cut, encoded.encode())
        result = splice(source, [edit])
        before, after = read_page_links(source), read_page_links(result)
        changed = sum(a.target != b.target for a, b in zip(before, after, strict=False))
        same = len(before) == len(after) and changed <= 1
        if not same or page.tree.pieces != _opened(result).tree.pieces:
            raise EditRefused("the rewritten link would change more of the page", line=link.line)
        return result

    def spell(self, memory: Memory, source: bytes, wanted: tuple[str, ...]) -> tuple[Spelled, ...]:
        """Return sentences of the page with their inline markup."""
        tree = _opened(source).tree
        body = next((item for tag in BODIES for item in tree.named(tag)), None)
        return () if body is None else spell(tree, body, wanted)

    def append_details(
        self,
        memory: Memory,
        source: bytes,
        sentences: tuple[str, ...],
        origin_path: str,
        *,
        markup: tuple[str, ...] = (),
    ) -> bytes | None:
        """Nothing is added to a page."""
        return None


def _opened(source: bytes) -> Page:
    try:
        return open_page(source)
    except UnfitSourceError as error:
        raise EditRefused(error.message, line=error.line) from None


def _with_value(page: Page, entry: Entry, value: Scalar, text: str) -> bytes:
    """Replace the content of one meta, or the value of one comment, and prove it."""
    if text == value.text:
        return page.source
    in_comment = value.end <= page.head.body_start
    if in_comment:
        new = encode("comment", text, "", textual=True)
    elif value.style in ("'", '"'):
        new = escape_attribute(text, value.style)
    else:
        new = None
    if new is None:
        raise EditRefused(f"the value of `{entry.key}` cannot be written there", line=entry.line)
    result = splice(page.source, [Replacement(value.start, value.end, new.encode())])
    before, after = _values(page), _values(_opened(result))
    before[before.index((entry.key, value.text))] = (entry.key, text)
    if before != after or _opened(result).tree.pieces != page.tree.pieces:
        raise EditRefused("the edit would change more of the page than was asked", line=entry.line)
    return result


def _values(page: Page) -> list[tuple[str, str]]:
    return [(e.key, e.value.text if isinstance(e.value, Scalar) else "") for e in page.head.entries]
