"""Path algebra of a memhtml store: what is a memory, where it goes, what it is called.

Paths are `/`-separated and relative to the store; nothing here looks at a disk.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Container

BUCKETS = ("projects", "areas", "resources", "archive")
GENERATED = ("index.html", "sitemap.xml")
SLUG_LENGTH = 80
MAX_ORDINAL = 1000

_SLASHES = re.compile(r"/+")
_ARCHIVED = re.compile(r"archive/[0-9]{4,}/(.+)", re.DOTALL)
_NOT_SLUG = re.compile(r"[^a-z0-9]+")


def normalise(path: str) -> str:
    """Strip leading slashes, one trailing slash, and collapse runs; `.` segments stay."""
    return _SLASHES.sub("/", path.lstrip("/")).removesuffix("/")


def bucket(path: str) -> str | None:
    """Return the top folder of a path when it is one of the four and something follows it."""
    first, slash, rest = path.partition("/")
    return first if slash and rest and first in BUCKETS else None


def is_memory_path(path: str) -> bool:
    """Return True for an `.html` file in a bucket that is not a generated listing."""
    segments = path.split("/")
    return (
        len(segments) > 1
        and segments[0] in BUCKETS
        and path.endswith(".html")
        and segments[-1] not in GENERATED
    )


def is_usable(path: str) -> bool:
    """Return True for a path at which a memory may be written."""
    normal = normalise(path)
    segments = normal.split("/")
    whole = not any(segment in {"", ".", ".."} for segment in segments)
    return bucket(normal) is not None and normal.endswith(".html") and whole


def workspace(path: str) -> str | None:
    """Return the first folder below `projects/`, None for any other place."""
    segments = path.split("/")
    return segments[1] if len(segments) > 2 and segments[0] == "projects" else None


def archive_path(path: str, year: int) -> str:
    """Return where a memory goes that is archived in a year; an archived one nests."""
    return f"archive/{year:04d}/{normalise(path)}"


def unarchived_path(path: str) -> str | None:
    """Return where an archived memory came from, one layer only; None if it is not archived."""
    match = _ARCHIVED.fullmatch(normalise(path))
    return match[1] if match else None


def free_archive_path(path: str, year: int, taken: Container[str]) -> str | None:
    """Return the first archive path that is not taken, with an ordinal in its stem if need be.

    None when a thousand of them are taken.
    """
    whole = archive_path(path, year)
    folder, _, name = whole.rpartition("/")
    stem, dot, extension = name.rpartition(".")
    if not stem:
        stem, dot, extension = name, "", ""
    for ordinal in range(1, MAX_ORDINAL + 1):
        candidate = f"{folder}/{with_ordinal(stem, ordinal)}{dot}{extension}"
        if candidate not in taken:
            return candidate
    return None


def slug(text: str) -> str:
    """Return the file name stem for a title: ASCII letters, digits and hyphens, at most 80."""
    folded = "".join(
        char for char in unicodedata.normalize("NFKD", text) if unicodedata.category(char) != "Mn"
    )
    return _cut(_NOT_SLUG.sub("-", folded.lower()).strip("-") or "untitled", SLUG_LENGTH)


def with_ordinal(stem: str, ordinal: int) -> str:
    """Return a stem with `-2`, `-3` ... that differs from the stem and has at most 80 characters.

    The ordinal 1 is the stem itself.
    """
    if ordinal <= 1:
        return stem
    suffix = f"-{ordinal}"
    short = _cut(stem, SLUG_LENGTH - len(suffix))
    while short and short + suffix == stem:
        short = _cut(short, len(short) - 1)
    return (short or "untitled") + suffix


def _cut(stem: str, length: int) -> str:
    """Cut to a length and strip the hyphens that the cut leaves at the end."""
    return stem if len(stem) <= length else stem[:length].rstrip("-")
