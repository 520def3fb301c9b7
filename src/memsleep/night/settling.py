"""What a person said of a doubtful pair, as decisions of a plan that lands like any other."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from memsleep.fold import fold
from memsleep.night.applying import apply_plan
from memsleep.night.mode import mode_of
from memsleep.night.pipeline import NightResult, PhaseResult
from memsleep.night.planning import plan_of
from memsleep.night.prepare import prepare
from memsleep.phases.contradictions import RELATION
from memsleep.plan import to_json
from memsleep.proposals import AddLink, Merge, Proposal
from memsleep.request import Outcome, RunRequest
from memsleep.scratch import scratch_folder

PHASE = "review"


def keep(kept: str, other: str) -> Proposal:
    """Return the decision that one memory stands and the other is out of date."""
    return Merge(
        phase=PHASE,
        reason="a person keeps this one",
        keeper=kept,
        dropped=other,
        similarity=0.0,
        take_over=False,
        superseded=True,
    )


def link(path: str, target: str) -> Proposal:
    """Return the decision that a file says what it contradicts."""
    reason = "a person says that they contradict each other"
    return AddLink(phase=PHASE, reason=reason, path=path, target=target, relation=RELATION)


def settle(request: RunRequest, proposals: Sequence[Proposal]) -> Outcome:
    """Land what a person decided: on a branch where git tracks the folder, else in place."""
    with scratch_folder(request.corpus) as scratch:
        plan = _plan(request, proposals, scratch)
    return apply_plan(request, plan, "the answers", (), ())


def _plan(request: RunRequest, proposals: Sequence[Proposal], scratch: Path) -> bytes:
    _, source = mode_of(request.corpus, request.settings)
    prepared = prepare(request, scratch, source=source)
    folded = fold(prepared.snapshot, proposals, request.settings)
    phase = PhaseResult(PHASE, "ok", len(proposals), folded.applied, folded.refused)
    result = NightResult(prepared.snapshot, folded.snapshot, (phase,))
    return to_json(plan_of(prepared, result, request.settings))
