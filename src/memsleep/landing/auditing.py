"""The proof that nothing was lost, for any past run: from its commits, or the bytes it kept."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from memsleep.audit import Proof, Recorded, prove
from memsleep.audit.losses import Loss
from memsleep.audit.proof import ledger_lines
from memsleep.audit.trail import Trail
from memsleep.corpus.load import ParseCache
from memsleep.corpus.source import Source
from memsleep.errors import CorpusError, UsageError
from memsleep.gitrepo import Repository, history
from memsleep.landing.base import Overlay, folder_source, load_base, past_source
from memsleep.landing.place import Place
from memsleep.landing.runs import RunRecord, RunStore, Status
from memsleep.model import Snapshot, digest_bytes
from memsleep.plan import Plan, PlannedDecision

_ARCHIVED = ("status", "updated", "archived_at", "superseded_by")
_KEEPER = ("created", "updated", "confidence", "content_hash", "event_time")


@dataclass(frozen=True, slots=True)
class Audit:
    """The proof of one run, and what it rests on."""

    run: str
    proof: Proof
    compared: str
    """What was compared with what."""
    unproven: tuple[str, ...] = ()
    """Paths that were edited since the run: their state after it is no longer there."""


def audit_run(place: Place, repository: Repository | None, record: RunRecord) -> Audit:
    """Prove that a run lost nothing.

    Raises
    ------
    UsageError
        `run-without-plan`, or `run-not-landed` for one that changed nothing.
    CorpusError
        `before-missing`, when bytes or commits that it needs are no longer kept.
    """
    status, plan = record.status(), record.plan()
    if not status.landed:
        raise UsageError(
            "run-not-landed",
            f"nothing of {status.run} has landed: it is {status.state}",
            context=["there is nothing to prove"],
        )
    if status.mode == "branch" and repository is not None:
        built = tuple(d.id for d in plan.decisions if d.id not in status.rejected)
        recorded = recorded_in(plan, built)
        return _on_branch(place, repository, plan, status, recorded)
    return _in_place(place, plan, status, record, recorded_in(plan, status.landed))


def recorded_in(plan: Plan, landed: Collection[str]) -> Recorded:
    """Return what the landed decisions of a plan say that they change."""
    wanted = frozenset(landed)
    trail = Trail()
    fields: dict[str, set[str]] = {}
    replaced: dict[str, str] = {}
    links: dict[str, set[tuple[str, str]]] = {"retarget-link": set(), "remove-link": set()}
    for decision in (d for d in plan.decisions if d.id in wanted):
        path = trail.first(decision.paths[0])
        trail.go([(c.path, c.to) for c in decision.changes if c.to is not None])
        fields.setdefault(path, set()).update(_fields(decision))
        if decision.kind == "merge":
            replaced[decision.paths[1]] = decision.paths[0]
            fields.setdefault(decision.paths[1], set()).update(_ARCHIVED)
        elif decision.kind in links:
            links[decision.kind].add((path, decision.paths[1]))
    return Recorded(
        trail.moves,
        replaced,
        {path: frozenset(names) for path, names in sorted(fields.items())},
        frozenset(links["retarget-link"]),
        frozenset(links["remove-link"]),
    )


def _fields(decision: PlannedDecision) -> Iterable[str]:
    if decision.kind == "set-field":
        return [str(name) for name, _ in decision.intent.get("values", ())]
    if decision.kind == "merge":
        return _KEEPER
    return _ARCHIVED if decision.kind == "archive" else ("updated",)


# A branch -----------------------------------------------------------------------------------


def _on_branch(
    place: Place, repository: Repository, plan: Plan, status: Status, recorded: Recorded
) -> Audit:
    for commit in (status.base_commit, status.tip):
        if not commit or history.resolve_commit(repository, commit) is None:
            raise CorpusError(
                "before-missing",
                f"commit {commit[:12] or '?'} of {status.run} is no longer in the repository",
                context=["there is nothing left to compare"],
                hint="git gc took it, or a shallow clone has not fetched it",
            )
    proof = _prove(
        place.corpus,
        plan,
        past_source(place.corpus, status.base_commit),
        past_source(place.corpus, status.tip),
        recorded,
    )
    strays = _strays(repository, status, recorded, plan)
    proof = replace(proof, losses=tuple(sorted([*proof.losses, *strays])))
    told = f"commit {status.base_commit[:12]} with {status.tip[:12]}"
    return Audit(status.run, proof, told)


def _strays(
    repository: Repository, status: Status, recorded: Recorded, plan: Plan
) -> Iterator[Loss]:
    """Give files that differ between the commits though no decision names them, and those gone."""
    named = {c.path for d in plan.decisions for c in d.changes}
    named |= {c.to for d in plan.decisions for c in d.changes if c.to is not None}
    for difference in history.differences(repository, status.base_commit, status.tip):
        path = difference.path.removeprefix(repository.prefix).decode("utf-8", "backslashreplace")
        if not difference.path.startswith(repository.prefix) or path not in named:
            yield Loss(path, 0, "file", "it was changed and no decision names it")
        elif difference.after is None and path not in recorded.moves:
            yield Loss(path, 0, "file", "it is neither live nor in the archive")


# A folder -----------------------------------------------------------------------------------


def _in_place(
    place: Place, plan: Plan, status: Status, record: RunRecord, recorded: Recorded
) -> Audit:
    start, end, unproven = sides_in_place(place, status, record)
    proof = _prove(place.corpus, plan, start, end, recorded)
    left = tuple(loss for loss in proof.losses if loss.path not in unproven)
    told = "the bytes that the run kept with the folder"
    return Audit(status.run, replace(proof, losses=left), told, unproven)


def sides_in_place(
    place: Place, status: Status, record: RunRecord
) -> tuple[Overlay, Overlay, tuple[str, ...]]:
    """Return the folder as it was before a run and after it, and the paths edited since.

    Raises
    ------
    CorpusError
        `before-missing`.
    """
    before: dict[str, bytes | None] = {}
    after: dict[str, bytes | None] = {}
    unproven = []
    disk = folder_source(place.corpus)
    now = dict(disk.read_many(sorted(status.files)))
    for path, result in status.files.items():
        before[path] = None if result.before is None else _kept(record, path, result.before)
        held = now[path]
        live = held if isinstance(held, bytes) else None
        if (None if live is None else digest_bytes(live)) == result.after:
            after[path] = live
            continue
        later = None if result.after is None else _kept_later(place, record, result.after)
        after[path] = later
        if result.after is not None and later is None:
            unproven.append(path)
    for path in unproven:  # it is compared as it lies now: what an edit took since is no loss
        after[path] = before[path] = None
    return Overlay(disk, before), Overlay(disk, after), tuple(sorted(unproven))


def _kept(record: RunRecord, path: str, digest: str) -> bytes:
    content = record.before(digest)
    if content is None:
        raise CorpusError(
            "before-missing",
            f"the bytes that {path} had before {record.run_id} are no longer kept",
            context=["there is nothing left to compare"],
            hint="runs.before_days says how long they are kept",
        )
    return content


def _kept_later(place: Place, record: RunRecord, digest: str) -> bytes | None:
    """Return what a run made of a file from what a later run found there."""
    for later in RunStore(place).records():
        if later.run_id != record.run_id and (content := later.before(digest)) is not None:
            return content
    return None


def _prove(corpus: Path, plan: Plan, before: Source, after: Source, recorded: Recorded) -> Proof:
    parsed: ParseCache = {}  # most files are the same before and after
    start, end = (load_base(corpus, plan, source, parsed) for source in (before, after))
    return prove(start, end, _with_entries(recorded, start, end, plan))


def _with_entries(recorded: Recorded, start: Snapshot, end: Snapshot, plan: Plan) -> Recorded:
    """Add the moves of entries: a plan tells of files, the ledger tells where an entry went."""
    known = {decision.id for decision in plan.decisions}
    moves = dict(recorded.moves)
    for line in ledger_lines(end):
        if line.get("decision") in known and start.is_entry(line["path"]):
            moves.setdefault(line["path"], line["to"])
    return replace(recorded, moves=moves)


def as_document(audit: Audit) -> Mapping[str, object]:
    """Return an audit as JSON values."""
    proof = audit.proof
    return {
        "schema_version": 1,
        "run": audit.run,
        "holds": proof.holds,
        "compared": audit.compared,
        "memories": proof.memories,
        "changed": proof.compared,
        "pieces": proof.pieces,
        "archived": proof.archived,
        "unproven": list(audit.unproven),
        "losses": [
            {"path": loss.path, "line": loss.line, "kind": loss.kind, "detail": loss.detail}
            for loss in proof.losses
        ],
    }
