"""Opening a corpus for a command that reads it or notes its use."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from memsleep.cli.paths import check_corpus, check_state_dir
from memsleep.cli.settings import load, option_layer
from memsleep.cli.streams import write_remarks
from memsleep.errors import StateError, UsageError

if TYPE_CHECKING:
    from memsleep.access.opened import OpenCorpus
    from memsleep.model import Problem
    from memsleep.settings import Settings


def settings_for(
    corpus: Path,
    config: Path | None,
    state_dir: Path | None,
    *,
    embedder: str | None = None,
    vectors: Path | None = None,
) -> Settings:
    """Check the folders of a command and return the settings in force."""
    check_corpus(corpus)
    if state_dir is not None:
        check_state_dir(state_dir)
    return load(corpus, config, option_layer(embedder=embedder, vectors=vectors)).settings


@contextmanager
def opened(
    corpus: Path,
    settings: Settings,
    now: str,
    state_dir: Path | None,
    *,
    quiet: bool,
    to_note: bool = False,
) -> Iterator[OpenCorpus]:
    """Open a corpus; what it has to do without is said on standard error.

    Raises
    ------
    StateError
        `state-read-only`, for a command that is there `to_note` something and could not.
    """
    from memsleep.access.opened import open_corpus

    with open_corpus(corpus, settings, now, state_dir=state_dir) as found:
        if to_note and not found.remembers:
            raise StateError(
                "state-read-only",
                "nothing can be written beside the corpus: it would not be remembered",
                context=(str(found.state_folder),),
                hint="pass --state-dir with a folder of yours",
            )
        told = () if quiet else found.notes
        write_remarks(told)
        yield found
        if not quiet:
            write_remarks(found.notes[len(told) :])


def tell_problems(problems: Iterable[Problem], *, quiet: bool) -> None:
    """Say where something was withheld and why: kind and path, never the text."""
    if not quiet:
        write_remarks(f"{problem.path}: {problem.message}" for problem in problems)


def bytes_of(file: Path) -> bytes:
    """Return the bytes of a file; `-` is standard input.

    Raises
    ------
    UsageError
        `input-missing`.
    """
    if str(file) == "-":
        return sys.stdin.buffer.read()
    try:
        return file.read_bytes()
    except (FileNotFoundError, IsADirectoryError) as error:
        raise UsageError(
            "input-missing",
            f"expected a file, or - for standard input, found none at {str(file)!r}",
            hint="check its path",
        ) from error
