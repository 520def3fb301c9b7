"""The cache of a night: which one, and whether it is believed."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager, suppress
from pathlib import Path

from memsleep.beside import beside
from memsleep.corpus.source import Source
from memsleep.embedders.cache import VectorCache, open_cache_copy, open_some_cache
from memsleep.gitrepo import Repository
from memsleep.known import Known
from memsleep.landing.brought import BESIDE, leads_inside
from memsleep.landing.place import OWN_FOLDER
from memsleep.request import RunRequest


class NightCache:
    """The cache of a night while it is being opened: what asks for it first waits for it.

    Copying and checking a large one takes seconds, in which the files can be read.
    """

    def __init__(self, opening: Future[VectorCache] | None) -> None:
        self._opening = opening

    @property
    def cache(self) -> VectorCache | None:
        """The cache, None where the night has none."""
        return self._opening.result() if self._opening is not None else None

    @property
    def failed(self) -> bool:
        """True once it could not be opened, read or written: it is left alone from then on."""
        return self.cache is not None and bool(self.cache.failure)

    @property
    def keeps(self) -> bool:
        """False where nothing is kept."""
        return self.cache is not None and self.cache.keeps

    def read_parses(self, keys: Sequence[bytes]) -> Mapping[bytes, bytes]:
        """Return the parsed files that are there and whole."""
        return self.cache.read_parses(keys) if self.cache is not None else {}

    def keep_parses(self, rows: Mapping[bytes, bytes]) -> None:
        """Keep parsed files."""
        if self.cache is not None:
            self.cache.keep_parses(rows)


@contextmanager
def night_cache(
    request: RunRequest, source: Source, scratch: Path, remarks: list[str], *, live: bool
) -> Iterator[NightCache]:
    """Give a live night the cache, and a dry run a copy of it below `scratch`.

    There is none where a dry run finds no cache, and where the repository brings one: whoever can
    change the corpus could then say what its files are read as.
    """
    path = (request.state_dir or request.corpus / OWN_FOLDER) / "cache.db"
    repository = source.repository if request.state_dir is None else None
    there = os.path.lexists(path)
    if there and repository is not None and _brings(repository, path):
        remarks.append(f"{path} is part of the repository: it is not used")
        yield NightCache(None)
        return
    if not (there or live):
        yield NightCache(None)
        return
    with ThreadPoolExecutor(1) as threads:
        opening = beside(threads, open_some_cache, path) if live else None
        opening = opening or beside(threads, open_cache_copy, path, scratch)
        try:
            yield NightCache(opening)
        except BaseException:
            with suppress(Exception):  # the first error is the one to be told
                opening.result().close()
            raise
    with opening.result() as cache:
        if cache.failure:
            remarks.append(f"{cache.failure}: the night goes on without what is kept there")
        if cache.begun_anew:
            remarks.append(f"{path} cannot be used: vectors are made anew")
        if cache.damaged:
            remarks.append(f"{path}: {cache.damaged} damaged rows, made anew")


def _brings(repository: Repository, path: Path) -> bool:
    """Return True for a cache of which the repository brings a part, or the way to it."""
    own = os.fsencode(OWN_FOLDER)
    if repository.tracks(*(b"%b/%b" % (own, os.fsencode(path.name + s)) for s in BESIDE)):
        return True
    if leads_inside(path.parent, repository):
        return True
    return path.parent.is_symlink() and repository.tracks(own)


def keep_known(
    request: RunRequest, source: Source, scratch: Path, known: Known
) -> tuple[list[str], bool]:
    """Let the next night know what the phases of this one found out; it is live.

    Returns what stood in the way, and whether the cache is of no use any more.
    """
    remarks: list[str] = []
    failed = False
    if any(table.changed for table in known.tables.values()):
        with night_cache(request, source, scratch, remarks, live=True) as opening:
            if opening.cache is not None:
                opening.cache.keep_known(known)
            failed = opening.failed
    return remarks, failed
