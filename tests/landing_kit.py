"""Runs to land, for tests: phases over a small corpus, and what a repository looks like."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from memsleep.landing.sink import PhaseFold, RunMeta

NOW = "2026-11-30T03:00:00Z"
FILES = {
    "a.md": "alpha\n",
    "b.md": "beta\n",
    "c/c.md": "gamma\r\nCRLF\r\n",
    "README.md": "- [a](a.md)\n- [b](b.md)\n",
}
MERGED = PhaseFold(
    name="dedup",
    before={"b.md": b"beta\n", "a.md": b"alpha\n", "README.md": FILES["README.md"].encode()},
    after={
        "a.md": b"alpha\nbeta too\n",
        "archive/2026/b.md": b"beta\n",
        "README.md": b"- [a](a.md)\n- [b](a.md)\n",
    },
    moves={"b.md": "archive/2026/b.md"},
    decisions=("d1",),
    counts={"merge": 1},
    lines=("a.md <- b.md  similarity 0.98",),
)
FADED = PhaseFold(
    name="decay",
    before={"c/c.md": b"gamma\r\nCRLF\r\n"},
    after={"c/c.md": b"gamma 2\r\nCRLF\r\n"},
    decisions=("d2",),
    counts={"set-field": 1},
)
PHASES = (MERGED, FADED)


def run_meta(base: str, *, run_id: str = "sleep/2026-11-30", now: str = NOW) -> RunMeta:
    return RunMeta(run_id=run_id, now=now, base_commit=base, config_digest="cfg")


def other_plan(name: str, phases: Sequence[PhaseFold] = PHASES) -> tuple[PhaseFold, ...]:
    """Return the same changes as the decisions of another plan."""
    return tuple(replace(phase, decisions=(name,)) for phase in phases)


def tree_of(root: Path, name: str) -> dict[str, bytes]:
    """Return path -> bytes of all files of a commit."""
    from corpus_kit import git  # a run that is to be killed starts faster without pytest

    listed = git(root, "ls-tree", "-r", "-z", "--full-tree", name)
    rows = (record.split(b"\t", 1) for record in listed.split(b"\0") if record)
    return {
        path.decode(): git(root, "cat-file", "blob", stated.split(b" ")[2].decode())
        for stated, path in rows
        if not stated.startswith(b"160000")
    }


def applied(
    files: Mapping[str, str | bytes], phases: Sequence[PhaseFold], prefix: str = ""
) -> dict[str, bytes]:
    """Return what files become by phases."""
    found = {path: b.encode() if isinstance(b, str) else b for path, b in files.items()}
    for phase in phases:
        for path in phase.gone:
            del found[prefix + path]
        found.update({prefix + path: data for path, data in phase.after.items()})
    return found


def untouched(root: Path) -> dict[str, str]:
    """Return a digest of all that is the user's: work tree, index, HEAD, config, hooks, refs.

    Our own branches and the folders of objects and of reflogs are left out.
    """
    own = ("refs/heads/sleep", "objects", "logs/refs/heads/sleep")
    found = {}
    for folder, _, names in os.walk(root):
        for name in names:
            path = Path(folder) / name
            key = path.relative_to(root).as_posix()
            inside = key.partition(".git/")[2]
            if not (inside and inside.startswith(own)):
                found[key] = hashlib.sha256(path.read_bytes()).hexdigest()
    return found


def set_identity(home: Path) -> None:
    """Give the user of the tests a name, and nothing else."""
    home.mkdir(parents=True, exist_ok=True)
    (home / ".gitconfig").write_bytes(
        b"[user]\n\tname = U Ser\n\temail = u@example.org\n[init]\n\tdefaultBranch = main\n"
    )
