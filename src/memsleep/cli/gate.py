"""`memsleep gate`: does the corpus answer as well after a run as before."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from memsleep.cli import options as opt
from memsleep.cli.landing import landing_request
from memsleep.cli.streams import printable, write_json, write_text
from memsleep.errors import UsageError

REFUSED = 5
Base = Annotated[
    str | None, typer.Option("--base", metavar="REV", help="Compare from this commit instead.")
]
Head = Annotated[
    str | None, typer.Option("--head", metavar="REV", help="Compare to it; without it: HEAD.")
]


def gate(
    run: opt.RunArgument = None,
    base: Base = None,
    head: Head = None,
    corpus: opt.CorpusOption = Path(),
    config: opt.Config = None,
    state_dir: opt.StateDir = None,
    as_json: opt.Json = False,
    quiet: opt.Quiet = False,
    no_color: opt.NoColor = False,
) -> int:
    """Ask the corpus the same questions before and after a run.

    It is the newest run by default.

    Each fact that the run touched, and a sample of the rest, is asked for in two thirds of its
    words. Exits 5 where one is lost, a twin that says the opposite comes first, or the sample is
    found less well.
    """
    from memsleep.gate.told import as_document, lines
    from memsleep.night.gated import gate_commits, gate_run

    if (head is not None and base is None) or (run is not None and base is not None):
        raise UsageError(
            "gate-two-questions",
            "expected a run, or --base with or without --head; found a mixture",
            context=["nothing was read"],
            hint="memsleep gate --base REV --head REV",
        )
    with landing_request(
        corpus, config=config, now=None, state_dir=state_dir, break_lock=False,
        as_json=as_json, quiet=quiet, no_color=no_color,
    ) as request:  # fmt: skip
        if base is not None:
            compared, result = gate_commits(request, base, head or "HEAD")
        else:
            compared, result = gate_run(request, run)
    if as_json:
        write_json({**as_document(result), "compared": compared})
    else:
        told = [f"compared: {compared}", *lines(result)]
        write_text("".join(f"{printable(line)}\n" for line in told))
    return 0 if result.passed else REFUSED
