"""`memsleep undo`: take back what a run landed."""

from __future__ import annotations

from pathlib import Path

from memsleep.cli import options as opt
from memsleep.cli.landing import landing_request, told


def undo(
    run: opt.RunArgument = None,
    ids: opt.Ids = None,
    with_dependents: opt.WithDependents = False,
    corpus: opt.CorpusOption = Path(),
    config: opt.Config = None,
    now: opt.Now = None,
    state_dir: opt.StateDir = None,
    break_lock: opt.BreakLock = False,
    as_json: opt.Json = False,
    quiet: opt.Quiet = False,
    no_color: opt.NoColor = False,
) -> int:
    """Take back what a run landed, or some decisions of it.

    Bytes, links and state; each decision as a whole. Where a later edit stands in the way the
    decision stays, and the file is named. An id alone means the newest run.
    """
    from memsleep.night.undoing import undo_run

    with landing_request(
        corpus, config=config, now=now, state_dir=state_dir, break_lock=break_lock,
        as_json=as_json, quiet=quiet, no_color=no_color,
    ) as request:  # fmt: skip
        outcome = undo_run(request, run, ids or [], with_dependents=with_dependents)
    return told(outcome, quiet=quiet)
