"""One night from a request to its outcome."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from memsleep.core.work import Work, counted
from memsleep.corpus.choose import choose_source
from memsleep.corpus.source import Source
from memsleep.night.cache import keep_known
from memsleep.night.facts_ahead import make_facts
from memsleep.night.gate_ahead import GateStart
from memsleep.night.outputs import outcome_of
from memsleep.night.pipeline import NightResult, run_phases
from memsleep.night.prepare import Prepared, prepare
from memsleep.request import Outcome, RunRequest
from memsleep.scratch import scratch_folder

__all__ = ["NightResult", "Prepared", "dry_run", "propose_night"]


def propose_night(
    request: RunRequest,
    scratch: Path,
    *,
    source: Source | None = None,
    live: bool = False,
    gate: GateStart | None = None,
) -> tuple[Prepared, NightResult]:
    """Load the corpus and run every phase; no file of the corpus is written.

    Parameters
    ----------
    scratch : Path
        A folder outside the corpus for copies of the state, the cache and vector files.
    source : Source or None
        Where the files are read from; None: HEAD's tree where git tracks them, else the folder.
    live : bool
        Write what is observed to the state and the cache. Else nothing is written but `scratch`.
    gate : GateStart or None
        Begins on what the gate needs, if a gate will follow.
    """
    source = choose_source(request.corpus) if source is None else source
    prepared = prepare(request, scratch, source=source, live=live)
    if gate is not None:
        gate.begin(prepared.snapshot)
    request.progress.start("pairing")
    make_facts(prepared.snapshot, request.settings)
    with _uncollected():
        result = run_phases(prepared.snapshot, request.settings, progress=request.progress)
    counted(Work(results=prepared.snapshot.known.counts()))
    if live and not prepared.cache_failed:
        more, failed = keep_known(request, source, scratch, prepared.snapshot.known)
        said = tuple(dict.fromkeys((*prepared.remarks, *more)))
        prepared = replace(prepared, remarks=said, cache_failed=failed)
    return prepared, result


@contextmanager
def _uncollected() -> Iterator[None]:
    """Keep the garbage collector from walking over all memories again whenever something is made.

    What a night has read stays until its end; cycles made within are found as ever.
    """
    gc.freeze()
    try:
        yield
    finally:
        gc.unfreeze()


def dry_run(request: RunRequest) -> Outcome:
    """Propose a night and return all that it would change, as text and artifacts."""
    with scratch_folder(request.corpus) as scratch, GateStart(request.settings) as gate:
        prepared, result = propose_night(request, scratch, gate=gate)
        return outcome_of(request, prepared, result, gate)
