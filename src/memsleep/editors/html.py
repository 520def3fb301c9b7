"""Edit the metas of memhtml files: every byte outside the edited entry is unchanged.

Each function gives back the very same object when there is nothing to do, and raises
`EditRefused` where a line cannot be inserted or deleted without touching something else. What
it returns has been parsed again: it states what was asked, and nothing else has changed.
"""

from __future__ import annotations

from memsleep.editors.html_document import (
    Document,
    apply_head_edits,
    before_head_end,
    open_document,
    value_edit,
)
from memsleep.editors.html_lines import delete_lines, insert_after, insert_before
from memsleep.editors.html_text import meta_line
from memsleep.editors.splice import Replacement
from memsleep.readers.memhtml_head import Entry
from memsleep.readers.memhtml_vocabulary import META_INDEX, META_ORDER


def set_meta(source: bytes, name: str, value: str) -> bytes:
    """State a meta once: the first of its name takes the value, or a line is inserted.

    An entry in the canonical spelling has its value replaced, unless that is equal already; any
    other spelling becomes the canonical one, but an entry with further attributes keeps them. A
    name outside the format changes nothing.
    """
    if name not in META_INDEX:
        return source
    document = open_document(source)
    first = document.head.first(name)
    if first is None:
        return _insert_meta(document, name, value)
    metas = document.metas
    metas[document.head.metas.index(first)] = (name, value)
    return apply_head_edits(document, _meta_edits(document, first, value), metas=metas)


def add_meta(source: bytes, name: str, value: str) -> bytes:
    """State one more value of a meta, below the last one; nothing if it is there already."""
    if name not in META_INDEX:
        return source
    document = open_document(source)
    same = [entry for entry in document.head.metas if entry.name == name]
    if not same:
        return _insert_meta(document, name, value)
    if any((entry.value or "") == value for entry in same):
        return source
    edit = insert_after(source, document.span(same[-1]), meta_line(name, value))
    metas = document.metas
    metas.insert(document.head.metas.index(same[-1]) + 1, (name, value))
    return apply_head_edits(document, [edit], metas=metas)


def remove_meta(source: bytes, name: str) -> bytes:
    """Delete the lines of every meta of a name."""
    document = open_document(source)
    gone = [entry for entry in document.head.metas if entry.name == name]
    edits = [delete_lines(source, document.span(entry)) for entry in gone]
    kept = [pair for pair in document.metas if pair[0] != name]
    return apply_head_edits(document, edits, metas=kept)


def _meta_edits(document: Document, entry: Entry, value: str) -> list[Replacement]:
    """Return the edits that give one meta a value."""
    start, end = document.span(entry)
    written = document.source[start:end]
    further = set(entry.item.node.attrs) - {"name", "content"}
    if further or _is_canonical(written, entry.name):
        if (entry.value or "") == value:
            return []
        return [value_edit(document.tree, entry.item, "content", value)]
    return [Replacement(start, end, meta_line(entry.name, value))]


def _is_canonical(written: bytes, name: str) -> bool:
    """Return True for `<meta name="N" content="...">` with exactly these quotes and blanks."""
    opening = f'<meta name="{name}" content="'.encode()
    value = written[len(opening) : -len(b'">')]
    return written == opening + value + b'">' and b'"' not in value


def _insert_meta(document: Document, name: str, value: str) -> bytes:
    """Insert a meta at its place in the canonical order."""
    line, entries = meta_line(name, value), document.head.metas
    index = META_INDEX[name]
    ranks = [META_INDEX.get(entry.name, len(META_ORDER)) for entry in entries]
    later = next((i for i, rank in enumerate(ranks) if rank > index), None)
    if later is not None:
        edit = insert_before(document.source, document.span(entries[later]), line)
        place = later
    elif entries:
        edit = insert_after(document.source, document.span(entries[-1]), line)
        place = len(entries)
    else:
        edit, place = before_head_end(document, line), 0
    metas = document.metas
    metas.insert(place, (name, value))
    return apply_head_edits(document, [edit], metas=metas)
