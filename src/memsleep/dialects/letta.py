"""Letta's memory folder: blocks of front matter and text; those in `system/` are always loaded."""

from __future__ import annotations

import re

from memsleep.counted import counted
from memsleep.dialects.signs import Folder, states_key
from memsleep.dialects.traits import Traits
from memsleep.readers.frontmatter import FrontMatter, Scalar, read_front_matter

KNOWN_KEYS = frozenset({"description", "limit", "label", "readonly", "tags"})
TRAITS = Traits(
    "letta",
    archive=".archive",
    known_keys=KNOWN_KEYS,
    pinned=re.compile(r"\Asystem/"),
)


def sign(folder: Folder) -> str:
    """Return the evidence: blocks with a description below `system/`."""
    if "system" not in folder.folders:
        return ""
    blocks = [name for name, source in folder.inside("system") if _is_block(source)]
    if not blocks:
        return ""
    return f"system/ holds {counted(len(blocks), 'block')} with a description, {blocks[0]} first"


def _is_block(source: bytes) -> bool:
    return states_key(source, b"description") and not states_key(source, b"permalink")


def limit_of(source: bytes) -> int | None:
    """Return how many characters a block may have, None where it states none."""
    block = read_front_matter(source)
    entry = block.find("limit") if isinstance(block, FrontMatter) else None
    if entry is None or not isinstance(entry.value, Scalar):
        return None
    text = entry.value.text.strip().replace("_", "").replace(",", "")
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else None
