"""Taking over a state that was written down as text: a fixture's, or another machine's.

The file is JSON Lines: a header `{"last_landed_run_at": ...}`, then one object per memory with
path, first_seen_at, stated_confidence, effective_confidence, last_decay_at and spared_until, and
any of the usage fields.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from memsleep.errors import StateError
from memsleep.instants import epoch_seconds
from memsleep.model import Standing, Usage
from memsleep.state.export import usage_from_object
from memsleep.state.jsonl import number_or_none, objects, text_or_none
from memsleep.state.store import State

_USAGE_KEYS = frozenset(Usage.__dataclass_fields__)
_STANDING_KEYS = frozenset(
    {
        "path",
        "first_seen_at",
        "stated_confidence",
        "effective_confidence",
        "last_decay_at",
        "spared_until",
    }
)


@dataclass(frozen=True, slots=True)
class Seed:
    """A state as text says it."""

    standing: dict[str, Standing]
    usage: dict[str, Usage]
    last_landed_at: str | None


def read_seed(source: bytes, path: str) -> Seed:
    """Read a state as text; `path` is what errors name.

    Raises
    ------
    StateError
        `seed-unreadable`, naming the line: a state that is half taken over would be worse than
        none.
    """
    landed_at: str | None = None
    standing: dict[str, Standing] = {}
    usage: dict[str, Usage] = {}
    for line, value in objects(source):
        if value is None:
            raise _unreadable(path, line, "expected a JSON object")
        if "last_landed_run_at" in value:
            landed_at = _instant(value, "last_landed_run_at", path, line)
            continue
        memory_path = text_or_none(value.get("path"))
        if memory_path is None or memory_path in standing:
            raise _unreadable(path, line, "expected a path that no other line has")
        unknown = sorted(set(value) - _STANDING_KEYS - _USAGE_KEYS)
        if unknown:
            raise _unreadable(path, line, f"unknown key {unknown[0]!r}")
        standing[memory_path] = _standing(value, memory_path, path, line)
        if _USAGE_KEYS & set(value):
            usage[memory_path] = usage_from_object(value)
    return Seed(standing, usage, landed_at)


def seed_state(state: State, seed: Seed) -> None:
    """Write a seed into a state; a memory's id is the path that the seed gives it."""
    state.seed(seed.standing, seed.usage, seed.last_landed_at)


def _standing(value: dict[str, Any], memory_path: str, path: str, line: int) -> Standing:
    return Standing(
        memory_id=memory_path,
        first_seen_at=_instant(value, "first_seen_at", path, line),
        stated_confidence=_share(value, "stated_confidence", path, line),
        effective_confidence=_share(value, "effective_confidence", path, line),
        last_decay_at=_instant(value, "last_decay_at", path, line),
        spared_until=_instant(value, "spared_until", path, line),
    )


def _instant(value: dict[str, Any], key: str, path: str, line: int) -> str | None:
    found = value.get(key)
    if found is None:
        return None
    if not isinstance(found, str) or epoch_seconds(found) is None:
        raise _unreadable(path, line, f"expected an instant or null as {key}")
    return found


def _share(value: dict[str, Any], key: str, path: str, line: int) -> float | None:
    found = value.get(key)
    if found is None:
        return None
    number = number_or_none(found)
    if number is None or not 0 <= number <= 1:
        raise _unreadable(path, line, f"expected a number from 0 to 1 or null as {key}")
    return float(number)


def _unreadable(path: str, line: int, detail: str) -> StateError:
    return StateError(
        "seed-unreadable",
        f"cannot take over the state: {detail}",
        context=(f"{path}:{line}", "nothing was taken over"),
        hint="each line is one JSON object; see the header of memsleep/state/seed.py for its keys",
    )
