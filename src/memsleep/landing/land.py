"""Landing accepted decisions of a plan: fold, hand over, again without what is in the way."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from memsleep.audit import prove, recorded_by
from memsleep.errors import CorpusError, MemsleepError
from memsleep.landing.base import commit_source, folder_source, load_base
from memsleep.landing.branch import branch_sink
from memsleep.landing.directory import DirectorySink, Settle
from memsleep.landing.journal import Settlement
from memsleep.landing.place import Place
from memsleep.landing.refold import Refolded, refold, settings_of
from memsleep.landing.runs import RunRecord
from memsleep.landing.selection import Selection, with_dependents
from memsleep.landing.settle import due_effects
from memsleep.landing.sink import Landing, PhaseFold, Rejection, RunMeta
from memsleep.landing.target import changed_since, difference, ground_of, results_of, touching
from memsleep.model import Snapshot
from memsleep.plan import Plan

ATTEMPTS = 50
MAX_PLACES = 20
Gate = Callable[[Snapshot, Snapshot], None]
"""Looks at the base and at what would land; raises where that may not be."""


class AuditLossError(MemsleepError):
    """The night would lose something: exit 1."""

    exit_code = 1


def refuse_losses(base: Snapshot, folded: Refolded) -> None:
    """Refuse to land what loses a word, a number, a link or a file.

    Raises
    ------
    AuditLossError
        `audit-loss`, with the places.
    """
    proof = prove(base, folded.end, recorded_by(folded.applied))
    if proof.holds:
        return
    places = [f"{loss.place}: {loss.kind}: {loss.detail}" for loss in proof.losses[:MAX_PLACES]]
    more = len(proof.losses) - len(places)
    raise AuditLossError(
        "audit-loss",
        f"the decisions would lose {len(proof.losses)} pieces of what the memories say",
        context=[*places, *([f"and {more} more"] if more else []), "nothing was changed"],
        hint="this is a defect of memsleep: report it; --reject leaves a decision out",
    )


@dataclass(frozen=True, slots=True)
class Landed:
    """What became of the accepted decisions."""

    landing: Landing
    folded: Refolded
    rejected: tuple[Rejection, ...]
    blocked: int = 0
    """How many of them a file stands in the way of that is not merely changed."""


@dataclass(slots=True)
class Landfall:
    """One landing of a plan's decisions."""

    place: Place
    record: RunRecord
    plan: Plan
    selection: Selection
    meta: RunMeta
    settle: Settle
    base: Snapshot | None = None
    """What the night saw, where it was only just read."""
    gate: Gate | None = None
    """What stands before a landing in the folder that nobody has looked at."""
    _out: dict[str, Rejection] = field(default_factory=dict)
    _blocked: set[str] = field(default_factory=set)

    def on_branch(self) -> Landed:
        """Land on a branch of its own."""
        deletes = settings_of(self.plan).write.delete_superseded
        sink = branch_sink(self.place.corpus, delete_superseded=deletes)
        base = self.base
        if base is None:
            source = commit_source(self.place.corpus, self.meta.base_commit or "HEAD")
            base = load_base(self.place.corpus, self.plan, source)
        folded = refold(base, self.plan, self.selection.accepted)
        refuse_losses(base, folded)
        landing = sink.land(self.meta, folded.phases)
        if landing.kind == "nothing" and landing.ref is None:
            self._settle_at_once()
        return Landed(landing, folded, folded.rejected)

    def _settle_at_once(self) -> None:
        """Let the state learn of a night without a commit, which has landed with its base."""
        effects = due_effects(self.plan, (), (), self.selection.left_out)
        if effects:
            decisions = tuple(dict.fromkeys(effect.decision for effect in effects))
            self.settle(
                Settlement(
                    run_id=self.record.run_id,
                    now=self.meta.now,
                    action="apply",
                    decisions=decisions,
                    effects=effects,
                )
            )

    def in_place(self) -> Landed:
        """Land in the folder. What was written meanwhile is left out, with its reason."""
        seen: Counter[str] = Counter()
        for _ in range(ATTEMPTS):
            landed = self._attempt()
            if landed is not None and landed.landing.kind != "stale":
                return landed
            if landed is not None:
                self._leave_out(landed, seen)
            self.base = None  # the folder is read again
        raise CorpusError(
            "corpus-busy",
            f"files of {self.place.corpus} kept changing while the night landed",
            context=["nothing was changed"],
            hint="run it again when whoever writes there has a rest",
        )

    def _attempt(self) -> Landed | None:
        """Return what became of it, None when it must be tried again with less."""
        status = self.record.status()
        accepted = self.selection.accepted - self._out.keys()
        if status.landed:
            landed_before = frozenset(status.landed)
            ground = ground_of(self.place.corpus, self.plan, self.record, status)
            folded = refold(
                ground.base, self.plan, accepted | landed_before, unchecked=landed_before
            )
            stale = changed_since(self.place.corpus, ground, accepted - landed_before)
            found = difference(self.place.corpus, ground, folded)
            if stale or found.blocked:
                self._block(folded, {**found.blocked, **stale}, landed_before)
                return None
            phases: tuple[PhaseFold, ...] = (found.phase,)
            results = found.results
        else:
            base = self.base or load_base(
                self.place.corpus, self.plan, folder_source(self.place.corpus)
            )
            folded = refold(base, self.plan, accepted)
            refuse_losses(base, folded)
            if self.gate is not None and folded.applied:
                self.gate(base, folded.end)
            phases, results = folded.phases, results_of(base, folded)
        effects = due_effects(self.plan, folded.landed, folded.applied, self.selection.left_out)
        landed = tuple(dict.fromkeys([*folded.landed, *(e.decision for e in effects)]))
        settlement = Settlement(
            run_id=self.record.run_id,
            now=self.meta.now,
            action="apply",
            decisions=landed,
            effects=effects,
            files=results,
            night=self.plan.is_night,
        )
        sink = DirectorySink(self.place, self.record, settlement, self.settle)
        landing = sink.land(self.meta, phases)
        out = {r.id: r for r in (*folded.rejected, *self._out.values())}
        order = [d.id for d in self.plan.decisions]
        rejected = tuple(out[name] for name in order if name in out)
        return Landed(landing, folded, rejected, len(self._blocked & out.keys()))

    def _leave_out(self, landed: Landed, seen: Counter[str]) -> None:
        """Leave out what a blocked file stands in the way of, or one that changes again."""
        landing = landed.landing
        seen.update(landing.stale)
        reasons = {r.path: r.reason for r in landing.refused}
        reasons |= {p: "it keeps changing" for p in landing.stale if seen[p] > 1}
        self._block(landed.folded, reasons)

    def _block(
        self,
        folded: Refolded,
        reasons: Mapping[str, str],
        landed_before: frozenset[str] = frozenset(),
    ) -> None:
        found = touching(folded.applied, reasons)
        found |= {d.id: path for d in self.plan.decisions for path in reasons if path in d.rests_on}
        for name, path in found.items():
            if name in landed_before or name not in self.selection.accepted:
                continue
            self._out[name] = Rejection(id=name, reason=f"{path}: {reasons[path]}", path=path)
            self._blocked.add(name)
        for name in sorted(with_dependents(self.plan, self._out.keys()) - self._out.keys()):
            decision = self.plan.decision(name)
            need = next(n for n in decision.requires if n in self._out) if decision else ""
            reason = f"it requires {need}, which does not land"
            self._out[name] = Rejection(id=name, reason=reason)
