"""`memsleep history`: what happened to one memory."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from memsleep.cli import options as opt
from memsleep.cli.paths import check_corpus, state_folder
from memsleep.cli.streams import printable, write_json, write_text

PathArgument = Annotated[
    str, typer.Argument(metavar="PATH|ID", help="Where it lies, or lay; or its short id.")
]


def history(
    path: PathArgument,
    corpus: opt.CorpusOption = Path(),
    state_dir: opt.StateDir = None,
    as_json: opt.Json = False,
) -> int:
    """Tell what happened to one memory, under every path it had.

    Commits that touched it, decisions of runs with their reasons and what became of them, its
    lines in the ledger and its versions, the oldest first.
    """
    from memsleep.gitrepo import find_repository
    from memsleep.landing.past import as_document, as_lines, past_of
    from memsleep.landing.place import place_of

    check_corpus(corpus)
    state_dir = state_folder(corpus, state_dir)
    past = past_of(place_of(corpus, state_dir), find_repository(corpus), path)
    if as_json:
        write_json(as_document(past))
    else:
        write_text("".join(f"{printable(line)}\n" for line in as_lines(past)))
    return 0
