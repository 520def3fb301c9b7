"""Byte-minimal edits of Markdown bodies and links. Every byte outside the span is unchanged.

Each edit is proven by reading the result: the wanted link points where it should, and no other
link, key or paragraph has changed. Otherwise `EditRefused`.
"""

from __future__ import annotations

import re
from dataclasses import replace

from memsleep.editors import heads_remove
from memsleep.editors.frontmatter_check import Event, block_events, block_text, check_block
from memsleep.editors.frontmatter_lists import remove_item
from memsleep.editors.frontmatter_text import is_plain_safe
from memsleep.editors.markdown_targets import (
    encode_anchor,
    encode_bracketed,
    encode_shortcode,
    encode_url,
    target_text,
)
from memsleep.editors.splice import Replacement, splice
from memsleep.errors import EditRefused
from memsleep.model import Link, OtherTarget
from memsleep.readers.frontmatter import FrontMatter, Scalar, normal_key
from memsleep.readers.head import read_head
from memsleep.readers.linkscan_head import LINK_KEYS, HeadLink, head_links
from memsleep.readers.markdown import PLAIN, ReadAs, read_links
from memsleep.resolve import as_other

_RELATION_LINE = re.compile(
    rb"(?P<lead>[ \t]*)[-*+][ \t]+[^\W\d][^\[\]\r\n]*\[\[[^\[\]\r\n]+\]\][ \t]*(?:\([^\r\n]*\))?"
    rb"[ \t]*"
)
_NEXT_ITEM = re.compile(rb"[ \t]*\r?\n|[ \t]*\Z|(?P<lead>[ \t]*)(?:[-*+]|[0-9]+[.)])[ \t]|#")
"""What may stand below a line for it to be an item of its own."""


def retarget(
    path: str,
    source: bytes,
    link: Link,
    target_path: str,
    how: ReadAs = PLAIN,
    *,
    exact: bool = False,
) -> bytes:
    """Point one link at another path; its form, label, fragment and encoding stay.

    A wikilink by name becomes the new file's name, its path if `exact`. The caller leaves a link
    alone that still resolves.
    """
    if link.start < 0:
        raise EditRefused("the bytes of the link's target are not known", line=link.line)
    written = source[link.start : link.end].decode("utf-8")
    in_brackets = source[link.start - 2 : link.start].rstrip(b" ").endswith(b"[[") or (
        link.form in ("wikilink", "embed")
    )
    new = target_text(path, link, target_path, bracketed=in_brackets, exact=exact)
    encoded = _encoded(source, link, new, written, in_brackets=in_brackets)
    if encoded == written:
        return source
    edit = Replacement(link.start, link.end, encoded.encode("utf-8"))
    result = splice(source, [edit])
    _prove_retarget(source, result, link, new, how)
    return result


def _encoded(source: bytes, link: Link, new: str, written: str, *, in_brackets: bool) -> str:
    if in_brackets:
        return encode_bracketed(new)
    if link.form == "shortcode":
        return encode_shortcode(new)
    if link.form == "anchor":
        return encode_anchor(new)
    if link.form == "front-matter" and source[link.start - 2 : link.start] != b"](":
        return _encoded_in_head(source, link, new)
    return encode_url(new, written, angle=source[link.start - 1 : link.start] == b"<")


def _encoded_in_head(source: bytes, link: Link, new: str) -> str:
    before = source[link.start - 1 : link.start]
    if before == b"'":
        return new.replace("'", "''")
    if before == b'"':
        return new.replace("\\", "\\\\").replace('"', '\\"')
    if not is_plain_safe(new, flow=True):
        raise EditRefused("the new path cannot stand there without quotes", line=link.line)
    return new


def _prove_retarget(source: bytes, result: bytes, link: Link, new: str, how: ReadAs) -> None:
    """Refuse unless exactly one link has changed, to the wanted target."""
    before, after = _meant(source, link, how), _meant(result, link, how)
    grown = len(result) - len(source)
    expected = [_moved(known, link, grown) for known in before]
    index = next((i for i, known in enumerate(before) if known.start == link.start), -1)
    if 0 <= index < len(after):
        now = after[index]
        # Quotes that must be doubled leave a target that is right but has no span any more.
        end = -1 if now.start < 0 else link.end + grown
        expected[index] = replace(
            before[index], target=new, start=min(now.start, link.start), end=end,
            external=now.external, other=_moved_other(before[index], link, grown),
        )  # fmt: skip
    if index < 0 or list(after) != expected:
        raise EditRefused("the rewritten link would not be read as that link", line=link.line)
    if link.form == "front-matter":
        _prove_head(source, result, link)


def _meant(source: bytes, link: Link, how: ReadAs) -> list[Link]:
    """Return the links of a file, the edited one by the part that is edited."""
    return [
        as_other(known) if known.other is not None and known.other.start == link.start else known
        for known in read_links("", source, how)
    ]


def _moved(known: Link, link: Link, grown: int) -> Link:
    """Return a link as it is after `grown` bytes were inserted at the edited one."""
    if known.start < link.end or known.start == link.start:
        return replace(known, other=_moved_other(known, link, grown)) if known.other else known
    return replace(
        known,
        start=known.start + grown,
        end=known.end + grown,
        other=_moved_other(known, link, grown),
    )


def _moved_other(known: Link, link: Link, grown: int) -> OtherTarget | None:
    other = known.other
    if other is None or other.start < link.end:
        return other
    return replace(other, start=other.start + grown, end=other.end + grown)


def _prove_head(source: bytes, result: bytes, link: Link) -> None:
    """Refuse unless one scalar of the front matter has changed and nothing else."""
    before, after = read_head(source), read_head(result)
    if not isinstance(before, FrontMatter) or not isinstance(after, FrontMatter):
        raise EditRefused("the edited front matter would not load", line=link.line)
    if before.kind != "yaml" and before.kind == after.kind and not after.locked:
        return  # the links of both have been compared, and their loads agree with their places
    if before.kind == after.kind == "yaml":
        old, new = _flat(source, before), _flat(result, after)
        changed = sum(a != b for a, b in zip(old, new, strict=False))
        if len(old) == len(new) and changed == 1:
            return
    raise EditRefused("the edited front matter would mean something else", line=link.line)


def _flat(source: bytes, block: FrontMatter) -> list[Event]:
    return [event for entry in block_events(block_text(source, block)) for event in entry]


# Removing ---------------------------------------------------------------------------------


def remove_link(source: bytes, link: Link, how: ReadAs = PLAIN) -> bytes:
    """Take out a link that stands alone: a front matter entry or a relation line.

    A link inside prose is never removed.
    """
    if link.form == "front-matter":
        return _remove_head_link(source, link)
    head = read_head(source)
    if isinstance(head, FrontMatter) and 0 <= link.start < head.body_start:
        return _remove_property_link(source, head, link)
    line_start = source.rfind(b"\n", 0, max(link.start, 0)) + 1
    line_stop = source.find(b"\n", link.end)
    stop = len(source) if line_stop < 0 else line_stop + 1
    if not is_relation_line(source, link):
        raise EditRefused("the link stands in a sentence", line=link.line)
    result = splice(source, [Replacement(line_start, stop, b"")])
    kept = [known.target for known in read_links("", source, how) if known.start != link.start]
    if [known.target for known in read_links("", result, how)] != kept:
        raise EditRefused("taking the line out would change another link", line=link.line)
    if type(head) is not type(read_head(result)):
        raise EditRefused("the file would be read with another head", line=link.line)
    return result


def is_relation_line(source: bytes, link: Link) -> bool:
    """Return True for a link that is a list item of its own, `- verb [[x]] (context)`, whole."""
    if link.form != "wikilink" or link.start < 0:
        return False
    start = source.rfind(b"\n", 0, link.start) + 1
    stop = source.find(b"\n", link.end)
    stop = len(source) if stop < 0 else stop
    line = source[start:stop].rstrip(b"\r")
    match = _RELATION_LINE.fullmatch(line)
    below = _NEXT_ITEM.match(source, min(stop + 1, len(source)))
    if match is None or line.count(b"[[") != 1 or below is None:
        return False
    return len((below["lead"] or b"").expandtabs()) <= len(match["lead"].expandtabs())


def _remove_head_link(source: bytes, link: Link) -> bytes:
    block = read_head(source)
    if not isinstance(block, FrontMatter):
        raise EditRefused("the file has no front matter any more", line=link.line)
    if block.kind == "yaml":
        check_block(source, block)
    found = list(head_links(source, block))
    mine = [one for one in found if link.start >= 0 and one.written.start == link.start]
    if len(mine) != 1 or not _stands_alone(mine[0], found):
        raise EditRefused("the link is not an entry of its own", line=link.line)
    remove = remove_item if block.kind == "yaml" else heads_remove.remove_item
    return remove(source, block, mine[0].entry, mine[0].item)


def _remove_property_link(source: bytes, block: FrontMatter, link: Link) -> bytes:
    """Take out a link of a property, `supports:: [[x]], [[y]]`, the property with the last one."""
    for entry in block.entries:
        if entry.value.start <= link.start < entry.value.end:
            if normal_key(entry.key) in LINK_KEYS:
                return heads_remove.remove_of_several(source, block, entry, link.start)
            break
    raise EditRefused("the link is not an entry of its own", line=link.line)


def _stands_alone(mine: HeadLink, found: list[HeadLink]) -> bool:
    """Return True when a list item, or a key's whole value, is this one link."""
    if normal_key(mine.entry.key) not in LINK_KEYS:
        return False
    if sum(other.item == mine.item for other in found) != 1:
        return False
    if not isinstance(mine.item, Scalar):
        return True
    text = mine.item.text.strip()
    return not text.startswith("[[") or text.endswith("]]")
