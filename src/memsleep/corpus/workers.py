"""Parsing in other processes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Final

from memsleep.dialects.base import Options
from memsleep.dialects.registry import dialects_with
from memsleep.interpreter import (
    MOST,
    Interpreter,
    Requests,
    can_be_started,
    shared_answers,
)
from memsleep.machine import cores

ENOUGH: Final = 3000
"""Files from which on starting two interpreters (0.4 s each) costs less than it saves."""
BATCH_FILES: Final = 256

Plain = tuple[str, str, bytes]
"""Dialect, path, source."""


def workers_for(count: int) -> int:
    """Return how many processes so many files are worth; below 2 none is started."""
    if count < ENOUGH or not can_be_started():
        return 0
    return min(MOST, cores(), count // (ENOUGH // 2))


def shared_parses(tasks: Sequence[Plain], options: Options, workers: int) -> Iterator[bytes | None]:
    """Give each file's parse, encoded, in order; None where a worker gave none.

    A worker that breaks costs its batches: whoever asked parses them.
    """
    batches = [tasks[at : at + BATCH_FILES] for at in range(0, len(tasks), BATCH_FILES)]
    found = shared_answers(__name__, batches, partial(_parses, options), workers)
    for batch, parses in zip(batches, found, strict=True):
        yield from parses if parses is not None else [None] * len(batch)


def _parses(
    options: Options, interpreter: Interpreter, batch: Sequence[Plain]
) -> list[bytes | None]:
    head = {
        "day_first": options.day_first,
        "files": [[dialect, path, len(source)] for dialect, path, source in batch],
    }
    interpreter.send(head, [source for _, _, source in batch])
    sizes = interpreter.receive()
    if not isinstance(sizes, list) or len(sizes) != len(batch):
        raise ValueError("expected one size for each file")
    return [interpreter.exactly(size) for size in sizes]


def answer(requests: Requests) -> None:
    """Parse the files of one request."""
    from memsleep.corpus.codec import encode

    head = requests.head()
    dialects = dialects_with(Options(day_first=head["day_first"]))
    sources = [requests.exactly(size) for _, _, size in head["files"]]
    parses = [
        encode(dialects[dialect].read(path, source))
        for (dialect, path, _), source in zip(head["files"], sources, strict=True)
    ]
    requests.answer([len(parse) for parse in parses], parses)
