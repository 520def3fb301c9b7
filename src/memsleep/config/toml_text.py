"""Settings as TOML text: what it says can be loaded again."""

from __future__ import annotations

from collections.abc import Mapping

from memsleep.config.origins import Origin
from memsleep.settings import Settings


def settings_as_toml(settings: Settings, origins: Mapping[str, Origin]) -> str:
    """Return all settings as TOML, each followed by its origin where one is given."""
    blocks: list[str] = []
    for section, table in settings.model_dump().items():
        lines = [f"[{section}]"]
        for key, value in table.items():
            origin = origins.get(f"{section}.{key}")
            lines.append(f"{key} = {_value(value)}" + (f"  # {_told(origin)}" if origin else ""))
        blocks.append("\n".join(lines) + "\n")
    return "\n".join(blocks)


def _told(origin: Origin) -> str:
    where = "".join(char if char.isprintable() else "?" for char in origin.where)
    return f"{origin.kind} {where}".rstrip()


def _value(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(_value(item) for item in value) + "]"
    return _string(value) if isinstance(value, str) else repr(value)


def _string(text: str) -> str:
    escaped = "".join(
        f"\\{char}" if char in '"\\' else char if char.isprintable() else f"\\U{ord(char):08X}"
        for char in text
    )
    return f'"{escaped}"'
