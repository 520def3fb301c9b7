"""What a corpus may not decide for itself: anybody who can send it a change can change it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path

from memsleep.config.mistakes import Mistake
from memsleep.config.origins import Origin
from memsleep.config.wording import shown
from memsleep.settings import Settings

PATH_SETTINGS = (("embedder", "path"), ("check", "baseline"), ("brief", "file"))
GLOB_SETTINGS = (
    ("corpus", "include"),
    ("corpus", "exclude"),
    ("corpus", "protected"),
    ("corpus", "scope_folders"),
)
USER_SECTIONS = ("sync",)
"""Sections of which a corpus may set nothing: they say where memories are sent to."""
_LEADS_OUT = re.compile(r"(?:[/\\~]|[A-Za-z]:|(?:.*[/\\])?\.\.(?:[/\\]|\Z))")


def untrusted(root: Path, settings: Settings, origins: Mapping[str, Origin]) -> Iterator[Mistake]:
    """Yield the settings in force that the corpus gave and only the user may give.

    A value that a layer of the user's overrides has no effect and is no mistake.
    """
    for section in USER_SECTIONS:
        for key in type(getattr(settings, section)).model_fields:
            origin = origins[f"{section}.{key}"]
            if origin.kind == "corpus":
                value = getattr(getattr(settings, section), key)
                yield _mistake(section, key, value, origin, "a corpus may not say where it is sent")
    for section, key in (*PATH_SETTINGS, *GLOB_SETTINGS):
        origin = origins[f"{section}.{key}"]
        if origin.kind != "corpus":
            continue
        value = getattr(getattr(settings, section), key)
        paths = value if isinstance(value, tuple) else (value,)
        if any(_leaves(root, path, is_glob=(section, key) in GLOB_SETTINGS) for path in paths):
            why = "a corpus may not name a path outside itself"
            yield _mistake(section, key, value, origin, why)


def _mistake(section: str, key: str, value: object, origin: Origin, why: str) -> Mistake:
    return Mistake(
        "untrusted-setting",
        f"{section}.{key}: {why}",
        f"{origin.where}: [{section}] {key} = {shown(value)}",
        hint="if you trust it, set it yourself: in a file for --config, "
        f"or as MEMSLEEP_{section.upper()}__{key.upper()}",
    )


def _leaves(root: Path, path: str, *, is_glob: bool) -> bool:
    if not path:
        return False
    if _LEADS_OUT.match(path) or "\0" in path:
        return True
    if is_glob:
        return False
    try:
        return not (root / path).resolve().is_relative_to(root.resolve())
    except (OSError, RuntimeError):
        return True
