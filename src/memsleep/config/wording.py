"""What a setting may be, in words: read from the models, so that it cannot differ from them."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Mapping
from typing import Any

from pydantic_core import PydanticUndefined

from memsleep.settings import Section, Settings

SHOWN_CHARACTERS = 80
_BARE_KEY = re.compile(r"[A-Za-z0-9_-]+\Z")


def section_models() -> dict[str, type[Section]]:
    """Return the model of each section, in the order of the config."""
    models: dict[str, type[Section]] = {}
    for name, field in Settings.model_fields.items():
        if not (isinstance(field.annotation, type) and issubclass(field.annotation, Section)):
            raise TypeError(f"the settings hold {name!r}, which is no section")
        models[name] = field.annotation
    return models


def expected(section: str, key: str) -> str:
    """Return what a setting may be, such as `a number from 0 to 1`."""
    schema = section_models()[section].model_json_schema()["properties"][key]
    return _in_words(schema)


def choices(section: str, key: str) -> tuple[str, ...]:
    """Return the words that a setting may be, or its items may be; empty when it is free."""
    schema = section_models()[section].model_json_schema()["properties"][key]
    return tuple(_words_of(schema))


def default_of(section: str, key: str) -> object:
    """Return a setting's default."""
    default = section_models()[section].model_fields[key].default
    if default is PydanticUndefined:
        raise TypeError(f"the setting {section}.{key} has no default")
    return default


def shown(value: object) -> str:
    """Return a value as a person may know it from the file: its repr, cut when long."""
    text = repr(_thawed(value))
    return text if len(text) <= SHOWN_CHARACTERS else text[: SHOWN_CHARACTERS - 3] + "..."


def shown_key(key: str) -> str:
    """Return a key as it stands in a file, quoted and escaped where it must be."""
    return key if _BARE_KEY.match(key) else repr(key)


def nearest(word: str, known: Iterable[str]) -> str | None:
    """Return the known word that is most like another, None when none is."""
    found = difflib.get_close_matches(word, list(known), n=1, cutoff=0.5)
    return found[0] if found else None


def _thawed(value: object) -> object:
    if isinstance(value, (tuple, list)):
        return [_thawed(item) for item in value]
    return value


def _words_of(schema: Mapping[str, Any]) -> list[str]:
    if "const" in schema:
        return [schema["const"]]
    if "items" in schema:
        return _words_of(schema["items"])
    words = [str(word) for word in schema.get("enum", ())]
    for part in schema.get("anyOf", ()):
        words += _words_of(part)
    return words


def _in_words(schema: Mapping[str, Any]) -> str:
    if "anyOf" in schema:
        return ", or ".join(_in_words(part) for part in schema["anyOf"])
    if "const" in schema:
        return f'"{schema["const"]}"'
    if "enum" in schema:
        return "one of " + ", ".join(f'"{word}"' for word in schema["enum"])
    if schema["type"] == "array":
        return "a list, each " + _in_words(schema["items"])
    if schema["type"] == "boolean":
        return "true or false"
    if schema["type"] == "string":
        return "a string"
    return _number_in_words(schema)


def _number_in_words(schema: Mapping[str, Any]) -> str:
    noun = "a whole number" if schema["type"] == "integer" else "a number"
    least, most = schema.get("minimum"), schema.get("maximum")
    below = schema.get("exclusiveMaximum")
    if most is not None:
        return f"{noun} from {_plain(least)} to {_plain(most)}"
    if below is not None:
        return f"{noun} from {_plain(least)} to below {_plain(below)}"
    return noun if least is None else f"{noun} of at least {_plain(least)}"


def _plain(number: float | None) -> str:
    return str(int(number)) if number is not None and number == int(number) else str(number)
