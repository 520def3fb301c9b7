"""Nights over real folders, for tests: copy a fixture, seed a state, run, apply."""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path

from memsleep.config import Option, load_settings
from memsleep.night import NightResult, propose_night
from memsleep.night.effects import effects_of
from memsleep.night.outputs import outcome_of
from memsleep.request import Outcome, RunRequest
from memsleep.state.seed import read_seed, seed_state
from memsleep.state.store import open_state

FIXTURES = Path(__file__).parent.parent / "fixtures"
CORPORA = ("html-store", "markdown-vault")
NOW = "2026-11-30T03:00:00Z"


def copy_corpus(name: str, into: Path) -> Path:
    """Copy a fixture's corpus to a folder outside any repository."""
    root = into / "corpus"
    shutil.copytree(FIXTURES / name / "corpus", root, symlinks=True)
    return root


def seeded_state(name: str, into: Path) -> Path:
    """Make the state of a fixture and return its folder."""
    folder = into / "state"
    source = (FIXTURES / name / "state.jsonl").read_bytes()
    with open_state(folder / "state.db") as state:
        seed_state(state, read_seed(source, "state.jsonl"))
    return folder


def request_for(
    root: Path,
    *,
    now: str = NOW,
    state_dir: Path | None = None,
    options: Mapping[str, object] | None = None,
    out: Path | None = Path("out"),
) -> RunRequest:
    """Return a request for a dry run; `out` only asks for the artifacts, nothing is written."""
    given = [Option(key, value, "test") for key, value in (options or {}).items()]
    loaded = load_settings(root, environ={}, options=given)
    return RunRequest(corpus=root, settings=loaded.settings, now=now, state_dir=state_dir, out=out)


def run_night(request: RunRequest) -> tuple[NightResult, Outcome]:
    """Run a night and return its result and what a dry run would print and write."""
    with tempfile.TemporaryDirectory() as scratch:
        prepared, result = propose_night(request, Path(scratch))
        return result, outcome_of(request, prepared, result)


def land(root: Path, state_dir: Path | None, result: NightResult, outcome: Outcome) -> None:
    """Apply a night's patch with git, outside any repository, and its effects to the state."""
    git_apply(root, outcome.artifacts["sleep.diff"])
    if state_dir is not None:
        with open_state(state_dir / "state.db") as state:
            digests = {p: m.content_hash for p, m in result.start.memories.items()}
            state.observe(digests, result.start.now)
            state.apply_effects("test", effects_of(result), result.start.now)


def git_apply(root: Path, patch: bytes, *flags: str) -> None:
    """Apply a patch in a folder that belongs to no repository."""
    if not patch:
        return
    environment = {k: v for k, v in os.environ.items() if not k.startswith("GIT_")}
    environment["GIT_CEILING_DIRECTORIES"] = str(root.parent)
    command = ["git", "apply", "--whitespace=nowarn", *flags, "-"]
    done = subprocess.run(command, cwd=root, input=patch, env=environment, capture_output=True)
    assert done.returncode == 0, done.stderr.decode()


def tree(root: Path, *, without: Sequence[str] = ()) -> dict[str, str]:
    """Return path -> digest (or link target) of everything below a folder."""
    found = {}
    for folder, folders, names in os.walk(root):
        folders.sort()
        for name in sorted([*names, *(d for d in folders if (Path(folder) / d).is_symlink())]):
            path = Path(folder) / name
            key = path.relative_to(root).as_posix()
            if key.startswith(tuple(without)):
                continue
            if path.is_symlink():
                found[key] = f"-> {path.readlink()}"
            else:
                found[key] = hashlib.sha256(path.read_bytes()).hexdigest()
    return found
