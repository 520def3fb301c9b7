"""Parsing in other processes."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from queue import SimpleQueue
from typing import Final

from memsleep.dialects.base import Options
from memsleep.dialects.registry import dialects_with
from memsleep.interpreter import Interpreter, Requests, cores, served

ENOUGH: Final = 3000
"""Files from which on starting two interpreters (0.4 s each) costs less than it saves."""
BATCH_FILES: Final = 256
MOST_WORKERS: Final = 8

Plain = tuple[str, str, bytes]
"""Dialect, path, source."""


def workers_for(count: int) -> int:
    """Return how many processes so many files are worth; below 2 none is started."""
    if count < ENOUGH or not sys.executable:
        return 0
    return min(MOST_WORKERS, cores(), count // (ENOUGH // 2))


def shared_parses(tasks: Sequence[Plain], options: Options, workers: int) -> Iterator[bytes | None]:
    """Give each file's parse, encoded, in order; None where a worker gave none.

    A worker that breaks costs its batches: whoever asked parses them.
    """
    batches = [tasks[at : at + BATCH_FILES] for at in range(0, len(tasks), BATCH_FILES)]
    with contextlib.ExitStack() as stack:
        idle: SimpleQueue[_Worker] = SimpleQueue()
        for _ in range(min(workers, len(batches))):
            idle.put(stack.enter_context(_Worker(options)))

        def parse(batch: Sequence[Plain]) -> list[bytes | None]:
            worker = idle.get()
            try:
                return worker.parse(batch)
            finally:
                idle.put(worker)

        with ThreadPoolExecutor(min(workers, len(batches))) as threads:
            # Few batches wait at a time: their bytes are held until they are taken.
            waiting = [threads.submit(parse, batch) for batch in batches[: 2 * workers]]
            try:
                for later in [*batches[2 * workers :], *[None] * len(waiting)]:
                    yield from waiting.pop(0).result()
                    if later is not None:
                        waiting.append(threads.submit(parse, later))
            finally:
                for future in waiting:
                    future.cancel()


class _Worker:
    """One interpreter that parses."""

    def __init__(self, options: Options) -> None:
        self._interpreter = Interpreter(__name__)
        self._is_broken = False
        self._options = options

    def __enter__(self) -> _Worker:
        return self

    def __exit__(self, *_: object) -> None:
        self._interpreter.close()

    def parse(self, batch: Sequence[Plain]) -> list[bytes | None]:
        """Return the encoded parses of a batch, None for all once the worker is broken."""
        if not self._is_broken:
            try:
                return self._ask(batch)
            except (OSError, ValueError, EOFError):
                self._is_broken = True
        return [None] * len(batch)

    def _ask(self, batch: Sequence[Plain]) -> list[bytes | None]:
        head = {
            "day_first": self._options.day_first,
            "files": [[dialect, path, len(source)] for dialect, path, source in batch],
        }
        self._interpreter.send(head, [source for _, _, source in batch])
        sizes = self._interpreter.receive()
        if not isinstance(sizes, list) or len(sizes) != len(batch):
            raise ValueError("expected one size for each file")
        return [self._interpreter.exactly(size) for size in sizes]


def serve() -> None:
    """Parse what comes until it ends: the life of a worker."""
    served(_answer)


def _answer(requests: Requests) -> None:
    from memsleep.corpus.codec import encode

    head = requests.head()
    dialects = dialects_with(Options(day_first=head["day_first"]))
    sources = [requests.exactly(size) for _, _, size in head["files"]]
    parses = [
        encode(dialects[dialect].read(path, source))
        for (dialect, path, _), source in zip(head["files"], sources, strict=True)
    ]
    requests.answer([len(parse) for parse in parses], parses)
