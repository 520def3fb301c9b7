"""Choose where a corpus is read from: HEAD's tree where git tracks it, else the folder."""

from __future__ import annotations

import errno
import os
from collections.abc import Mapping
from pathlib import Path

from memsleep.corpus.folder import FolderSource
from memsleep.corpus.gittree import GitTreeSource
from memsleep.corpus.source import TEXT_SUFFIXES, Source
from memsleep.errors import CorpusError, UsageError
from memsleep.gitrepo import Repository, find_repository


def choose_source(root: Path, *, environment: Mapping[str, str] | None = None) -> Source:
    """Return HEAD's tree where it holds a file that could be a memory, else the folder.

    Raises
    ------
    UsageError
        The root is missing, or is no folder.
    CorpusError
        The root cannot be listed.
    GitError
        The root lies in a repository that cannot be read.
    """
    check_root(root)
    repository = find_repository(root, environment=environment)
    if repository is None:
        return FolderSource(root, "the folder is in no git repository")
    commit = repository.head_commit()
    if commit is None:
        return FolderSource(root, "the git branch has no commit yet", repository)
    if _tracks(repository, commit):
        return GitTreeSource(repository, commit, "git tracks the folder")
    verb = "ignores" if repository.ignores_corpus() else "does not track"
    return FolderSource(root, f"git {verb} the folder", repository)


def check_root(root: Path) -> None:
    """Refuse a root that is missing, is no folder or cannot be listed."""
    try:
        with os.scandir(root):
            return
    except NotADirectoryError as error:
        if not os.path.lexists(root):
            raise _missing(root) from error
        raise UsageError(
            "corpus-is-a-file",
            f"expected a folder of memories, found a file: {root}",
            hint="name the folder that holds the file",
        ) from error
    except PermissionError as error:
        raise CorpusError(
            "corpus-unreadable",
            f"no permission to list the folder {root}",
            context=["nothing was read"],
            hint="run as a user who may read it",
        ) from error
    except OSError as error:
        if error.errno in {errno.ENOENT, errno.ELOOP, errno.ENAMETOOLONG}:
            raise _missing(root) from error
        name = errno.errorcode.get(error.errno or 0, "error")
        raise CorpusError(
            "corpus-unreadable", f"the system cannot list the folder {root} ({name})"
        ) from error


def _missing(root: Path) -> UsageError:
    return UsageError(
        "corpus-missing",
        f"expected a folder of memories, found nothing at {root}",
        hint="check the path, or make the folder first",
    )


def _tracks(repository: Repository, commit: str) -> bool:
    suffixes = tuple(suffix.encode("ascii") for suffix in TEXT_SUFFIXES)
    return any(
        entry.kind == "file" and entry.path.lower().endswith(suffixes)
        for entry in repository.tree(commit)
    )
