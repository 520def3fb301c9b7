"""`memsleep purge`: forget a memory for good."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from memsleep.cli import options as opt
from memsleep.cli.check_cache import forget_checks
from memsleep.cli.clock import instant_of
from memsleep.cli.opening import opened, settings_for
from memsleep.cli.paths import state_folder
from memsleep.cli.streams import printable, write_json, write_remarks, write_text
from memsleep.errors import UsageError

if TYPE_CHECKING:
    from memsleep.purge import PurgePlan


def purge(
    target: opt.Target,
    corpus: opt.CorpusOption = Path(),
    yes: opt.Yes = False,
    now: opt.Now = None,
    config: opt.Config = None,
    state_dir: opt.StateDir = None,
    as_json: opt.Json = False,
    quiet: opt.Quiet = False,
) -> int:
    """Forget a memory for good, wherever something of it is kept.

    That is its file, the archive, runs, the state, the index and caches.

    There is no undo. What git and other machines still hold is told, not touched.
    """
    instant = instant_of(now)
    settings = settings_for(corpus, config, state_dir)
    state_dir = state_folder(corpus, state_dir)
    from memsleep.access.target import path_named
    from memsleep.documents import document
    from memsleep.landing.lock import locked
    from memsleep.landing.place import place_of
    from memsleep.purge import plan_purge
    from memsleep.purge import purge as forget

    place = place_of(corpus, state_dir)
    with (
        locked(place, what="memsleep purge", started_at=instant),
        opened(corpus, settings, instant, state_dir, quiet=quiet) as found,
    ):
        plan = plan_purge(found, path_named(found, target), state_dir=state_dir)
        if not quiet:
            write_remarks(_told(plan))
        if not yes:
            _ask(plan)
        done = forget(found, plan, instant, state_dir=state_dir)
        if forget_checks(corpus, state_dir) and not quiet:
            write_remarks(["removed what memsleep check remembered of this corpus"])
    if as_json:
        write_json(document(done))
        return 0
    told = f"purged m:{plan.short_id}: {done.files} files, {done.artifacts} artifacts of runs"
    write_text(f"{told}, {done.state_rows} rows of the state, {done.vectors} vectors\n")
    if done.asked and not quiet:
        write_remarks(["the provider is asked to forget it with the next: memsleep sync"])
    return 0


def _told(plan: PurgePlan) -> list[str]:
    lines = [f"removes {path}" for path in (*plan.files, *plan.artifacts)]
    lines += [f"left alone, but quotes or links it: {place}" for place in plan.mentions]
    return [printable(line) for line in (*lines, *plan.advice)]


def _ask(plan: PurgePlan) -> None:
    if sys.stdin is None or not sys.stdin.isatty():
        raise UsageError(
            "purge-unconfirmed",
            "there is nobody to ask whether to forget it for good",
            context=("nothing was removed",),
            hint="pass --yes",
        )
    typer.confirm(f"Forget m:{plan.short_id} for good?", abort=True, err=True)
