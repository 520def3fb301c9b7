"""Edit the links of memhtml files: typed ones of the head line by line, anchors in place.

The promises are those of `editors.html`. Links are found by the byte at which their href value
starts, so an edit can only meet the link that was read.
"""

from __future__ import annotations

from memsleep.editors.html_document import (
    Document,
    apply_head_edits,
    before_head_end,
    open_document,
    path_edit,
)
from memsleep.editors.html_lines import delete_lines, insert_after
from memsleep.editors.html_text import link_line
from memsleep.editors.splice import splice
from memsleep.errors import EditRefused
from memsleep.readers.memhtml_head import Entry
from memsleep.readers.memhtml_tree import Item
from memsleep.readers.memhtml_vocabulary import relation_of, token_of


def add_link(source: bytes, relation: str, href: str) -> bytes:
    """State a typed link below the last one; nothing if the pair is there already."""
    document = open_document(source)
    pair = (token_of(relation), href)
    if pair in document.links:
        return source
    line = link_line(*pair)
    entries = document.head.links or document.head.metas
    if entries:
        edit = insert_after(source, document.span(entries[-1]), line)
    else:
        edit = before_head_end(document, line)
    return apply_head_edits(document, [edit], links=[*document.links, pair])


def remove_link(source: bytes, relation: str, href: str | None = None) -> bytes:
    """Delete the lines of the links of a relation, or of the one with that href."""
    document = open_document(source)
    token = token_of(relation)
    gone = [e for e in document.head.links if e.name == token and href in {None, e.value}]
    return _without(document, gone)


def remove_link_at(source: bytes, start: int) -> bytes:
    """Delete the line of the typed link whose href value starts at a byte."""
    document = open_document(source)
    return _without(document, [_link_at(document, start)])


def retarget_link(source: bytes, start: int, path: str) -> bytes:
    """Give the typed link whose href value starts at a byte another path.

    Where the head states that link already, the line is deleted instead.
    """
    document = open_document(source)
    entry = _link_at(document, start)
    edit, href = path_edit(document.tree, entry.item, path)
    if entry.value == href:
        return source
    relation = relation_of(entry.name)
    if any(e.value == href and relation_of(e.name) == relation for e in document.head.links):
        return _without(document, [entry])
    links = document.links
    links[document.head.links.index(entry)] = (entry.name, href)
    return apply_head_edits(document, [edit], links=links)


def retarget_anchor(source: bytes, start: int, path: str) -> bytes:
    """Give the anchor whose href value starts at a byte another path."""
    document = open_document(source)
    for item in document.tree.named("a"):
        span = document.tree.value_span(item, "href")
        if span is not None and span.start == start:
            return _with_anchor(document, item, path)
    raise EditRefused("expected an anchor where it was read, found none")


def _with_anchor(before: Document, item: Item, path: str) -> bytes:
    """Edit one anchor and prove that it, and nothing else, differs."""
    edit, href = path_edit(before.tree, item, path)
    if item.attr("href") == href:
        return before.source
    changed = splice(before.source, [edit])
    after = open_document(changed)
    asked = _shape(before)
    asked[item.index][1]["href"] = href
    # The parser repeats an anchor that is left open: then more than one differs, and it is refused.
    if _shape(after) != asked or before.tree.pieces != after.tree.pieces:
        line = before.tree.line(item)
        raise EditRefused("the edit would change more of the file than was asked", line=line)
    return changed


def _shape(document: Document) -> list[tuple[str, dict[str, object]]]:
    """Return every element with its attributes."""
    return [(item.tag, dict(item.node.attrs)) for item in document.tree.items]


def _link_at(document: Document, start: int) -> Entry:
    """Return the typed link whose href value starts at a byte."""
    for entry in document.head.links:
        span = document.tree.value_span(entry.item, "href")
        if span is not None and span.start == start:
            return entry
    raise EditRefused("expected a link where it was read, found none")


def _without(document: Document, gone: list[Entry]) -> bytes:
    """Delete the lines of links."""
    edits = [delete_lines(document.source, document.span(entry)) for entry in gone]
    kept = [(entry.name, entry.value) for entry in document.head.links if entry not in gone]
    return apply_head_edits(document, edits, links=kept)
