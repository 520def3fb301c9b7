"""Typed results as JSON documents: one form for the command line and for agents."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any

SCHEMA_VERSION = 1


def document(result: Any, *properties: str, **more: Any) -> dict[str, Any]:
    """Return the fields of a result, the named properties, and what else is given."""
    values = {} if result is None else plain(result)
    named = {name: getattr(result, name) for name in properties}
    return {"schema_version": SCHEMA_VERSION, **values, **named, **more}


def plain(value: Any) -> Any:
    """Return dataclasses, mappings and tuples as what JSON knows."""
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {f.name: plain(getattr(value, f.name)) for f in dataclasses.fields(value)}
    if isinstance(value, Mapping):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, tuple | list):
        return [plain(item) for item in value]
    return value
