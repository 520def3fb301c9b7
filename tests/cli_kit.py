"""The command line as a person runs it: a process, its streams and its exit code."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
CORPUS = ROOT / "fixtures" / "reference-store" / "corpus"


def environment(home: Path, **more: str) -> dict[str, str]:
    """Return an environment that leads to no real home and holds no setting."""
    kept = {name: os.environ[name] for name in ("PATH", "SYSTEMROOT") if name in os.environ}
    own = {
        "PYTHONPATH": str(ROOT / "src"),
        "HOME": str(home),
        "XDG_STATE_HOME": str(home / "state"),
    }
    return {**kept, **own, **more}


def memsleep(
    *arguments: str | Path, home: Path, cwd: Path | None = None, **variables: str
) -> subprocess.CompletedProcess[bytes]:
    """Run `memsleep` to its end."""
    return subprocess.run(
        [sys.executable, "-m", "memsleep", *map(str, arguments)],
        cwd=cwd or home,
        env=environment(home, **variables),
        capture_output=True,
        timeout=120,
        check=False,
    )


def error_document(process: subprocess.CompletedProcess[bytes]) -> dict[str, Any]:
    """Return the error of a `--json` run."""
    document = json.loads(process.stdout)
    assert (document["schema_version"], document["exit_code"]) == (1, process.returncode)
    error = document["error"]
    assert isinstance(error, dict)
    return error
