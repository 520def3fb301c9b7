"""Corpora on disk for tests: folders, git repositories, a user without rights."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

NOBODY_UID = 65534


def _open_to_others(folder: Path) -> bool:
    return all(place.stat().st_mode & 0o001 for place in (folder, *folder.parents))


PLACES = (Path(__file__).resolve().parent, Path(sys.prefix).resolve())
"""Where the sources and the interpreter lie: a process without rights has to load both."""

needs_root = pytest.mark.skipif(
    os.geteuid() != 0
    or not (os.environ.get("MEMSLEEP_REQUIRE_NOBODY") or all(map(_open_to_others, PLACES))),
    reason="needs root, and a checkout that another user may read",
)
"""For tests that give their rights away; `.ci/run` sets the variable, so that none is skipped."""


def write(root: Path, files: Mapping[str, str | bytes]) -> Path:
    """Write files below a folder and return the folder."""
    for path, content in files.items():
        target = root / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(content.encode() if isinstance(content, str) else content)
    return root


def git(folder: Path, *arguments: str | bytes | Path) -> bytes:
    """Run git as a user would, without the user's settings."""
    environment = {
        "PATH": os.environ["PATH"],
        "HOME": os.environ["HOME"],
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_AUTHOR_NAME": "A",
        "GIT_AUTHOR_EMAIL": "a@example.org",
        "GIT_AUTHOR_DATE": "2026-01-01T00:00:00Z",
        "GIT_COMMITTER_NAME": "A",
        "GIT_COMMITTER_EMAIL": "a@example.org",
        "GIT_COMMITTER_DATE": "2026-01-01T00:00:00Z",
    }
    return subprocess.run(
        ["git", "-C", folder, *arguments], check=True, capture_output=True, env=environment
    ).stdout


def init(root: Path, *options: str) -> Path:
    """Make an empty repository and return its folder."""
    root.mkdir(parents=True, exist_ok=True)
    git(root, "init", "--quiet", "--initial-branch=main", *options)
    return root


def commit(root: Path, files: Mapping[str, str | bytes] | None = None) -> str:
    """Write files, commit all that there is, return the commit's id."""
    write(root, files or {})
    git(root, "add", "--all", "--force")
    git(root, "commit", "--quiet", "--allow-empty", "--message=m")
    return git(root, "rev-parse", "HEAD").decode().strip()


def as_nobody(action: Callable[[], str]) -> str:
    """Return what an action says when it runs as a user without rights.

    Root ignores mode bits, so the action runs in a child that has given up its user.
    """
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        said = "the child failed"
        try:
            os.setgroups([])
            os.setgid(NOBODY_UID)
            os.setuid(NOBODY_UID)
            said = action()
        except BaseException as error:  # told to the parent; the child ends here
            said = f"{type(error).__name__}: {error}"
        finally:
            os.write(writing, said.encode())
            os._exit(0)
    os.close(writing)
    with os.fdopen(reading, "rb") as stream:
        said = stream.read().decode()
    os.waitpid(child, 0)
    return said
