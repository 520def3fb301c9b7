"""The gate put to a run, to two commits, or to a branch before it is merged."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

from memsleep.corpus.flags import ledger_paths
from memsleep.corpus.load import ParseCache, load_corpus
from memsleep.corpus.source import Source
from memsleep.counted import counted
from memsleep.errors import UsageError
from memsleep.gate import GateResult, Side, measure, side_of
from memsleep.gate.told import headline, refusal
from memsleep.gitrepo import Repository, find_repository, history
from memsleep.landing.auditing import sides_in_place
from memsleep.landing.base import Overlay, folder_source, load_base, past_source
from memsleep.landing.branch import PREFIX, PULL, UNDO
from memsleep.landing.merge import Candidate
from memsleep.landing.place import Place, place_of
from memsleep.landing.refold import refold, settings_of
from memsleep.landing.runs import RunRecord, RunStore
from memsleep.landing.selection import select
from memsleep.ledger import read_ledger
from memsleep.night.gating import decisions_about, gauge_of
from memsleep.plan import Plan
from memsleep.request import RunRequest
from memsleep.settings import Settings


def gate_run(request: RunRequest, name: str | None) -> tuple[str, GateResult]:
    """Return what was compared, and how a run, the newest by default, changes the answers.

    One that has not landed is folded onto what is there now.

    Raises
    ------
    UsageError
        `run-unknown` or `run-without-plan`.
    CorpusError
        `before-missing`.
    """
    place, repository = place_of(request.corpus, request.state_dir), find_repository(request.corpus)
    try:
        record = RunStore(place).find(name)
    except UsageError:
        if repository is None or name is None:
            raise
        return _of_branch(request, repository, name)
    status, plan = record.status(), record.plan()
    settings = settings_of(plan)
    if status.mode == "branch" and repository is not None and status.tip:
        for commit in (status.base_commit, status.tip):
            _commit_of(repository, commit, "RUN")
        return _of_commits(request, settings, status.base_commit, status.tip)
    if status.mode == "directory" and status.landed:
        before, after, edited = sides_in_place(place, status, record)
        told = f"the bytes that {record.run_id} kept with the folder"
        if edited:
            told += f"; {counted(len(edited), 'file was', 'files were')} edited since and left out"
        return told, _compared(request, settings, before, after)
    return _of_plan(request, record, plan)


def gate_commits(request: RunRequest, base: str, head: str) -> tuple[str, GateResult]:
    """Return what was compared, and how the corpus answers at one commit and at another.

    Raises
    ------
    UsageError
        `no-repository` or `base-unknown`.
    """
    repository = find_repository(request.corpus)
    if repository is None:
        raise UsageError(
            "no-repository",
            "--base needs a git repository, and the corpus is in none",
            context=[str(request.corpus)],
            hint="name a run instead: memsleep gate RUN",
        )
    one = _commit_of(repository, base, "--base")
    other = _commit_of(repository, head, "--head")
    return _of_commits(request, request.settings, one, other)


def gate_merge(
    request: RunRequest,
    place: Place,
    repository: Repository,
    candidate: Candidate,
    *,
    despite: bool,
) -> list[str]:
    """Measure what HEAD becomes by a merge; return what is to be said.

    Raises
    ------
    GateRefusedError
        `gate-refused`, unless it is to be merged `despite` that, or the settings only tell.
    """
    if candidate.ref.removeprefix(PREFIX).startswith(PULL):
        return ["gate: not asked, since what was fetched is the provider's and no night decided it"]
    if candidate.ref.removeprefix(PREFIX).startswith(UNDO):  # carried sentences go back, too
        return ["gate: not asked, since an undo gives back what was there"]
    plan = _plan_of(place, candidate.run_id)
    settings = request.settings if plan is None else settings_of(plan)
    head = past_source(request.corpus, candidate.head)
    result = _compared(request, settings, head, _merged(repository, candidate, head))
    if result.passed:
        return [f"gate: {headline(result)}"]
    if not despite and request.settings.gate.enforce and settings.gate.enforce:
        raise refusal(
            result,
            candidate.run_id,
            decisions_about(plan),
            f"reject what it names: memsleep undo {candidate.run_id} ID; "
            "or merge it all the same: --despite-gate",
        )
    why = "--despite-gate asks for it" if despite else "gate.enforce is false"
    return [f"THE GATE REFUSED THIS, and it was merged since {why}: {headline(result)}"]


def _merged(repository: Repository, candidate: Candidate, head: Source) -> Overlay:
    """Return HEAD with what the branch changes; both sides' lines of a ledger count."""
    touched = history.differences(repository, candidate.base, candidate.tip)
    inside = [d for d in touched if d.path.startswith(repository.prefix)]
    oids = [d.after[1] for d in inside if d.after is not None]
    blobs = dict(zip(oids, repository.blobs(oids), strict=True))
    files: dict[str, bytes | None] = {}
    for difference in inside:
        raw = difference.path.removeprefix(repository.prefix)
        after = difference.after
        files[raw.decode("utf-8", "surrogateescape")] = blobs[after[1]] if after else None
    return Overlay(head, files)


def _plan_of(place: Place, run_id: str) -> Plan | None:
    with suppress(UsageError):
        return RunStore(place).find(run_id).plan()
    return None


def _of_branch(request: RunRequest, repository: Repository, name: str) -> tuple[str, GateResult]:
    """Compare a branch whose run is not on record with where it left HEAD's history."""
    tip = history.resolve_commit(repository, f"{PREFIX}{name.removeprefix(PREFIX)}")
    head = repository.head_commit()
    base = history.merge_base(repository, head, tip) if head and tip else None
    if tip is None or base is None:
        raise UsageError(
            "run-unknown",
            f"there is neither a run nor a branch {name!r}",
            hint="memsleep status",
        )
    return _of_commits(request, request.settings, base, tip)


def _of_plan(request: RunRequest, record: RunRecord, plan: Plan) -> tuple[str, GateResult]:
    base = load_base(request.corpus, plan, folder_source(request.corpus))
    folded = refold(base, plan, select(plan).accepted)
    told = f"the folder as it is with the plan of {record.run_id}, which has not landed"
    gauge = gauge_of(request.settings)
    return told, measure(side_of(base), side_of(folded.end), gauge)


def _of_commits(
    request: RunRequest, settings: Settings, base: str, head: str
) -> tuple[str, GateResult]:
    sides = past_source(request.corpus, base), past_source(request.corpus, head)
    return f"commit {base[:12]} with {head[:12]}", _compared(request, settings, *sides)


def _compared(request: RunRequest, settings: Settings, before: Source, after: Source) -> GateResult:
    """Measure two sources, read by the settings of the run with the vectors of today."""
    parsed: ParseCache = {}
    one = _side(request.corpus, settings, before, parsed)
    return measure(one, _side(request.corpus, settings, after, parsed), gauge_of(request.settings))


def _side(corpus: Path, settings: Settings, source: Source, parsed: ParseCache) -> Side:
    section = settings.corpus.model_copy(update={"allow_empty": True})
    loaded = load_corpus(corpus, section, source=source, parsed=parsed)
    lines = [
        entry
        for path, data in source.read_many(sorted(ledger_paths(loaded.taken)))
        if isinstance(data, bytes)
        for entry in read_ledger(data, path)
    ]
    return Side(loaded.memories, tuple(lines))


def _commit_of(repository: Repository, name: str, option: str) -> str:
    found = history.resolve_commit(repository, name)
    if found is None:
        raise UsageError(
            "base-unknown",
            f"{option} names no commit of the repository: {name!r}",
            context=["nothing was changed"],
            hint="git fetch --unshallow, or name another commit",
        )
    return found
