"""Claude's memory folder: `MEMORY.md` lists topic files, `- [Title](file.md) - hook`."""

from __future__ import annotations

import re

from memsleep.counted import counted
from memsleep.dialects.signs import Folder
from memsleep.dialects.traits import Traits

TRAITS = Traits("claude", keeps_index=True)
INDEX = "MEMORY.md"
INDEX_LINE = re.compile(rb"^[ \t]*[-*+] \[[^\]\n]+\]\([^)\n]+\.md\)[^\n]*$", re.MULTILINE)


def sign(folder: Folder) -> str:
    """Return the evidence: an index of files that lie beside it, more of it lines than not."""
    if INDEX not in folder.files:
        return ""
    source = folder.read(INDEX)
    said = [line for line in source.split(b"\n") if line.strip() and not line.startswith(b"#")]
    lines = [line for line in said if INDEX_LINE.match(line)]
    topics = [name for name in folder.markdown() if name != INDEX]
    if not lines or not topics or len(lines) * 2 < len(said):
        return ""
    return f"{INDEX} lists memories on {counted(len(lines), 'line')}, {len(topics)} lie beside it"
