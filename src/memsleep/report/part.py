"""What all pieces of a report share: closed, immutable, in text that UTF-8 can hold."""

from __future__ import annotations

import re

from pydantic import BaseModel, ConfigDict, FiniteFloat, field_validator

Number = int | FiniteFloat
_SURROGATE = re.compile("[\ud800-\udfff]")


def _spelt_out(value: object) -> object:
    r"""Return text that UTF-8 can hold: bytes of a name that are no UTF-8 become `\xff`."""
    if isinstance(value, str) and _SURROGATE.search(value):
        return _SURROGATE.sub(lambda match: f"\\x{ord(match[0]) & 0xFF:02x}", value)
    if isinstance(value, tuple | list):
        return tuple(_spelt_out(item) for item in value)
    if isinstance(value, dict):
        return {_spelt_out(key): _spelt_out(item) for key, item in value.items()}
    return value


class Part(BaseModel):
    """A closed, immutable piece of the report."""

    model_config = ConfigDict(extra="forbid", frozen=True, use_attribute_docstrings=True)

    @field_validator("*", mode="before")
    @classmethod
    def _text_is_utf8(cls, value: object) -> object:
        return _spelt_out(value)
