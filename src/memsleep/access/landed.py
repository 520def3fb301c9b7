"""The versions that a landed run made: which file became what, and by which decision."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from pathlib import Path

from memsleep.dialects.registry import DIALECTS
from memsleep.model import Memory
from memsleep.plan import Plan, PlannedDecision
from memsleep.state.versions import Change, VersionCause, content_of

_DIALECT_OF = {".html": "memhtml", ".htm": "memhtml", ".md": "markdown", ".markdown": "markdown"}


def versions_of(
    root: Path, plan: Plan, decisions: Collection[str], *, taken_back: bool = False
) -> Iterator[Change]:
    """Yield a change for every memory file that these decisions touched, as it lies there now.

    Only those files are read. `taken_back`: the decisions were undone, and the files are where and
    what they were before.
    """
    for decision in plan.decisions:
        if decision.id not in decisions:
            continue
        for change in decision.changes:
            path = change.path if taken_back or change.to is None else change.to
            memory = _read(root, path)
            if memory is None:
                continue
            if taken_back:
                yield Change(content_of(memory), "rollback", decision.reason)
            else:
                yield Change(content_of(memory), _cause(decision, change.path), decision.reason)


def _cause(decision: PlannedDecision, path: str) -> VersionCause:
    """Return why a file of a decision changed: links that follow a move are an edit."""
    if path not in decision.paths:
        return "edit"
    causes: dict[str, VersionCause] = {
        "merge": "merge",
        "archive": "archive",
        "restore": "restore",
    }
    phases: dict[str, VersionCause] = {"reprieve": "reprieve", "decay": "decay"}
    return causes.get(decision.kind) or phases.get(decision.phase, "edit")


def _read(root: Path, path: str) -> Memory | None:
    """Return a memory from its file alone, None for a page, a ledger or what is gone."""
    name = _DIALECT_OF.get(Path(path).suffix.lower())
    if name is None:
        return None
    try:
        source = (root / path).read_bytes()
    except OSError:
        return None
    found = DIALECTS[name].read(path, source)
    return found if isinstance(found, Memory) else None
