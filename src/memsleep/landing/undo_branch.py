"""Taking back what a run put on a branch.

A run that is not merged is built again without the decisions, as a branch of its own. One that is
merged gets a commit on `sleep/undo-<run>` that gives the files back; it lands by a merge, and only
then does the state follow.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace

from memsleep.access.landed import versions_of
from memsleep.counted import counted
from memsleep.errors import CorpusError
from memsleep.fold.archive import LEDGER_NAME
from memsleep.giterrors import unborn_branch
from memsleep.gitrepo import Repository, history, writing
from memsleep.landing.base import load_base, past_source
from memsleep.landing.branch import PREFIX, branch_sink, files_of
from memsleep.landing.pending_undo import PendingUndo, keep_pending, pending_undos
from memsleep.landing.place import Place
from memsleep.landing.refold import Refolded, refold
from memsleep.landing.rejections import rejected_decisions
from memsleep.landing.runs import RunRecord, RunStore, Status
from memsleep.landing.settle import effects_from
from memsleep.landing.sink import Landing, PhaseFold, Rejection, RunMeta
from memsleep.landing.target import is_entry, moves_of, touching, wanted
from memsleep.landing.twins import twins
from memsleep.landing.undo import REASON, Undone, wanted_decisions
from memsleep.landing.writer import BlockedError
from memsleep.model import Snapshot
from memsleep.plan import Plan
from memsleep.state.store import open_state


@dataclass(frozen=True, slots=True)
class BranchUndone:
    """What was taken back, and where it waits."""

    undone: Undone
    ref: str | None
    messages: tuple[str, ...]


def undo_on_branch(
    place: Place,
    repository: Repository,
    record: RunRecord,
    names: Collection[str],
    *,
    with_them: bool,
    now: str,
) -> BranchUndone:
    """Take back decisions of a run that is on a branch, or was merged from one.

    Raises
    ------
    UsageError
        `run-not-landed`, `decision-unknown`, `decision-not-landed` or `undo-has-dependents`.
    CorpusError
        `before-missing`, when the commits of the run are no longer in the repository.
    """
    status, plan = record.status(), record.plan()
    going = wanted_decisions(plan, status, list(names), with_them)
    if not status.base_commit or history.resolve_commit(repository, status.base_commit) is None:
        raise CorpusError(
            "before-missing",
            f"the commit that {status.run} started from is no longer in the repository",
            context=["nothing was changed"],
        )
    base = load_base(place.corpus, plan, past_source(place.corpus, status.base_commit))
    landed = frozenset(status.landed)
    current = refold(base, plan, landed, unchecked=landed)
    case = _Case(place, repository, record, plan, status, base, current, now)
    done = case.rebuilt(going) if status.state == "branch" else case.reversed(going)
    known = {decision.id for decision in plan.decisions}
    reasons = dict.fromkeys(sorted(set(done.undone.decisions) & known), REASON)
    with open_state(place.database) as state:
        state.reject(rejected_decisions(plan, reasons, status.run, now))
    return done


@dataclass(frozen=True, slots=True)
class _Case:
    """One run whose decisions are to be taken back."""

    place: Place
    repository: Repository
    record: RunRecord
    plan: Plan
    status: Status
    base: Snapshot
    current: Refolded
    """What the landed decisions made of the base."""
    now: str

    def rebuilt(self, going: frozenset[str]) -> BranchUndone:
        """Build the branch again without the decisions; the old one goes if nobody touched it."""
        status, record = self.status, self.record
        staying = frozenset(status.landed) - going
        target = refold(self.base, self.plan, staying, unchecked=staying)
        meta = RunMeta(
            run_id=record.run_id,
            now=self.plan.instant,
            base_commit=status.base_commit,
            config_digest=self.plan.config_digest,
            plan_digest=status.plan_digest,
        )
        landing = branch_sink(self.place.corpus).land(meta, target.phases)
        undone = tuple(dict.fromkeys([*status.undone, *sorted(going)]))
        rejected = {**status.rejected, **dict.fromkeys(sorted(going), REASON)}
        if landing.ref is not None and not RunStore(self.place).known(landing.run_id):
            record = RunStore(self.place).renamed(record, landing.run_id)
        record.update(
            state="undone" if landing.ref is None else "branch",
            ref=landing.ref or "",
            tip=landing.tip or "",
            landed=tuple(name for name in status.landed if name in staying),
            rejected=rejected,
            undone=undone,
        )
        said = [line for line in landing.messages if f"supersedes {status.run}," not in line]
        said += self._without_old()
        if landing.ref is not None:
            said.append(f"what stays is on {landing.run_id}: memsleep merge {landing.run_id}")
        order = tuple(name for name in status.landed if name in going)
        files = _files(self.current, target)
        return BranchUndone(Undone(order, (), files), landing.ref, tuple(said))

    def _without_old(self) -> list[str]:
        """Delete the branch that was built before, unless somebody has committed to it."""
        ref, tip = self.status.ref, self.status.tip
        if history.resolve_commit(self.repository, ref) != tip:
            return [f"{self.status.run} has commits of somebody else, so it stays"]
        writing.delete_ref(self.repository, ref, tip)
        return [f"{self.status.run} is gone (it was {tip[:12]})"]

    def reversed(self, going: frozenset[str]) -> BranchUndone:
        """Put a commit on a branch that takes the decisions back from HEAD."""
        head = self.repository.head_commit()
        if head is None:
            raise unborn_branch(self.repository.toplevel)
        there = self._there(head)
        refused: dict[str, Rejection] = {}
        while True:
            taking = going - refused.keys()
            staying = frozenset(self.status.landed) - taking
            target = refold(self.base, self.plan, staying, unchecked=staying)
            phase, blocked = _difference(self.repository, head, self.current, target)
            blocked = {**blocked, **twins(phase, target.end, there, self.plan)}
            if not blocked or not taking:
                break
            self._refuse(refused, target, blocked, taking)
        order = tuple(name for name in self.status.landed if name in taking)
        stays = tuple(refused[name] for name in self.status.landed if name in refused)
        if not taking or not (phase.before or phase.after):
            return BranchUndone(Undone(order, stays), None, ())
        landing = self._land_undo(head, phase, order)
        said = (*landing.messages, f"it waits on {landing.run_id}: memsleep merge {landing.run_id}")
        files = len(phase.before.keys() | phase.after.keys())
        return BranchUndone(Undone(order, stays, files), landing.ref, said)

    def _there(self, head: str) -> Snapshot:
        """Return the memories of HEAD, where it matters what others have written since."""
        if not any(memory.dialect == "memhtml" for memory in self.base.memories.values()):
            return self.base
        return load_base(self.place.corpus, self.plan, past_source(self.place.corpus, head))

    def _land_undo(self, head: str, phase: PhaseFold, order: tuple[str, ...]) -> Landing:
        meta = RunMeta(
            run_id=self.record.run_id.replace("sleep/", "sleep/undo-", 1),
            now=self.now,
            base_commit=head,
            config_digest=self.plan.config_digest,
        )
        lines = tuple(f"undo {name}" for name in order)
        whole = replace(phase, decisions=order, counts={"undo": len(order)}, lines=lines)
        landing = branch_sink(self.place.corpus).land(meta, (whole,))
        pending = PendingUndo(
            ref=landing.ref or "", tip=landing.tip or "", base=head, now=self.now, decisions=order
        )
        keep_pending(self.record, (*pending_undos(self.record), pending))
        return landing

    def _refuse(
        self,
        refused: dict[str, Rejection],
        target: Refolded,
        blocked: Mapping[str, str],
        taking: frozenset[str],
    ) -> None:
        """Let decisions stay that touch a blocked file, and what they require."""
        found = {**touching(target.applied, blocked), **touching(self.current.applied, blocked)}
        found = {name: path for name, path in found.items() if name in taking}
        if not found:  # a file that only folding again touches: nothing can be taken back
            found = dict.fromkeys(taking, min(blocked))
        for name, path in found.items():
            refused[name] = Rejection(id=name, reason=f"{path}: {blocked[path]}", path=path)
        for decision in reversed(self.plan.decisions):
            if decision.id in refused:
                for need in decision.requires:
                    if need in taking and need not in refused:
                        reason = f"{decision.id} requires it and stays"
                        refused[need] = Rejection(id=need, reason=reason)


def _files(one: Refolded, other: Refolded) -> int:
    a, b = one.end.files, other.end.files
    return sum(a.get(path) != b.get(path) for path in a.keys() | b.keys())


def _difference(
    repository: Repository, head: str, current: Refolded, target: Refolded
) -> tuple[PhaseFold, Mapping[str, str]]:
    """Return the way from HEAD to a target, for the files in which the two folds differ."""
    now, then = current.end.files, target.end.files
    changing = [
        path
        for path in sorted(set(now) | set(then))
        if now.get(path) != then.get(path) and not is_entry(path, target.end, current, target)
    ]
    there = files_of(repository, head, changing)
    before: dict[str, bytes] = {}
    after: dict[str, bytes] = {}
    blocked: dict[str, str] = {}
    for path in changing:
        found = there.get(path)
        try:
            wish = wanted(path, found, now.get(path), then.get(path))
        except BlockedError as error:
            blocked[path] = error.reason
            continue
        if found is not None and wish != found:
            before[path] = found
        if wish is not None and wish != found:
            after[path] = wish
    moves = {**moves_of(current.applied, back=True), **moves_of(target.applied)}
    kept = {a: b for a, b in moves.items() if a in before and a not in after and b in after}
    return PhaseFold(name="undo", before=before, after=after, moves=kept), blocked


# When it lands ------------------------------------------------------------------------------


def settle_undo(place: Place, repository: Repository, record: RunRecord) -> list[str]:
    """Let the state follow undos whose branches have landed; forget those that were discarded."""
    waiting = pending_undos(record)
    if not waiting:
        return []
    said: list[str] = []
    stay: list[PendingUndo] = []
    head = repository.head_commit()
    for pending in waiting:
        tip = history.resolve_commit(repository, pending.tip)
        if head is not None and tip is not None and _in_head(repository, pending, tip, head):
            said += _settled(place, record, pending)
        elif history.resolve_commit(repository, pending.ref) is None:
            name = pending.ref.removeprefix(PREFIX)
            said.append(f"{record.run_id}: the branch {name} of its undo is gone; the run stands")
        else:
            stay.append(pending)
    if len(stay) < len(waiting):
        keep_pending(record, stay)
    return said


def _in_head(repository: Repository, pending: PendingUndo, tip: str, head: str) -> bool:
    """Return True when HEAD has the undo: merged, or as a squash with the same results."""
    if history.is_ancestor(repository, tip, head):
        return True
    tree = {entry.path: entry.oid for entry in repository.tree(head)}
    prefix = repository.prefix
    return all(
        tree.get(d.path.removeprefix(prefix)) == (None if d.after is None else d.after[1])
        for d in history.differences(repository, pending.base, tip)
        if not d.path.endswith(f"/{LEDGER_NAME}".encode())  # others add lines to it
    )


def _settled(place: Place, record: RunRecord, pending: PendingUndo) -> list[str]:
    status, plan = record.status(), record.plan()
    going = set(pending.decisions).intersection(status.landed)  # another undo may have had some
    if not going:
        return []
    due = [effect for effect in plan.effects if effect.decision in going]
    with open_state(place.database) as state:
        state.revert_effects(status.run, effects_from(due), pending.now)
        changes = versions_of(place.corpus, plan, going, taken_back=True)
        state.add_versions(changes, status.run, pending.now)
    left = tuple(name for name in status.landed if name not in going)
    record.update(
        state="merged" if left else "undone",
        landed=left,
        undone=tuple(dict.fromkeys([*status.undone, *pending.decisions])),
    )
    return [f"{record.run_id}: {counted(len(going), 'decision was', 'decisions were')} taken back"]
