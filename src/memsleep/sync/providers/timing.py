"""Clocks, sleep and chance: given from above, so that below there are none."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, slots=True)
class Timing:
    """Clocks, sleep and chance, given from the command line; tests give their own."""

    monotonic: Callable[[], float]
    sleep: Callable[[float], None]
    jitter: Callable[[], float]
    """From 0 to 1; spreads the waits between two tries."""
    utc_now: Callable[[], datetime]
