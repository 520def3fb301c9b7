"""Tell which kind of store a corpus is."""

from __future__ import annotations

from collections.abc import Mapping, Set
from dataclasses import dataclass
from typing import Literal

DialectName = Literal["memhtml", "markdown"]
BUCKETS = frozenset({"archive", "areas", "projects", "resources"})
"""First folders of a memhtml store; nothing outside them is a memory of it."""
STORE_FOLDER = ".memhtml"
_MARK = b"memhtml-type"


@dataclass(frozen=True, slots=True)
class Detection:
    """What a corpus was taken for, and why."""

    dialect: DialectName
    evidence: str
    """One sentence without any text of a memory."""


def detect(
    contents: Mapping[str, bytes],
    taken: Set[str],
    forced: Literal["auto", "memhtml", "markdown"] = "auto",
) -> Detection:
    """Return what a corpus is: a memhtml store, or a folder of Markdown.

    A store has the folder `.memhtml`, or a file in one of the four buckets that states
    `memhtml-type`. A store may hold Markdown memories too; a Markdown folder holds no others.
    """
    if forced != "auto":
        return Detection(forced, "corpus.dialect in the config says so")
    if STORE_FOLDER in taken or any(path.startswith(f"{STORE_FOLDER}/") for path in taken):
        return Detection("memhtml", f"the folder {STORE_FOLDER} is there")
    marked = sorted(path for path, source in contents.items() if states_type(path, source))
    if marked:
        return Detection("memhtml", f"{len(marked)} files state memhtml-type, {marked[0]} first")
    return Detection("markdown", "no file states memhtml-type")


def in_bucket(path: str) -> bool:
    """Return True for a path below one of a store's four buckets. Case counts."""
    bucket, slash, _ = path.partition("/")
    return bool(slash) and bucket in BUCKETS


def states_type(path: str, source: bytes) -> bool:
    """Return True for an HTML file in a bucket that states the type of a memory."""
    return path.endswith(".html") and in_bucket(path) and _MARK in source.lower()
