"""Parsing in other processes: plain pipes, no pickles, nobody left behind.

A worker is an interpreter of its own that reads batches from its standard input and ends when
that ends: by the last batch, by an error here, or because this process was killed. It starts from
nothing (no fork of a process with threads, no second run of somebody's main module).
"""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from queue import SimpleQueue
from typing import IO, Any, Final

from memsleep.dialects.base import Options
from memsleep.dialects.registry import dialects_with

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
    return min(MOST_WORKERS, _cores(), count // (ENOUGH // 2))


def _cores() -> int:
    """Return how many cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


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
    """One process, and the pipes to it."""

    def __init__(self, options: Options) -> None:
        start = "import json, sys; sys.path = json.loads(sys.argv[1]); "
        start += "from memsleep.corpus.workers import serve; serve()"
        path = json.dumps([os.path.abspath(place) for place in sys.path if place])  # noqa: PTH100
        # -P: nothing is imported from the folder in which we happen to stand, a corpus perhaps.
        command = [sys.executable, "-P", "-c", start, path]
        self._process = subprocess.Popen(  # noqa: S603 (ourselves)
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
        )
        self._is_broken = False
        self._options = options

    def __enter__(self) -> _Worker:
        return self

    def __exit__(self, *_: object) -> None:
        """Let it end; it has nothing to lose."""
        self._process.kill()
        with contextlib.suppress(OSError), self._process:  # closes the pipes and waits
            pass

    def parse(self, batch: Sequence[Plain]) -> list[bytes | None]:
        """Return the encoded parses of a batch, None for all once the worker is broken."""
        if not self._is_broken:
            try:
                return self._ask(batch)
            except (OSError, ValueError, EOFError):
                self._is_broken = True
        return [None] * len(batch)

    def _ask(self, batch: Sequence[Plain]) -> list[bytes | None]:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        head = {
            "day_first": self._options.day_first,
            "files": [[dialect, path, len(source)] for dialect, path, source in batch],
        }
        _send(self._process.stdin, head, [source for _, _, source in batch])
        sizes = _receive(self._process.stdout)
        if not isinstance(sizes, list) or len(sizes) != len(batch):
            raise ValueError("expected one size for each file")
        return [_exactly(self._process.stdout, size) for size in sizes]


def serve() -> None:
    """Parse what standard input brings until it ends: the life of a worker."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the one who asks is interrupted, and ends us
    from memsleep.corpus.codec import encode

    come, go = sys.stdin.buffer, sys.stdout.buffer
    with contextlib.suppress(EOFError, BrokenPipeError):
        while True:
            head = _receive(come)
            dialects = dialects_with(Options(day_first=head["day_first"]))
            sources = [_exactly(come, size) for _, _, size in head["files"]]
            parses = [
                encode(dialects[dialect].read(path, source))
                for (dialect, path, _), source in zip(head["files"], sources, strict=True)
            ]
            _send(go, [len(parse) for parse in parses], parses)


def _send(stream: IO[bytes], head: object, parts: Sequence[bytes]) -> None:
    told = json.dumps(head).encode("ascii")
    stream.write(len(told).to_bytes(4, "big") + told)
    stream.writelines(parts)
    stream.flush()


def _receive(stream: IO[bytes]) -> Any:
    size = int.from_bytes(_exactly(stream, 4), "big")
    return json.loads(_exactly(stream, size))


def _exactly(stream: IO[bytes], size: int) -> bytes:
    data = stream.read(size)
    if len(data) != size:
        raise EOFError("the other end is gone")
    return data
