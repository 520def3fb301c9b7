"""An interpreter of our own beside this one: plain pipes, no pickles, nobody left behind.

It serves what its standard input brings and ends when that ends: by the last request, by an error
here, or because this process was killed. It starts from nothing (no fork of a process with
threads, no second run of somebody's main module). Whoever asks does without where none can be
had, and where it breaks, hangs or is of another version.
"""

from __future__ import annotations

import contextlib
import importlib
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from queue import SimpleQueue
from threading import Event, Lock, Thread
from typing import IO, Any, Final, Generic, TypeVar

import memsleep
from memsleep.beside import beside
from memsleep.machine import memory_left
from memsleep.own_code import package_version

T = TypeVar("T")
R = TypeVar("R")
BROKEN: Final = (
    OSError, EOFError, ValueError, LookupError, TypeError,
    OverflowError, MemoryError, RecursionError,
)  # fmt: skip
"""What talking with an interpreter raises that is gone, or says something else than was asked."""
MOST: Final = 8
"""Interpreters at once: each takes its memory, however many cores there are."""
EACH: Final = 192 << 20
"""Bytes that must be left for one that parses: twice what it takes, for this process grows too."""
PATIENCE: Final = 300.0
"""Seconds after which one that owes an answer is ended: a stopped one never gives any."""
_MARK: Final = b"\xffmemsleep:"
"""Before each message: no text that somebody prints begins so."""


def can_be_started() -> bool:
    """Return True where the running program is an interpreter, as far as it says."""
    return bool(sys.executable) and not getattr(sys, "frozen", False)


class Interpreter:
    """One process, and the pipes to it; a context manager that ends it."""

    def __init__(self, module: str) -> None:
        """Start an interpreter that answers with `answer` of a module; raises OSError."""
        if not can_be_started():
            raise FileNotFoundError("this program is no interpreter")
        start = "import json, sys; sys.path[:] = json.loads(sys.argv[1]); "
        start += f"from memsleep.interpreter import live; live({module!r})"
        # -S: no file of the site is run, which might print, wait, or ask for what is not there.
        # -P: nothing is imported from the folder in which we happen to stand, a corpus perhaps.
        command = [sys.executable, "-S", "-P", "-c", start, json.dumps(_places())]
        self._process = subprocess.Popen(  # noqa: S603 (ourselves)
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
        )
        self._known = False
        self._due: float | None = None
        self._over = Event()
        # Begun while there is memory: one that finds none when it begins is waited for in vain.
        self._watch = Thread(target=self._watch_over, daemon=True)
        with contextlib.suppress(RuntimeError):  # no thread to be had
            self._watch.start()

    def __enter__(self) -> Interpreter:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Let it end; it has nothing to lose."""
        self._over.set()
        self._process.kill()
        with contextlib.suppress(OSError), self._process:  # closes the pipes and waits
            pass
        if self._watch.is_alive():
            self._watch.join()

    @contextlib.contextmanager
    def patience(self) -> Iterator[None]:
        """End it when what is asked within takes too long: to the one who asks it is broken."""
        self._due = time.monotonic() + PATIENCE
        try:
            yield
        finally:
            self._due = None

    def _watch_over(self) -> None:
        while not self._over.wait(min(1.0, PATIENCE / 4)):
            due = self._due
            if due is not None and time.monotonic() > due:
                self._process.kill()

    def send(self, head: object, parts: Sequence[bytes | memoryview]) -> None:
        """Send one request; raises one of `BROKEN` when the other end is gone."""
        assert self._process.stdin is not None
        _send(self._process.stdin, head, parts)

    def receive(self) -> Any:
        """Return the head of an answer; raises one of `BROKEN` without one.

        The first thing it says is which code it runs: this package may have been replaced since
        this process began, and another one may lie where it was looked for.
        """
        assert self._process.stdout is not None
        if not self._known:
            if _receive(self._process.stdout) != package_version():
                raise ValueError("expected the same code")
            self._known = True
        return _receive(self._process.stdout)

    def exactly(self, size: int) -> bytes:
        """Return the next bytes of an answer; raises one of `BROKEN` where there are fewer."""
        assert self._process.stdout is not None
        return _exactly(self._process.stdout, size)


def _places() -> list[str]:
    """Return where this process finds its modules, and this package last of all."""
    here = str(Path(memsleep.__file__).parents[1])
    return [os.path.abspath(os.fsdecode(place)) for place in (*sys.path, here) if place]  # noqa: PTH100


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
        With whose `answer` the interpreters answer.
    ask : callable
        Puts one batch to an interpreter; one of `BROKEN` says that it is broken and asked no more:
        whoever wanted the batch does without.
    count : int
        Interpreters at most; never more than `MOST`, or than there is memory for.
    """
    left = memory_left()
    count = min(count, MOST, len(batches), MOST if left is None else left // EACH)
    with contextlib.ExitStack() as stack:
        threads = stack.enter_context(ThreadPoolExecutor(max(1, count)))
        # Interpreters are ended before the threads, which may be waiting for one that hangs.
        crew = [stack.enter_context(interpreter) for interpreter in _started(module, count)]
        answered, ahead = _Crew(crew, ask).answered, 2 * len(crew)
        # Few batches wait at a time: their bytes are held until they are taken.
        waiting = [beside(threads, answered, batch) for batch in batches[:ahead]]
        try:
            for later in range(ahead, ahead + len(batches)):
                yield waiting.pop(0).result() if waiting else None
                if crew and later < len(batches):
                    waiting.append(beside(threads, answered, batches[later]))
        finally:
            for future in waiting:
                future.cancel()


def _started(module: str, count: int) -> Iterator[Interpreter]:
    """Start as many interpreters as can be had."""
    for _ in range(count):
        try:
            yield Interpreter(module)
        except OSError:
            return


class _Crew(Generic[T, R]):
    """Interpreters that are asked in turns; one that breaks is asked no more."""

    def __init__(
        self, interpreters: Sequence[Interpreter], ask: Callable[[Interpreter, T], R]
    ) -> None:
        self._ask = ask
        self._idle: SimpleQueue[Interpreter | None] = SimpleQueue()
        for interpreter in interpreters:
            self._idle.put(interpreter)
        self._whole = len(interpreters)
        self._lock = Lock()

    def answered(self, batch: T) -> R | None:
        """Return the answer to a batch, None where its interpreter broke or none is left."""
        interpreter = self._idle.get()
        if interpreter is None:
            self._idle.put(None)  # others wait as well
            return None
        whole = False
        try:
            with interpreter.patience():
                answer = self._ask(interpreter, batch)
            whole = True
        except BROKEN:
            return None
        finally:
            self._give_back(interpreter if whole else None)
        return answer

    def _give_back(self, interpreter: Interpreter | None) -> None:
        if interpreter is not None:
            self._idle.put(interpreter)
            return
        with self._lock:
            self._whole -= 1
            if self._whole == 0:
                self._idle.put(None)


class Requests:
    """What the one who started this interpreter asks, and the way back."""

    def __init__(self, come: IO[bytes], go: IO[bytes]) -> None:
        self._come, self._go = come, go

    def head(self) -> Any:
        """Return the head of the next request; raises EOFError after the last one."""
        return _receive(self._come)

    def exactly(self, size: int) -> bytes:
        """Return the next bytes of the request."""
        return _exactly(self._come, size)

    def answer(self, head: object, parts: Sequence[bytes | memoryview]) -> None:
        """Send an answer."""
        _send(self._go, head, parts)


def live(module: str) -> None:
    """Answer with a module until there are no more requests: the life of such an interpreter."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the one who asks is interrupted, and ends us
    go = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what a library prints goes nowhere
    requests = Requests(sys.stdin.buffer, go)
    answer = importlib.import_module(module).answer
    with contextlib.suppress(EOFError, BrokenPipeError):
        _send(go, package_version(), [])
        while True:
            answer(requests)


def _send(stream: IO[bytes], head: object, parts: Sequence[bytes | memoryview]) -> None:
    told = json.dumps(head).encode("ascii")
    stream.write(_MARK + len(told).to_bytes(8, "big") + told)
    stream.writelines(parts)
    stream.flush()


def _receive(stream: IO[bytes]) -> Any:
    start = _exactly(stream, len(_MARK) + 8)
    if not start.startswith(_MARK):
        raise ValueError("expected a message")
    return json.loads(_exactly(stream, int.from_bytes(start[len(_MARK) :], "big")))


def _exactly(stream: IO[bytes], size: int) -> bytes:
    if size < 0:
        raise ValueError("expected a size")
    data = stream.read(size)
    if len(data) != size:
        raise EOFError("the other end is gone")
    return data
