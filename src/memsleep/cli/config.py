"""`memsleep config`: the settings in force, and the annotated defaults."""

from __future__ import annotations

from pathlib import Path

import typer

from memsleep.cli import options as opt
from memsleep.cli.paths import check_corpus
from memsleep.cli.settings import load, option_layer
from memsleep.cli.streams import write_json, write_text

SCHEMA_VERSION = 1

app = typer.Typer(
    rich_markup_mode=None,
    help="Show settings and where they come from.",
)


@app.command("show")
def show(
    corpus: opt.CorpusArgument = Path(),
    origin: opt.ShowOrigin = False,
    config: opt.Config = None,
    profile: opt.Profile = None,
    as_json: opt.Json = False,
) -> int:
    """Print the settings in force for a corpus, as TOML."""
    from memsleep.config import settings_digest
    from memsleep.config.toml_text import settings_as_toml

    check_corpus(corpus)
    loaded = load(corpus, config, option_layer(profile=profile))
    if not as_json:
        write_text(settings_as_toml(loaded.settings, loaded.origins if origin else {}))
        return 0
    origins = {
        setting: {"kind": place.kind, "where": place.where}
        for setting, place in loaded.origins.items()
    }
    write_json(
        {
            "schema_version": SCHEMA_VERSION,
            "digest": settings_digest(loaded.settings),
            "settings": loaded.settings.model_dump(mode="json"),
            "origins": origins,
        }
    )
    return 0


@app.command("defaults")
def defaults() -> int:
    """Print every setting with its meaning, range and default."""
    from memsleep.config import default_config_text

    write_text(default_config_text())
    return 0
