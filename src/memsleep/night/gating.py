"""The gate around a night: with which vectors it asks, and what a refusal says."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path

from memsleep.embedders.base import StoredVectors
from memsleep.embedders.choose import embedder_named
from memsleep.gate import GateResult, Gauge, measure, side_of
from memsleep.gate.told import Decisions, refusal
from memsleep.model import Snapshot
from memsleep.night.gate_ahead import GateStart
from memsleep.plan import Plan
from memsleep.settings import Settings

NEAR_WITHOUT_FLOOR = 0.92


def gauge_of(settings: Settings) -> Gauge:
    """Return what the gate measures with; vectors that lie in a file know no questions."""
    section, guards = settings.embedder, tuple(settings.dedup.guards)
    if section.name in ("file", "none"):
        told = "no embedder" if section.name == "none" else "the vectors come from a file"
        return Gauge(None, guards, NEAR_WITHOUT_FLOOR, told)
    embedder = embedder_named(section.name, path=Path(section.path) if section.path else None)
    assert not isinstance(embedder, StoredVectors)
    floors = embedder.floors
    return Gauge(embedder.embed, guards, floors.duplicate if floors else NEAR_WITHOUT_FLOOR)


class NightGate:
    """Measures what a night makes of the corpus, and refuses what makes it worse."""

    def __init__(
        self,
        settings: Settings,
        plan: Plan | None = None,
        *,
        hint: str = "",
        start: GateStart | None = None,
    ) -> None:
        self._settings, self._plan, self._hint = settings, plan, hint
        self._start = start or GateStart(settings)
        self.result: GateResult | None = None
        """What was measured last."""

    def look(self, before: Snapshot, after: Snapshot) -> GateResult:
        """Measure, and refuse nothing."""
        sides = side_of(before), side_of(after)
        with self._start.taken() as ahead:
            self.result = measure(*sides, gauge_of(self._settings), ahead)
        return self.result

    def __call__(self, before: Snapshot, after: Snapshot) -> None:
        """Measure before a landing.

        Raises
        ------
        GateRefusedError
            `gate-refused`, where the settings enforce the gate.
        """
        result = self.look(before, after)
        if not result.passed and self._settings.gate.enforce:
            found = decisions_about(self._plan)
            raise refusal(result, "the night", found, self._hint)


def decisions_about(plan: Plan | None) -> Decisions:
    """Return path -> ids of the decisions of a plan that are about it."""
    found: dict[str, list[str]] = defaultdict(list)
    for decision in plan.decisions if plan else ():
        for path in _about(decision.kind, decision.paths):
            found[path].append(decision.id)
    return found


def _about(kind: str, paths: tuple[str, ...]) -> Iterable[str]:
    return paths if kind == "merge" else paths[:1]
