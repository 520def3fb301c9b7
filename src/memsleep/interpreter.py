"""An interpreter of our own beside this one: plain pipes, no pickles, nobody left behind.

It serves what its standard input brings and ends when that ends: by the last request, by an error
here, or because this process was killed. It starts from nothing (no fork of a process with
threads, no second run of somebody's main module).
"""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from queue import SimpleQueue
from typing import IO, Any, TypeVar

T = TypeVar("T")
R = TypeVar("R")


def cores() -> int:
    """Return how many cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


class Interpreter:
    """One process, and the pipes to it; a context manager that ends it."""

    def __init__(self, module: str) -> None:
        """Start an interpreter that calls `serve` of a module."""
        start = "import json, sys; sys.path = json.loads(sys.argv[1]); "
        start += f"from {module} import serve; serve()"
        path = json.dumps([os.path.abspath(place) for place in sys.path if place])  # noqa: PTH100
        # -P: nothing is imported from the folder in which we happen to stand, a corpus perhaps.
        command = [sys.executable, "-P", "-c", start, path]
        self._process = subprocess.Popen(  # noqa: S603 (ourselves)
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
        )

    def __enter__(self) -> Interpreter:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Let it end; it has nothing to lose."""
        self._process.kill()
        with contextlib.suppress(OSError), self._process:  # closes the pipes and waits
            pass

    def send(self, head: object, parts: Sequence[bytes | memoryview]) -> None:
        """Send one request; raises OSError when the other end is gone."""
        assert self._process.stdin is not None
        _send(self._process.stdin, head, parts)

    def receive(self) -> Any:
        """Return the head of an answer; raises OSError, EOFError or ValueError without one."""
        assert self._process.stdout is not None
        return _receive(self._process.stdout)

    def exactly(self, size: int) -> bytes:
        """Return the next bytes of an answer; raises OSError or EOFError where there are fewer."""
        assert self._process.stdout is not None
        return _exactly(self._process.stdout, size)


def shared_answers(
    module: str,
    batches: Sequence[T],
    ask: Callable[[Interpreter, T], R],
    count: int,
) -> Iterator[R | None]:
    """Give what interpreters answer to batches, in order; None where one gave nothing.

    Parameters
    ----------
    module : str
        Whose `serve` the interpreters call.
    ask : callable
        Puts one batch to an interpreter; OSError, EOFError or ValueError say that it is broken,
        which costs it all later batches as well: whoever asked does without.
    count : int
        Interpreters at most.
    """
    count = min(count, len(batches))
    with contextlib.ExitStack() as stack:
        idle: SimpleQueue[Interpreter | None] = SimpleQueue()
        for _ in range(count):
            idle.put(stack.enter_context(Interpreter(module)))

        def answered(batch: T) -> R | None:
            interpreter = idle.get()
            try:
                return ask(interpreter, batch) if interpreter is not None else None
            except (OSError, ValueError, EOFError):
                interpreter = None
                return None
            finally:
                idle.put(interpreter)

        with ThreadPoolExecutor(max(1, count)) as threads:
            # Few batches wait at a time: their bytes are held until they are taken.
            waiting = [threads.submit(answered, batch) for batch in batches[: 2 * count]]
            try:
                for later in range(2 * count, 2 * count + len(batches)):
                    if not waiting:
                        break
                    yield waiting.pop(0).result()
                    if later < len(batches):
                        waiting.append(threads.submit(answered, batches[later]))
            finally:
                for future in waiting:
                    future.cancel()


class Requests:
    """What the one who started this interpreter asks, and the way back."""

    def __init__(self) -> None:
        self._come, self._go = sys.stdin.buffer, sys.stdout.buffer

    def head(self) -> Any:
        """Return the head of the next request; raises EOFError after the last one."""
        return _receive(self._come)

    def exactly(self, size: int) -> bytes:
        """Return the next bytes of the request."""
        return _exactly(self._come, size)

    def answer(self, head: object, parts: Sequence[bytes | memoryview]) -> None:
        """Send an answer."""
        _send(self._go, head, parts)


def served(answer: Callable[[Requests], None]) -> None:
    """Answer requests until there are no more: the life of such an interpreter."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the one who asks is interrupted, and ends us
    requests = Requests()
    with contextlib.suppress(EOFError, BrokenPipeError):
        while True:
            answer(requests)


def _send(stream: IO[bytes], head: object, parts: Sequence[bytes | memoryview]) -> None:
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
