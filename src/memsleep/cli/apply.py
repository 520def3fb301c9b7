"""`memsleep apply`: land decisions of a plan."""

from __future__ import annotations

from pathlib import Path

from memsleep.cli import options as opt
from memsleep.cli.landing import landing_request, told
from memsleep.errors import UsageError


def apply(
    plan: opt.PlanArgument,
    corpus: opt.CorpusOption = Path(),
    only: opt.Only = None,
    reject: opt.Reject = None,
    config: opt.Config = None,
    now: opt.Now = None,
    state_dir: opt.StateDir = None,
    break_lock: opt.BreakLock = False,
    as_json: opt.Json = False,
    quiet: opt.Quiet = False,
    no_color: opt.NoColor = False,
) -> int:
    """Land the decisions of a plan, or some of them.

    Each is checked against the bytes that are there now; one whose files have changed since is
    left out, with its reason. Rejected ones are not proposed again until a file changes.
    """
    from memsleep.night.applying import apply_plan

    source = _read(plan)
    with landing_request(
        corpus, config=config, now=now, state_dir=state_dir, break_lock=break_lock,
        as_json=as_json, quiet=quiet, no_color=no_color,
    ) as request:  # fmt: skip
        outcome = apply_plan(request, source, str(plan), only or [], reject or [])
    return told(outcome, quiet=quiet)


def _read(plan: Path) -> bytes:
    try:
        return plan.read_bytes()
    except (FileNotFoundError, IsADirectoryError, NotADirectoryError) as error:
        raise UsageError(
            "plan-not-found",
            f"expected a plan, found none at {str(plan)!r}",
            hint="make one: memsleep run --dry-run --out DIR",
        ) from error
