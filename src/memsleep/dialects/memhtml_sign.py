"""The signs of a memhtml store, which is one only at the root of a corpus."""

from __future__ import annotations

from memsleep.counted import counted
from memsleep.dialects.signs import Folder
from memsleep.dialects.traits import Traits

TRAITS = Traits("memhtml", html=True)
BUCKETS = frozenset({"archive", "areas", "projects", "resources"})
"""First folders of a memhtml store; nothing outside them is a memory of it."""
STORE_FOLDER = ".memhtml"
_MARK = b"memhtml-type"


def sign(folder: Folder) -> str:
    """Return the evidence: the store's own folder, or a file in a bucket that states its type."""
    if folder.path:
        return ""
    if STORE_FOLDER in folder.folders or STORE_FOLDER in folder.files:
        return f"the folder {STORE_FOLDER} is there"
    marked = [path for path in folder.below() if states_type(path, folder.contents[path])]
    if not marked:
        return ""
    verb = "states" if len(marked) == 1 else "state"
    return f"{counted(len(marked), 'file')} {verb} memhtml-type, {marked[0]} first"


def in_bucket(path: str) -> bool:
    """Return True for a path below one of a store's four buckets. Case counts."""
    bucket, slash, _ = path.partition("/")
    return bool(slash) and bucket in BUCKETS


def states_type(path: str, source: bytes) -> bool:
    """Return True for an HTML file in a bucket that states the type of a memory."""
    return path.endswith(".html") and in_bucket(path) and _MARK in source.lower()
