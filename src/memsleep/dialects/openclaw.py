"""OpenClaw's workspace: `MEMORY.md`, `SOUL.md`, and a log of each day in `memory/`."""

from __future__ import annotations

import re

from memsleep.counted import counted
from memsleep.dialects.signs import Folder
from memsleep.dialects.traits import DAY_FILE, Traits

PERSONA = ("SOUL.md", "IDENTITY.md", "AGENTS.md", "USER.md", "TOOLS.md", "HEARTBEAT.md")
TRAITS = Traits(
    "openclaw",
    archive=".archive",
    records=re.compile(r"\A(?:memory/)?\d{4}-\d\d-\d\d(?:[-_ ][^/]*)?\.md\Z"),
    pinned=re.compile(r"\A(?:" + "|".join(map(re.escape, ("MEMORY.md", *PERSONA))) + r")\Z"),
)


def sign(folder: Folder) -> str:
    """Return the evidence: `SOUL.md` beside `MEMORY.md` or beside a folder of daily logs."""
    days = [name for name, _ in folder.inside("memory") if DAY_FILE.search(name)]
    persona = [name for name in PERSONA if name in folder.files]
    memory = "MEMORY.md" in folder.files
    known = "SOUL.md" in folder.files and (days or memory)
    if not known and not (days and persona and memory):
        return ""
    logs = f", memory/ holds {counted(len(days), 'daily log')}" if days else ""
    return f"{persona[0]} is there{logs}"
