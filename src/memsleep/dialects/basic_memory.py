"""basic-memory: title, type and permalink in the head, observations and relations as lists."""

from __future__ import annotations

from memsleep.dialects.signs import MARKDOWN_ENDINGS, Folder, states_key
from memsleep.dialects.traits import Traits

TRAITS = Traits("basic-memory", archive=".archive", inline_tags=True)
_AT_LEAST = 3


def sign(folder: Folder) -> str:
    """Return the evidence: most Markdown files below state a permalink."""
    files = [path for path in folder.below() if path.lower().endswith(MARKDOWN_ENDINGS)]
    linked = [p for p in files if states_key(folder.contents[p], b"title", b"permalink")]
    if len(linked) < _AT_LEAST or len(linked) * 2 < len(files):
        return ""
    return f"{len(linked)} of {len(files)} Markdown files state a title and a permalink"
