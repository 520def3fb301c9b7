"""An export of Evernote as HTML: `itemprop` metas, an `Evernote_index.html`. Read only."""

from __future__ import annotations

from memsleep.dialects.signs import Folder
from memsleep.dialects.traits import Traits

TRAITS = Traits("evernote", html=True, editable=False)
INDEX = "Evernote_index.html"
_MARKS = (b"itemprop=", b"<en-note")
_AT_LEAST = 2


def sign(folder: Folder) -> str:
    """Return the evidence: the export's index, or pages with its metas."""
    if INDEX in folder.files:
        return f"the file {INDEX} is there"
    pages = [name for name in folder.files if name.lower().endswith(".html")]
    marked = [name for name in pages if any(mark in folder.read(name) for mark in _MARKS)]
    if len(marked) < _AT_LEAST or len(marked) * 2 < len(pages) or folder.markdown():
        return ""
    return f"{len(marked)} of {len(pages)} HTML files state itemprop metas"
