"""Taking back what a run landed in a folder: bytes, links and state, whole decisions only."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace

from memsleep.errors import CorpusError, UsageError
from memsleep.landing.base import folder_source, load_base
from memsleep.landing.directory import DirectorySink, Settle
from memsleep.landing.followers import with_followers
from memsleep.landing.journal import Settlement
from memsleep.landing.place import Place
from memsleep.landing.refold import Refolded, refold
from memsleep.landing.runs import RunRecord, Status
from memsleep.landing.selection import check_known, with_dependents
from memsleep.landing.settle import due_effects
from memsleep.landing.sink import Rejection, RunMeta
from memsleep.landing.target import Difference, Ground, difference, ground_of, touching
from memsleep.landing.twins import twins
from memsleep.plan import Plan

ATTEMPTS = 50
REASON = "undone"


@dataclass(frozen=True, slots=True)
class Undone:
    """What was taken back, and what was not."""

    decisions: tuple[str, ...]
    """Ids, of findings too, in plan order."""
    refused: tuple[Rejection, ...]
    files: int = 0


def undo(
    place: Place,
    record: RunRecord,
    names: Sequence[str],
    *,
    with_them: bool,
    now: str,
    settle: Settle,
) -> Undone:
    """Take back decisions of a landed run; without names, all of them.

    Parameters
    ----------
    with_them : bool
        Take back what requires them too; else that refuses.
    now : str
        Instant of the undo, for the remembered rejections.

    Raises
    ------
    UsageError
        `run-not-landed`, `decision-unknown`, `decision-not-landed` or `undo-has-dependents`.
    CorpusError
        `before-missing` or `corpus-busy`.
    """
    status, plan = record.status(), record.plan()
    wanted = wanted_decisions(plan, status, names, with_them)
    task = _Undo(place, record, plan, status, now, settle)
    for _ in range(ATTEMPTS):
        undone = task.attempt(wanted)
        if undone is not None:
            return undone
    raise CorpusError(
        "corpus-busy",
        f"files of {place.corpus} kept changing while {record.run_id} was undone",
        context=["nothing was changed"],
        hint="run it again when whoever writes there has a rest",
    )


def wanted_decisions(
    plan: Plan, status: Status, names: Sequence[str], with_them: bool
) -> frozenset[str]:
    """Return the landed decisions that are to be taken back."""
    landed = frozenset(status.landed)
    if not landed:
        raise UsageError(
            "run-not-landed",
            f"nothing of {status.run} has landed: it is {status.state}",
            context=["nothing was changed"],
        )
    if not names:
        return landed
    check_known(plan, names)
    for name in names:
        if name not in landed:
            raise UsageError(
                "decision-not-landed",
                f"{name} of {status.run} has not landed, or was undone",
                context=["nothing was changed"],
            )
    found = frozenset(with_dependents(plan, names)) & landed
    more = sorted(found - set(names))
    if more and not with_them:
        raise UsageError(
            "undo-has-dependents",
            f"other landed decisions require what is to be undone: {', '.join(more)}",
            context=["nothing was changed"],
            hint=f"memsleep undo {status.run} {' '.join(names)} --with-dependents",
        )
    return found


@dataclass(slots=True)
class _Undo:
    place: Place
    record: RunRecord
    plan: Plan
    status: Status
    now: str
    settle: Settle
    refused: dict[str, Rejection] = field(default_factory=dict)

    def attempt(self, wanted: frozenset[str]) -> Undone | None:
        """Take back what can be; None when somebody wrote meanwhile and it must be tried again."""
        landed = frozenset(self.status.landed)
        ground = ground_of(self.place.corpus, self.plan, self.record, self.status)
        going = wanted - self.refused.keys()
        target, found = self._difference(ground, landed - going)
        while found.blocked:
            self._refuse(ground.current, target, found.blocked, going)
            going = wanted - self.refused.keys()
            target, found = self._difference(ground, landed - going)
        if not going:
            return self._undone(going, 0)
        settlement = self._settlement(ground, going, found)
        sink = DirectorySink(self.place, self.record, settlement, self.settle)
        meta = RunMeta(run_id=self.record.run_id, now=self.now)
        disk = load_base(self.place.corpus, self.plan, folder_source(self.place.corpus))
        phase = with_followers(found.phase, disk)
        landing = sink.land(meta, (phase,))
        if landing.kind != "stale":
            return self._undone(going, len({*phase.before, *phase.after}))
        blocked = {r.path: r.reason for r in landing.refused}
        if blocked:
            self._refuse(ground.current, target, blocked, going)
        return None

    def _difference(self, ground: Ground, staying: frozenset[str]) -> tuple[Refolded, Difference]:
        target = refold(ground.base, self.plan, staying, unchecked=staying)
        found = difference(self.place.corpus, ground, target)
        again = twins(found.phase, target.end, ground.base, self.plan, ground.files)
        return target, replace(found, blocked={**found.blocked, **again})

    def _refuse(
        self,
        current: Refolded,
        target: Refolded,
        blocked: Mapping[str, str],
        going: Collection[str],
    ) -> None:
        """Leave decisions landed that touch a blocked file, and what they require."""
        found = {**touching(target.applied, blocked), **touching(current.applied, blocked)}
        found = {name: path for name, path in found.items() if name in going}
        if not found:  # a file that only the re-fold touches: nothing of it can be taken back
            found = dict.fromkeys(going, min(blocked))
        for name, path in found.items():
            reason = f"{path}: {blocked[path]}"
            self.refused[name] = Rejection(id=name, reason=reason, path=path)
        for decision in reversed(self.plan.decisions):
            if decision.id in self.refused:
                for need in decision.requires:
                    if need in going and need not in self.refused:
                        reason = f"{decision.id} requires it and stays"
                        self.refused[need] = Rejection(id=need, reason=reason)

    def _settlement(self, ground: Ground, going: frozenset[str], found: Difference) -> Settlement:
        landed = self.status.landed
        effects = due_effects(self.plan, landed, ground.current.applied, frozenset())
        known = {decision.id for decision in self.plan.decisions}
        return Settlement(
            run_id=self.record.run_id,
            now=self.now,
            action="undo",
            decisions=tuple(name for name in landed if name in going),
            effects=tuple(effect for effect in effects if effect.decision in going),
            files=found.results,
            rejected=dict.fromkeys(sorted(going & known), REASON),
        )

    def _undone(self, going: frozenset[str], files: int) -> Undone:
        order = self.status.landed
        return Undone(
            decisions=tuple(name for name in order if name in going),
            refused=tuple(self.refused[name] for name in order if name in self.refused),
            files=files,
        )
