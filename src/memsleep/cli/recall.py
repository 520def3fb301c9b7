"""`memsleep recall`: a short block to put before an agent's turn."""

from __future__ import annotations

from pathlib import Path

from memsleep.cli import options as opt
from memsleep.cli.clock import instant_of
from memsleep.cli.opening import opened, settings_for, tell_problems
from memsleep.cli.streams import write_json, write_remarks, write_text


def recall(
    query: opt.Query,
    corpus: opt.CorpusOption = Path(),
    limit: opt.Limit = None,
    min_score: opt.MinScore = None,
    session: opt.Session = None,
    now: opt.Now = None,
    config: opt.Config = None,
    embedder: opt.Embedder = None,
    vectors: opt.Vectors = None,
    state_dir: opt.StateDir = None,
    as_json: opt.Json = False,
    quiet: opt.Quiet = False,
) -> int:
    """Print, for an agent, the memories that matter for a question.

    The question has 1 to 200 characters. Nothing fits: nothing is printed.
    """
    instant = instant_of(now)
    settings = settings_for(corpus, config, state_dir, embedder=embedder, vectors=vectors)
    from memsleep import api
    from memsleep.documents import document

    with opened(corpus, settings, instant, state_dir, quiet=quiet) as found:
        block = api.recall(
            found, query, now=instant, limit=limit, min_score=min_score, session=session
        )
    tell_problems(block.problems, quiet=quiet)
    if as_json:
        write_json(document(block, "characters", "tokens"))
        return 0
    write_text(block.text)
    if block.text and not quiet:
        write_remarks([f"{block.characters} characters, about {block.tokens} tokens"])
    return 0
