"""The versions that a landed run made: which file became what, and by which decision."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from pathlib import Path

from memsleep.corpus.parse import Task, parse_all
from memsleep.dialects.base import Options
from memsleep.model import Memory, digest_bytes
from memsleep.plan import Plan, PlannedDecision
from memsleep.state.versions import Change, Content, VersionCause, content_of

_DIALECT_OF = {".html": "memhtml", ".htm": "memhtml", ".md": "markdown", ".markdown": "markdown"}


def versions_of(
    root: Path, plan: Plan, decisions: Collection[str], *, taken_back: bool = False
) -> Iterator[Change]:
    """Yield a change for every memory file that these decisions touched, as it lies there now.

    Only those files are read, each once. `taken_back`: the decisions were undone, and the files are
    where and what they were before.
    """
    wanted = frozenset(decisions)
    touched = [
        (decision, change.path, change.path if taken_back or change.to is None else change.to)
        for decision in plan.decisions
        if decision.id in wanted
        for change in decision.changes
    ]
    contents = _contents(root, {path for _, _, path in touched})
    for decision, before, path in touched:
        if path in contents:
            cause = "rollback" if taken_back else _cause(decision, before)
            yield Change(contents[path], cause, decision.reason)


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


def _contents(root: Path, paths: Collection[str]) -> dict[str, Content]:
    """Return what each file says, read alone; a page, a ledger or what is gone is left out."""
    tasks = [task for path in sorted(paths) if (task := _task(root, path)) is not None]
    parses = zip(tasks, parse_all(tasks, Options()), strict=True)
    return {task.path: content_of(m) for task, m in parses if isinstance(m, Memory)}


def _task(root: Path, path: str) -> Task | None:
    name = _DIALECT_OF.get(Path(path).suffix.lower())
    if name is None:
        return None
    try:
        source = (root / path).read_bytes()
    except OSError:
        return None
    return Task(name, path, source, digest_bytes(source))
