"""`memsleep brief`: the standing block for an agent's prompt."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from memsleep.cli import options as opt
from memsleep.cli.clock import instant_of
from memsleep.cli.opening import opened, settings_for, tell_problems
from memsleep.cli.streams import write_json, write_remarks, write_text
from memsleep.errors import UsageError

if TYPE_CHECKING:
    from memsleep.brief import Brief
    from memsleep.settings import Settings


def brief(
    corpus: opt.CorpusOption = Path(),
    since: opt.Since = None,
    write: opt.WriteBrief = False,
    now: opt.Now = None,
    config: opt.Config = None,
    state_dir: opt.StateDir = None,
    as_json: opt.Json = False,
    quiet: opt.Quiet = False,
) -> int:
    """Print what an agent should know before it is asked anything.

    Pinned memories always; then what is used or was updated lately, within limits.
    """
    instant = instant_of(now)
    settings = settings_for(corpus, config, state_dir)
    from memsleep import api

    changes = None
    with opened(corpus, settings, instant, state_dir, quiet=quiet) as found:
        if since is not None:
            changes = api.brief_since(found, since, now=instant)
            if changes is None and not quiet:
                write_remarks([f"no brief {since!r} is known here: the whole one follows"])
        block = api.brief(found, now=instant)
    tell_problems(block.problems, quiet=quiet)
    if write:
        write_remarks([f"{settings.brief.file}: {_placed(settings, block)}"])
        return 0
    _print(block, changes, as_json=as_json, quiet=quiet)
    return 0


def _print(block: Brief, changes: str | None, *, as_json: bool, quiet: bool) -> None:
    if as_json:
        from memsleep.documents import document

        write_json(document(block, "characters", "tokens", changes=changes))
        return
    write_text(block.text if changes is None else changes)
    if not quiet:
        figures = f"{block.characters} characters, about {block.tokens} tokens"
        write_remarks([f"{figures}, fingerprint {block.fingerprint}"])


def _placed(settings: Settings, block: Brief) -> str:
    from memsleep.brief.place import place_brief

    if not settings.brief.file:
        raise UsageError(
            "brief-no-file",
            "brief.file names no file to write the brief into",
            hint='set [brief] file = "AGENTS.md"',
        )
    return place_brief(Path(settings.brief.file), block.text)
