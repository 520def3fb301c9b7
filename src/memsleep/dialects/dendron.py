"""A Dendron vault: dotted names are the hierarchy, `[[label|target]]` the order of a link."""

from __future__ import annotations

from memsleep.dialects.signs import Folder, states_key
from memsleep.dialects.traits import Traits

TRAITS = Traits("dendron", label_first=True, inline_tags=True)
_AT_LEAST = 3


def sign(folder: Folder) -> str:
    """Return the evidence: Dendron's own file, or dotted names with Dendron's keys."""
    for name in ("dendron.yml", "dendron.yaml", "dendron.code-workspace"):
        if name in folder.files:
            return f"the file {name} is there"
    names = folder.markdown()
    dotted = [name for name in names if "." in name.rpartition(".")[0]]
    ours = [name for name in dotted if states_key(folder.read(name), b"id", b"title", b"updated")]
    if len(ours) < _AT_LEAST or len(ours) * 2 < len(names):
        return ""
    return f"{len(ours)} of {len(names)} files have a dotted name and state an id"
