"""What the paths of `memsleep check` mean: which corpus, and which of its files."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from memsleep.errors import UsageError

_GLOB = frozenset("*?")


@dataclass(frozen=True, slots=True)
class Target:
    """A corpus, and globs of the files in it that are asked about; none: all of them."""

    corpus: Path
    patterns: tuple[str, ...] = ()


def target_of(paths: Sequence[str], corpus: Path | None) -> Target:
    """Return what is to be checked.

    One folder and no `--corpus` is the corpus. Otherwise paths are files, folders and globs below
    the corpus, counted from the current folder or, where nothing is there, from the corpus.

    Raises
    ------
    UsageError
        `path-outside`, for a path that does not lie in the corpus.
    """
    if corpus is None:
        if len(paths) == 1 and Path(paths[0]).is_dir():
            return Target(Path(paths[0]))
        corpus = Path()
    return Target(corpus, tuple(_pattern(path, corpus) for path in paths))


def _pattern(path: str, corpus: Path) -> str:
    if _GLOB & set(path) and not os.path.lexists(path):
        return path.removeprefix("./")
    for start in (Path(path), corpus / path):
        below = _below(start, corpus) if start.exists() or start.is_symlink() else None
        if below is not None:
            return _as_glob(below, is_folder=start.is_dir() and not start.is_symlink())
    raise UsageError(
        "path-outside",
        f"expected a path in the corpus {corpus}, found {path[:200]!r}",
        hint="name the corpus: memsleep check --corpus DIR PATHS",
    )


def _below(path: Path, corpus: Path) -> str | None:
    """Return a path counted from the corpus, None elsewhere; a link itself is not followed."""
    root = Path(os.path.realpath(corpus))
    here = Path(os.path.realpath(path.parent)) / path.name if path.name else path.resolve()
    return here.relative_to(root).as_posix() if here.is_relative_to(root) else None


def _as_glob(path: str, *, is_folder: bool) -> str:
    """Return a glob, tied to the root, that matches the file, or all below the folder."""
    if path == ".":
        return "**"
    rooted = f"/{path}"
    return f"{rooted}/" if is_folder else rooted
