"""The core is pure, and all of it is importable from one place."""

from __future__ import annotations

import ast
import sys
from pathlib import Path

import pytest

import memsleep.core

ROOT = Path(memsleep.core.__file__).parent
MODULES = sorted(ROOT.glob("*.py"))

# Standard modules that read no clock, file, environment, locale or random number.
PURE = {
    "__future__",
    "collections",
    "contextlib",
    "contextvars",
    "dataclasses",
    "datetime",
    "functools",
    "hashlib",
    "itertools",
    "math",
    "operator",
    "re",
    "struct",
    "sys",
    "types",
    "typing",
    "unicodedata",
}
# What an otherwise pure module could be asked, and must not be.
IMPURE_ATTRIBUTES = {"now", "today", "utcnow", "random", "environ", "argv", "stdin", "stdout"}
IMPURE_BUILTINS = {"open", "print", "input", "breakpoint"}


def imported(tree: ast.AST) -> set[str]:
    """Return every module that a tree imports, at any depth."""
    names = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "imports are absolute"
            names.add(node.module or "")
    return names


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.stem)
def test_imports(path: Path) -> None:
    """Pure standard modules, numpy, networkx in one place, and nothing else of ours."""
    for name in imported(ast.parse(path.read_text("utf-8"))):
        top = name.partition(".")[0]
        if top == "memsleep":
            assert name.startswith("memsleep.core."), name
        elif top == "networkx":
            assert path.stem == "graph", name
        else:
            assert top == "numpy" or top in PURE, name


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.stem)
def test_no_clock_and_no_chance(path: Path) -> None:
    tree = ast.parse(path.read_text("utf-8"))
    attributes = {node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
    names = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    assert not attributes & IMPURE_ATTRIBUTES
    assert not names & IMPURE_BUILTINS


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.stem)
def test_sources_are_ascii(path: Path) -> None:
    assert path.read_bytes().isascii()


def test_the_probe_fires() -> None:
    """An import inside a function is seen too."""
    tree = ast.parse("def f():\n    import os.path\n    from time import time")
    assert imported(tree) == {"os.path", "time"}


def test_networkx_stands_inside_a_function() -> None:
    """At module level it is imported for type checkers only."""
    tree = ast.parse((ROOT / "graph.py").read_text("utf-8"))
    assert "networkx" not in {
        name for node in tree.body for name in imported(node) if isinstance(node, ast.Import)
    }


def test_all_is_sorted_and_complete() -> None:
    """Each name of ``__all__`` is there, and each public name that is imported is listed."""
    names = memsleep.core.__all__
    assert len(set(names)) == len(names)
    assert all(hasattr(memsleep.core, name) for name in names)
    tree = ast.parse((ROOT / "__init__.py").read_text("utf-8"))
    imported_names = {
        alias.name
        for node in tree.body
        if isinstance(node, ast.ImportFrom) and node.module != "__future__"
        for alias in node.names
    }
    assert imported_names == set(names)


@pytest.mark.parametrize("name", memsleep.core.__all__)
def test_public_functions_are_documented(name: str) -> None:
    """Every public function says what it returns and shows it."""
    value = getattr(memsleep.core, name)
    if isinstance(value, type) or not callable(value):
        return
    if getattr(value, "__module__", "").startswith("memsleep"):
        assert ">>> " in (value.__doc__ or ""), name


def test_pure_modules_are_standard() -> None:
    assert sys.stdlib_module_names >= PURE
