"""Options and arguments that commands share. Plain types only: help must be cheap to show."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from memsleep.cli.aiming import aim


def given_path(text: str) -> Path:
    """Return what was given as a path. Nothing looks at it here: ours is the one error for it."""
    if not str(text):  # as of an unset variable; it would be the current folder
        raise typer.BadParameter("the path is empty")
    return Path(text)


def aiming(parameter: typer.CallbackParam, path: Path | None) -> Path | None:
    """Note which corpus, state and config are meant: what is said next leads there."""
    aim(str(parameter.name), path)
    return path


CorpusArgument = Annotated[
    Path,
    typer.Argument(
        metavar="CORPUS",
        help="Folder of memories.",
        show_default="here",
        parser=given_path,
        callback=aiming,
    ),
]
CorpusOption = Annotated[
    Path,
    typer.Option(
        "--corpus",
        metavar="DIR",
        help="Folder of memories.",
        show_default="here",
        parser=given_path,
        callback=aiming,
    ),
]
Target = Annotated[str, typer.Argument(metavar="PATH", help="Path or id of a memory.")]
Config = Annotated[
    Path | None,
    typer.Option(
        "--config",
        metavar="FILE",
        help="Your config file, over the corpus's own.",
        parser=given_path,
        callback=aiming,
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
        "--vectors",
        metavar="FILE",
        help="Take vectors from an .npz or a memhtml index database.",
        parser=given_path,
    ),
]
StateDir = Annotated[
    Path | None,
    typer.Option(
        "--state-dir",
        metavar="DIR",
        help="Folder of the state, instead of the corpus's .memsleep.",
        parser=given_path,
        callback=aiming,
    ),
]
PlanArgument = Annotated[
    Path, typer.Argument(metavar="PLAN", help="A plan.json.", parser=given_path)
]
RunArgument = Annotated[
    str | None, typer.Argument(metavar="RUN", help="Id of a run, such as sleep/2026-11-30.")
]
Ids = Annotated[list[str] | None, typer.Argument(metavar="ID", help="Ids of decisions; none: all.")]
Only = Annotated[
    list[str] | None,
    typer.Option("--only", metavar="ID", help="Land this decision, and what it requires."),
]
Reject = Annotated[
    list[str] | None,
    typer.Option("--reject", metavar="ID", help="Leave this decision out, and remember it."),
]
WithDependents = Annotated[
    bool, typer.Option("--with-dependents", help="Also what requires the given decisions.")
]
BreakLock = Annotated[
    bool, typer.Option("--break-lock", help="Take a lock that another machine left behind.")
]
Out = Annotated[
    Path | None,
    typer.Option(
        "--out",
        metavar="DIR",
        help="Write plan, diff and reports to this folder.",
        parser=given_path,
    ),
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
Query = Annotated[str, typer.Argument(metavar="QUERY", help="What to look for.")]
Limit = Annotated[
    int | None,
    typer.Option("--limit", "-n", metavar="N", min=1, max=1000, help="How many at most."),
]
Session = Annotated[
    str | None, typer.Option("--session", metavar="ID", help="Session to log the use under.")
]
Explain = Annotated[bool, typer.Option("--explain", help="Show what each arm gave to each hit.")]
Types = Annotated[
    list[str] | None, typer.Option("--type", metavar="TYPE", help="Only this type. Repeatable.")
]
Tags = Annotated[
    list[str] | None, typer.Option("--tag", metavar="TAG", help="Only with this tag. Repeatable.")
]
Entities = Annotated[
    list[str] | None,
    typer.Option("--entity", metavar="NAME", help="Only about this entity. Repeatable."),
]
InScopes = Annotated[
    list[str] | None,
    typer.Option("--scope", metavar="NAME", help="Only of this scope. Repeatable."),
]
AsOf = Annotated[
    str | None,
    typer.Option(
        "--as-of", metavar="INSTANT", help="Only what held then; archived memories take part."
    ),
]
IncludeArchived = Annotated[bool, typer.Option("--include-archived", help="Archived memories too.")]
MinScore = Annotated[
    float | None, typer.Option("--min-score", metavar="X", min=0, help="Drop weaker hits.")
]
Since = Annotated[
    str | None,
    typer.Option(
        "--since",
        metavar="FINGERPRINT",
        help="Print only what was added (+), removed (-) or changed (~) since that brief.",
    ),
]
WriteBrief = Annotated[
    bool, typer.Option("--write", help="Write it into the file that brief.file names.")
]
Transcript = Annotated[
    Path,
    typer.Argument(
        metavar="FILE",
        help="Transcript: text or JSON Lines; - is standard input.",
        parser=given_path,
    ),
]
Corrected = Annotated[bool, typer.Option("--corrected", help="The user put these answers right.")]
Signal = Annotated[
    str,
    typer.Argument(metavar="SIGNAL", help="positive, negative or neutral.", show_default=True),
]
Horizon = Annotated[
    int, typer.Option("--days", metavar="N", min=1, max=3650, help="How far to look.")
]
ExportFile = Annotated[
    Path | None,
    typer.Argument(metavar="FILE", help="File; without one, standard output.", parser=given_path),
]
Machine = Annotated[
    str | None,
    typer.Option("--machine", metavar="NAME", help="What this machine is called in exports."),
]
ExportForm = Annotated[
    str,
    typer.Option(
        "--format", metavar="NAME", help="memsleep, or memhtml: the access.jsonl of such a store."
    ),
]
ImportFile = Annotated[
    Path,
    typer.Argument(
        metavar="FILE",
        help="Our export, or a memhtml store's access.jsonl; - is standard input.",
        parser=given_path,
    ),
]
Yes = Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")]
