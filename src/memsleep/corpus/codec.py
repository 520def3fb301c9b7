"""A parsed file as JSON and back: for caches and for other processes, never a pickle.

Whoever can change a cache can make it say something else, but not run anything.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import fields
from types import MappingProxyType
from typing import Any, Final

from memsleep.model import (
    EMPTY,
    Citation,
    Facet,
    Link,
    Memory,
    OtherTarget,
    Problem,
    Unreadable,
    memory_of,
)

Parsed = Memory | Unreadable

_NAMES: Final = tuple(field.name for field in fields(Memory))
_SPECIAL: Final = {
    "tags", "entities", "aliases", "facets", "citations", "links", "source_refs", "stated", "raw",
    "warnings", "from_history",
}  # fmt: skip
_PLACES: Final = {name: _NAMES.index(name) for name in _SPECIAL}
_AMBIGUOUS, _OTHER = 7, 9  # places in a link


def encode(found: Parsed) -> bytes:
    """Return what a dialect made of a file as ASCII JSON."""
    if isinstance(found, Unreadable):
        value: list[Any] = [found.path, *map(_problem_values, found.problems)]
        return json.dumps(["unreadable", value], separators=(",", ":")).encode("ascii")
    values = [getattr(found, name) for name in _NAMES]
    values[_PLACES["facets"]] = [[f.name, f.value, f.number] for f in found.facets]
    values[_PLACES["citations"]] = [[c.text, c.href] for c in found.citations]
    values[_PLACES["links"]] = [_link_values(link) for link in found.links]
    values[_PLACES["warnings"]] = [_problem_values(problem) for problem in found.warnings]
    values[_PLACES["stated"]] = dict(found.stated)
    values[_PLACES["raw"]] = dict(found.raw)
    values[_PLACES["from_history"]] = sorted(found.from_history)
    return json.dumps(["memory", values], separators=(",", ":")).encode("ascii")


def decode(source: bytes) -> Parsed | None:
    """Return what was encoded, None for bytes that say something else."""
    try:
        kind, values = json.loads(source)
        if kind == "unreadable":
            return Unreadable(values[0], tuple(Problem(*problem) for problem in values[1:]))
        return _memory(values) if kind == "memory" and len(values) == len(_NAMES) else None
    except (ValueError, TypeError, LookupError, RecursionError):
        return None


def _memory(values: list[Any]) -> Memory:
    for name in ("tags", "entities", "aliases"):
        values[_PLACES[name]] = tuple(values[_PLACES[name]])
    for name, kind in (("facets", Facet), ("citations", Citation), ("warnings", Problem)):
        values[_PLACES[name]] = tuple(kind(*item) for item in values[_PLACES[name]])
    values[_PLACES["links"]] = tuple(_link(item) for item in values[_PLACES["links"]])
    refs = values[_PLACES["source_refs"]]
    values[_PLACES["source_refs"]] = tuple((session, number) for session, number in refs)
    for name in ("stated", "raw"):
        values[_PLACES[name]] = _mapping(values[_PLACES[name]])
    values[_PLACES["from_history"]] = frozenset(values[_PLACES["from_history"]])
    return memory_of(values)


def _mapping(value: dict[str, str]) -> Mapping[str, str]:
    return MappingProxyType(value) if value else EMPTY


def _problem_values(problem: Problem) -> list[Any]:
    return [problem.path, problem.line, problem.code, problem.message]


def _link_values(link: Link) -> list[Any]:
    other = None if link.other is None else [link.other.target, link.other.start, link.other.end]
    return [
        link.relation, link.target, link.line, link.form, link.start, link.end, link.path,
        link.ambiguous, link.external, other,
    ]  # fmt: skip


def _link(values: list[Any]) -> Link:
    values[_AMBIGUOUS] = tuple(values[_AMBIGUOUS])
    if values[_OTHER] is not None:
        values[_OTHER] = OtherTarget(*values[_OTHER])
    return Link(*values)
