"""How long each step of a night took: for standard error and `timings.json`, never for a report."""

from __future__ import annotations

import json
import time
from typing import TYPE_CHECKING, Final

from memsleep.request import Progress

if TYPE_CHECKING:
    from memsleep.core.work import Work

FILE_NAME: Final = "timings.json"
SCHEMA_VERSION: Final = 1


class Stopwatch:
    """A progress that passes everything on, and measures the time between start and finish."""

    def __init__(self, inner: Progress) -> None:
        self._inner = inner
        self._begun = time.perf_counter()
        self._step: tuple[str, float] | None = None
        self._seconds: dict[str, float] = {}
        self.work: Work | None = None
        """What the pairing did, where it was counted."""

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
        return [*steps, f"{whole:8.3f} s  in all", *self._pairing()]

    def _pairing(self) -> list[str]:
        """Return a line on the pairs that were compared."""
        work = self.work
        if work is None or not work.pairs:
            return []
        full = 100 * min(1.0, work.multiplied / work.pairs)
        way = f"short products of {work.sketch_width}" if work.sketch_width else "full products"
        exact = f"{work.rescored} computed exactly"
        return [f"pairing: {work.pairs} pairs by {way}, {full:.0f} % multiplied in full, {exact}"]

    def to_json(self) -> bytes:
        """Return the seconds of each step as JSON."""
        whole = time.perf_counter() - self._begun
        seconds = {name: round(value, 4) for name, value in self._seconds.items()}
        value = {"schema_version": SCHEMA_VERSION, "seconds": seconds, "whole": round(whole, 4)}
        if self.work is not None:
            value["pairing"] = self.work.to_json()
        return json.dumps(value, indent=1).encode() + b"\n"
