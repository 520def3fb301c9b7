"""A corpus that is held while a night, an undo or a delivery changes it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from memsleep.gitrepo import find_repository
from memsleep.landing.directory import Settle
from memsleep.landing.landed import settle_branches
from memsleep.landing.lock import locked
from memsleep.landing.place import Place, place_of
from memsleep.landing.recovery import recover
from memsleep.landing.settle import settler
from memsleep.request import RunRequest


@contextmanager
def held(request: RunRequest, what: str) -> Iterator[tuple[Place, Settle, list[str]]]:
    """Hold the corpus, with whatever a killed run left made whole."""
    place = place_of(request.corpus, request.state_dir)
    started = request.clock or request.now
    with locked(place, what=what, started_at=started, break_lock=request.break_lock):
        settle = settler(place, ended_at=started)
        said = recover(place, settle)
        repository = find_repository(request.corpus)
        if repository is not None:
            said += settle_branches(place, repository, now=started)
        yield place, settle, said
