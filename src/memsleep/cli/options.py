"""Options and arguments that commands share. Plain types only: help must be cheap to show."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

# `readable=False`: the parser does not look at a path, so that ours is the one error for it.
CorpusArgument = Annotated[
    Path,
    typer.Argument(
        metavar="CORPUS", help="Folder of memories.", show_default="here", readable=False
    ),
]
CorpusOption = Annotated[
    Path,
    typer.Option(
        "--corpus",
        metavar="DIR",
        help="Folder of memories.",
        show_default="here",
        readable=False,
    ),
]
Target = Annotated[str, typer.Argument(metavar="PATH", help="Path or id of a memory.")]
Config = Annotated[
    Path | None,
    typer.Option(
        "--config", metavar="FILE", help="Your config file, over the corpus's own.", readable=False
    ),
]
Now = Annotated[
    str | None,
    typer.Option(
        "--now",
        metavar="INSTANT",
        help="Instant of the night, such as 2026-11-30T03:00:00Z. Default: now.",
    ),
]
Profile = Annotated[
    str | None,
    typer.Option(
        "--profile", metavar="NAME", help="Set of values to start from: careful or reference."
    ),
]
Phases = Annotated[
    str | None,
    typer.Option("--phases", metavar="A,B", help="Phases to run, in order. See `memsleep phases`."),
]
Embedder = Annotated[
    str | None,
    typer.Option(
        "--embedder", metavar="NAME", help="Where vectors come from: hashgram, none or file."
    ),
]
Vectors = Annotated[
    Path | None,
    typer.Option(
        "--vectors", metavar="FILE", help="Take vectors from an .npz or a memhtml index database."
    ),
]
StateDir = Annotated[
    Path | None,
    typer.Option(
        "--state-dir", metavar="DIR", help="Folder of the state, instead of the corpus's .memsleep."
    ),
]
Out = Annotated[
    Path | None,
    typer.Option("--out", metavar="DIR", help="Write plan, diff and reports to this folder."),
]
DryRun = Annotated[
    bool, typer.Option("--dry-run", help="Propose only: write nothing to the corpus.")
]
AllowEmpty = Annotated[
    bool, typer.Option("--allow-empty", help="A corpus without a memory is no error.")
]
ExitCode = Annotated[
    bool,
    typer.Option("--exit-code", help="Exit 1 when something would change or could not be read."),
]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON document.")]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="No progress and no remarks.")]
Verbose = Annotated[
    bool, typer.Option("--verbose", "-v", help="Also say which settings are in force and why.")
]
NoColor = Annotated[bool, typer.Option("--no-color", help="No colours.")]
ShowOrigin = Annotated[bool, typer.Option("--origin", help="Also say where each value came from.")]
Markdown = Annotated[bool, typer.Option("--markdown", help="Print a Markdown table.")]
