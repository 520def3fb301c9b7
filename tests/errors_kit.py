"""Every error reference that the source can raise, read from its syntax trees."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

SOURCE = Path(__file__).parents[1] / "src" / "memsleep"
MISTAKE_EXIT = 2
"""A mistake of the config ends as a `ConfigError`."""


def raised_references(source: Path = SOURCE) -> dict[str, int]:
    """Return reference -> exit code, for every error that the source builds."""
    trees = [ast.parse(path.read_bytes()) for path in sorted(source.rglob("*.py"))]
    exits = _exit_codes(trees)
    found: dict[str, int] = {}
    for tree in trees:
        for call in ast.walk(tree):
            if isinstance(call, ast.Call) and _name(call.func) in exits:
                for reference in _references(call):
                    found[reference] = exits[_name(call.func)]
    return found


def _exit_codes(trees: list[ast.Module]) -> dict[str, int]:
    """Return class name -> exit code, for `MemsleepError` and all that descend from it."""
    classes = [node for tree in trees for node in ast.walk(tree) if isinstance(node, ast.ClassDef)]
    exits = {"MemsleepError": 3, "Mistake": MISTAKE_EXIT}
    for _ in classes:  # a class may stand before its base
        for node in classes:
            bases = [_name(base) for base in node.bases if _name(base) in exits]
            if bases and node.name not in exits:
                exits[node.name] = _stated_exit(node) or exits[bases[0]]
    return exits


def _stated_exit(node: ast.ClassDef) -> int | None:
    for item in node.body:
        if isinstance(item, ast.Assign) and _name(item.targets[0]) == "exit_code":
            value = ast.literal_eval(item.value)
            assert isinstance(value, int)
            return value
    return None


def _references(call: ast.Call) -> Iterator[str]:
    """Yield the strings of the first argument: one, or one for each branch of a condition."""
    given = [word.value for word in call.keywords if word.arg == "reference"]
    for node in [*call.args[:1], *given]:
        branches = [node.body, node.orelse] if isinstance(node, ast.IfExp) else [node]
        for branch in branches:
            if isinstance(branch, ast.Constant) and isinstance(branch.value, str):
                yield branch.value


def _name(node: ast.expr) -> str:
    return getattr(node, "id", getattr(node, "attr", ""))
