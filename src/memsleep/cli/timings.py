"""How long each step of a night took: for standard error and `timings.json`, never for a report."""

from __future__ import annotations

import json
import time
from typing import Final

from memsleep.request import Progress

FILE_NAME: Final = "timings.json"
SCHEMA_VERSION: Final = 1


class Stopwatch:
    """A progress that passes everything on, and measures the time between start and finish."""

    def __init__(self, inner: Progress) -> None:
        self._inner = inner
        self._begun = time.perf_counter()
        self._step: tuple[str, float] | None = None
        self._seconds: dict[str, float] = {}

    def start(self, phase: str, total: int | None = None) -> None:
        """Begin to measure a step; a step that is begun twice adds up."""
        self._stop()
        self._step = (phase, time.perf_counter())
        self._inner.start(phase, total)

    def advance(self, count: int = 1) -> None:
        """Pass it on."""
        self._inner.advance(count)

    def finish(self) -> None:
        """End the step."""
        self._stop()
        self._inner.finish()

    def _stop(self) -> None:
        if self._step is not None:
            name, begun = self._step
            self._seconds[name] = self._seconds.get(name, 0.0) + time.perf_counter() - begun
            self._step = None

    def lines(self) -> list[str]:
        """Return a line per step, and the whole."""
        whole = time.perf_counter() - self._begun
        steps = [f"{seconds:8.3f} s  {name}" for name, seconds in self._seconds.items()]
        return [*steps, f"{whole:8.3f} s  in all"]

    def to_json(self) -> bytes:
        """Return the seconds of each step as JSON."""
        whole = time.perf_counter() - self._begun
        seconds = {name: round(value, 4) for name, value in self._seconds.items()}
        value = {"schema_version": SCHEMA_VERSION, "seconds": seconds, "whole": round(whole, 4)}
        return json.dumps(value, indent=1).encode() + b"\n"
