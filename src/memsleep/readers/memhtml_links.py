"""Links of a memhtml file: typed ones in its head, anchors in its article."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator
from urllib.parse import unquote

from memsleep.model import Link
from memsleep.readers.memhtml_head import Head
from memsleep.readers.memhtml_tree import Item, Tree
from memsleep.readers.memhtml_values import ASCII_SPACE, reference_path
from memsleep.readers.memhtml_vocabulary import relation_of

_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:|//")


def head_links(tree: Tree, head: Head) -> Iterator[Link]:
    """Yield the typed links. Their targets lose the leading slash, query and fragment."""
    for entry in head.links:
        relation = relation_of(entry.name)
        span = tree.value_span(entry.item, "href")
        if relation is None or span is None or not entry.value:
            continue
        yield Link(
            relation=relation,
            target=reference_path(entry.value),
            line=tree.line(entry.item, "href"),
            form="head",
            start=span.start,
            end=span.end,
        )


def anchor_links(tree: Tree, within: Item | None) -> Iterator[Link]:
    """Yield the anchors that lead out of the file. They follow what moves, but are no edges.

    A root-relative target keeps its slash; a relative one is relative to the file's folder.
    """
    for item in tree.named("a", within):
        href = (item.attr("href") or "").strip(ASCII_SPACE)
        span = tree.value_span(item, "href")
        if span is None or href.startswith(("#", "?")) or not href:
            continue
        external = _SCHEME.match(href) is not None
        yield Link(
            relation="relates_to",
            target=href if external else unquote(re.split(r"[?#]", href, maxsplit=1)[0]),
            line=tree.line(item, "href"),
            form="anchor",
            start=span.start,
            end=span.end,
            external=external,
        )


def meant_path(path: str, link: Link) -> str | None:
    """Return the corpus path that a link of the file at `path` spells, whether it exists or not.

    None for a target outside the corpus.
    """
    if link.external:
        return None
    if link.form == "head":
        return link.target
    if link.target.startswith("/"):
        joined = posixpath.normpath(link.target.lstrip("/"))
    else:
        joined = posixpath.normpath(posixpath.join(posixpath.dirname(path), link.target))
    return None if joined in {".", ".."} or joined.startswith("../") else joined
