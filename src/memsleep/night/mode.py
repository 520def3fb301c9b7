"""Where a night lands: on a git branch, or in the folder itself."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from memsleep.corpus.choose import choose_source
from memsleep.corpus.source import Source
from memsleep.errors import UsageError
from memsleep.gitrepo import find_repository
from memsleep.landing.base import folder_source
from memsleep.landing.branch import branch_sink
from memsleep.landing.directory import DirectorySink
from memsleep.landing.place import Place
from memsleep.settings import Settings

Mode = Literal["branch", "directory"]


def mode_of(corpus: Path, settings: Settings) -> tuple[Mode, Source]:
    """Return how a night lands, and where it reads from for that.

    A repository without a commit counts as one that tracks the folder: it is refused as such,
    rather than its only copies changed in place.

    Raises
    ------
    UsageError
        `branch-mode-untracked`, when a branch is asked for and git does not track the folder.
    """
    wanted = settings.write.mode
    if wanted == "directory":
        return "directory", folder_source(corpus)
    source = choose_source(corpus)
    if source.kind == "git" or _unborn(corpus):
        return "branch", source
    if wanted == "branch" and find_repository(corpus) is not None:
        raise UsageError(
            "branch-mode-untracked",
            f"write.mode is branch, but {source.reason}: {corpus}",
            context=["nothing was changed"],
            hint='commit the memories, or set write.mode = "auto"',
        )
    return ("branch" if wanted == "branch" else "directory"), source


def _unborn(corpus: Path) -> bool:
    repository = find_repository(corpus)
    return (
        repository is not None
        and repository.head_commit() is None
        and not repository.ignores_corpus()
    )


def check_sink(place: Place, mode: Mode) -> None:
    """Refuse what would fail at the end, before anything is computed."""
    if mode == "branch":
        branch_sink(place.corpus).check()
    else:
        DirectorySink(place).check()
