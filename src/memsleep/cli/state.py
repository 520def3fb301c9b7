"""`memsleep state`: what is known of use, as a file that a team can commit."""

from __future__ import annotations

from pathlib import Path

import typer

from memsleep.cli import options as opt
from memsleep.cli.clock import instant_of
from memsleep.cli.opening import bytes_of, opened, settings_for
from memsleep.cli.streams import write_output, write_remarks, write_text
from memsleep.errors import UsageError

FORMS = ("memsleep", "memhtml")
app = typer.Typer(
    name="state",
    help="Export and import what is known of use.",
    no_args_is_help=True,
    rich_markup_mode=None,
)


@app.command("export")
def export(
    file: opt.ExportFile = None,
    machine: opt.Machine = None,
    form: opt.ExportForm = "memsleep",
    corpus: opt.CorpusOption = Path(),
    now: opt.Now = None,
    config: opt.Config = None,
    state_dir: opt.StateDir = None,
    quiet: opt.Quiet = False,
) -> int:
    """Write this machine's usage as sorted JSON Lines.

    The same use gives the same bytes. With --machine each line names it, and a team can commit
    one file for each machine (usage/NAME.jsonl): whoever reads them adds them up. The name is
    remembered.
    """
    _check_export(machine, form)
    instant = instant_of(now)
    settings = settings_for(corpus, config, state_dir)
    from memsleep import api

    with opened(corpus, settings, instant, state_dir, quiet=quiet) as found:
        if machine is not None:
            found.state.name_machine(machine)
        written = api.export_usage(found, form="memhtml" if form == "memhtml" else "memsleep")
    if file is None or str(file) == "-":
        write_output(written)
    elif not file.exists() or file.read_bytes() != written:
        file.write_bytes(written)
    return 0


@app.command("import")
def import_(
    file: opt.ImportFile,
    corpus: opt.CorpusOption = Path(),
    now: opt.Now = None,
    config: opt.Config = None,
    state_dir: opt.StateDir = None,
    quiet: opt.Quiet = False,
) -> int:
    """Add what an export knows of use to the state.

    A memhtml store's access.jsonl will do. Use that another machine counted is added to ours,
    however often its file is read. Where a file names no machine, counts become the larger of the
    two.
    """
    instant = instant_of(now)
    settings = settings_for(corpus, config, state_dir)
    source = bytes_of(file)
    from memsleep.state.anyexport import read_any_export

    read = read_any_export(source, str(file))
    with opened(corpus, settings, instant, state_dir, quiet=quiet, to_note=True) as found:
        unknown = found.state.import_usage(read.usage, read.machine)
    if not quiet:
        write_remarks(f"{p.path}:{p.line}: {p.message}" for p in read.problems)
        write_remarks(f"{path}: no memory lies there, passed over" for path in unknown)
    write_text(f"{len(read.usage) - len(unknown)} memories\n")
    return 0


def _check_export(machine: str | None, form: str) -> None:
    from memsleep.state.export import MACHINE

    if form not in FORMS:
        raise UsageError(
            "bad-export",
            f"expected one of {', '.join(FORMS)} for --format, found {form[:40]!r}",
            hint="memsleep state export usage.jsonl",
        )
    if machine is not None and not MACHINE.fullmatch(machine):
        raise UsageError(
            "bad-export",
            f"expected letters, digits, dots, hyphens for --machine, found {machine[:40]!r}",
            hint="memsleep state export --machine laptop usage/laptop.jsonl",
        )
