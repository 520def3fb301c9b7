"""What a live night leaves in the cache for the next one."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from pathlib import Path

from memsleep.corpus.parse import Task, parse_all
from memsleep.corpus.source import Source
from memsleep.dialects.base import Options
from memsleep.model import digest_bytes
from memsleep.night.cache import night_cache
from memsleep.night.pipeline import NightResult
from memsleep.request import RunRequest


def keep_parses(request: RunRequest, source: Source, scratch: Path, result: NightResult) -> None:
    """Keep what the files that the night changed are read as: the next night reads those.

    They are parsed once more, on all cores where it pays; keys are contents, so that whatever of
    the night does not land does no harm.
    """
    options = Options(day_first=request.settings.corpus.day_first_order)
    with night_cache(request, source, scratch, [], live=True) as opening:
        cache = opening.cache
        if cache is not None:
            cache.tidies = False  # it has not seen which rows the night used
            deque(parse_all([*_changed(result)], options, store=cache), maxlen=0)


def _changed(result: NightResult) -> Iterator[Task]:
    start, end = result.start, result.end
    for path, memory in end.memories.items():
        if memory.container:
            continue  # its file is parsed as a whole
        before = start.memories.get(path)
        if before is None or before.digest != memory.digest:
            content = end.files[path]
            yield Task(memory.dialect, path, content, digest_bytes(content))
