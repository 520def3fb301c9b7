"""Whether a run that was put on a branch has landed, decision by decision, and what follows.

A branch lands by a merge, and then its tip is an ancestor of HEAD; or by a squash, a rebase or a
merge on a web page, and then HEAD's tree, or a commit on the way to it, holds its results. A
branch that is gone while nothing of it landed was discarded: its effects are dropped.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass

from memsleep.access.landed import versions_of
from memsleep.counted import counted
from memsleep.errors import UsageError
from memsleep.fold.archive import LEDGER_NAME
from memsleep.gitrepo import Repository, history
from memsleep.landing.place import Place
from memsleep.landing.runs import RunRecord, RunStore, Status
from memsleep.landing.settle import effects_from
from memsleep.landing.undo_branch import settle_undo
from memsleep.model import digest_bytes
from memsleep.plan import Plan, PlannedDecision
from memsleep.state.store import State, open_state


@dataclass(frozen=True, slots=True)
class Verdict:
    """What became of a branch."""

    landed: tuple[str, ...]
    """Ids of the decisions that are in HEAD, in plan order."""
    complete: bool
    """True when all of the run's decisions are."""
    gone: bool
    """True when the branch no longer exists."""


def judge(repository: Repository, plan: Plan, status: Status) -> Verdict:
    """Say which decisions of a run are in HEAD."""
    head = repository.head_commit()
    built = frozenset(status.landed)
    wanted = [d for d in plan.decisions if d.id in built]
    gone = history.resolve_commit(repository, status.ref) is None if status.ref else True
    tip = history.resolve_commit(repository, status.tip) if status.tip else None
    if head is None:
        return Verdict((), complete=False, gone=gone)
    if tip is not None and history.is_ancestor(repository, tip, head):
        return Verdict(tuple(d.id for d in wanted), complete=True, gone=gone)
    seen = _Seen(repository, status.base_commit, head, plan.run)
    results = _results(wanted)
    if tip is not None:
        _add_from_branch(repository, status.base_commit, tip, results)
    landed = tuple(d.id for d in wanted if seen.holds(d, results))
    return Verdict(landed, complete=len(landed) == len(wanted), gone=gone)


def _results(decisions: Sequence[PlannedDecision]) -> dict[str, set[str]]:
    """Return path -> digests that the run gave it. Ledgers are left out: others append to them."""
    found: dict[str, set[str]] = {}
    for decision in decisions:
        for change in decision.changes:
            if not change.path.endswith(f"/{LEDGER_NAME}"):
                found.setdefault(change.to or change.path, set()).add(change.after)
    return found


def _add_from_branch(
    repository: Repository, base: str, tip: str, results: Mapping[str, set[str]]
) -> None:
    """Add what the branch itself holds: after a rejection it is not what the plan foresaw."""
    paths = [repository.prefix + path.encode("utf-8") for path in results]
    oids = sorted(history.past_blobs(repository, base, tip, paths))
    for (path, _), data in zip(oids, repository.blobs([oid for _, oid in oids]), strict=True):
        name = path.removeprefix(repository.prefix).decode("utf-8", "replace")
        if data is not None and name in results:
            results[name].add(digest_bytes(data))


class _Seen:
    """What HEAD's tree holds, and what commits since the run's base held."""

    def __init__(self, repository: Repository, base: str, head: str, run_id: str) -> None:
        self._repository, self._base, self._head = repository, base, head
        self._run_id = run_id
        entries = repository.tree(head)
        self._oids = {e.path.decode("utf-8", "replace"): e.oid for e in entries if e.kind == "file"}
        self._past: dict[str, frozenset[str]] = {}
        self._told: frozenset[str] | None = None

    def holds(self, decision: PlannedDecision, results: Mapping[str, Collection[str]]) -> bool:
        """Return True when each result of a decision is in HEAD's tree, or was on the way there."""
        changes = [c for c in decision.changes if not c.path.endswith(f"/{LEDGER_NAME}")]
        if not changes:
            return False
        return all(
            self._held(change.to or change.path, results[change.to or change.path])
            for change in changes
        ) or (decision.kind in ("merge", "archive") and decision.id in self._ledger())

    def _held(self, path: str, digests: Collection[str]) -> bool:
        now = self._digests(path, [self._oids[path]]) if path in self._oids else frozenset()
        return not now.isdisjoint(digests) or not self._before(path).isdisjoint(digests)

    def _before(self, path: str) -> frozenset[str]:
        """Return the digests that a path had in commits after the base."""
        if path not in self._past:
            name = self._repository.prefix + path.encode("utf-8")
            found = history.past_blobs(self._repository, self._base, self._head, [name])
            self._past[path] = self._digests(path, sorted(oid for _, oid in found))
        return self._past[path]

    def _digests(self, path: str, oids: Sequence[str]) -> frozenset[str]:  # noqa: ARG002
        blobs = self._repository.blobs(oids)
        return frozenset(digest_bytes(data) for data in blobs if data is not None)

    def _ledger(self) -> frozenset[str]:
        """Return the ids of this run's decisions that a ledger in HEAD names."""
        if self._told is None:
            ledgers = [p for p in self._oids if p.endswith(f"/{LEDGER_NAME}")]
            blobs = self._repository.blobs([self._oids[path] for path in ledgers])
            self._told = frozenset(_named(blobs, self._run_id))
        return self._told


def _named(ledgers: Iterable[bytes | None], run_id: str) -> Iterator[str]:
    for source in ledgers:
        for line in (source or b"").split(b"\n"):
            with suppress(ValueError, TypeError, KeyError, RecursionError):
                entry = json.loads(line)
                if entry["run"] == run_id:
                    yield str(entry["decision"])


def settle_branches(place: Place, repository: Repository, *, now: str) -> list[str]:
    """Apply the effects of branches that have landed, drop those of discarded ones; tell it.

    Every step can be taken twice. A state that was lost learns again what kept runs did.
    """
    said = []
    with open_state(place.database) as state:
        lost = state.last_landed_at() is None
        for record in RunStore(place).records():
            with suppress(UsageError):  # a record that is not whole is told by `status`
                said += _settle(state, place, repository, record, now=now, lost=lost)
    for record in RunStore(place).records():
        with suppress(UsageError):
            said += settle_undo(place, repository, record)
    return said


def _settle(
    state: State,
    place: Place,
    repository: Repository,
    record: RunRecord,
    *,
    now: str,
    lost: bool,
) -> list[str]:
    status = record.status()
    if status.state in ("merged", "landed") and lost:
        _apply(state, place, record.plan(), status, status.landed)
        return [f"{record.run_id}: the state was lost; it knows again what this run did"]
    if status.state != "branch":
        return []
    plan = record.plan()
    verdict = judge(repository, plan, status)
    if verdict.landed or (verdict.complete and not verdict.gone):
        _apply(state, place, plan, status, verdict.landed)
    if verdict.complete or (verdict.gone and verdict.landed):
        record.update(state="merged", landed=verdict.landed, ended_at=status.ended_at or now)
        count = counted(len(verdict.landed), "decision has", "decisions have")
        return [f"{record.run_id}: {count} landed"]
    if verdict.gone:
        record.update(state="discarded", landed=())
        return [f"{record.run_id}: its branch is gone and nothing of it landed; it is forgotten"]
    return []


def _apply(state: State, place: Place, plan: Plan, status: Status, landed: Collection[str]) -> None:
    """Apply what landed; findings go with the run unless a person left them out."""
    known = {decision.id for decision in plan.decisions}
    kept = frozenset(landed) - frozenset(status.undone)
    due = [
        effect
        for effect in plan.effects
        if effect.decision in kept
        or (effect.decision not in known and effect.decision not in status.rejected)
    ]
    state.apply_effects(status.run, effects_from(due), status.now, night=plan.is_night)
    state.add_versions(versions_of(place.corpus, plan, kept), status.run, status.now)
