"""Layers into settings: each value with its origin, each mistake with its place."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from memsleep.config.checks import Checked, check_layer, misspelt_variables
from memsleep.config.files import CORPUS_CONFIGS, corpus_config, read_config
from memsleep.config.layers import Layer, environment_layer, option_layer, profile_layer
from memsleep.config.mistakes import Mistake, config_error
from memsleep.config.origins import Option, Origin
from memsleep.config.trust import untrusted
from memsleep.config.wording import section_models
from memsleep.settings import PROFILES, Settings


@dataclass(frozen=True, slots=True)
class LoadedSettings:
    """The settings in force, and for each `section.key` where it came from."""

    settings: Settings
    origins: Mapping[str, Origin]


def load_settings(
    corpus_root: Path,
    *,
    config_path: Path | None = None,
    environ: Mapping[str, str],
    options: Sequence[Option] = (),
) -> LoadedSettings:
    """Return the settings for a corpus.

    Later layers win: defaults, profile, the corpus's own file, `config_path`, environment,
    options. The profile lies under all others, whichever of them names it. A relative
    `embedder.path`, `brief.file` or `sync.path` counts from the corpus or from the folder of
    `config_path`.

    Raises
    ------
    ConfigError
        With every mistake of all layers; see the references in docs/errors.md.
    """
    given = _given_layers(corpus_root, config_path, environ, options)
    checked: list[tuple[Layer, Checked]] = []
    mistakes: list[Mistake] = list(misspelt_variables(environ))
    for layer in given:
        values, wrong = check_layer(layer)
        checked.append((layer, values))
        mistakes += wrong
    if mistakes:
        raise config_error(mistakes)
    profile = _profile_of(checked)
    below = {section: dict(table) for section, table in PROFILES[profile].items()}
    settings, origins = _merged([(profile_layer(profile, below), below), *checked])
    refused = list(untrusted(corpus_root, settings, origins))
    if refused:
        raise config_error(refused)
    return LoadedSettings(_anchored(settings, origins, corpus_root, config_path), origins)


def _given_layers(
    root: Path,
    config_path: Path | None,
    environ: Mapping[str, str],
    options: Sequence[Option],
) -> list[Layer]:
    layers: list[Layer] = []
    if config_path is None or not _is_of_corpus(root, config_path):
        name = corpus_config(root)
        if name is not None:
            layers.append(read_config(root / name, name, "corpus"))
    if config_path is not None:
        layers.append(read_config(config_path, str(config_path), "file"))
    return [*layers, environment_layer(environ), option_layer(options)]


def _is_of_corpus(root: Path, config_path: Path) -> bool:
    """Return True when the user names the corpus's own config: that is how it is trusted."""
    named = os.path.realpath(config_path)
    return any(
        os.path.lexists(root / name) and os.path.realpath(root / name) == named
        for name in CORPUS_CONFIGS
    )


def _profile_of(layers: Sequence[tuple[Layer, Checked]]) -> str:
    named = [values["run"]["profile"] for _, values in layers if "profile" in values.get("run", {})]
    return str(named[-1]) if named else Settings().run.profile


def _merged(layers: Sequence[tuple[Layer, Checked]]) -> tuple[Settings, dict[str, Origin]]:
    sections: dict[str, object] = {}
    origins: dict[str, Origin] = {}
    for section, model in section_models().items():
        table: dict[str, object] = {}
        for key in model.model_fields:
            origins[f"{section}.{key}"] = Origin("default")
        for layer, values in layers:
            for key, value in values.get(section, {}).items():
                table[key] = value
                origins[f"{section}.{key}"] = Origin(layer.kind, layer.place(section, key))
        sections[section] = model.model_validate(table, strict=True)
    return Settings.model_validate(sections), origins


def _anchored(
    settings: Settings, origins: Mapping[str, Origin], root: Path, config_path: Path | None
) -> Settings:
    """Return the settings with paths counted from where they were written."""
    anchored = {}
    for section, key in (("embedder", "path"), ("brief", "file"), ("sync", "path")):
        kind = origins[f"{section}.{key}"].kind
        table = getattr(settings, section)
        value = getattr(table, key)
        if value and kind in ("corpus", "file"):
            base = config_path.parent if kind == "file" and config_path is not None else root
            anchored[section] = table.model_copy(update={key: str(base / value)})
    return _without_the_brief(settings.model_copy(update=anchored), root)


def _without_the_brief(settings: Settings, root: Path) -> Settings:
    """Leave the file that the brief is written into out of the memories it is made from."""
    if not settings.brief.file:
        return settings
    try:
        name = Path(settings.brief.file).resolve().relative_to(root.resolve()).as_posix()
    except ValueError:
        return settings
    if name in settings.corpus.exclude:
        return settings
    section = settings.corpus.model_copy(update={"exclude": (*settings.corpus.exclude, name)})
    return settings.model_copy(update={"corpus": section})
