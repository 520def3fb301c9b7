"""A small corpus with a planned night, and processes that land it while faults are injected."""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from refold_kit import files_of

ROOT = Path(__file__).parents[1]
NOW = "2026-11-30T03:00:00Z"
DRIVER = Path(__file__).parent / "faults" / "driver.py"
TRACED = (
    "write", "pwrite64", "fsync", "fdatasync", "rename", "renameat", "renameat2", "link", "linkat",
    "unlink", "unlinkat", "mkdir", "mkdirat", "ftruncate",
)  # fmt: skip
FACT = "The {0} of the {1} is checked by the night shift before the gate opens at half past six."
PARTS = ("boiler", "pump", "valve", "filter", "fan", "meter", "lamp", "belt")


def make_corpus(root: Path, pairs: int = 4) -> Path:
    """Write pairs of equal memories, pages that link to them, and one that has expired."""
    (root / "plant").mkdir(parents=True)
    for number in range(pairs):
        part = PARTS[number % len(PARTS)] + (str(number) if number >= len(PARTS) else "")
        for copy, day in (("a", 1), ("b", 2)):
            text = (
                f"---\ntitle: {part}\ntype: fact\ncreated: 2026-0{1 + number % 8}-0{day}\n"
                f"tags: [{part}, {copy}]\n---\n{FACT.format(part, 'plant')}\n"
            )
            (root / "plant" / f"{part}-{copy}.md").write_bytes(text.encode())
        page = f"---\ntitle: about {part}\ntype: note\n---\nSee [it](plant/{part}-b.md).\n"
        (root / f"page-{part}.md").write_bytes(page.encode())
    return root


@contextmanager
def disk_of(mebibytes: int, folder: Path) -> Iterator[Path]:
    """Give a file system of its own at a folder that is not there yet."""
    folder.mkdir()
    command = ["mount", "-t", "tmpfs", "-o", f"size={mebibytes}m", "tmpfs", str(folder)]
    mounted = shutil.which("mount") and subprocess.run(command, capture_output=True, check=False)
    if not mounted or mounted.returncode:
        assert os.environ.get("MEMSLEEP_REQUIRE_MOUNT") != "1", "cannot mount a tmpfs"
        pytest.skip("cannot mount a tmpfs here")
    yield folder
    subprocess.run(["umount", str(folder)], check=True)


def environment() -> dict[str, str]:
    """Return the environment of a process that imports this source tree."""
    path = os.pathsep.join([str(ROOT / "src"), str(ROOT / "tests")])
    kept = {name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ}
    threads = {"OPENBLAS_NUM_THREADS": "1", "GIT_CONFIG_NOSYSTEM": "1"}
    return {**kept, **threads, "PYTHONPATH": path, "PYTHONDONTWRITEBYTECODE": "1"}


def driver(*arguments: str | Path, under: Sequence[str] = ()) -> subprocess.CompletedProcess[bytes]:
    """Run a step of `faults/driver.py` in a process of its own."""
    command = [*under, sys.executable, str(DRIVER), *map(str, arguments)]
    return subprocess.run(command, env=environment(), capture_output=True, timeout=120, check=False)


def has_strace() -> bool:
    """Return True when system calls can be traced here."""
    return shutil.which("strace") is not None


def strace(log: Path, *options: str) -> list[str]:
    """Return the command line of a tracer that sees only calls that change something."""
    calls = ",".join(f"?{name}" for name in TRACED)
    return ["strace", "-f", "-qq", "-o", str(log), "-e", f"trace={calls}", *options]


def counted(log: Path) -> dict[str, int]:
    """Return how often the busiest process made each call, since the tracer counts by process."""
    found: dict[tuple[str, str], int] = {}
    for line in log.read_bytes().decode("utf-8", "replace").split("\n"):
        words = line.split(None, 1)
        if len(words) == 2 and "(" in words[1] and not words[1].startswith(("<...", "---", "+++")):
            key = (words[0], words[1].split("(", 1)[0])
            found[key] = found.get(key, 0) + 1
    counts: dict[str, int] = {}
    for (_, name), count in found.items():
        counts[name] = max(counts.get(name, 0), count)
    return counts


@dataclass(frozen=True)
class Stage:
    """A corpus before and after its planned night, to be copied for each fault."""

    folder: Path
    before: Mapping[str, bytes]
    after: Mapping[str, bytes]
    state: Mapping[str, list[Any]]
    """What the state knows after the night."""

    def fresh(self, name: str) -> Path:
        """Return a new copy of the corpus as it was before."""
        root = self.folder / name / "corpus"
        shutil.copytree(self.folder / "start", root.parent, symlinks=True)
        return root


def make_stage(folder: Path, pairs: int = 4) -> Stage:
    """Make a corpus and its plan, and land it once without faults."""
    root = make_corpus(folder / "start" / "corpus", pairs)
    done = driver("plan", root)
    assert done.returncode == 0, done.stderr.decode()
    before = files_of(root)
    stage = Stage(folder, before, {}, {})
    landed = stage.fresh("landed")
    done = driver("apply", landed)
    assert done.returncode == 0, done.stderr.decode()
    return Stage(folder, before, files_of(landed), state_of(landed))


def state_of(root: Path) -> dict[str, list[Any]]:
    """Return what the state says of memories and effects."""
    database = root / ".memsleep" / "state.db"
    if not database.exists():
        return {}
    connection = sqlite3.connect(database)
    try:
        return {
            "memories": connection.execute("SELECT id, path FROM memories ORDER BY id").fetchall(),
            "effects": connection.execute("SELECT count(*) FROM applied_effects").fetchall(),
        }
    except sqlite3.OperationalError:  # it was killed before the tables were there
        return {}
    finally:
        connection.close()


def leftovers(root: Path) -> list[str]:
    """Return temporary files that were forgotten among the memories."""
    found = (p.relative_to(root) for p in root.rglob("*.part*"))
    return sorted(str(path) for path in found if path.parts[0] != ".memsleep")


def check_whole(stage: Stage, root: Path) -> str:
    """Kill over: let the next start make it whole, and say which of the two states it is."""
    done = driver("recover", root)
    assert done.returncode == 0, done.stderr.decode()
    files = files_of(root)
    which = {True: "before", False: "after"}[files == stage.before]
    assert files in (stage.before, stage.after), "between the two"
    assert leftovers(root) == [], leftovers(root)
    effects = state_of(root).get("effects", [(0,)])
    assert (effects == [(0,)]) == (which == "before"), "state and files differ"
    again = driver("apply", root)
    assert again.returncode == 0, again.stderr.decode()
    assert files_of(root) == stage.after
    assert state_of(root) == stage.state
    return which + (" and said so" if json.loads(done.stdout) else "")
