"""Merging a run's branch from the command line: lock, budgets, merge, and what the state learns."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import suppress

from memsleep.budget import allowances
from memsleep.corpus.flags import ledger_paths
from memsleep.corpus.load import LoadedCorpus, load_corpus
from memsleep.errors import GitError, UsageError
from memsleep.gitrepo import Repository, find_repository, history
from memsleep.landing import merge as merging
from memsleep.landing.base import NO_VECTORS, commit_source
from memsleep.landing.checkout import MergeRefusedError
from memsleep.landing.landed import settle_branches
from memsleep.landing.merge import Candidate, Merged
from memsleep.landing.place import Place
from memsleep.landing.refold import settings_of
from memsleep.landing.runs import RunStore
from memsleep.ledger import LedgerEntry, read_ledger
from memsleep.model import Snapshot
from memsleep.night.briefing import write_brief
from memsleep.night.gated import gate_merge
from memsleep.night.holding import held
from memsleep.night.queueing import queue_landed
from memsleep.phases.dedup import merge_limit
from memsleep.request import Outcome, RunRequest
from memsleep.settings import Settings

_SHARED = "nothing was changed"


def merge_run(
    request: RunRequest, name: str | None, *, force: bool, despite_gate: bool = False
) -> Outcome:
    """Merge a run's branch into HEAD.

    Raises
    ------
    MergeRefusedError
        `merge-no-branch`, `merge-overlap`, `merge-dirty`, `merge-over-budget` and their like;
        nothing is changed then.
    GateRefusedError
        `gate-refused`, unless it is to land `despite_gate`.
    """
    repository = _repository(request)
    with held(request, "memsleep merge") as (place, _, said):
        candidate = merging.find(repository, name, force=force)
        if not history.is_ancestor(repository, candidate.tip, candidate.head):
            _check_budgets(request, place, candidate)
            said += gate_merge(request, place, repository, candidate, despite=despite_gate)
        merged = merging.merge(place, repository, candidate, now=request.now)
        said += settle_branches(place, repository, now=request.clock or request.now)
        said += queue_landed(request, place)
    said += write_brief(request)
    return Outcome(
        output=_document(merged) if request.json else b"",
        changes=merged.files,
        messages=(*said, _told(merged)),
    )


def _repository(request: RunRequest) -> Repository:
    repository = find_repository(request.corpus)
    if repository is None:
        raise GitError(
            "git-no-repository",
            f"expected a git repository around the corpus, found none: {request.corpus}",
            context=["in a plain folder a run lands in place, and there is nothing to merge"],
        )
    return repository


def _check_budgets(request: RunRequest, place: Place, candidate: Candidate) -> None:
    """Refuse a branch that would archive more than is left by now: others may have landed since.

    Raises
    ------
    MergeRefusedError
        `merge-over-budget`.
    """
    settings = _settings(request, place, candidate)
    open_ended = settings.corpus.model_copy(update={"allow_empty": True})
    head = commit_source(request.corpus, candidate.head)
    corpus = load_corpus(request.corpus, open_ended, source=head)
    before = _ledger(request, candidate.head, corpus.taken)
    after = _ledger(request, candidate.tip, None)
    known = set(before)
    added = [entry for entry in after if entry not in known]
    over = list(_over(_snapshot(request, corpus, before), settings, added))
    if over:
        raise MergeRefusedError(
            "merge-over-budget",
            f"{candidate.run_id} takes more than the budget leaves",
            context=[*over, _SHARED],
            hint="run the night again: it starts from HEAD and takes less",
        )


def _settings(request: RunRequest, place: Place, candidate: Candidate) -> Settings:
    """Return the settings that the run was made with, where its plan is still kept."""
    with suppress(UsageError):
        return settings_of(RunStore(place).find(candidate.run_id).plan())
    return request.settings


def _ledger(request: RunRequest, commit: str, taken: frozenset[str] | None) -> list[LedgerEntry]:
    source = commit_source(request.corpus, commit)
    paths = ledger_paths(source.listing().taken if taken is None else taken)
    found = source.read_many(sorted(paths))
    return [e for path, data in found if isinstance(data, bytes) for e in read_ledger(data, path)]


def _snapshot(request: RunRequest, corpus: LoadedCorpus, past: list[LedgerEntry]) -> Snapshot:
    def when(*causes: str) -> tuple[str, ...]:
        return tuple(sorted(e.when for e in past if e.cause in causes and e.when <= request.now))

    return Snapshot(
        now=request.now,
        memories=corpus.memories,
        files=corpus.files,
        vectors=NO_VECTORS,
        past_archives=when("evicted", "expired"),
        past_merges=when("merged"),
        first_night=False,
    )


def _over(snapshot: Snapshot, settings: Settings, added: list[LedgerEntry]) -> Iterator[str]:
    """Give one line for each limit that the branch would exceed."""
    archived = sum(entry.cause in ("evicted", "expired") for entry in added)
    for limit in allowances(snapshot, settings) if archived else ():
        if limit.spent + archived > limit.limit:
            yield (
                f"archived {limit.name}: {limit.spent} before, {archived} on the branch, "
                f"at most {limit.limit}"
            )
    merged = sum(entry.cause == "merged" for entry in added)
    if merged > merge_limit(snapshot, settings) > -1:
        yield f"merged: {merged} on the branch, at most {merge_limit(snapshot, settings)}"


def _told(merged: Merged) -> str:
    if merged.kind == "already":
        return f"{merged.run_id} has landed already"
    how = "fast-forward" if merged.kind == "fast-forward" else "merge commit"
    return f"{merged.run_id} merged ({how} {merged.commit[:12]}), {merged.files} files"


def _document(merged: Merged) -> bytes:
    document = {
        "schema_version": 1,
        "run": merged.run_id,
        "kind": merged.kind,
        "commit": merged.commit,
        "files": merged.files,
    }
    return json.dumps(document, indent=2).encode("ascii") + b"\n"
