"""Trying again what may pass: bounded, and longer apart each time."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

from memsleep.errors import MemsleepError
from memsleep.sync.protocol import PushRejected, TransientError

Result = TypeVar("Result")
MAX_WAIT_S = 60.0


@dataclass(frozen=True, slots=True)
class Retry:
    """How often and how patiently a call is tried. `sleep` and `jitter` come from above."""

    sleep: Callable[[float], None]
    jitter: Callable[[], float] = lambda: 0.0
    """A number in [0, 1): the share of a wait that is left to chance."""
    attempts: int = 3
    first_wait_s: float = 0.5

    def call(self, work: Callable[[], Result]) -> Result:
        """Return what the work returns; its last error when it never does.

        A refusal is an answer and is not asked again, nor is an error that says that trying does
        not help now (`again`). One that says how long to wait (`retry_after_s`) is given that
        long, at most a minute.
        """
        for attempt in range(1, self.attempts):
            try:
                return work()
            except PushRejected:
                raise
            except Exception as error:  # of a provider: every error is transient
                if not getattr(error, "again", True):
                    raise
                self.sleep(self._wait_s(attempt, error))
        return work()

    def _wait_s(self, attempt: int, error: Exception) -> float:
        asked = getattr(error, "retry_after_s", None)
        backoff: float = self.first_wait_s * 2.0 ** (attempt - 1) * (1 + self.jitter())
        if isinstance(asked, int | float) and asked >= 0:
            backoff = max(backoff, float(asked))
        return min(backoff, MAX_WAIT_S)


def told(error: Exception) -> str:
    """Return an error as one line. Of one that is not ours, only the type and what the system says.

    The message of a foreign error may quote anything: a token, the text of a memory.
    """
    if isinstance(error, MemsleepError | TransientError):
        return " ".join("".join(c if c.isprintable() else " " for c in str(error)).split())
    name = type(error).__name__
    if type(error).__module__ == "builtins" and isinstance(error, OSError) and error.strerror:
        return f"{name}: {error.strerror}"
    return name
