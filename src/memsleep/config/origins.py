"""Where a setting's value came from. Plain values: nothing heavy is imported here."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, NamedTuple

OriginKind = Literal["default", "profile", "corpus", "file", "environment", "option"]


@dataclass(frozen=True, slots=True)
class Origin:
    """The layer that gave a value, and the place in it."""

    kind: OriginKind
    where: str = ""
    """Such as `memsleep.toml:12`, `MEMSLEEP_RUN__PROFILE`, `--profile`; empty for a default."""


class Option(NamedTuple):
    """One setting given on the command line."""

    setting: str
    """`section.key`."""
    value: object
    flag: str
    """The option as typed, such as `--profile`."""
