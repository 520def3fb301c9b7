"""Tell which kind of store a corpus is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

DialectName = Literal["memhtml", "markdown"]


@dataclass(frozen=True, slots=True)
class Detection:
    """What a corpus was taken for, and why."""

    dialect: DialectName
    evidence: str
    """One sentence without any text of a memory."""
