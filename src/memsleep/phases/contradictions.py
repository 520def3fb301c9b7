"""Two memories that cannot both be true: which is the newer, and what a person can do about it."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from memsleep.instants import epoch_seconds
from memsleep.model import Memory, Standing
from memsleep.proposals import Review

KIND = "contradiction"
RELATION = "contradicts"
ENOUGH_NIGHTS = 2
"""Nights, over a corpus that changed between them, before a link may be offered."""
_DATE = len("2026-11-30")


@dataclass(frozen=True, slots=True)
class Action:
    """Something that a person could do, and the command that does it."""

    what: str
    command: str


def newer_of(one: Memory, other: Memory) -> str:
    """Return the path of the newer memory by what is known of their dates; empty: unknown.

    A date without a time is not compared with a time of the same day, and where one date is not
    known nothing is: a file's own time is no evidence.
    """
    mine, theirs = _date(one), _date(other)
    if epoch_seconds(mine) is None or epoch_seconds(theirs) is None:
        return ""
    if min(len(mine), len(theirs)) <= _DATE:
        mine, theirs = mine[:_DATE], theirs[:_DATE]
    if mine == theirs:
        return ""
    return one.path if mine > theirs else other.path


def _date(memory: Memory) -> str:
    """Return when a memory was last true: by its file, else by git's history; empty: unknown."""
    dates = [(name, getattr(memory, name)) for name in ("updated", "created")]
    stated = [value for name, value in dates if value and name not in memory.from_history]
    return next(iter(stated), "") or memory.updated or memory.created or ""


def key_of(paths: Iterable[str], standing: Mapping[str, Standing] | None) -> str:
    """Return what a suspicion is remembered by: the ids of its memories, which survive moves."""
    known = standing or {}
    ids = (known[path].memory_id if path in known else path for path in paths)
    return "\0".join(sorted(ids))


def is_linked(one: Memory, other: Memory) -> bool:
    """Return True when one of the files says already that they contradict each other."""
    return any(
        link.relation == RELATION and link.path == target.path
        for source, target in ((one, other), (other, one))
        for link in source.links
    )


def actions_of(
    review: Review, run: str, newer: str, *, nights: int = 0, linked: bool = False
) -> tuple[Action, ...]:
    """Return what can be done about a doubtful pair; nothing of it is done by itself.

    Parameters
    ----------
    newer : str
        Path of the newer memory; empty when nobody knows.
    nights : int
        Nights over a changed corpus that found it; 0 when nobody counts.
    """
    command, disputed = f"memsleep review {run}", review.question == KIND
    keep = "keep the newer" if newer else "keep one; nobody says which is newer"
    kept = shlex.quote(f"{review.id}:{newer or review.keeper}")
    found = [
        Action(keep, f"{command} --keep {kept}"),
        Action(
            "keep both" if disputed else "keep both: they are two different facts",
            f"{command} --different {review.id}",
        ),
        Action("look at both", f"{command} --show {review.id}"),
    ]
    if disputed and nights >= ENOUGH_NIGHTS and not linked:
        found.append(Action("link them as contradicting", f"{command} --link {review.id}"))
    return tuple(found)
