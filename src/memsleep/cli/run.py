"""`memsleep run`: one night over a corpus."""

from __future__ import annotations

from pathlib import Path

from memsleep.cli import options as opt
from memsleep.cli.artifacts import make_out, write_artifacts
from memsleep.cli.clock import instant_of
from memsleep.cli.paths import check_corpus, check_out, state_folder_and_notes
from memsleep.cli.progress import shown_progress
from memsleep.cli.settings import load, option_layer, set_by_somebody
from memsleep.cli.streams import telling, write_output, write_remarks
from memsleep.cli.timings import FILE_NAME, Stopwatch
from memsleep.request import Outcome, RunRequest


def run(
    corpus: opt.CorpusArgument = Path(),
    dry_run: opt.DryRun = False,
    out: opt.Out = None,
    now: opt.Now = None,
    profile: opt.Profile = None,
    phases: opt.Phases = None,
    config: opt.Config = None,
    embedder: opt.Embedder = None,
    vectors: opt.Vectors = None,
    state_dir: opt.StateDir = None,
    break_lock: opt.BreakLock = False,
    allow_empty: opt.AllowEmpty = False,
    exit_code: opt.ExitCode = False,
    as_json: opt.Json = False,
    quiet: opt.Quiet = False,
    verbose: opt.Verbose = False,
    no_color: opt.NoColor = False,
) -> int:
    """Run one night over a corpus.

    Pairs neighbours, merges duplicates, ranks, triages, reprieves, decays and mends links.
    Lands as a git branch where git tracks the folder, else in place. With --dry-run it prints a
    summary and a git-format diff, or writes them with the plan and the reports to --out.
    """
    check_corpus(corpus)
    if out is not None:
        check_out(out, corpus)
        make_out(out)
    state_dir, notes = state_folder_and_notes(corpus, state_dir)
    layer = option_layer(
        profile=profile,
        phases=phases,
        embedder=embedder,
        vectors=vectors,
        allow_empty=allow_empty,
    )
    instant = instant_of(now)
    loaded = load(corpus, config, layer)
    if verbose and not quiet:
        write_remarks([f"now: {instant}", *set_by_somebody(loaded.origins)])
    with shown_progress(quiet=quiet, no_color=no_color) as progress:
        watch = Stopwatch(progress)
        outcome = _night(
            dry_run,
            RunRequest(
                corpus=corpus,
                settings=loaded.settings,
                origins=loaded.origins,
                now=instant,
                clock=instant_of(None),
                break_lock=break_lock,
                out=out,
                state_dir=state_dir,
                notes=notes,
                json=as_json,
                quiet=quiet,
                verbose=verbose,
                progress=watch,
            ),
            watch,
        )
    _deliver(outcome, out, quiet=quiet)
    _tell_time(watch, out, aloud=verbose and not quiet)
    return outcome.exit_code(findings_matter=exit_code)


def _night(dry: bool, request: RunRequest, watch: Stopwatch) -> Outcome:
    from memsleep.core.work import counting  # here, since numpy comes with it

    with counting() as watch.work:
        return _dry_or_real(dry, request)


def _dry_or_real(dry: bool, request: RunRequest) -> Outcome:
    if dry:
        from memsleep.night import dry_run

        return dry_run(request)
    from memsleep.night.real import real_run

    return real_run(request)


def _deliver(outcome: Outcome, out: Path | None, *, quiet: bool) -> None:
    with telling(outcome.messages, quiet=quiet):
        if out is not None:
            write_artifacts(out, outcome.artifacts)
        write_output(outcome.output)


def _tell_time(watch: Stopwatch, out: Path | None, *, aloud: bool) -> None:
    if out is not None:
        write_artifacts(out, {FILE_NAME: watch.to_json()})
    if aloud:
        write_remarks(watch.lines())
