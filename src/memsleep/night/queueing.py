"""Queueing what landed for the service that a corpus mirrors. What goes wrong costs no night."""

from __future__ import annotations

from memsleep.counted import counted
from memsleep.errors import MemsleepError
from memsleep.gitrepo import find_repository
from memsleep.landing.place import Place
from memsleep.request import RunRequest

SYNC_IT = "to be delivered: memsleep sync"


def queue_landed(request: RunRequest, place: Place) -> list[str]:
    """Queue what has landed or was taken back; return what to tell. The lock is held."""
    from memsleep.sync.join import Join  # most corpora mirror nothing

    try:
        repository = find_repository(request.corpus)
        joined = Join(place, request.settings, repository, request.now).run()
    except (MemsleepError, OSError) as error:
        told = error.message if isinstance(error, MemsleepError) else error.strerror
        return [f"the changes could not be queued, memsleep sync tries again: {told}"]
    if not joined.queued:
        return list(joined.messages)
    return [*joined.messages, f"{counted(joined.queued, 'change waits', 'changes wait')} {SYNC_IT}"]
