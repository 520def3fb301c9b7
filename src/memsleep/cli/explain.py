"""`memsleep explain`: why a memory is where it is."""

from __future__ import annotations

from pathlib import Path

from memsleep.cli import options as opt
from memsleep.cli.clock import instant_of
from memsleep.cli.landing import told
from memsleep.cli.paths import check_corpus, state_folder
from memsleep.cli.progress import shown_progress
from memsleep.cli.settings import load, option_layer
from memsleep.request import Outcome, RunRequest


def explain(
    target: opt.Target,
    corpus: opt.CorpusOption = Path(),
    now: opt.Now = None,
    profile: opt.Profile = None,
    config: opt.Config = None,
    embedder: opt.Embedder = None,
    vectors: opt.Vectors = None,
    state_dir: opt.StateDir = None,
    as_json: opt.Json = False,
    quiet: opt.Quiet = False,
    verbose: opt.Verbose = False,
    no_color: opt.NoColor = False,
) -> int:
    """Say why a memory is where it is.

    Shows its signals, neighbours and guards, and what would change its band.
    """
    check_corpus(corpus)
    state_dir = state_folder(corpus, state_dir)
    instant = instant_of(now)
    layer = option_layer(profile=profile, embedder=embedder, vectors=vectors)
    loaded = load(corpus, config, layer)
    with shown_progress(quiet=quiet, no_color=no_color) as progress:
        request = RunRequest(
            corpus=corpus,
            settings=loaded.settings,
            origins=loaded.origins,
            now=instant,
            state_dir=state_dir,
            json=as_json,
            quiet=quiet,
            verbose=verbose,
            progress=progress,
        )
        outcome = _answer(request, target)
    return told(outcome, quiet=quiet)


def _answer(request: RunRequest, target: str) -> Outcome:
    from memsleep.explain import explain as answer

    return answer(request, target)
