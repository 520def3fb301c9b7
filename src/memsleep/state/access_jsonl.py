"""Reading and writing `access.jsonl`, the usage export of a memhtml store."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from memsleep.core.decay import from_fp
from memsleep.model import Problem, Usage
from memsleep.state.jsonl import (
    count_or_zero,
    lines_of,
    number_or_none,
    objects,
    text_or_none,
    whole_or_not,
)
from memsleep.usage import import_usage, outcome_on_grid


@dataclass(frozen=True, slots=True)
class UsageFile:
    """What an export holds, and the lines that could not be used."""

    usage: Mapping[str, Usage]
    """Path -> usage, in path order."""
    problems: tuple[Problem, ...] = ()
    machine: str = ""
    """The machine whose use it is; empty where the export does not say."""


def read_access(source: bytes, path: str) -> UsageFile:
    """Return the rows of an `access.jsonl`; `path` is what problems name.

    Unknown keys are ignored, counters that are no numbers are 0, stamps that are no text are
    absent: null stays null, also where two rows of one path meet.
    """
    return read_rows(source, path, _row)


def read_rows(
    source: bytes,
    path: str,
    row: Callable[[dict[str, Any]], Usage],
    *,
    skip: Callable[[dict[str, Any]], str] = lambda _: "",
) -> UsageFile:
    """Return the usage of every line with a path; rows of one path are merged in file order.

    `skip` says what was expected of a line that does not belong here.
    """
    usage: dict[str, Usage] = {}
    problems = []
    for line, value in objects(source):
        memory_path = text_or_none(value.get("path")) if value is not None else None
        unlike = "" if value is None else skip(value)
        if value is None or memory_path is None or unlike:
            expected = "a JSON object" if value is None else unlike or "a path"
            told = f"expected {expected}, line skipped"
            problems.append(Problem(path, line, "bad-usage-line", told))
            continue
        read = row(value)
        known = usage.get(memory_path)
        usage[memory_path] = import_usage(known, read) if known else read
    return UsageFile(dict(sorted(usage.items())), tuple(problems))


def write_access(usage: Mapping[str, Usage]) -> bytes:
    """Return the rows as a memhtml store writes them: in order of path, LF after every line.

    That program knows openings and verdicts alone: citations and evidence have no place there.
    """
    return lines_of(_object(path, row) for path, row in sorted(usage.items()))


def _object(path: str, usage: Usage) -> dict[str, Any]:
    return {
        "path": path,
        "accessCount": usage.access_count,
        "reinforcementCount": usage.reinforcement_count,
        "outcomeScore": whole_or_not(from_fp(outcome_on_grid(usage.outcome_score))),
        "lastAccessedAt": usage.last_accessed_at,
        "lastReinforcedAt": usage.last_reinforced_at,
        "updatedAt": usage.updated_at,
    }


def outcome_or_zero(value: object) -> float:
    """Return an outcome in [-1, 1] on the grid of 1/10,000; 0 for what is no number."""
    return from_fp(outcome_on_grid(number_or_none(value) or 0.0))


def _row(value: dict[str, Any]) -> Usage:
    return Usage(
        access_count=count_or_zero(value.get("accessCount")),
        reinforcement_count=count_or_zero(value.get("reinforcementCount")),
        outcome_score=outcome_or_zero(value.get("outcomeScore")),
        last_accessed_at=text_or_none(value.get("lastAccessedAt")),
        last_reinforced_at=text_or_none(value.get("lastReinforcedAt")),
        updated_at=text_or_none(value.get("updatedAt")),
    )
