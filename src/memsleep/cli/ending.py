"""What ends a command from outside is unwound as Ctrl-C is: nothing of it stays behind.

A scheduler, a shutdown and a closed terminal end a night with a signal that would leave its copies
of the state and the cache, which hold what memories say, in the folder for temporary files.
"""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

_NAMES = ("SIGTERM", "SIGHUP")


@contextmanager
def unwound() -> Iterator[None]:
    """Raise KeyboardInterrupt for such a signal within, and end by it afterwards.

    A second one ends at once; one that is ignored (`nohup`) or handled stays so.
    """
    came: list[int] = []

    def unwind(number: int, _frame: FrameType | None) -> None:
        came.append(number)
        take_defaults(taken)
        raise KeyboardInterrupt

    taken = [getattr(signal, name) for name in _NAMES if hasattr(signal, name)]
    taken = [number for number in taken if signal.getsignal(number) == signal.SIG_DFL]
    if threading.current_thread() is not threading.main_thread():
        taken = []  # only the first thread may say what becomes of signals
    for number in taken:
        signal.signal(number, unwind)
    try:
        yield
    finally:
        take_defaults(taken)
        if came:
            os.kill(os.getpid(), came[0])


def take_defaults(numbers: list[int] | None = None) -> None:
    """Let signals end this process at once again: for whoever waits where nothing can be raised."""
    for number in [getattr(signal, n, 0) for n in _NAMES] if numbers is None else numbers:
        if number and callable(signal.getsignal(number)):
            signal.signal(number, signal.SIG_DFL)
