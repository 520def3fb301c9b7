"""Links of a Markdown body, each with the exact bytes of its target.

What is inside code, comments or other HTML is no link, nor are `[[1]]`, footnotes and TOML's
`[[table]]`. A target's fragment and label are not part of its span.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from typing import Any

import pyromark

from memsleep.model import Link, LinkForm
from memsleep.readers.linkscan_html import anchors
from memsleep.readers.linkscan_targets import (
    Written,
    destination,
    unplaced,
    wikilink_target,
    without_fragment,
)
from memsleep.readers.markdown_text import OPTIONS, Events

RELATIONS = frozenset(
    {
        "supersedes", "superseded_by", "contradicts", "caused_by", "leads_to", "part_of",
        "relates_to", "example_of", "supports", "laterally_related", "about_person",
        "authored_by", "from_session", "blocks", "subtask_of",
    }
)  # fmt: skip
_SYNONYMS = {
    "up": "part_of", "parent": "part_of", "is_part_of": "part_of", "belongs_to": "part_of",
    "replaces": "supersedes", "replaced_by": "superseded_by", "conflicts_with": "contradicts",
    "leads": "leads_to", "causes": "leads_to", "results_in": "leads_to",
    "because_of": "caused_by", "supported": "supports", "confirms": "supports",
    "instance_of": "example_of", "is_example_of": "example_of", "contradict": "contradicts",
}  # fmt: skip
_SHORTCODE = re.compile(
    rb"\{\{[<%]\s*(?:rel)?ref\s+(?:path\s*=\s*)?(?:\"([^\"\n]*)\"|'([^'\n]*)'|`([^`\n]*)`"
    rb"|([^\s\"'`>%]+))[^\n]{0,200}?[>%]\}\}"
)
_TOML_NEXT = re.compile(rb"\r?\n[ \t]*[A-Za-z0-9_.\"-]+[ \t]*=[ \t]*\S")
_TOML_LINE = re.compile(rb"[A-Za-z0-9_.\"-]+")
_FIELD = re.compile(r"(?:^|[\[(])\s*(?:[-*+]\s+)?([^\W\d][\w -]{0,40})::\s*(?:\[\[.*)?\Z")
_VERB = re.compile(r"\s*[-*+]\s+([^\W\d][\w /-]{0,60}?)\s*:?\s*\Z")
_CONTEXT = re.compile(rb"[ \t]*(?:\([^\n]*\))?[ \t]*\r?(?:\n|\Z)")
_LINE_REACH = 200
_DEFINITION = re.compile(rb"\[(?:[^\\\[\]]|\\.)*\]:[ \t]*(?:\r?\n[ \t>]*)?", re.DOTALL)
_BARE = re.compile(rb"[^\s<][^\s]*")


def relation_of(words: str) -> str:
    """Return the typed relation that a verb or key names, `relates_to` when it names none.

    Examples
    --------
    >>> relation_of("Part of"), relation_of("depends on")
    ('part_of', 'relates_to')
    """
    name = "_".join(words.casefold().replace("-", " ").replace("_", " ").split())
    name = _SYNONYMS.get(name, name)
    return name if name in RELATIONS else "relates_to"


def scan_body(
    source: bytes, offset: int, events: Events, *, label_first: bool = False
) -> list[Link]:
    """Return the links of a body that begins at byte `offset`, in file order.

    `label_first` is for stores that write `[[label|target]]`.
    """
    found = [*_event_links(source, offset, events, label_first), *_definitions(source, offset)]
    if source.find(b"{{", offset) >= 0:
        found += _shortcodes(source, offset, events)
    if source.find(b"<", offset) >= 0:
        found += (
            (place, "anchor", written, "relates_to")
            for place, written in anchors(source, offset, events)
        )
    found.sort(key=_place)
    links = []
    line, counted = 1, 0
    for one in found:
        position, (_, form, written, relation) = _place(one), one
        line += source.count(b"\n", counted, position)
        counted = position
        links.append(
            Link(
                relation, written.target, line, form, written.start, written.end,
                external=written.external, other=written.other,
            )
        )  # fmt: skip
    return links


_Found = tuple[int, LinkForm, Written, str]


def _place(found: _Found) -> int:
    """Return the first byte of the target, of the whole link where the target's is unknown."""
    return found[2].start if found[2].start >= 0 else found[0]


def _event_links(source: bytes, offset: int, events: Events, label_first: bool) -> Iterator[_Found]:
    """Yield wikilinks, embeds and inline links; reference uses have their target elsewhere."""
    inner_ends: list[int] = []
    open_links: list[tuple[Any, Any]] = []
    for event, span in events:
        if inner_ends and inner_ends[-1] < span["end"] and not _ends_link(event):
            inner_ends[-1] = span["end"]
        if not isinstance(event, dict):
            continue
        start = event.get("Start")
        if isinstance(start, dict) and ("Link" in start or "Image" in start):
            open_links.append((start, span))
            inner_ends.append(span["start"])
        elif open_links and _ends_link(event):
            opened, whole = open_links.pop()
            inner = inner_ends.pop()
            yield from _closed_link(source, offset, opened, whole, inner, label_first)
            if inner_ends:
                inner_ends[-1] = max(inner_ends[-1], whole["end"])


def _ends_link(event: Any) -> bool:
    return isinstance(event, dict) and event.get("End") in ("Link", "Image")


def _closed_link(
    source: bytes, offset: int, opened: Any, span: Any, inner_end: int, label_first: bool
) -> Iterator[_Found]:
    embed = "Image" in opened
    details = opened["Image" if embed else "Link"]
    start, end = offset + span["start"], offset + span["end"]
    kind = details["link_type"]
    written: Written | None = None
    form: LinkForm = "inline"
    if isinstance(kind, dict):
        form = "embed" if embed else "wikilink"
        inner_start = start + (3 if embed else 2)
        written = wikilink_target(source, inner_start, end - 2, label_first=label_first)
        if written is not None and _is_toml_table(source, start, end):
            return
    elif kind == "Inline":
        written = _inline_target(source, offset + inner_end, end, start, details["dest_url"])
    if written is not None:
        yield start, form, written, _relation_at(source, start, end)


def _is_toml_table(source: bytes, start: int, end: int) -> bool:
    """Tell `[[bin]]` above `name = "x"` from a wikilink that stands alone on its line."""
    line_start = source.rfind(b"\n", 0, start) + 1
    return (
        not source[line_start:start].strip()
        and _TOML_LINE.fullmatch(source, start + 2, end - 2) is not None
        and _TOML_NEXT.match(source, end) is not None
    )


def _inline_target(
    source: bytes, inner_end: int, end: int, start: int, dest_url: str
) -> Written | None:
    """Return the target between the parentheses of `[text](target "title")`."""
    opening = source.find(b"](", max(inner_end, start), end)
    if opening < 0:
        return unplaced(dest_url)
    position = opening + 2
    while position < end and source[position] in b" \t\r\n":
        position += 1
    return destination(source, position, end - 1, dest_url)


def _relation_at(source: bytes, start: int, end: int) -> str:
    """Return the relation that the words before a link on its line give it."""
    line_start = source.rfind(b"\n", max(0, start - _LINE_REACH), start) + 1
    if line_start == 0 and start > _LINE_REACH:
        return "relates_to"
    prefix = source[line_start:start].decode("utf-8", "replace")
    if not prefix.strip():
        return "relates_to"
    field = _FIELD.search(prefix) if "::" in prefix else None
    if field is not None:
        return relation_of(field[1])
    verb = _VERB.match(prefix)
    if verb is not None and _CONTEXT.match(source, end):
        return relation_of(verb[1])
    return "relates_to"


def _definitions(source: bytes, offset: int) -> Iterator[_Found]:
    """Yield the targets of reference definitions, `[label]: target "title"`."""
    if b"]:" not in source[offset:]:
        return
    body = source[offset:].decode("utf-8")
    definitions = pyromark.reference_definitions(body, options=OPTIONS)
    for definition in definitions.values():
        start = offset + definition["span"]["start"]
        end = offset + definition["span"]["end"]
        head = _DEFINITION.match(source, start, end)
        written = (
            unplaced(definition["dest"])
            if head is None
            else destination(source, head.end(), end, definition["dest"])
        )
        if written is not None:
            yield start, "reference", written, "relates_to"


def _shortcodes(source: bytes, offset: int, events: Events) -> Iterator[_Found]:
    """Yield the targets of Hugo's `{{< relref "x" >}}` outside code and HTML."""
    hidden = hidden_spans(offset, events)
    for match in _SHORTCODE.finditer(source, offset):
        if is_hidden(hidden, match.start()):
            continue
        group = next(i for i in (1, 2, 3, 4) if match[i] is not None)
        text = without_fragment(match[group].decode("utf-8"))
        if text:
            begin = match.start(group)
            written = Written(text, begin, begin + len(text.encode("utf-8")), False)
            yield match.start(), "shortcode", written, "relates_to"


def hidden_spans(offset: int, events: Events) -> list[tuple[int, int]]:
    """Return the bytes of code and HTML, in which nothing of Markdown is read."""
    return [
        (offset + span["start"], offset + span["end"])
        for event, span in events
        if isinstance(event, dict) and _hides(event)
    ]


def is_hidden(hidden: list[tuple[int, int]], place: int) -> bool:
    """Return True for a byte inside one of the spans, which are in file order."""
    index = bisect_right(hidden, (place, 1 << 62)) - 1
    return index >= 0 and hidden[index][0] <= place < hidden[index][1]


def _hides(event: dict[str, Any]) -> bool:
    start = event.get("Start")
    return (
        "Code" in event
        or "InlineHtml" in event
        or (start == "HtmlBlock" or (isinstance(start, dict) and "CodeBlock" in start))
    )
