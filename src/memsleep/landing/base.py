"""The base that a plan is folded onto: the corpus as it lies, or as it lay before a run."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from memsleep.corpus.choose import check_root
from memsleep.corpus.flags import ledger_paths
from memsleep.corpus.folder import FolderSource
from memsleep.corpus.gittree import GitTreeSource
from memsleep.corpus.load import ParseCache, load_corpus
from memsleep.corpus.source import FileEntry, Listing, Notes, Source, SourceKind
from memsleep.gitrepo import Repository, find_repository
from memsleep.landing.refold import settings_of
from memsleep.model import Problem, Snapshot, Standing, Vectors
from memsleep.plan import Plan

NO_VECTORS = Vectors("none", (), np.zeros((0, 0), np.float32))


@dataclass(frozen=True, slots=True)
class Overlay:
    """A source in which some files have other bytes, or are not there (None)."""

    inner: Source
    files: Mapping[str, bytes | None]

    @property
    def kind(self) -> SourceKind:
        """Say where the other bytes come from."""
        return self.inner.kind

    @property
    def commit(self) -> str | None:
        """The commit below, if any."""
        return self.inner.commit

    @property
    def reason(self) -> str:
        """Why the source below was chosen."""
        return self.inner.reason

    @property
    def repository(self) -> Repository | None:
        """The repository of the source below."""
        return self.inner.repository

    def listing(self) -> Listing:
        """List the names below, with those that the overlay adds and without those it takes out."""
        below = self.inner.listing()
        kept = [entry for entry in below.files if entry.path not in self.files]
        added = [
            FileEntry(path, len(data), 0o100644, "file")
            for path, data in self.files.items()
            if data is not None
        ]
        gone = {path for path, data in self.files.items() if data is None}
        return Listing(
            files=tuple(sorted([*kept, *added], key=lambda entry: entry.path)),
            left_out=below.left_out,
            problems=below.problems,
            taken=(below.taken - gone) | {entry.path for entry in added},
            read_only=below.read_only,
        )

    def read_many(self, paths: Sequence[str]) -> Iterator[tuple[str, bytes | Problem]]:
        """Give the bytes of each path, in the order asked."""
        below = dict(self.inner.read_many([path for path in paths if path not in self.files]))
        for path in paths:
            own = self.files.get(path)
            if path not in self.files:
                yield path, below[path]
            elif own is not None:
                yield path, own
            else:
                yield path, Problem(path, None, "vanished", "it is not there")

    def being_edited(self, path: str, source: bytes) -> str:
        """Say what the source below says; what the overlay gives is nobody's work."""
        return "" if path in self.files else self.inner.being_edited(path, source)


class Past(GitTreeSource):
    """The tree of a commit as it was: what lies in the work tree today has no say."""

    __slots__ = ()

    def being_edited(self, path: str, source: bytes) -> str:  # noqa: ARG002 (protocol)
        """Say that nobody edits the past."""
        return ""

    def _note_work_tree(self, notes: Notes) -> None:
        """Leave the names of today out: they take no place in the past."""


def past_source(corpus: Path, commit: str) -> Source:
    """Return the tree of a commit, for folding again what was folded onto it."""
    check_root(corpus)
    repository = find_repository(corpus)
    if repository is None:
        return folder_source(corpus)
    return Past(repository, commit, "the run started from that commit")


def folder_source(corpus: Path, reason: str = "the files are changed in place") -> FolderSource:
    """Return the files on disk, also where git tracks them."""
    check_root(corpus)
    return FolderSource(corpus, reason, find_repository(corpus))


def commit_source(corpus: Path, commit: str) -> Source:
    """Return the tree of one commit of the corpus's repository."""
    check_root(corpus)
    repository = find_repository(corpus)
    if repository is None:
        return folder_source(corpus)
    return GitTreeSource(repository, commit, "the plan rests on that commit")


def load_base(
    corpus: Path, plan: Plan, source: Source, parsed: ParseCache | None = None
) -> Snapshot:
    """Return the snapshot that a plan is folded onto.

    Nothing but the files, the plan's settings and its identities has a say in it. `parsed` is what
    this process made of the same bytes before.
    """
    settings = settings_of(plan).corpus.model_copy(update={"allow_empty": True})
    loaded = load_corpus(corpus, settings, source=source, parsed=parsed)
    found = source.read_many(sorted(ledger_paths(loaded.taken)))
    ledgers = {path: data for path, data in found if isinstance(data, bytes)}
    standing = {path: Standing(memory_id=name) for path, name in plan.identities.items()}
    return Snapshot(
        now=plan.instant,
        memories=loaded.memories,
        files={**loaded.files, **ledgers},
        vectors=NO_VECTORS,
        standing=standing or None,
        unreadable=loaded.unreadable,
        references=loaded.references,
        page_dialects=loaded.page_dialects,
        locked=loaded.locked,
        problems=loaded.problems,
        taken=loaded.taken,
        archive_folder=loaded.detection.traits.archive,
    )
