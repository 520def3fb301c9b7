"""From a request to the snapshot of the night's start: files, state, usage, vectors."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from memsleep.access.committed import read_committed
from memsleep.beside import beside
from memsleep.corpus.choose import choose_source
from memsleep.corpus.findings import size_findings
from memsleep.corpus.flags import ledger_paths
from memsleep.corpus.load import LoadedCorpus, entry_texts, load_corpus
from memsleep.corpus.source import Source
from memsleep.embedders.cache import VectorCache
from memsleep.known import Known
from memsleep.landing.rejections import standing_answers
from memsleep.ledger import LedgerEntry, ledger_problems, read_ledger
from memsleep.limits import limits_of
from memsleep.model import Problem, Snapshot, Standing, Usage
from memsleep.night.cache import NightCache, night_cache
from memsleep.night.vectors import night_vectors
from memsleep.phases.contradictions import KIND as CONTRADICTION
from memsleep.request import RunRequest
from memsleep.settings import Settings
from memsleep.state.corroboration import Suspicion
from memsleep.state.peer import read_peer_state
from memsleep.state.rejecting import Rejected
from memsleep.state.store import State, open_copy, open_state
from memsleep.usage import import_usage


@dataclass(frozen=True, slots=True)
class Prepared:
    """The night's start, and what the report says about it."""

    corpus: LoadedCorpus
    snapshot: Snapshot
    degraded: tuple[str, ...]
    """What the night has to do without, one sentence each."""
    name: str
    """Name of the corpus for people: its folder's, not a path of one machine."""
    remarks: tuple[str, ...] = ()
    """For standard error: what says nothing about the memories."""
    suspicions: Mapping[str, Suspicion] | None = None
    """Contradictions that earlier nights suspected, by key; None where nobody remembers."""
    cache_failed: bool = False
    """The cache could not be used: the night does not wait for it again."""
    prefix: str = ""
    """Path of the corpus below the root of the repository that holds it, if it is not the root."""


def prepare(
    request: RunRequest, scratch: Path, *, source: Source | None = None, live: bool = False
) -> Prepared:
    """Read everything that a night needs; all copies lie below `scratch`.

    A night that is `live` writes what it observes to the state, and its vectors to the cache.
    What it then knows is the same: where there was no state before, it has none tonight.
    """
    source = choose_source(request.corpus) if source is None else source
    remarks: list[str] = []
    with (
        night_cache(request, source, scratch, remarks, live=live) as opening,
        _state_copy(request, scratch, live=live) as copied,
    ):
        corpus = _load(request, source, opening)
        prepared = _prepared(request, scratch, source, corpus, opening.cache, copied)
    said = (*remarks, *prepared.remarks)
    return replace(prepared, remarks=said, cache_failed=opening.failed)


def _prepared(
    request: RunRequest,
    scratch: Path,
    source: Source,
    corpus: LoadedCorpus,
    cache: VectorCache | None,
    copied: Future[State] | None,
) -> Prepared:
    settings, now = request.settings, request.now
    ledgers = _ledgers(source, corpus)
    entries = [entry for path in sorted(ledgers) for entry in read_ledger(ledgers[path], path)]
    problems = list(corpus.problems)
    for path in sorted(ledgers):
        problems += ledger_problems(ledgers[path], path)
    limits = limits_of(settings.check)
    problems += size_findings(corpus.stores, corpus.memories, corpus.files, limits)
    usage, standing, landed, answers, suspicions, asked = _state(
        request, source, corpus, scratch, problems, copied
    )
    made = night_vectors(request, corpus.memories, scratch, cache)
    problems += made.problems
    snapshot = Snapshot(
        now=now,
        memories=corpus.memories,
        files={**corpus.files, **ledgers},
        vectors=made.vectors,
        floors=made.floors,
        usage=usage,
        standing=standing,
        past_archives=_instants(entries, now, {"evicted", "expired"}),
        past_merges=_instants(entries, now, {"merged"}),
        first_night=landed is None and all(entry.cause == "deleted" for entry in entries),
        unreadable=corpus.unreadable,
        references=corpus.references,
        locked=corpus.locked,
        page_dialects=corpus.page_dialects,
        problems=tuple(
            sorted(set(problems), key=lambda p: (p.path, p.line or 0, p.code, p.message))
        ),
        taken=corpus.taken,
        rejected=standing_answers(answers, corpus.files),
        asked_since=asked,
        archive_folder=corpus.detection.traits.archive,
        known=cache.known() if cache is not None else Known(),
    )
    notes = [*request.notes, *made.notes, *_missing(snapshot, settings)]
    prefix = os.fsdecode(source.repository.prefix) if source.repository else ""
    name = request.corpus.resolve().name
    return Prepared(corpus, snapshot, tuple(notes), name, made.remarks, suspicions, prefix=prefix)


@contextmanager
def _state_copy(
    request: RunRequest, scratch: Path, *, live: bool
) -> Iterator[Future[State] | None]:
    """Copy the state for a dry run while the files are read; None for a live night."""
    if live:
        yield None
        return
    with ThreadPoolExecutor(1) as threads:
        copied = beside(threads, open_copy, _database(request), scratch)
        try:
            yield copied
        finally:
            if copied.exception() is None:
                copied.result().close()


def _database(request: RunRequest) -> Path:
    return (request.state_dir or request.corpus / ".memsleep") / "state.db"


def _load(request: RunRequest, source: Source, cache: NightCache) -> LoadedCorpus:
    """Load the corpus and let the progress bar know how many files there are."""
    request.progress.start("loading")
    begun = False

    def advance(_done: int, total: int) -> None:
        nonlocal begun
        if not begun:
            request.progress.start("loading", total)
            begun = True
        request.progress.advance()

    corpus = load_corpus(
        request.corpus, request.settings.corpus, source=source, progress=advance, store=cache
    )
    request.progress.finish()
    return corpus


def _ledgers(source: Source, corpus: LoadedCorpus) -> dict[str, bytes]:
    """Return path -> bytes of the ledgers of all years."""
    found = dict(source.read_many(ledger_paths(corpus.taken)))
    return {path: content for path, content in found.items() if isinstance(content, bytes)}


def _instants(entries: list[LedgerEntry], now: str, causes: set[str]) -> tuple[str, ...]:
    return tuple(sorted(e.when for e in entries if e.cause in causes and e.when <= now))


def _state(
    request: RunRequest,
    source: Source,
    corpus: LoadedCorpus,
    scratch: Path,
    problems: list[Problem],
    copied: Future[State] | None,
) -> tuple[
    Mapping[str, Usage] | None,
    Mapping[str, Standing] | None,
    str | None,
    tuple[Rejected, ...],
    Mapping[str, Suspicion] | None,
    Mapping[str, str],
]:
    """Return (usage, standing, instant of the last landed run, answers, suspicions, questions)."""
    committed = read_committed(source, corpus.taken, request.settings.corpus.usage_exports)
    peer = read_peer_state(request.corpus, scratch)
    problems.extend((*committed.problems, *peer.problems))
    exported = dict(committed.usage)
    for path, use in peer.usage.items():
        exported[path] = import_usage(exported[path], use) if path in exported else use
    committed = replace(committed, usage=exported)
    database = _database(request)
    known, live = _is_there(database), copied is None
    if not known and not live:
        return (committed.total() or None), None, None, (), None, {}
    with open_state(database) if copied is None else copied.result() as state:
        digests = {path: memory.content_hash for path, memory in corpus.memories.items()}
        unreadable = {item.path for item in corpus.unreadable}
        entries = entry_texts(corpus.memories, corpus.files)
        state.observe(digests, request.now, unreadable=unreadable, entries=entries)
        if live:  # what a run makes of them must not be the first that is known
            state.see_versions(corpus.memories.values(), state.ids(), request.now)
        committed.teach(state)
        if not known:
            return (committed.total() or None), None, None, (), None, {}
        return (
            state.usage() or None,
            state.standing(),
            state.last_landed_at(),
            state.answers(),
            state.suspicions(CONTRADICTION),
            state.asked(),
        )


def _is_there(path: Path) -> bool:
    """Return True for anything by that name; what may not be looked at raises."""
    try:
        path.lstat()
    except (FileNotFoundError, NotADirectoryError):
        return False
    return True


def _missing(snapshot: Snapshot, settings: Settings) -> list[str]:
    """Return one sentence for each kind of knowledge that the night lacks."""
    notes = []
    if snapshot.usage is None:
        spread = settings.triage.unknown_usage == "spread"
        how = "its weight is spread over the other signals" if spread else "it counts as none"
        notes.append(f"no usage data: {how}")
    if snapshot.standing is None and settings.decay.clock == "nights":
        notes.append(
            "no state: decay, spared memories and corroboration are off, "
            "budgets come from the ledger"
        )
    if snapshot.first_night and settings.triage.first_night_advisory:
        notes.append("the first night on this corpus: evictions are told, not done")
    return notes
