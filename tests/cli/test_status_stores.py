"""`memsleep status` says what each folder was taken for, and why."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

from cli_kit import memsleep
from corpus_kit import write

STORES = Path(__file__).parents[2] / "fixtures" / "stores"


def test_stores(tmp_path: Path) -> None:
    """One line a store, the evidence in parentheses; the same in the JSON document."""
    root = tmp_path / "c"
    shutil.copytree(STORES / "claude" / "corpus", root / "agent")
    write(root, {"a.md": "# A\n", ".obsidian/app.json": "{}"})
    told = memsleep("status", "--corpus", root, home=tmp_path)
    assert told.returncode == 0, told.stderr
    assert [line for line in told.stdout.decode().split("\n") if line.startswith("store: ")] == [
        "store: .: obsidian (the folder .obsidian is there)",
        "store: agent: claude (MEMORY.md lists memories on 36 lines, 36 lie beside it)",
    ]
    document = json.loads(memsleep("status", "--json", "--corpus", root, home=tmp_path).stdout)
    assert [one["dialect"] for one in document["stores"]] == ["obsidian", "claude"]


def test_forced(tmp_path: Path) -> None:
    """What the config says is said to come from there."""
    root = tmp_path / "c"
    write(root, {"a.md": "# A\n", "memsleep.toml": '[corpus]\ndialect = "letta"\n'})
    told = memsleep("status", "--corpus", root, home=tmp_path).stdout.decode()
    assert "store: .: letta (corpus.dialect in the config says so)" in told
