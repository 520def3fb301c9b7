"""Anchors that a Markdown body writes as HTML, `<a href="x.md">`, with the bytes of the target."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator

from memsleep.readers.linkscan_targets import Written, placed_html
from memsleep.readers.markdown_text import Events

_ANCHOR = re.compile(
    rb"<a(?=\s)(?:\s+(?!href\s*=)[^\s<>=/\"']+(?:\s*=\s*(?:\"[^\"]*\"|'[^']*'|[^\s\"'<>=]+))?)*"
    rb"\s+href\s*=\s*(?:\"([^\"<>\n]*)\"|'([^'<>\n]*)')",
    re.IGNORECASE,
)
_COMMENT = re.compile(rb"<!--.*?(?:-->|\Z)", re.DOTALL)


def anchors(source: bytes, offset: int, events: Events) -> Iterator[tuple[int, Written]]:
    """Yield (first byte, target) of each anchor in the HTML parts of a body; comments hold none."""
    for event, span in events:
        if not isinstance(event, dict) or not (
            "InlineHtml" in event or event.get("Start") == "HtmlBlock"
        ):
            continue
        start, end = offset + span["start"], offset + span["end"]
        comments = [match.span() for match in _COMMENT.finditer(source, start, end)]
        for match in _ANCHOR.finditer(source, start, end):
            if any(first <= match.start() < last for first, last in comments):
                continue
            group = 1 if match[1] is not None else 2
            raw = match[group].decode("utf-8")
            written = placed_html(html.unescape(raw), raw, match.start(group))
            if written is not None:
                yield match.start(), written
