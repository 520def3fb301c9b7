"""Small corpora with a config, for tests of the config and of the command line."""

from __future__ import annotations

from pathlib import Path

from memsleep.config import LoadedSettings, Option, load_settings
from memsleep.errors import ConfigError


def corpus_with(root: Path, **files: str) -> Path:
    """Write `memsleep.toml` (`toml=`) or `.memsleep/config.toml` (`hidden=`) into a folder."""
    names = {"toml": "memsleep.toml", "hidden": ".memsleep/config.toml"}
    for kind, text in files.items():
        path = root / names[kind]
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(text.encode("utf-8"))
    return root


def loaded(
    root: Path,
    *,
    config_path: Path | None = None,
    environ: dict[str, str] | None = None,
    options: tuple[Option, ...] = (),
) -> LoadedSettings:
    """Load the settings of a corpus with nothing of this process's environment."""
    return load_settings(root, config_path=config_path, environ=environ or {}, options=options)


def refused(root: Path, **layers: object) -> ConfigError:
    """Return the error that loading the settings of a corpus raises."""
    try:
        loaded(root, **layers)  # type: ignore[arg-type]
    except ConfigError as error:
        return error
    raise AssertionError("the config was accepted")
