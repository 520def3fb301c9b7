"""`memsleep sync`: fetch from, and deliver to, the service that a corpus mirrors."""

from __future__ import annotations

import os
import random
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from memsleep.cli import options as opt
from memsleep.cli.landing import landing_request
from memsleep.cli.paths import check_corpus, state_folder
from memsleep.cli.streams import printable, telling, write_json, write_remarks, write_text
from memsleep.errors import UsageError

if TYPE_CHECKING:
    from memsleep.night.delivering import Synced
    from memsleep.request import RunRequest
    from memsleep.settings import SyncSettings
    from memsleep.sync.protocol import Provider
    from memsleep.sync.retry import Retry

ACTIONS = ("pull", "push", "status", "requeue", "drop")
Action = Annotated[
    str | None,
    typer.Argument(metavar="[ACTION]", help="pull, push, status, requeue or drop; none: both."),
]
Entry = Annotated[
    str | None, typer.Argument(metavar="[ID]", help="Entry of the outbox, for requeue and drop.")
]
Again = Annotated[
    bool, typer.Option("--again", help="Fetch everything, not only what is new since last time.")
]


def sync(
    action: Action = None,
    entry: Entry = None,
    corpus: opt.CorpusOption = Path(),
    again: Again = False,
    now: opt.Now = None,
    config: opt.Config = None,
    state_dir: opt.StateDir = None,
    break_lock: opt.BreakLock = False,
    as_json: opt.Json = False,
    quiet: opt.Quiet = False,
) -> int:
    """Fetch what is new there, then deliver what landed here.

    `pull` and `push` do the one or the other; `status` tells what waits, what was refused and what
    is no entry; `requeue ID` lets a refused entry wait again, `drop ID` gives one up.

    Exits 1 when something was refused, withheld or left for you to look at, 3 when it did not come
    to its end. The provider is set in your own config, never in the corpus's: see docs/sync.md.
    """
    _check(action, entry, again)
    if action in ("status", "requeue", "drop"):
        return _outbox(action, entry or "", corpus, state_dir, as_json=as_json)
    from memsleep.night.delivering import synchronise

    with (
        landing_request(
            corpus, config=config, now=now, state_dir=state_dir, break_lock=break_lock,
            as_json=as_json, quiet=quiet, no_color=True,
        ) as request,
        provider_of(request) as (provider, retry),
    ):  # fmt: skip
        done = synchronise(
            request, provider, retry, pull=action != "push", push=action != "pull", again=again
        )
    with telling(done.messages, quiet=quiet):
        if as_json:
            from memsleep.documents import document

            write_json(document(done, exit_code=done.exit_code))
        else:
            write_text("".join(f"{_safe(line)}\n" for line in _told(done)))
    return done.exit_code


def _check(action: str | None, entry: str | None, again: bool) -> None:
    if action is not None and action not in ACTIONS:
        raise UsageError(
            "sync-unknown-action",
            f"expected {', '.join(ACTIONS)} or nothing, found {action!r}",
            hint="memsleep sync --help",
        )
    if (action in ("requeue", "drop")) != (entry is not None):
        need = "needs the id of an entry" if entry is None else "takes no id"
        raise UsageError(
            "sync-unknown-action",
            f"memsleep sync {action or ''}".rstrip() + f" {need}",
            hint="memsleep sync status shows the ids",
        )
    if again and action not in (None, "pull"):
        raise UsageError(
            "conflicting-options",
            f"--again fetches, and memsleep sync {action} does not",
            hint="leave out one of the two",
        )


def _outbox(action: str, entry: str, corpus: Path, state_dir: Path | None, *, as_json: bool) -> int:
    """Tell or change what lies in the outbox; no provider is asked."""
    check_corpus(corpus)
    state_dir = state_folder(corpus, state_dir)
    from memsleep.documents import document
    from memsleep.landing.place import place_of
    from memsleep.sync.join import FOLDER, outbox_of
    from memsleep.sync.status import as_lines, condition_of, entry_named

    place = place_of(corpus, state_dir)
    outbox = outbox_of(place)
    if action != "status":
        name = entry_named(outbox, entry)
        if action == "drop":
            outbox.drop(name)
        else:
            outbox.requeue(name)
        if as_json:
            write_json(document(None, action=action, id=name))
        else:
            write_text(f"{name} waits again\n" if action == "requeue" else f"{name} is given up\n")
        return 0
    found = condition_of(place.folder / FOLDER, outbox)
    if as_json:
        write_json(document(found))
    else:
        write_text("".join(f"{_safe(line)}\n" for line in as_lines(found)))
        write_remarks(found.warnings)
    return 1 if found.troubled else 0


@contextmanager
def provider_of(request: RunRequest) -> Iterator[tuple[Provider, Retry]]:
    """Give the provider of the config, and how patiently it is asked.

    Raises
    ------
    UsageError
        `sync-no-provider`.
    """
    from memsleep.sync.providers.registry import ProviderConfig, make_provider, read_token
    from memsleep.sync.providers.timing import Timing
    from memsleep.sync.retry import Retry

    settings: SyncSettings = request.settings.sync
    if not settings.provider:
        raise UsageError(
            "sync-no-provider",
            "no provider is set, so there is nothing to deliver to or fetch from",
            hint='set sync.provider = "directory" or "http" in a file for --config: docs/sync.md',
        )
    provider = make_provider(
        ProviderConfig(
            provider=settings.provider,
            timing=Timing(time.monotonic, time.sleep, random.random, lambda: datetime.now(UTC)),
            path=Path(settings.path).absolute() if settings.path else None,
            url=settings.url,
            token=read_token(settings.token_env, os.environ.get),
            timeout_s=settings.timeout_s,
            attempts=settings.attempts,
        )
    )
    # The http provider tries again by itself, as the service asks it to.
    attempts = 1 if settings.provider == "http" else settings.attempts
    try:
        yield provider, Retry(time.sleep, random.random, attempts)
    finally:
        close = getattr(provider, "close", None)
        if callable(close):
            close()


def _safe(line: str) -> str:
    from memsleep.safety import masked

    return printable(masked(line))


def _told(done: Synced) -> list[str]:
    """Return what a sync did, one line each."""
    lines = []
    if done.fetch is not None:
        news = f"{done.fetch.notes} notes and {done.fetch.decisions} decisions"
        lines.append(f"fetched {news} in {done.fetch.pages} pages from {done.provider}")
    pulled = done.pulled
    if pulled is not None:
        lines += [f"written: {slug}" for slug in pulled.saved]
        lines += [f"archived: {slug}" for slug in pulled.archived]
        if pulled.held:
            lines.append(f"{len(pulled.held)} held until what is queued here has its answer")
        lines += [f"left alone: {slug}: {reason}" for slug, reason in pulled.left]
    if done.drained is not None:
        lines.append(f"delivered {len(done.drained.delivered)}, {done.drained.waiting} still wait")
        lines += [f"withheld: {reason}" for _, reason in done.drained.withheld]
    for refusal in done.refused:
        lines.append(
            f"refused: {refusal.kind} {refusal.slug} [{refusal.client_id}]: {refusal.reason}"
        )
        lines += [f"  restored: {refusal.restored}"] if refusal.restored else []
        lines += [f"  {failure}" for failure in refusal.failures]
    return [*lines, *([f"error: {done.error}"] if done.error else [])]
