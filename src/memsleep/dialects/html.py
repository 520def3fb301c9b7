"""A folder of plain HTML pages, without a Markdown file in it. Read only."""

from __future__ import annotations

from memsleep.dialects.signs import MARKDOWN_ENDINGS, Folder
from memsleep.dialects.traits import Traits

TRAITS = Traits("html", html=True, editable=False)
_AT_LEAST = 2


def sign(folder: Folder) -> str:
    """Return the evidence: HTML pages, and no Markdown anywhere below."""
    below = folder.below()
    pages = [path for path in below if path.lower().endswith(".html")]
    others = [path for path in below if path.lower().endswith(MARKDOWN_ENDINGS)]
    if len(pages) < _AT_LEAST or others:
        return ""
    return f"{len(pages)} HTML files and no Markdown"
