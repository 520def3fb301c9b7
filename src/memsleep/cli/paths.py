"""Folders named on the command line: refused early, with a word on why."""

from __future__ import annotations

import os
from contextlib import suppress
from contextvars import ContextVar
from pathlib import Path

from memsleep.cli.streams import write_remarks
from memsleep.errors import UsageError
from memsleep.request import ARTIFACTS

OWN_FOLDER = ".memsleep"
MARKER = "sleep.diff"
"""The artifact whose name is like no other tool's: where it lies, the folder is ours."""

corpus_in_use: ContextVar[Path | None] = ContextVar("corpus_in_use", default=None)
"""For whoever must write outside the corpus."""


def corpus_size() -> list[str]:
    """Return a line on how many files the corpus in use has, none where there is no such."""
    corpus = corpus_in_use.get()
    if corpus is None:
        return []
    files = size = 0
    for folder, folders, names in os.walk(corpus):
        folders[:] = [name for name in folders if not name.startswith(".")]
        for name in names:
            with suppress(OSError):
                size += os.lstat(os.path.join(folder, name)).st_size  # noqa: PTH118 (many)
                files += 1
    return [f"the corpus {corpus} has {files} files with {size / 1e6:.1f} MB"]


def check_corpus(corpus: Path) -> None:
    """Refuse a corpus that is missing, is no folder or cannot be listed, before all else.

    Raises
    ------
    UsageError
        `corpus-missing` or `corpus-is-a-file`.
    CorpusError
        `corpus-unreadable`.
    """
    from memsleep.corpus.choose import check_root

    corpus_in_use.set(corpus)
    check_root(corpus)


def check_out(out: Path, corpus: Path) -> None:
    """Refuse a folder for artifacts that an agent would load, or that holds another's files.

    Raises
    ------
    UsageError
        `out-not-a-folder`, `out-inside-corpus` or `out-not-ours`.
    """
    if _blocked_by_file(out):
        raise UsageError(
            "out-not-a-folder", f"expected a folder for --out, found a file: {str(out)!r}"
        )
    below = _below(out, corpus)
    if below is not None and below.parts[:1] != (OWN_FOLDER,):
        raise UsageError(
            "out-inside-corpus",
            f"--out {str(out)!r} lies in the corpus, where an agent would load the report",
            hint=f"pass a folder elsewhere, or below {str(corpus / OWN_FOLDER)!r}",
        )
    there = [name for name in ARTIFACTS if os.path.lexists(out / name)]
    if there and MARKER not in there:
        raise UsageError(
            "out-not-ours",
            f"--out {str(out)!r} holds a file {there[0]!r} that is not ours to overwrite",
            hint="pass an empty folder, or one of an earlier dry run",
        )


def check_state_dir(state_dir: Path) -> None:
    """Refuse a file as the folder of the state.

    Raises
    ------
    UsageError
        `state-not-a-folder`.
    """
    if _blocked_by_file(state_dir):
        raise UsageError(
            "state-not-a-folder",
            f"expected a folder for --state-dir, found a file: {str(state_dir)!r}",
        )


def state_folder(corpus: Path, state_dir: Path | None) -> Path | None:
    """Return the folder of the state that was asked for, None for the corpus's own.

    Where the repository brings the latter, it is another one, and that is said.
    """
    return state_folder_and_notes(corpus, state_dir)[0]


def state_folder_and_notes(
    corpus: Path, state_dir: Path | None
) -> tuple[Path | None, tuple[str, ...]]:
    """Do as `state_folder` does; return also what the report of a night has to say of it."""
    if state_dir is not None:
        check_state_dir(state_dir)
        return state_dir, ()
    if not os.path.lexists(corpus / OWN_FOLDER):
        return None, ()
    from memsleep.landing.brought import brought_by

    found = brought_by(corpus)
    if found is None:
        return None, ()
    write_remarks([found.line])
    return found.instead, (found.note,)


def is_inside(path: Path, folder: Path) -> bool:
    """Return True when a path, existing or not, is a folder or lies below it."""
    return _below(path, folder) is not None


def _blocked_by_file(path: Path) -> bool:
    """Return True when the path, or what it would lie in, is no folder."""
    for step in (path, *path.parents):
        if os.path.lexists(step):
            return not step.is_dir()
    return False


def _below(path: Path, folder: Path) -> Path | None:
    """Return the path counted from a folder, None when it is elsewhere.

    Folders are compared as the file system does, so spelling and links do not matter.
    """
    resolved = path.resolve()
    for step in (resolved, *resolved.parents):
        if step.exists() and step.samefile(folder):
            return resolved.relative_to(step)
    return None
