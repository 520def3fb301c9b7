"""Work beside: in a thread where one can be had, else at once and here."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from threading import Lock
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
R = TypeVar("R")


def beside(
    threads: ThreadPoolExecutor, function: Callable[P, R], *args: P.args, **named: P.kwargs
) -> Future[R]:
    """Return what a function will have returned; it runs once.

    A system that gives no more threads (a limit on processes counts them) costs time, not the
    night.

    Examples
    --------
    >>> with ThreadPoolExecutor(1) as threads:
    ...     beside(threads, sum, [1, 2]).result()
    3
    """
    future: Future[R] = Future()
    once = Lock()

    def run() -> None:
        # The pool keeps what it found no thread for, and may find one for the next.
        if not once.acquire(blocking=False) or not future.set_running_or_notify_cancel():
            return
        try:
            future.set_result(function(*args, **named))
        except BaseException as error:
            future.set_exception(error)
            if not isinstance(error, Exception):
                raise

    try:
        threads.submit(run)
    except RuntimeError:
        run()
    return future
