"""Violations of value: what the metas of a file state against what the format admits."""

from __future__ import annotations

from collections.abc import Iterator

from memsleep.readers.memhtml_findings import Finding, shown
from memsleep.readers.memhtml_head import Head
from memsleep.readers.memhtml_tree import Tree
from memsleep.readers.memhtml_values import is_instant
from memsleep.readers.memhtml_vocabulary import STATUSES, TASK_STATUSES, TYPES

_INSTANT_FORMS = "YYYY-MM-DD or YYYY-MM-DDTHH:MM:SSZ"
_INSTANT_METAS = (
    "memhtml-created",
    "memhtml-updated",
    "memhtml-valid-from",
    "memhtml-valid-until",
    "memhtml-archived",
)


def value_findings(tree: Tree, head: Head) -> Iterator[Finding]:
    """Yield every scalar meta whose value the format does not admit; first occurrences count."""
    yield from _one_of(tree, head, "memhtml-type", TYPES)
    yield from _one_of(tree, head, "memhtml-status", STATUSES)
    yield from _task_findings(tree, head)
    for name in ("memhtml-due", *_INSTANT_METAS):
        value = head.value(name)
        if value is not None and not is_instant(value):
            message = f"expected {name} to be {_INSTANT_FORMS}"
            yield Finding("instant-malformed", message, _line(tree, head, name))


def _task_findings(tree: Tree, head: Head) -> Iterator[Finding]:
    """Yield a task status where none belongs, an unknown one, and a missing one."""
    kind, name = head.value("memhtml-type"), "memhtml-task-status"
    if head.value(name) is not None:
        if kind != "task":
            message = f"expected {name} on a task only"
            yield Finding("task-status-misplaced", message, _line(tree, head, name))
        yield from _one_of(tree, head, name, TASK_STATUSES)
    elif kind == "task":
        line = _line(tree, head, "memhtml-type")
        yield Finding("task-status-missing", f"expected {name} on a task, found none", line)


def _one_of(tree: Tree, head: Head, name: str, choices: tuple[str, ...]) -> Iterator[Finding]:
    """Yield a finding when a stated value is not one of the choices."""
    value = head.value(name)
    if value is not None and value not in choices:
        code = name.removeprefix("memhtml-") + "-unknown"
        message = f"expected {name} to be one of {', '.join(choices)}, found {shown(value)}"
        yield Finding(code, message, _line(tree, head, name))


def _line(tree: Tree, head: Head, name: str) -> int:
    """Return the line of the content of the first meta of a name."""
    entry = head.first(name)
    return tree.line(entry.item if entry else None, "content")
