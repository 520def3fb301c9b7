from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

COMMAND = Path(__file__).parents[2] / "benchmarks" / "landing.py"


def test_patch_folder_and_branch_are_one_result() -> None:
    """On 300 generated memories `git apply`, a landing in place and the branch's tree are the same
    bytes, and undo gives the start back. The command itself checks it; 5,000 is its default."""
    done = subprocess.run(
        [sys.executable, str(COMMAND), "--n", "300"], capture_output=True, check=False
    )
    assert done.returncode == 0, done.stderr.decode()
    (found,) = json.loads(done.stdout).values()
    assert found["decisions"] > 0
    assert found["start"] == found["undone"] != found["patch"]
    assert found["patch"] == found["in_place"] == found["branch"]
