"""Plans of the fixtures, bases and trees, for the tests of landing."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from memsleep.landing.base import folder_source, load_base
from memsleep.model import Snapshot
from memsleep.plan import Plan, from_json
from night_kit import copy_corpus, request_for, run_night, seeded_state


@dataclass(frozen=True)
class Planned:
    """A night over a fixture: its plan, its base, and the files after it."""

    plan: Plan
    source: bytes
    base: Snapshot
    after: Mapping[str, bytes]
    patch: bytes


@cache
def planned(corpus: str, profile: str = "careful") -> Planned:
    """Return the plan of a fixture's night with its state, made once."""
    with TemporaryDirectory() as folder:
        root = copy_corpus(corpus, Path(folder))
        state_dir = seeded_state(corpus, Path(folder))
        options = {"run.profile": profile}
        result, outcome = run_night(request_for(root, state_dir=state_dir, options=options))
        source = outcome.artifacts["plan.json"]
        plan = from_json(source, "plan.json")
        base = load_base(root, plan, folder_source(root))
        return Planned(plan, source, base, dict(result.end.files), outcome.artifacts["sleep.diff"])


def files_of(root: Path) -> dict[str, bytes]:
    """Return path -> bytes of every file of a corpus but ours."""
    found = {}
    for path in sorted(root.rglob("*")):
        key = path.relative_to(root).as_posix()
        if path.is_file() and not path.is_symlink() and key.split("/")[0] != ".memsleep":
            found[key] = path.read_bytes()
    return found


def document(source: bytes) -> dict[str, object]:
    """Return a JSON object."""
    value = json.loads(source)
    assert isinstance(value, dict)
    return value
