"""`memsleep schedule`: units that run the night; printed, never installed."""

from __future__ import annotations

import os
import re
import shutil
import sys
from pathlib import Path
from typing import Annotated

import typer

from memsleep.cli import options as opt
from memsleep.cli.paths import check_corpus
from memsleep.cli.streams import write_json, write_text
from memsleep.errors import UsageError

SCHEMA_VERSION = 1
_TIME = re.compile(r"([01]?\d|2[0-3]):([0-5]\d)\Z", re.ASCII)

Scheduler = Annotated[str, typer.Argument(metavar="KIND", help="cron, systemd, launchd or github.")]
At = Annotated[str, typer.Option("--at", metavar="HH:MM", help="When the night runs.")]
RunOption = Annotated[
    list[str] | None,
    typer.Option("--option", metavar="WORD", help="One more word for `memsleep run`; repeatable."),
]


def schedule(
    kind: Scheduler,
    corpus: opt.CorpusOption = Path(),
    at: At = "03:17",
    option: RunOption = None,
    as_json: opt.Json = False,
) -> int:
    """Print a unit that runs the night, such as one for cron.

    There are those for cron, systemd, launchd and GitHub Actions. A night that was missed while
    the machine was off is made up for. Nothing is installed.
    """
    from memsleep.schedule import KINDS, Job, unit

    check_corpus(corpus)
    known = next((name for name in KINDS if name == kind), None)
    if known is None:
        raise UsageError(
            "schedule-unknown",
            f"expected one of {', '.join(KINDS)}, found {kind[:40]!r}",
            hint="memsleep schedule systemd",
        )
    hour, minute = _time(at)
    words = (_program(), os.path.abspath(corpus), *(option or ()))  # noqa: PTH100 (links stay)
    if any(not word.isprintable() for word in words):
        raise UsageError(
            "schedule-bad-name",
            "a path or option holds a line feed or another control character",
            context=["no unit can carry it"],
            hint="rename the folder, or name it through a link",
        )
    job = Job(program=words[0], corpus=words[1], hour=hour, minute=minute, options=words[2:])
    text = unit(known, job)
    if as_json:
        write_json({"schema_version": SCHEMA_VERSION, "kind": known, "unit": text})
    else:
        write_text(text)
    return 0


def _time(text: str) -> tuple[int, int]:
    match = _TIME.match(text)
    if match is None:
        raise UsageError(
            "schedule-bad-time",
            f"expected a time such as 03:17, found {text[:20]!r}",
            hint="pass --at 03:17",
        )
    return int(match[1]), int(match[2])


def _program() -> str:
    """Return the path of the installed command that this process was started as."""
    started = Path(sys.argv[0])
    if started.name == "memsleep" and started.exists():
        return os.path.abspath(started)  # noqa: PTH100 (a link to it may be what stays)
    return shutil.which("memsleep") or "memsleep"
