"""Globs of the config, matched against corpus paths.

- The pattern must match the whole path from the corpus root. Case counts.
- `*` is any run of characters inside one folder or file name, `?` one such character.
- `**` as a whole part is any number of folders, none included; at the end, anything below.
- A pattern without a slash matches a file's own name at any depth.
- A final slash means everything below such a folder; without another slash, at any depth.
- A leading slash ties the pattern to the root. Every other character, brackets too, is itself.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Sequence


def matches(path: str, pattern: str) -> bool:
    """Return True when a corpus path matches one glob."""
    return _compiled(pattern).fullmatch(path) is not None


def first_match(path: str, patterns: Sequence[str]) -> str | None:
    """Return the first pattern that a corpus path matches, None when none does."""
    return next((pattern for pattern in patterns if matches(path, pattern)), None)


@functools.lru_cache(maxsize=1024)
def _compiled(pattern: str) -> re.Pattern[str]:
    rooted = pattern.removeprefix("/")
    whole = f"{rooted}**" if rooted.endswith("/") else rooted
    free = pattern == rooted and "/" not in rooted.removesuffix("/")
    parts = whole.split("/")
    return re.compile(_join(["**", *parts] if free else parts), re.DOTALL)


def _join(parts: Sequence[str]) -> str:
    """Translate parts to a regular expression; `**` takes the slash after it along."""
    out = []
    for number, part in enumerate(parts):
        last = number == len(parts) - 1
        if part == "**":
            out.append(".+" if last else "(?:[^/]+/)*")
        else:
            out.append(_part(part) + ("" if last else "/"))
    return "".join(out)


def _part(part: str) -> str:
    translated = {"*": "[^/]*", "?": "[^/]"}
    return "".join(translated.get(character, re.escape(character)) for character in part)
