"""What the commands that land have in common: the request, and what comes of it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from memsleep.cli.clock import instant_of
from memsleep.cli.paths import check_corpus, state_folder_and_notes
from memsleep.cli.progress import shown_progress
from memsleep.cli.settings import load
from memsleep.cli.streams import telling, write_output
from memsleep.request import Outcome, RunRequest


@contextmanager
def landing_request(
    corpus: Path,
    *,
    config: Path | None,
    now: str | None,
    state_dir: Path | None,
    break_lock: bool,
    as_json: bool,
    quiet: bool,
    no_color: bool,
) -> Iterator[RunRequest]:
    """Give the request of a command that changes the corpus."""
    check_corpus(corpus)
    state_dir, notes = state_folder_and_notes(corpus, state_dir)
    instant, loaded = instant_of(now), load(corpus, config, [])
    with shown_progress(quiet=quiet, no_color=no_color) as progress:
        yield RunRequest(
            corpus=corpus,
            settings=loaded.settings,
            origins=loaded.origins,
            now=instant,
            clock=instant_of(None),
            break_lock=break_lock,
            state_dir=state_dir,
            notes=notes,
            json=as_json,
            quiet=quiet,
            progress=progress,
        )


def told(outcome: Outcome, *, quiet: bool) -> int:
    """Write what came of a command, and return its exit code."""
    with telling(outcome.messages, quiet=quiet):
        write_output(outcome.output)
    return outcome.exit_code()


Action = Callable[[RunRequest], Outcome]
