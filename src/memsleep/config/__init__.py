"""The config: layers of settings, the origin of each, and errors that say where."""

from __future__ import annotations

from memsleep.config.defaults import default_config_text
from memsleep.config.digest import settings_digest
from memsleep.config.load import LoadedSettings, load_settings
from memsleep.config.origins import Option, Origin, OriginKind

__all__ = [
    "LoadedSettings",
    "Option",
    "Origin",
    "OriginKind",
    "default_config_text",
    "load_settings",
    "settings_digest",
]
