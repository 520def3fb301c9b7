"""The app: its commands, and the way in."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Annotated

import typer

from memsleep import __version__
from memsleep.cli import (
    apply,
    audit,
    brief,
    calibrate,
    check,
    cite,
    config,
    explain,
    forecast,
    gate,
    history,
    init,
    mcp,
    merge,
    phases,
    purge,
    recall,
    resume,
    review,
    run,
    schedule,
    search,
    state,
    status,
    sync,
    undo,
)
from memsleep.cli.aiming import begin
from memsleep.cli.ending import unwound
from memsleep.cli.errors import guarded
from memsleep.cli.streams import write_text

app = typer.Typer(
    name="memsleep",
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,  # plain help starts in a third of the time
)
app.command("run")(run.run)
app.command("check")(check.check)
app.command("apply")(apply.apply)
app.command("resume")(resume.resume)
app.command("review")(review.review)
app.command("merge")(merge.merge)
app.command("undo")(undo.undo)
app.command("audit")(audit.audit)
app.command("gate")(gate.gate)
app.command("status")(status.status)
app.command("history")(history.history)
app.command("explain")(explain.explain)
app.command("init")(init.init)
app.command("search")(search.search)
app.command("recall")(recall.recall)
app.command("brief")(brief.brief)
app.command("cite")(cite.cite)
app.command("reinforce")(cite.reinforce)
app.command("forecast")(forecast.forecast)
app.command("sync")(sync.sync)
app.command("purge")(purge.purge)
app.command("calibrate")(calibrate.calibrate)
app.command("mcp")(mcp.mcp)
app.add_typer(state.app, name="state")
app.command("phases")(phases.phases)
app.command("schedule")(schedule.schedule)
app.add_typer(config.app, name="config")


def _print_version(wanted: bool) -> None:
    if wanted:
        write_text(f"memsleep {__version__}\n")
        raise typer.Exit


@app.callback()
def memsleep(
    version: Annotated[
        bool,
        typer.Option(
            "--version", callback=_print_version, is_eager=True, help="Print the version."
        ),
    ] = False,
) -> None:
    """Tend an agent's memory: merge duplicates, rank, retire, and show each change first.

    Exit codes: 0 done, 1 findings, 2 usage or config, 3 the run failed, 4 another run holds the
    lock, 5 the gate refused, 130 interrupted.
    """


def main(args: Sequence[str] | None = None) -> int:
    """Return the exit code of a command line."""
    given = list(sys.argv[1:] if args is None else args)

    def invoke() -> int:
        command = typer.main.get_command(app)
        begin(command)
        with command.make_context("memsleep", given) as context:
            return int(command.invoke(context) or 0)

    with unwound():
        return guarded(invoke, given)
