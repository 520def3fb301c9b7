"""The annotated defaults, as they ship."""

from __future__ import annotations

from importlib import resources
from pathlib import Path


def default_config_text() -> str:
    """Return the text of `config.toml`: from the package, or from the root of a source tree."""
    shipped = resources.files("memsleep").joinpath("config.toml")
    if shipped.is_file():
        return shipped.read_bytes().decode("utf-8")
    return (Path(__file__).parents[3] / "config.toml").read_bytes().decode("utf-8")
