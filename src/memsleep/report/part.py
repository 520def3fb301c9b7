"""What all pieces of a report share: closed, immutable, UTF-8, and no secret in any text."""

from __future__ import annotations

import re

from pydantic import BaseModel, ConfigDict, FiniteFloat, field_validator

from memsleep.safety import masked

Number = int | FiniteFloat
_SURROGATE = re.compile("[\ud800-\udfff]")


def fit_to_show(value: object) -> object:
    r"""Return text that UTF-8 can hold and that keeps secrets to itself.

    Bytes of a name that are no UTF-8 become `\xff`, the characters of a secret asterisks.
    """
    if isinstance(value, str):
        text = value
        if _SURROGATE.search(text):
            text = _SURROGATE.sub(lambda match: f"\\x{ord(match[0]) & 0xFF:02x}", text)
        return masked(text)
    if isinstance(value, tuple | list):
        return tuple(fit_to_show(item) for item in value)
    if isinstance(value, dict):
        return {fit_to_show(key): fit_to_show(item) for key, item in value.items()}
    return value


class Part(BaseModel):
    """A closed, immutable piece of the report."""

    model_config = ConfigDict(extra="forbid", frozen=True, use_attribute_docstrings=True)

    @field_validator("*", mode="before")
    @classmethod
    def _text_may_be_shown(cls, value: object) -> object:
        return fit_to_show(value)
