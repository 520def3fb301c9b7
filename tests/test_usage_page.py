"""docs/usage.md: its examples run, one for each function of the interface."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from corpus_kit import write
from memsleep import api
from usage_kit import note

PAGE = Path(__file__).parents[1] / "docs" / "usage.md"
FILES = {
    "notes/ops/deploy.md": note("Deploys run on Tuesday, in a window of two hours."),
    "notes/ops/freeze.md": note("Nothing is deployed in December.", type="insight"),
    "notes/ops/sale.md": note("The winter sale is on.", valid_until="2026-12-24"),
}


def examples() -> list[str]:
    text = PAGE.read_bytes().decode()
    return re.findall(r"^```python\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)


def test_the_examples_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """From top to bottom, as a reader would paste them."""
    write(tmp_path, FILES)
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {}
    for example in examples():
        exec(compile(example, str(PAGE), "exec"), names)


def test_each_function_has_an_example() -> None:
    """What the interface offers is shown in use."""
    shown = "\n".join(examples())
    functions = [name for name in api.__all__ if name[0].islower()]
    assert [name for name in functions if f"api.{name}(" not in shown] == []
