"""The layers of a config as tables, each with the place of every key. Nothing is checked yet."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from memsleep.config.lines import KeyPath
from memsleep.config.origins import Option, OriginKind

Table = Mapping[str, object]
ENVIRONMENT_PREFIX = "MEMSLEEP_"


@dataclass(frozen=True, slots=True)
class Layer:
    """Values from one source, lying over those of the layers before it."""

    kind: OriginKind
    values: Table
    """Section -> table, as read."""
    places: Mapping[KeyPath, str] = field(default_factory=dict)
    source: str = ""
    """The place of whatever has none of its own."""

    def place(self, *path: str) -> str:
        """Return the place of a key, or of the nearest table around it that has one."""
        for length in range(len(path), 0, -1):
            if path[:length] in self.places:
                return self.places[path[:length]]
        return self.source


def profile_layer(name: str, values: Mapping[str, Table]) -> Layer:
    """Return the values of a profile as a layer."""
    return Layer("profile", values, source=name)


def option_layer(options: Iterable[Option]) -> Layer:
    """Return the settings given on the command line as a layer."""
    values: dict[str, dict[str, object]] = {}
    places: dict[KeyPath, str] = {}
    for option in options:
        section, key = option.setting.split(".")
        values.setdefault(section, {})[key] = option.value
        places[section, key] = option.flag
    return Layer("option", values, places, "command line")


def environment_layer(environ: Mapping[str, str]) -> Layer:
    """Return the variables `MEMSLEEP_SECTION__KEY` as a layer of texts, ordered by name.

    A variable of ours without the double underscore is no setting and left alone.
    """
    values: dict[str, dict[str, object]] = {}
    places: dict[KeyPath, str] = {}
    for name in sorted(environ):
        section, parted, key = name.removeprefix(ENVIRONMENT_PREFIX).lower().partition("__")
        if not (name.startswith(ENVIRONMENT_PREFIX) and parted and section and key):
            continue
        values.setdefault(section, {})[key] = environ[name]
        places[section, key] = name
    return Layer("environment", values, places, "environment")


def toml_value(text: str) -> object:
    """Return a text read as one TOML value, or the text itself when it is none.

    Examples
    --------
    >>> toml_value("0.5"), toml_value('["a"]'), toml_value("reference"), toml_value("true")
    (0.5, ['a'], 'reference', True)
    """
    try:
        document = tomllib.loads(f"value = {text}")
    except (tomllib.TOMLDecodeError, RecursionError):
        return text
    return document["value"] if list(document) == ["value"] else text
