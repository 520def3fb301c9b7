"""`memsleep mcp`: a server for agents, on standard input and output."""

from __future__ import annotations

from pathlib import Path

from memsleep.cli import options as opt
from memsleep.cli.clock import instant_of
from memsleep.cli.ending import take_defaults
from memsleep.cli.opening import settings_for
from memsleep.errors import UsageError


def mcp(
    corpus: opt.CorpusOption = Path(),
    config: opt.Config = None,
    state_dir: opt.StateDir = None,
    session: opt.Session = None,
    now: opt.Now = None,
) -> int:
    """Serve search, recall, brief and more to an agent.

    It speaks the Model Context Protocol on standard input and output. Nothing lands
    through it: the review queue is read-only.
    """
    settings = settings_for(corpus, config, state_dir)
    try:
        import mcp as protocol
    except ModuleNotFoundError as error:
        raise UsageError(
            "mcp-missing",
            "the server needs the Python SDK of the Model Context Protocol, found none",
            hint="pip install 'memsleep[mcp]'",
        ) from error
    del protocol
    from memsleep.mcp.server import serve

    take_defaults()  # its loop waits in another thread for what is never going to come
    serve(corpus, settings, lambda: instant_of(now), state_dir=state_dir, session=session)
    return 0
