"""`memsleep status`: how a corpus is doing, for a person or a monitor."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from memsleep.cli import options as opt
from memsleep.cli.aiming import aimed
from memsleep.cli.clock import instant_of
from memsleep.cli.paths import check_corpus, state_folder
from memsleep.cli.settings import load as load_settings
from memsleep.cli.streams import printable, write_json, write_text

if TYPE_CHECKING:
    from memsleep.landing.place import Place

MaxAge = Annotated[
    str | None,
    typer.Option(
        "--max-age", metavar="AGE", help="Exit 1 when the last success is older, such as 26h."
    ),
]


def status(
    corpus: opt.CorpusOption = Path(),
    max_age: MaxAge = None,
    now: opt.Now = None,
    state_dir: opt.StateDir = None,
    as_json: opt.Json = False,
) -> int:
    """Tell the last run, what waits for you and what is stuck.

    It tells what each folder was taken for as well. Nothing is changed.

    Exits 1 when something is wrong, for a monitor: a run failed or is stuck, or with --max-age
    the last successful one is older than that.
    """
    from memsleep.corpus.stores import stores_of
    from memsleep.gitrepo import find_repository
    from memsleep.landing.place import place_of
    from memsleep.landing.status import as_document, as_lines, condition_of, seconds_of

    limit = None if max_age is None else seconds_of(max_age)
    check_corpus(corpus)
    state_dir = state_folder(corpus, state_dir)
    place = place_of(corpus, state_dir)
    found = condition_of(place, find_repository(corpus), now=instant_of(now), max_age=limit)
    stores = stores_of(corpus, load_settings(corpus, None, []).settings.corpus)
    waiting = _sync(place)
    if as_json:
        told = [
            {"folder": one.folder, "dialect": one.dialect, "evidence": one.evidence}
            for one in stores.found
        ]
        write_json({**as_document(found), "stores": told, "sync": waiting})
    else:
        lines = [*as_lines(found), *(f"store: {line}" for line in stores.lines())]
        if waiting:
            counts = ", ".join(f"{count} {name}" for name, count in waiting.items())
            lines.append(f"sync: {counts}; to see which: memsleep sync status")
        write_text("".join(f"{printable(aimed(line))}\n" for line in lines))
    return 1 if found.troubles else 0


def _sync(place: Place) -> dict[str, int]:
    """Return how many changes wait for a service; empty where the corpus mirrors none."""
    from memsleep.sync.join import FOLDER, outbox_of

    if not (place.folder / FOLDER).is_dir():
        return {}
    outbox = outbox_of(place)
    states = [found.entry.state for found in outbox.entries()]
    return {
        "queued": states.count("queued"),
        "rejected": states.count("rejected"),
        "invalid": len(outbox.invalid()),
    }
