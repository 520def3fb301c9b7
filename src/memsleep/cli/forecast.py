"""`memsleep forecast`: what happens if nothing is used."""

from __future__ import annotations

from pathlib import Path

from memsleep.cli import options as opt
from memsleep.cli.clock import instant_of
from memsleep.cli.opening import settings_for
from memsleep.cli.paths import state_folder
from memsleep.cli.streams import printable, write_json, write_text


def forecast(
    corpus: opt.CorpusOption = Path(),
    days: opt.Horizon = 90,
    now: opt.Now = None,
    config: opt.Config = None,
    embedder: opt.Embedder = None,
    vectors: opt.Vectors = None,
    state_dir: opt.StateDir = None,
    as_json: opt.Json = False,
) -> int:
    """Say what will expire or fade, and when.

    Falling into a lower band is told as well. It is so if nothing is used until then.
    """
    instant = instant_of(now)
    settings = settings_for(corpus, config, state_dir, embedder=embedder, vectors=vectors)
    state_dir = state_folder(corpus, state_dir)
    from memsleep import api
    from memsleep.documents import document, plain

    found = api.forecast(corpus, days, now=instant, settings=settings, state_dir=state_dir)
    if as_json:
        write_json(document(None, days=days, now=instant, events=plain(found)))
        return 0
    lines = []
    for item in found:
        stays = f"; stays: {item.protected}" if item.protected else ""
        detail = f" ({item.detail})" if item.detail else ""
        lines.append(f"{item.date}  {item.event:<8}  {item.path}{detail}{stays}")
    write_text("".join(f"{printable(line)}\n" for line in lines))
    return 0
