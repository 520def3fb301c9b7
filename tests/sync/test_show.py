from __future__ import annotations

import importlib.util
import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
SCRIPT = ROOT / "docs" / "examples" / "sync_show.py"


def test_two_nights_say_what_the_page_says(tmp_path: Path, update_golden: bool) -> None:
    """A service that refuses one change and drops one connection, twice in a row, to the letter."""
    spec = importlib.util.spec_from_file_location("sync_show", SCRIPT)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    page = ROOT / "docs" / "sync.md"
    text = page.read_bytes().decode()
    head, found, tail = re.split(r"(?<=```text\n)(.*?)(?=\n```)", text, maxsplit=1, flags=re.DOTALL)

    said = "\n".join(module.show(tmp_path)).rstrip("\n")
    if update_golden:
        page.write_bytes(f"{head}{said}{tail}".encode())
    else:
        assert said.split("\n") == found.split("\n")
