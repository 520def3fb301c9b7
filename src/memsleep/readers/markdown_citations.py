"""The sources that a Markdown memory names: keys of its head, footnotes, addresses of the web."""

from __future__ import annotations

from collections.abc import Iterator

from memsleep.model import Citation, Link
from memsleep.readers.frontmatter import Scalar, scalars
from memsleep.readers.markdown_fields import Fields
from memsleep.readers.markdown_text import Events

_KEYS = ("source", "sources", "sourceurl", "cite", "citation", "citations", "references", "url")
_WEB = ("http://", "https://")


def citations_of(fields: Fields, links: tuple[Link, ...], events: Events) -> tuple[Citation, ...]:
    """Return each source once: as the head states it, as a footnote says it, as a web link."""
    found: dict[str, Citation] = {}
    for text in (*_of_head(fields), *_footnotes(events)):
        found.setdefault(text, Citation(text, text if text.startswith(_WEB) else None))
    for link in links:
        if link.external and link.target.startswith(_WEB):
            found.setdefault(link.target, Citation(link.target, link.target))
    return tuple(found.values())


def _of_head(fields: Fields) -> Iterator[str]:
    for key in _KEYS:
        entry = fields.front_matter.by_name.get(key)
        if entry is None:
            continue
        for scalar in scalars(entry.value):
            if isinstance(scalar, Scalar) and not scalar.null and scalar.text.strip():
                yield " ".join(scalar.text.split())


def _footnotes(events: Events) -> Iterator[str]:
    """Yield the text of each footnote's definition."""
    pieces: list[str] = []
    inside = False
    for event, _ in events:
        if isinstance(event, str):
            if inside:
                pieces.append(" ")
            continue
        ((kind, value),) = event.items()
        if kind == "Start" and isinstance(value, dict) and "FootnoteDefinition" in value:
            inside, pieces = True, []
        elif kind == "End" and value == "FootnoteDefinition":
            inside = False
            text = " ".join("".join(pieces).split())
            if text:
                yield text
        elif inside and kind in ("Text", "Code"):
            pieces.append(value)
