"""The cache of a night: which one, and whether it is believed."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from memsleep.corpus.source import Source
from memsleep.embedders.cache import VectorCache, open_cache, open_cache_copy
from memsleep.known import Known
from memsleep.request import RunRequest

_OWN_PLACE = b".memsleep/cache.db"


@contextmanager
def night_cache(
    request: RunRequest, source: Source, scratch: Path, remarks: list[str], *, live: bool
) -> Iterator[VectorCache | None]:
    """Give a live night the cache, and a dry run a copy of it below `scratch`.

    None where a dry run finds no cache, and where the repository brings one: whoever can change
    the corpus could then say what its files are read as.
    """
    path = (request.state_dir or request.corpus / ".memsleep") / "cache.db"
    repository = source.repository if request.state_dir is None else None
    there = os.path.lexists(path)
    if there and repository is not None and repository.tracks(_OWN_PLACE):
        remarks.append(f"{path} is part of the repository: it is not used")
        yield None
    elif there or live:
        with open_cache(path) if live else open_cache_copy(path, scratch) as cache:
            if cache.begun_anew:
                remarks.append(f"{path} cannot be used: vectors are made anew")
            yield cache
            if cache.damaged:
                remarks.append(f"{path}: {cache.damaged} damaged rows, made anew")
    else:
        yield None


def keep_known(request: RunRequest, source: Source, scratch: Path, known: Known) -> None:
    """Let the next night know what the phases of this one found out; it is live."""
    if any(table.changed for table in known.tables.values()):
        with night_cache(request, source, scratch, [], live=True) as cache:
            if cache is not None:
                cache.keep_known(known)
