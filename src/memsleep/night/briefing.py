"""The brief at the end of whatever changed the corpus: a night, a merge, an undo."""

from __future__ import annotations

from memsleep.errors import MemsleepError
from memsleep.request import RunRequest


def write_brief(request: RunRequest) -> list[str]:
    """Write the brief where the config says; what stands in the way costs the brief alone."""
    if not request.settings.brief.file:
        return []
    from memsleep.brief.write import write_brief_file  # the index and its parts load late

    try:
        placed = write_brief_file(
            request.corpus, request.settings, request.now, state_dir=request.state_dir
        )
    except MemsleepError as error:
        return [f"the brief was not written: {error.message}"]
    return [f"the brief: {placed} in {request.settings.brief.file}"]
