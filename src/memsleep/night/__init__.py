"""One night from a request to its outcome."""

from __future__ import annotations

from pathlib import Path

from memsleep.night.outputs import outcome_of
from memsleep.night.pipeline import NightResult, run_phases
from memsleep.night.prepare import Prepared, prepare
from memsleep.request import Outcome, RunRequest
from memsleep.scratch import scratch_folder

__all__ = ["NightResult", "Prepared", "dry_run", "propose_night"]


def propose_night(request: RunRequest, scratch: Path) -> tuple[Prepared, NightResult]:
    """Load the corpus and run every phase; nothing is written but below `scratch`.

    Parameters
    ----------
    scratch : Path
        A folder outside the corpus for copies of the state, the cache and vector files.
    """
    prepared = prepare(request, scratch)
    result = run_phases(prepared.snapshot, request.settings, progress=request.progress)
    return prepared, result


def dry_run(request: RunRequest) -> Outcome:
    """Propose a night and return all that it would change, as text and artifacts."""
    with scratch_folder(request.corpus) as scratch:
        prepared, result = propose_night(request, scratch)
        request.progress.start("writing the report")
        outcome = outcome_of(request, prepared, result)
        request.progress.finish()
        return outcome
