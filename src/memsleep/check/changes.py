"""Which two states of a corpus are compared: `--base`, `--staged`, or none."""

from __future__ import annotations

import re
import shlex
from dataclasses import dataclass

from memsleep.check.request import CheckRequest
from memsleep.check.sources import BlobSource, WorkTreeSource
from memsleep.corpus.folder import FolderSource
from memsleep.corpus.source import Source
from memsleep.errors import GitError, UsageError
from memsleep.giterrors import shown
from memsleep.gitrepo import Repository, find_repository
from memsleep.gitrepo.history import is_shallow, merge_base, resolve_commit
from memsleep.gitrepo.staging import staged


@dataclass(frozen=True, slots=True)
class Compared:
    """What is checked, and what it is compared with."""

    source: Source
    base: Source | None
    """None: everything is told."""
    prefix: str
    """Path of the corpus below the root of its repository."""


def compared(request: CheckRequest) -> Compared:
    """Return what a request asks to read.

    Raises
    ------
    UsageError
        `base-unknown`, or `no-repository` where git is needed and there is none.
    GitError
        `base-unrelated`, where the clone does not show a common history; `no-commit`.
    """
    repository = find_repository(request.corpus)
    if repository is None:
        if request.base is not None or request.staged:
            option = "--staged" if request.base is None else "--base"
            raise UsageError(
                "no-repository",
                f"{option} needs a git repository, and the corpus is in none",
                context=[str(request.corpus)],
                hint="leave the option out to check the whole folder",
            )
        return Compared(FolderSource(request.corpus), None, "")
    prefix = shown(repository.prefix)
    source = _source(request, repository)
    return Compared(source, _base(request, repository), prefix)


def _source(request: CheckRequest, repository: Repository) -> Source:
    if request.staged:
        index_file = request.index_file
        return BlobSource(repository, lambda: staged(repository, index_file), "the index")
    if repository.ignores_corpus():
        return FolderSource(request.corpus, "git ignores the folder")
    return WorkTreeSource(repository)


def _base(request: CheckRequest, repository: Repository) -> Source | None:
    if request.base is not None:
        commit = _common_commit(repository, request.base)
        return BlobSource(repository, lambda: repository.tree(commit), "the merge base")
    if not request.staged:
        return None
    head = repository.head_commit()
    if head is None:
        return BlobSource(repository, tuple, "no commit yet")
    return BlobSource(repository, lambda: repository.tree(head), "HEAD")


def _common_commit(repository: Repository, revision: str) -> str:
    head = repository.head_commit()
    if head is None:
        raise GitError(
            "no-commit",
            "--base needs a commit to compare, and the repository has none yet",
            context=[shown(repository.toplevel)],
            hint="check without --base, or commit first",
        )
    commit = resolve_commit(repository, revision)
    if commit is None:
        shallow = is_shallow(repository)
        where = "this clone, which is shallow" if shallow else "this repository"
        raise UsageError(
            "base-unknown",
            f"--base {revision[:60]!r} is no commit of {where}",
            context=[shown(repository.toplevel)],
            hint="git fetch --unshallow"
            if shallow and _is_older(revision)
            else _fetch_hint(revision),
        )
    common = merge_base(repository, commit, head)
    if common is None:
        shallow = is_shallow(repository)
        why = "the clone is shallow" if shallow else "their histories have nothing in common"
        raise GitError(
            "base-unrelated",
            f"no common ancestor of {revision[:60]!r} and HEAD is known: {why}",
            context=[shown(repository.toplevel)],
            hint="git fetch --unshallow" if shallow else "name the branch that HEAD came from",
        )
    return common


def _is_older(revision: str) -> bool:
    """Return True for what is named by its place in the history, not by a branch or tag."""
    return re.fullmatch(r"[0-9a-f]{7,64}|HEAD|.*[~^].*", revision) is not None


def _fetch_hint(revision: str) -> str:
    name = revision.removeprefix("origin/")
    plain = name.replace("/", "").replace("-", "").replace("_", "").replace(".", "").isalnum()
    return f"git fetch origin {shlex.quote(name)}" if plain else "git branch --all"
