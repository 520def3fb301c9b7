"""Stating one more typed link, where and how the file states its links already."""

from __future__ import annotations

from collections import Counter

from memsleep.editors import heads
from memsleep.editors.frontmatter import add_line
from memsleep.editors.frontmatter_lists import add_item
from memsleep.editors.frontmatter_text import encode_scalar
from memsleep.editors.markdown import is_relation_line
from memsleep.editors.markdown_targets import fits_brackets, without_ending
from memsleep.editors.splice import Replacement, splice
from memsleep.errors import EditRefused
from memsleep.model import Link, Memory
from memsleep.readers.frontmatter import (
    Entry,
    FrontMatter,
    Mapping,
    Scalar,
    Sequence,
    Value,
    bracketed,
    normal_key,
)
from memsleep.readers.linkscan_head import LINK_KEYS, REL_KEYS, TO_KEYS
from memsleep.readers.markdown import PLAIN, ReadAs, read_links

_RELATED_KEYS = ("relatesto", "related")


_FROM_FOLDER = frozenset({"inline", "reference", "shortcode", "anchor"})


def states_link(memory: Memory, relation: str, target_path: str) -> bool:
    """Return True when the memory states this relation to this path already.

    What is not there yet (a place in the archive) is known by its name, but for links that count
    from their own folder: in `a/x.md`, `[t](a/y.md)` does not mean `a/y.md`.
    """
    names = (target_path, without_ending(target_path))
    return any(
        link.relation == relation
        and (
            link.path == target_path
            or (
                link.path is None
                and link.target.lstrip("/") in names
                and (link.form not in _FROM_FOLDER or "/" not in memory.path)
            )
        )
        for link in memory.links
    )


def add_link(
    memory: Memory,
    source: bytes,
    block: FrontMatter,
    relation: str,
    target_path: str,
    how: ReadAs = PLAIN,
    *,
    exact: bool = False,
) -> bytes:
    """Add a link to a relation list of the body, or to the front matter.

    The relation's own key comes first, then a `links` list, then a new key. `exact` counts the
    path from the root, where it could be taken for one of the file's own folder.
    """
    body = [link for link in memory.links if link.start >= block.body_start]
    lines = [link for link in body if is_relation_line(source, link)]
    if lines and not any(link.form == "front-matter" for link in memory.links):
        result = _add_relation_line(source, lines[-1], relation, target_path)
    elif block.kind != "yaml":
        result = _add_to_other_head(source, block, relation, target_path, exact=exact)
    else:
        place = f"/{target_path}" if exact else target_path
        result = _add_to_head(source, block, relation, place)
    _prove_added(source, result, relation, target_path, how)
    return result


def _prove_added(
    source: bytes, result: bytes, relation: str, target_path: str, how: ReadAs
) -> None:
    """Refuse unless the result is read with exactly this link more."""
    known = Counter((link.relation, link.target) for link in read_links("", source, how))
    found = Counter((link.relation, link.target) for link in read_links("", result, how))
    stem = without_ending(target_path)
    names = (target_path, f"/{target_path}", stem, f"/{stem}")
    if not any(found == known + Counter([(relation, name)]) for name in names):
        raise EditRefused("the new link would not be read as one", line=1)


def _add_to_head(source: bytes, block: FrontMatter, relation: str, target_path: str) -> bytes:
    entry = _list_for(source, block, relation)
    if entry is not None:
        item = _item_like(source, entry, relation, target_path)
        return add_item(source, block, entry, item)
    taken = {normal_key(one.key) for one in block.entries}
    encoded = encode_scalar(target_path, "", textual=True, flow=True)
    if normal_key(relation) not in taken and normal_key(relation) in LINK_KEYS:
        return add_line(source, block, relation, f"[{encoded}]")
    if "links" not in taken:
        return add_line(source, block, "links", f"[{{rel: {relation}, to: {encoded}}}]")
    raise EditRefused("no list of links that the editor can extend", line=1)


def _add_to_other_head(
    source: bytes, block: FrontMatter, relation: str, target_path: str, *, exact: bool
) -> bytes:
    """State a link in a head that is not YAML, under the relation's own key."""
    entry = block.find(normal_key(relation))
    target = f"/{target_path}" if exact else target_path
    if block.kind == "properties":
        if not fits_brackets(without_ending(target_path)):
            raise EditRefused("the new path holds a character that a wikilink cannot hold", line=1)
        target = f"[[{without_ending(target_path)}]]"
    if entry is None:
        added = heads.add_list(source, block, relation, target)
        assert added is not None  # the block has a kind
        return added
    if block.kind == "properties" and isinstance(entry.value, Scalar) and not entry.value.null:
        return heads.set_scalar(source, block, entry, f"{entry.value.text.rstrip()}, {target}")
    if not isinstance(entry.value, Sequence):
        raise EditRefused("no list of links that the editor can extend", line=entry.line)
    return heads.add_text(source, block, entry, target, words=False)


def _add_relation_line(source: bytes, after: Link, relation: str, target_path: str) -> bytes:
    line_start = source.rfind(b"\n", 0, after.start) + 1
    marker = source[line_start : after.start]
    bullet = marker[: len(marker) - len(marker.lstrip(b" \t"))] + marker.lstrip(b" \t")[:1]
    stop = source.find(b"\n", after.end)
    eol = b"\r\n" if source[:stop].endswith(b"\r") or b"\r\n" in source[:line_start] else b"\n"
    text = f" {relation} [[{without_ending(target_path)}]]".encode()
    if stop < 0:
        edit = Replacement(len(source), len(source), eol + bullet + text)
    else:
        edit = Replacement(stop + 1, stop + 1, bullet + text + eol)
    return splice(source, [edit])


def _list_for(source: bytes, block: FrontMatter, relation: str) -> Entry | None:
    """Return the list that takes one more link of a relation, None when there is none."""
    names = (normal_key(relation), *(_RELATED_KEYS if relation == "relates_to" else ()))
    for name in (*names, "links"):
        entry = block.find(name)
        if entry is None or name not in LINK_KEYS:
            continue
        value = entry.value
        empty = isinstance(value, Scalar) and value.null
        if not empty and (not isinstance(value, Sequence) or bracketed(value, source)):
            continue
        if name in names or relation == "relates_to" or empty or _last_map(value):
            return entry
    return None


def _last_map(value: Value) -> Mapping | None:
    last = value.items[-1] if isinstance(value, Sequence) and value.items else None
    return last if isinstance(last, Mapping) else None


def _item_like(source: bytes, entry: Entry, relation: str, target_path: str) -> str:
    """Return a list item as YAML, in the form of the last one."""
    value = entry.value
    last = value.items[-1] if isinstance(value, Sequence) and value.items else None
    typed = LINK_KEYS[normal_key(entry.key)] == relation
    if isinstance(last, Mapping) or (last is None and not typed):
        return _map_like(last, relation, target_path)
    bracketed_list = last is not None and b"[[" in source[last.start : last.end]
    if bracketed_list and fits_brackets(without_ending(target_path)):
        return encode_scalar(f"[[{without_ending(target_path)}]]", '"', textual=True)
    style = last.style if isinstance(last, Scalar) and last.style in ("'", '"') else ""
    absolute = isinstance(last, Scalar) and last.text.startswith("/")
    text = f"/{target_path.lstrip('/')}" if absolute else target_path
    return encode_scalar(text, style, textual=True, flow=True)


def _map_like(last: Mapping | None, relation: str, target_path: str) -> str:
    named = {normal_key(name.text): (name, value) for name, value in last.entries} if last else {}
    verb = next((named[key][0].text for key in REL_KEYS if key in named), "rel")
    to_name, to_value = next((named[key] for key in TO_KEYS if key in named), (None, None))
    style = to_value.style if isinstance(to_value, Scalar) and to_value.style != "|" else ""
    target = encode_scalar(target_path, style, textual=True, flow=True)
    return f"{{{verb}: {relation}, {to_name.text if to_name else 'to'}: {target}}}"
