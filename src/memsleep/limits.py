"""How large the files of a store may be: what its own program reads, and no more.

One rule for the finding (a file that is too large) and for the budget (an edit that would make it
so): `over_limit`.
"""

from __future__ import annotations

from dataclasses import dataclass

from memsleep.dialects.letta import limit_of
from memsleep.readers.head import block_of, read_head
from memsleep.settings import CheckSettings

INDEX = "MEMORY.md"
USER = "USER.md"


@dataclass(frozen=True, slots=True)
class Limits:
    """The sizes, from the config."""

    index_lines: int = 200
    index_bytes: int = 25_600
    memory_chars: int = 2200
    user_chars: int = 1375


LIMITS = Limits()


def limits_of(settings: CheckSettings) -> Limits:
    """Return the limits that a config sets."""
    return Limits(
        index_lines=settings.max_index_lines,
        index_bytes=settings.max_index_bytes,
        memory_chars=settings.max_memory_chars,
        user_chars=settings.max_user_chars,
    )


def over_limit(path: str, source: bytes, dialect: str, limits: Limits) -> str:
    """Say by how much a file is over the limit of its store; empty where it is within."""
    for name, size, most in _sizes(path, source, dialect, limits):
        if size > most:
            return f"expected at most {most} {name}, found {size}"
    return ""


def _sizes(path: str, source: bytes, dialect: str, limits: Limits) -> list[tuple[str, int, int]]:
    """Return (what is counted, how much there is, how much there may be)."""
    file = path.rpartition("/")[2]
    if dialect == "hermes" and file in (INDEX, USER):
        most = limits.memory_chars if file == INDEX else limits.user_chars
        return [("characters", _characters(source), most)]
    limit = limit_of(source) if dialect == "letta" else None
    if limit is not None:
        return [("characters", _characters(text_of(source)), limit)]
    if file == INDEX:
        lines = source.count(b"\n") + (not source.endswith(b"\n") and bool(source))
        return [("lines", lines, limits.index_lines), ("bytes", len(source), limits.index_bytes)]
    return []


def grows_over(path: str, before: bytes, after: bytes, dialect: str, limits: Limits) -> str:
    """Say why an edit may not be made: it takes a file over its limit, or further over it."""
    reason = over_limit(path, after, dialect, limits)
    if not reason:
        return ""
    old = {name: size for name, size, _ in _sizes(path, before, dialect, limits)}
    new = _sizes(path, after, dialect, limits)
    grown = any(size > most and size > old.get(name, 0) for name, size, most in new)
    return f"the file would grow over its limit: {reason}" if grown else ""


def _characters(source: bytes) -> int:
    return len(source.decode("utf-8", "replace"))


def text_of(source: bytes) -> bytes:
    """Return a block of Letta without its front matter, as its program counts it."""
    return source[block_of(source, read_head(source)).body_start :].strip()
