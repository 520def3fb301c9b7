"""The memhtml dialect: HTML memories whose head states their fields and links."""

# ruff: noqa: ARG002 - the protocol names parameters that this dialect does not need

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable
from urllib.parse import quote

from memsleep.dialects.base import FieldName, ListName, Syntax
from memsleep.editors import html, html_links
from memsleep.editors.html_article import append_paragraphs
from memsleep.editors.html_document import open_document
from memsleep.editors.html_spelling import spell
from memsleep.errors import EditRefused
from memsleep.model import Link, Memory, Unreadable
from memsleep.readers import memhtml
from memsleep.readers.memhtml_head import head_of
from memsleep.readers.memhtml_links import anchor_links, head_links
from memsleep.readers.memhtml_paths import GENERATED
from memsleep.readers.memhtml_source import UnfitSourceError
from memsleep.readers.memhtml_tree import parse
from memsleep.readers.memhtml_values import (
    MAX_SAFE_INTEGER,
    confidence_of,
    integer_between,
    is_hash,
    is_instant,
    is_root_relative,
)
from memsleep.readers.memhtml_vocabulary import REQUIRED, STATUSES, relation_of
from memsleep.spelled import Spelled

META_NAMES: dict[FieldName, str] = {
    "status": "memhtml-status",
    "updated": "memhtml-updated",
    "created": "memhtml-created",
    "valid_from": "memhtml-valid-from",
    "valid_until": "memhtml-valid-until",
    "archived_at": "memhtml-archived",
    "confidence": "memhtml-confidence",
    "importance": "memhtml-importance",
    "reprieves": "memhtml-reprieves",
    "superseded_by": "memhtml-superseded-by",
    "content_hash": "memhtml-content-hash",
}
"""Field -> the meta that states it. The event time is the first `time` of the article: no meta."""

LIST_NAMES: dict[ListName, str] = {
    "tags": "memhtml-tag",
    "entities": "memhtml-entity",
    "aliases": "memhtml-alias",
}

_ADMITS: dict[FieldName, Callable[[str], bool]] = {
    "status": STATUSES.__contains__,
    "updated": is_instant,
    "created": is_instant,
    "valid_from": is_instant,
    "valid_until": is_instant,
    "archived_at": is_instant,
    "confidence": lambda value: confidence_of(value) is not None,
    "importance": lambda value: integer_between(value, 1, 10) is not None,
    "reprieves": lambda value: integer_between(value, 0, MAX_SAFE_INTEGER) is not None,
    "superseded_by": is_root_relative,
    "content_hash": is_hash,
}
_URL_SAFE = "/!$&'()*+,;=:@~"


class Memhtml:
    """Reader and editor of memhtml files. See `Dialect` for the contract of each member."""

    name = memhtml.DIALECT
    syntax: Syntax = "html"

    def read(self, path: str, source: bytes) -> Memory | Unreadable:
        """Parse one file."""
        return memhtml.read(path, source)

    def read_links(self, path: str, source: bytes) -> tuple[Link, ...]:
        """Return the links of a page that is no memory; generated listings are opaque."""
        if posixpath.basename(path) in GENERATED:
            return ()
        try:
            tree = parse(source)
        except UnfitSourceError:
            return ()
        return (*head_links(tree, head_of(tree)), *anchor_links(tree, None))

    def set_field(
        self, memory: Memory, source: bytes, field: FieldName, value: str
    ) -> bytes | None:
        """Write one scalar into its meta; the event time has none."""
        name = META_NAMES.get(field)
        if name is None:
            return None
        written = f"/{value.removeprefix('/')}" if field == "superseded_by" else value
        if not _ADMITS[field](written):
            raise EditRefused(f"expected a value that {name} admits, found another")
        return html.set_meta(source, name, written)

    def remove_field(self, memory: Memory, source: bytes, field: FieldName) -> bytes | None:
        """Delete the meta of one scalar; those that the format requires stay."""
        name = META_NAMES.get(field)
        if name is None:
            return None
        if name in REQUIRED:
            raise EditRefused(f"expected {name} in every memory: it cannot be removed")
        return html.remove_meta(source, name)

    def add_value(self, memory: Memory, source: bytes, field: ListName, value: str) -> bytes | None:
        """State one more value below the last of its kind.

        Defined terms and code languages are entities of the memory already.
        """
        if value in getattr(memory, field):
            return source
        return html.add_meta(source, LIST_NAMES[field], value)

    def add_link(
        self, memory: Memory, source: bytes, relation: str, target_path: str, *, exact: bool = False
    ) -> bytes | None:
        """State one more typed link; None for a relation that the format does not know.

        A link of a memory to itself says nothing and is not written. Every link is exact.
        """
        del exact
        if relation_of(f"memhtml-{relation}") != relation:
            return None
        if target_path == memory.path:
            return source
        href = _root_relative(target_path)
        # The spelling with underscores is read as well, though never written.
        stated = ((relation_of(e.name), e.value) for e in open_document(source).head.links)
        if (relation, href) in stated:
            return source
        return html_links.add_link(source, relation, href)

    def remove_link(self, source: bytes, link: Link) -> bytes:
        """Delete the line of one typed link."""
        if link.form != "head":
            raise EditRefused("expected a link of the head, found one in the text", line=link.line)
        return html_links.remove_link_at(source, link.start)

    def retarget_link(
        self, path: str, source: bytes, link: Link, target_path: str, *, exact: bool = False
    ) -> bytes:
        """Point one link at another path; query and fragment stay. Every link is exact."""
        del exact
        if link.form == "head":
            return html_links.retarget_link(source, link.start, _root_relative(target_path))
        if link.target.startswith("/"):
            address = quote(f"/{target_path}", safe=_URL_SAFE)
        else:
            folder = posixpath.dirname(path) or "."
            address = quote(posixpath.relpath(target_path, folder), safe=_URL_SAFE)
        if ":" in address.split("/", 1)[0]:
            address = f"./{address}"
        return html_links.retarget_anchor(source, link.start, address)

    def spell(self, memory: Memory, source: bytes, wanted: tuple[str, ...]) -> tuple[Spelled, ...]:
        """Return sentences of the article with their inline markup."""
        tree = open_document(source).tree
        return spell(tree, tree.named("article")[0], wanted)

    def append_details(
        self,
        memory: Memory,
        source: bytes,
        sentences: tuple[str, ...],
        origin_path: str,
        *,
        markup: tuple[str, ...] = (),
    ) -> bytes | None:
        """Add one paragraph per sentence to the end of the article.

        The supersedes link tells where they come from, so the origin is not written here.
        """
        return append_paragraphs(source, sentences, markup)


def _root_relative(path: str) -> str:
    """Return the href of a corpus path. Raises `EditRefused` for a path that has none."""
    href = f"/{path}"
    if not is_root_relative(href) or re.search(r"[?#]", path):
        raise EditRefused("expected a path that an href can spell, found another")
    return href


MEMHTML = Memhtml()
