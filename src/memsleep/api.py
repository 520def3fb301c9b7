"""The Python interface: open a folder of memories, ask it, tell it what was used.

Every function takes the instant as `now`, `YYYY-MM-DDTHH:MM:SSZ` or a date: nothing here reads a
clock, so that the same corpus, state and instant give the same answer. Examples: docs/usage.md.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Literal

from memsleep.access import events
from memsleep.access.events import ReadMemory, Reinforcement
from memsleep.access.opened import OpenCorpus
from memsleep.access.opened import open_corpus as _open
from memsleep.access.queue import Waiting, waiting_questions
from memsleep.access.target import path_named
from memsleep.brief import Brief, changes_since
from memsleep.brief.write import brief_now, write_brief_file
from memsleep.citations import Cited, read_transcript
from memsleep.citations import cite as _cite
from memsleep.config import load_settings
from memsleep.core import ReinforceSignal
from memsleep.explain.answer import Explanation, explanation_of
from memsleep.explain.target import memory_named
from memsleep.forecast import MAX_DAYS, Forecast, forecast_of
from memsleep.instants import parse_instant
from memsleep.landing.brought import brought_by
from memsleep.night import propose_night
from memsleep.purge import Purged, PurgePlan, plan_purge
from memsleep.purge import purge as _purge
from memsleep.recall import Recalled, recalled
from memsleep.request import RunRequest
from memsleep.scratch import scratch_folder
from memsleep.search.find import found, log_hits
from memsleep.search.results import SearchResult, SearchResults
from memsleep.search.scopes import Scopes
from memsleep.settings import Settings
from memsleep.state.access_jsonl import write_access
from memsleep.state.anyexport import read_any_export
from memsleep.state.export import write_export
from memsleep.state.versions import Version

__all__ = [
    "Brief",
    "Cited",
    "Explanation",
    "Forecast",
    "OpenCorpus",
    "PurgePlan",
    "Purged",
    "ReadMemory",
    "Recalled",
    "Reinforcement",
    "Scopes",
    "SearchResult",
    "SearchResults",
    "Version",
    "Waiting",
    "brief",
    "brief_since",
    "cite",
    "explain",
    "export_usage",
    "forecast",
    "history",
    "import_usage",
    "open_corpus",
    "plan_purge",
    "purge",
    "read",
    "recall",
    "reinforce",
    "review_queue",
    "search",
    "write_brief_file",
]


def open_corpus(
    root: str | Path,
    *,
    now: str,
    settings: Settings | None = None,
    state_dir: Path | None = None,
) -> OpenCorpus:
    """Open a folder of memories and the state beside it; a context manager.

    Parameters
    ----------
    settings : Settings or None
        None: the defaults with the corpus's own config over them.
    state_dir : Path or None
        Folder of the state; None for `.memsleep` in the corpus.
    """
    folder = Path(root)
    return _open(folder, settings or _settings(folder), _at(now), state_dir=state_dir)


def search(
    corpus: OpenCorpus,
    query: str,
    *,
    now: str,
    limit: int | None = None,
    scopes: Scopes | None = None,
    session: str | None = None,
) -> SearchResults:
    """Return the best memories for a question; each hit is logged as `search`."""
    wanted = corpus.settings.search.limit if limit is None else limit
    instant = _at(now)
    results = found(corpus, query, instant, scopes=scopes, limit=wanted)
    log_hits(corpus, results, "search", instant, session)
    return results


def recall(
    corpus: OpenCorpus,
    query: str,
    *,
    now: str,
    limit: int | None = None,
    min_score: float | None = None,
    session: str | None = None,
) -> Recalled:
    """Return the block to put before an agent's turn; its pool is logged as `recall`."""
    instant = _at(now)
    block = recalled(corpus, query, instant, limit=limit, min_score=min_score)
    log_hits(corpus, block.pool, "recall", instant, session)
    return block


def brief(corpus: OpenCorpus, *, now: str) -> Brief:
    """Return the standing block for an agent's prompt."""
    return brief_now(corpus, _at(now))


def brief_since(corpus: OpenCorpus, fingerprint: str, *, now: str) -> str | None:
    """Return what the brief says that an earlier one did not; None when that one is not known."""
    earlier = corpus.state.brief(fingerprint)
    return None if earlier is None else changes_since(brief_now(corpus, _at(now)), earlier)


def read(corpus: OpenCorpus, target: str, *, now: str, session: str | None = None) -> ReadMemory:
    """Return what a memory says and count the access."""
    return events.read_memory(corpus, path_named(corpus, target), _at(now), session=session)


def reinforce(
    corpus: OpenCorpus,
    target: str,
    signal: ReinforceSignal,
    *,
    now: str,
    session: str | None = None,
) -> Reinforcement:
    """Count an access with a verdict on a memory: positive, negative or neutral."""
    path = path_named(corpus, target)
    return events.reinforce(corpus, path, signal, _at(now), session=session)


def cite(
    corpus: OpenCorpus,
    transcript: str | bytes,
    *,
    now: str,
    session: str | None = None,
    corrected: bool = False,
) -> Cited:
    """Count what a transcript cites: plain text, or JSON Lines with a text field."""
    source = transcript.encode() if isinstance(transcript, str) else transcript
    transcript_read = read_transcript(source, corrected=corrected)
    return _cite(corpus, transcript_read, _at(now), session=session)


def history(corpus: OpenCorpus, target: str) -> tuple[Version, ...]:
    """Return every version of a memory that the state knows, the first one first."""
    path = path_named(corpus, target)
    return corpus.state.versions(corpus.ids()[path])


def forecast(
    root: str | Path,
    days: int,
    *,
    now: str,
    settings: Settings | None = None,
    state_dir: Path | None = None,
) -> list[Forecast]:
    """Return what will expire, fade or fall into a lower band within so many days, if unused."""
    request = _request(root, now, settings, state_dir)
    with scratch_folder(request.corpus) as scratch:
        _, result = propose_night(request, scratch)
    return forecast_of(result.end, request.settings, min(days, MAX_DAYS))


def explain(
    root: str | Path,
    target: str,
    *,
    now: str,
    settings: Settings | None = None,
    state_dir: Path | None = None,
) -> Explanation:
    """Return why a memory is where it is; nothing is changed."""
    request = _request(root, now, settings, state_dir)
    with scratch_folder(request.corpus) as scratch:
        _, result = propose_night(request, scratch)
    path = memory_named(target, request.corpus, result)
    return explanation_of(path, result, request.settings)


def review_queue(
    root: str | Path,
    *,
    now: str,
    settings: Settings | None = None,
    state_dir: Path | None = None,
) -> list[Waiting]:
    """Return what a night would do and what it would ask a person; nothing of it is done."""
    request = _request(root, now, settings, state_dir)
    with scratch_folder(request.corpus) as scratch:
        _, result = propose_night(request, scratch)
    return list(waiting_questions(result))


def export_usage(corpus: OpenCorpus, *, form: Literal["memsleep", "memhtml"] = "memsleep") -> bytes:
    """Return what this machine knows of use as sorted JSON Lines: the same use, the same bytes.

    `memhtml` gives the `access.jsonl` of a memhtml store, which has no place for citations.
    """
    if form == "memhtml":
        return write_access(corpus.state.own_usage())
    return write_export(corpus.state.own_usage(), corpus.state.machine())


def import_usage(corpus: OpenCorpus, source: bytes) -> tuple[str, ...]:
    """Merge an export into the state; return the paths that name no memory.

    What another machine named in it counted is added to what this one did, however often it is
    read; an export without a machine only raises counts to its own.
    """
    read = read_any_export(source, "export")
    return corpus.state.import_usage(read.usage, read.machine)


def purge(corpus: OpenCorpus, plan: PurgePlan, *, now: str) -> Purged:
    """Forget a memory for good, as `plan_purge` says; a line without its text remains."""
    return _purge(corpus, plan, _at(now))


def _settings(root: Path) -> Settings:
    environ: Mapping[str, str] = {}
    return load_settings(root, environ=environ).settings


def _request(
    root: str | Path, now: str, settings: Settings | None, state_dir: Path | None
) -> RunRequest:
    folder = Path(root)
    brought = brought_by(folder) if state_dir is None else None
    return RunRequest(
        corpus=folder,
        settings=settings or _settings(folder),
        now=_at(now),
        state_dir=brought.instead if brought else state_dir,
        notes=(brought.note,) if brought else (),
    )


def _at(now: str) -> str:
    """Return the instant in the one form in which instants are compared."""
    return parse_instant(now, option="now =")
