"""Usage as sorted, byte-stable JSON Lines that a team can commit."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from memsleep.core.decay import from_fp
from memsleep.model import Usage
from memsleep.state.access_jsonl import UsageFile, outcome_or_zero, read_rows
from memsleep.state.jsonl import (
    count_or_zero,
    lines_of,
    number_or_none,
    objects,
    text_or_none,
    whole_or_not,
)
from memsleep.usage import outcome_on_grid

MACHINE = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}", re.ASCII)
"""What a machine may be called: letters, digits, dot, underscore, hyphen."""


def write_export(usage: Mapping[str, Usage], machine: str = "") -> bytes:
    """Return one compact object per memory, ordered by path, LF after every line.

    With a `machine` each line says whose use it is, so that others add it to their own.
    The same usage gives the same bytes: keys in a fixed order, non-ASCII kept, whole numbers
    without a fraction.
    """
    return lines_of(_object(path, row, machine) for path, row in sorted(usage.items()))


def read_export(source: bytes, path: str) -> UsageFile:
    """Return what `write_export` wrote, as tolerant of strange lines as `read_access`.

    An export is of one machine: lines that name another than the first are told and skipped.
    """
    stated = (_machine(value) for _, value in objects(source) if value is not None)
    machine = next(stated, "")
    read = read_rows(source, path, usage_from_object, skip=lambda value: _other(value, machine))
    return replace(read, machine=machine)


def _machine(value: Mapping[str, Any]) -> str:
    named = text_or_none(value.get("machine")) or ""
    return named if MACHINE.fullmatch(named) else ""


def _other(value: Mapping[str, Any], machine: str) -> str:
    """Say what was expected of a line that is not of this machine; empty for one that is."""
    if _machine(value) == machine:
        return ""
    return f"the machine {machine!r}" if machine else "no machine"


def _object(path: str, usage: Usage, machine: str) -> dict[str, Any]:
    return {
        "path": path,
        **({"machine": machine} if machine else {}),
        "access_count": usage.access_count,
        "reinforcement_count": usage.reinforcement_count,
        "outcome_score": whole_or_not(from_fp(outcome_on_grid(usage.outcome_score))),
        "last_accessed_at": usage.last_accessed_at,
        "last_reinforced_at": usage.last_reinforced_at,
        "updated_at": usage.updated_at,
        "usage_count": usage.usage_count,
        "last_used_at": usage.last_used_at,
        "corrected_count": usage.corrected_count,
        "evidence_count": usage.evidence_count,
        "source_refs": [{"session_id": s, "seq": n} for s, n in usage.source_refs],
    }


def usage_from_object(value: dict[str, Any]) -> Usage:
    """Return the usage that an object of an export or a seed states."""
    return Usage(
        access_count=count_or_zero(value.get("access_count")),
        reinforcement_count=count_or_zero(value.get("reinforcement_count")),
        outcome_score=outcome_or_zero(value.get("outcome_score")),
        last_accessed_at=text_or_none(value.get("last_accessed_at")),
        last_reinforced_at=text_or_none(value.get("last_reinforced_at")),
        updated_at=text_or_none(value.get("updated_at")),
        usage_count=count_or_zero(value.get("usage_count")),
        last_used_at=text_or_none(value.get("last_used_at")),
        corrected_count=count_or_zero(value.get("corrected_count")),
        evidence_count=count_or_zero(value.get("evidence_count", 1)),
        source_refs=_source_refs(value.get("source_refs")),
    )


def _source_refs(value: object) -> tuple[tuple[str, int], ...]:
    refs = []
    for ref in value if isinstance(value, list) else ():
        session = text_or_none(ref.get("session_id")) if isinstance(ref, dict) else None
        number = number_or_none(ref.get("seq")) if isinstance(ref, dict) else None
        if session is not None and isinstance(number, int):
            refs.append((session, number))
    return tuple(refs)
