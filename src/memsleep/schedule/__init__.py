"""Units that run the night on a schedule. They are printed, never installed."""

from __future__ import annotations

from memsleep.schedule.units import KINDS, Job, Kind, unit

__all__ = ["KINDS", "Job", "Kind", "unit"]
