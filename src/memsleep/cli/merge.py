"""`memsleep merge`: bring a run's branch into HEAD."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from memsleep.cli import options as opt
from memsleep.cli.landing import landing_request, told

DespiteGate = Annotated[
    bool,
    typer.Option("--despite-gate", help="Merge although the gate refuses; it is said out loud."),
]
Force = Annotated[bool, typer.Option("--force", help="Merge an older run than the newest.")]


def merge(
    run: opt.RunArgument = None,
    force: Force = False,
    despite_gate: DespiteGate = False,
    corpus: opt.CorpusOption = Path(),
    config: opt.Config = None,
    now: opt.Now = None,
    state_dir: opt.StateDir = None,
    break_lock: opt.BreakLock = False,
    as_json: opt.Json = False,
    quiet: opt.Quiet = False,
    no_color: opt.NoColor = False,
) -> int:
    """Merge the branch of a run, the newest by default.

    A fast-forward where HEAD has not moved, else a merge commit. Only the files that the run
    touches are written; where you changed one of them too, it is named and nothing happens.
    The gate is asked first: exit 5 where the corpus would answer worse.
    """
    from memsleep.night.merging import merge_run

    with landing_request(
        corpus, config=config, now=now, state_dir=state_dir, break_lock=break_lock,
        as_json=as_json, quiet=quiet, no_color=no_color,
    ) as request:  # fmt: skip
        outcome = merge_run(request, run, force=force, despite_gate=despite_gate)
    return told(outcome, quiet=quiet)
