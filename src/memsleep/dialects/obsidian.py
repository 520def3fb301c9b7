"""An Obsidian vault: wikilinks, embeds, inline tags, properties in front matter."""

from __future__ import annotations

from memsleep.dialects.signs import Folder
from memsleep.dialects.traits import DAILY_PAGES, Traits

TRAITS = Traits("obsidian", inline_tags=True, records=DAILY_PAGES)


def sign(folder: Folder) -> str:
    """Return the evidence: the folder in which Obsidian keeps its settings."""
    return "the folder .obsidian is there" if ".obsidian" in folder.folders else ""
