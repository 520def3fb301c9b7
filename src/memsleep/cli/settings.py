"""Options of a command as a layer of settings."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from memsleep.errors import UsageError

if TYPE_CHECKING:
    from memsleep.config import LoadedSettings, Option, Origin


def option_layer(
    *,
    profile: str | None = None,
    phases: str | None = None,
    embedder: str | None = None,
    vectors: Path | None = None,
    allow_empty: bool = False,
    fail_on: str | None = None,
) -> list[Option]:
    """Return what the options set; an option that was not given sets nothing.

    Raises
    ------
    UsageError
        `conflicting-options`, for vectors from a file and another embedder.
    """
    from memsleep.config import Option

    options: list[Option] = []
    if profile is not None:
        options.append(Option("run.profile", profile, "--profile"))
    if phases is not None:
        names = tuple(name.strip() for name in phases.split(","))
        options.append(Option("run.phases", names, "--phases"))
    if embedder is not None:
        options.append(Option("embedder.name", embedder, "--embedder"))
    if vectors is not None:
        if embedder not in (None, "file"):
            raise UsageError(
                "conflicting-options",
                f"--vectors takes vectors from a file, --embedder asks for {embedder!r}",
                hint="leave out one of the two",
            )
        options.append(Option("embedder.name", "file", "--vectors"))
        options.append(Option("embedder.path", str(vectors), "--vectors"))
    if allow_empty:
        options.append(Option("corpus.allow_empty", True, "--allow-empty"))
    if fail_on is not None:
        options.append(Option("check.fail_on", fail_on, "--fail-on"))
    return options


def load(corpus: Path, config: Path | None, options: list[Option]) -> LoadedSettings:
    """Return the settings for a corpus, with this process's environment among the layers."""
    from memsleep.config import load_settings

    return load_settings(corpus, config_path=config, environ=os.environ, options=options)


def set_by_somebody(origins: Mapping[str, Origin]) -> list[str]:
    """Return a line for each setting that is no default: who set it, and where.

    The many of a profile are one line.
    """
    by_profile = [origin.where for origin in origins.values() if origin.kind == "profile"]
    lines = [f"{len(by_profile)} settings: profile {by_profile[0]}"] if by_profile else []
    return lines + [
        f"{setting}: {origin.kind} {origin.where}"
        for setting, origin in origins.items()
        if origin.kind not in ("default", "profile")
    ]
