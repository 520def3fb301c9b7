"""Hermes: several memories in one file, parted by lines that hold only a section sign."""

from __future__ import annotations

from memsleep.counted import counted
from memsleep.dialects.signs import Folder
from memsleep.dialects.traits import Traits
from memsleep.readers.entries import SEPARATOR_LINE

FILES = ("MEMORY.md", "USER.md")
TRAITS = Traits("hermes", entries=frozenset(FILES))


def sign(folder: Folder) -> str:
    """Return the evidence: separator lines in one of the two files."""
    for name in FILES:
        if name in folder.files:
            count = len(SEPARATOR_LINE.findall(folder.read(name)))
            if count:
                return f"{name} parts its entries by {counted(count, 'section sign')}"
            if f"{name}.d" in folder.folders:
                return f"{name} had entries that lie in the archive"
    return ""
