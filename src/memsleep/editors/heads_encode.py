"""Writing one value in a head that is not YAML."""

from __future__ import annotations

import json
import re
import tomllib

_CONTROL = re.compile(r"[\x00-\x1f\x7f\x85\u2028\u2029]")
_JSON_BARE = re.compile(r"(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?|true|false|null)\Z")
_TOML_ESCAPES = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t"}


def encode(kind: str, text: str, style: str, *, textual: bool) -> str | None:
    """Return a value as it is written in a kind of head, None where it cannot be.

    Parameters
    ----------
    kind : str
        `toml`, `json`, `comment`, `properties` or `inline`.
    text : str
        What a reader shall find.
    style : str
        Quote that is there now, empty for a bare value.
    textual : bool
        False for dates and numbers, which stay bare where they were.
    """
    if kind == "toml":
        return _toml(text, style, textual=textual)
    if kind == "json":
        if not style and not textual and _JSON_BARE.match(text):
            return text
        return json.dumps(text, ensure_ascii=False)
    return _line(kind, text)


def _toml(text: str, style: str, *, textual: bool) -> str:
    if not style and not textual and _is_toml_value(text):
        return text
    if style == "'" and "'" not in text and not _CONTROL.search(text):
        return f"'{text}'"
    written = "".join(_TOML_ESCAPES.get(character, character) for character in text)
    return '"' + _CONTROL.sub(lambda match: f"\\u{ord(match[0]):04X}", written) + '"'


def _is_toml_value(text: str) -> bool:
    try:
        value = tomllib.loads(f"x = {text}")["x"]
    except (tomllib.TOMLDecodeError, KeyError):
        return False
    return not isinstance(value, str | list | dict)


def _line(kind: str, text: str) -> str | None:
    """Return a text that ends with its line, None where it would end sooner or not begin there."""
    if _CONTROL.search(text) or text != text.strip() or not text:
        return None
    if kind == "comment" and ("--" in text or text.endswith("-") or ">" in text):
        return None
    if kind == "inline" and re.search(r"[\[\]()]", text):
        return None
    return text


def bare_is_right(kind: str, text: str) -> bool:
    """Return True for a value without quotes that the editor may replace: no table, no list."""
    if kind == "toml":
        return _is_toml_value(text)
    return kind != "json" or _JSON_BARE.match(text) is not None
