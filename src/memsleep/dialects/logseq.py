"""A Logseq graph: outlines, `key:: value` on the first block, a journal page for each day."""

from __future__ import annotations

import re

from memsleep.dialects.signs import Folder
from memsleep.dialects.traits import Traits

TRAITS = Traits("logseq", outline=True, inline_tags=True, records=re.compile(r"\Ajournals/"))


def sign(folder: Folder) -> str:
    """Return the evidence: Logseq's settings, or its two folders."""
    if folder.exists("logseq/config.edn"):
        return "the file logseq/config.edn is there"
    if {"journals", "pages"} <= folder.folders:
        return "the folders pages and journals are there"
    return ""
