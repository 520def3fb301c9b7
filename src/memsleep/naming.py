"""What a name becomes on file systems that ignore case or keep one Unicode form."""

from __future__ import annotations

import unicodedata

MAX_NAME_BYTES = 255
"""Longest name of a file on the common file systems."""
MAX_PATH_BYTES = 4095


def folded(path: str) -> str:
    """Return the form in which two paths are one on such a file system.

    Examples
    --------
    >>> folded("A/Cafe\u0301.md") == folded("a/Caf\u00e9.MD"), folded("a.md") == folded("b.md")
    (True, False)
    """
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", path).casefold())


def too_long(path: str) -> bool:
    """Return True for a path, or a name in it, that a file system cannot hold."""
    raw = path.encode("utf-8", "surrogatepass")
    return len(raw) > MAX_PATH_BYTES or any(len(name) > MAX_NAME_BYTES for name in raw.split(b"/"))
