"""The loop over the phases: propose, fold, next. Effects are not its business."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Literal

from memsleep.errors import MemsleepError
from memsleep.fold import Applied, Folded, fold
from memsleep.model import Snapshot
from memsleep.night.answers import spared, unanswered
from memsleep.phases import PHASES, Phase
from memsleep.proposals import Merge, Proposal, Refusal, Review
from memsleep.request import SILENCE, Progress
from memsleep.settings import Settings

PhaseStatus = Literal["ok", "failed", "skipped"]


@dataclass(frozen=True, slots=True)
class PhaseResult:
    """What became of one phase."""

    name: str
    status: PhaseStatus
    """`ok`, `failed` or `skipped`."""
    proposed: int = 0
    applied: tuple[Applied, ...] = ()
    refused: tuple[Refusal, ...] = ()
    detail: str = ""


@dataclass(frozen=True, slots=True)
class NightResult:
    """The snapshots before and after, and every phase in order."""

    start: Snapshot
    end: Snapshot
    phases: tuple[PhaseResult, ...]

    @property
    def applied(self) -> tuple[Applied, ...]:
        """All that took effect, in order."""
        return tuple(item for phase in self.phases for item in phase.applied)

    @property
    def refused(self) -> tuple[Refusal, ...]:
        """All that the fold refused, in order."""
        return tuple(item for phase in self.phases for item in phase.refused)

    @property
    def decisions(self) -> tuple[Applied, ...]:
        """What changes files, in order."""
        return tuple(item for item in self.applied if item.changes)

    def found(self, kind: type[Proposal]) -> list[Proposal]:
        """Return the applied proposals of one kind, in order."""
        return [item.proposal for item in self.applied if isinstance(item.proposal, kind)]

    @property
    def moves(self) -> Mapping[str, str]:
        """Old path -> new path of every file that moved."""
        moved = (c for item in self.applied for c in item.changes if c.to is not None)
        return {change.path: change.to for change in moved if change.to is not None}


def run_phases(start: Snapshot, settings: Settings, *, progress: Progress = SILENCE) -> NightResult:
    """Run the phases of the settings in their order.

    A phase that fails has no effect; the later ones go on unless they require it.
    """
    current = start
    results: list[PhaseResult] = []
    lost: dict[str, str] = {}
    for name in settings.run.phases:
        phase = PHASES[name]
        blocker = next((need for need in phase.requires if need in lost), None)
        if blocker is not None:
            lost[name] = blocker
            results.append(
                PhaseResult(name, "skipped", detail=f"it requires {blocker}, which failed")
            )
            continue
        progress.start(name)
        result, current = _run(phase, start, current, settings)
        progress.finish()
        if result.status == "failed":
            lost[name] = name
        results.append(result)
    return NightResult(start, current, tuple(results))


def _run(
    phase: Phase, start: Snapshot, current: Snapshot, settings: Settings
) -> tuple[PhaseResult, Snapshot]:
    view = current if settings.run.view == "folded" else _from_start(start, current)
    try:
        proposals, answered = unanswered(phase.propose(spared(view), settings), view.rejected)
        folded = _with_questions(fold(current, proposals, settings))
    except Exception as error:
        return PhaseResult(phase.name, "failed", detail=_told(error)), current
    return _result(phase.name, proposals, folded, answered), folded.snapshot


def _with_questions(folded: Folded) -> Folded:
    """Let a person look at merges whose details the keeper cannot be told whole."""
    refused: list[Refusal] = []
    asked: list[Applied] = []
    for refusal in folded.refused:
        merge = refusal.proposal
        if refusal.cause != "details" or not isinstance(merge, Merge):
            refused.append(refusal)
            continue
        review = Review(
            phase=merge.phase, reason=refusal.reason,
            evidence={**merge.evidence, "cause": "details"},
            keeper=merge.keeper, dropped=merge.dropped, question="duplicate",
        )  # fmt: skip
        asked.append(Applied(review))
    return replace(folded, applied=(*folded.applied, *asked), refused=tuple(refused))


def _from_start(start: Snapshot, current: Snapshot) -> Snapshot:
    """Return the night's start together with what phases have found out since."""
    return replace(
        start,
        candidates=current.candidates,
        mined=current.mined,
        columns=current.columns,
        verdicts=current.verdicts,
    )


def _result(
    name: str, proposals: list[Proposal], folded: Folded, answered: list[Refusal]
) -> PhaseResult:
    proposed, refused = len(proposals) + len(answered), (*folded.refused, *answered)
    return PhaseResult(name, "ok", proposed, folded.applied, refused)


def _told(error: Exception) -> str:
    """Return what failed and where in our code, without any text that the error carries."""
    if isinstance(error, MemsleepError):
        return f"{error.reference}: {error.message}"
    if isinstance(error, MemoryError):
        return "out-of-memory: there was not enough for it; give it more, and run it again"
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    where = ""
    if trace is not None:
        module = trace.tb_frame.f_globals.get("__name__", "?")
        where = f" in {module}, line {trace.tb_lineno}"
    return f"{type(error).__name__}{where}"
