"""`memsleep resume`: finish a run that was killed."""

from __future__ import annotations

from pathlib import Path

from memsleep.cli import options as opt
from memsleep.cli.landing import landing_request, told


def resume(
    run: opt.RunArgument = None,
    corpus: opt.CorpusOption = Path(),
    config: opt.Config = None,
    state_dir: opt.StateDir = None,
    break_lock: opt.BreakLock = False,
    as_json: opt.Json = False,
    quiet: opt.Quiet = False,
    no_color: opt.NoColor = False,
) -> int:
    """Finish a run that was killed.

    Replays its plan from the base and compares the result; without a plan the night runs anew,
    at its own instant.
    """
    from memsleep.night.applying import resume_run

    with landing_request(
        corpus, config=config, now=None, state_dir=state_dir, break_lock=break_lock,
        as_json=as_json, quiet=quiet, no_color=no_color,
    ) as request:  # fmt: skip
        outcome = resume_run(request, run)
    return told(outcome, quiet=quiet)
