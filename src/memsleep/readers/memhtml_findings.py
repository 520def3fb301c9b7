"""How a finding about one file is made: code, message, line. No text of the memory goes in."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from memsleep.model import Problem


class Finding(NamedTuple):
    """One thing wrong in a file whose path is not known here."""

    code: str
    message: str
    line: int


def problems(path: str, findings: Iterable[Finding]) -> tuple[Problem, ...]:
    """Attach findings to a path."""
    return tuple(Problem(path, found.line, found.code, found.message) for found in findings)


def shown(value: str, limit: int = 40) -> str:
    """Return a short value of a closed vocabulary for a message, quoted, control-free."""
    return ascii(value if len(value) <= limit else value[:limit] + "...")
