"""Bringing fetched notes into the corpus: written by the landing package, deletions as decisions.

A pull is a run of its own. What is new or changed is written first, and the bytes before are kept
with the run; what the provider holds no longer is archived by decisions of the phase `sync`, which
are planned, folded, landed and undone like those of a night.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from memsleep.corpus.flags import ledger_paths
from memsleep.corpus.source import Source
from memsleep.fold import fold
from memsleep.fold.archive import run_id
from memsleep.gitrepo import find_repository
from memsleep.landing.base import NO_VECTORS, Overlay, commit_source, folder_source, load_base
from memsleep.landing.branch import PULL, branch_sink
from memsleep.landing.directory import DirectorySink, Settle
from memsleep.landing.journal import Settlement
from memsleep.landing.land import Landfall, refuse_losses
from memsleep.landing.place import Place
from memsleep.landing.refold import refold
from memsleep.landing.runs import PLAN, RunRecord, RunStore, Status, free_name
from memsleep.landing.selection import select
from memsleep.landing.sink import PhaseFold, RunMeta
from memsleep.model import Snapshot, digest_bytes
from memsleep.night.mode import Mode, check_sink, mode_of
from memsleep.night.pipeline import NightResult, PhaseResult
from memsleep.night.planning import plan_of
from memsleep.night.prepare import Prepared
from memsleep.night.sorting import Sorting, loaded_from
from memsleep.plan import PULL_PHASE, Plan, to_json
from memsleep.proposals import Archive
from memsleep.request import RunRequest
from memsleep.safety.secrets import find_secrets
from memsleep.state.store import open_state
from memsleep.sync.inbox import Inbox, Key
from memsleep.sync.incoming import Incoming
from memsleep.sync.marks import Mark, put_mark
from memsleep.sync.outbox import Outbox, one_line
from memsleep.sync.protocol import Note
from memsleep.sync.records import Records

ATTEMPTS = 20
BUSY = "somebody is writing it; the next pull takes it"


@dataclass(slots=True)
class Pulled:
    """What came of the fetched notes."""

    run: str = ""
    ref: str = ""
    """The branch that it waits on, where the corpus is in git."""
    saved: tuple[str, ...] = ()
    archived: tuple[str, ...] = ()
    same: int = 0
    held: tuple[str, ...] = ()
    """Slugs of notes that wait until what is queued here has its answer."""
    left: tuple[tuple[str, str], ...] = ()
    """Slug and reason of what was not taken."""
    messages: tuple[str, ...] = ()

    def and_then(self, later: Pulled) -> Pulled:
        """Return what came of the same notes in two landings; what was held is told by the last."""
        return Pulled(
            run=later.run or self.run,
            ref=later.ref or self.ref,
            saved=(*self.saved, *later.saved),
            archived=(*self.archived, *later.archived),
            same=self.same + later.same,
            held=later.held,
            left=(*self.left, *later.left),
            messages=(*self.messages, *later.messages),
        )


@dataclass(slots=True)
class Pull:
    """One landing of what was fetched. The caller holds the corpus's lock."""

    request: RunRequest
    place: Place
    settle: Settle
    records: Records
    inbox: Inbox
    outbox: Outbox
    provider: str
    _blocked: dict[str, str] = field(default_factory=dict)
    """Slug -> why its file cannot be written."""

    def run(self) -> Pulled:
        """Land what can be; keep what is held, name what is left."""
        notes = self.inbox.notes()
        if not notes:
            return Pulled()
        mode, _ = mode_of(self.request.corpus, self.request.settings)
        for _ in range(ATTEMPTS):
            source = self._source(mode)
            found = self._sorted(notes, source)
            if not (found.saves or found.deletions):
                return self._close(Pulled(), notes, found)
            pulled = self._land(mode, source, found)
            if pulled is not None:
                return self._close(pulled, notes, found)
        for slug in (*found.saves, *found.deletions):
            self._blocked[slug] = BUSY
        return self._close(Pulled(), notes, self._sorted(notes, source))

    def _source(self, mode: Mode) -> Source:
        repository = find_repository(self.request.corpus) if mode == "branch" else None
        head = None if repository is None else repository.head_commit()
        if head is None:
            return folder_source(self.request.corpus)
        return commit_source(self.request.corpus, head)

    def _sorted(self, notes: Mapping[Key, Note], source: Source) -> Incoming:
        return Sorting(self.request, self.records, self.outbox, source, self._blocked).run(notes)

    # Landing ----------------------------------------------------------------------------------

    def _land(self, mode: Mode, source: Source, found: Incoming) -> Pulled | None:
        """Land saves, then deletions; None when somebody wrote meanwhile and it must be again."""
        check_sink(self.place, mode)
        overlay = Overlay(source, dict(found.saves))
        plan = self._plan(overlay, found.deletions)
        phase = _saves(source, found.saves)
        if mode == "branch":
            return self._on_branch(source, overlay, plan, phase)
        record = self._begin(mode, plan)
        try:
            return self._in_place(record, plan, phase)
        except BaseException:
            if not self.place.journal.exists():
                record.update(state="failed")
            raise

    def _plan(self, source: Source, deletions: Mapping[str, str]) -> Plan:
        loaded = loaded_from(self.request, source)
        with open_state(self.place.database) as state:
            standing = state.standing()
        ledgers = dict(source.read_many(sorted(ledger_paths(loaded.taken))))
        start = Snapshot(
            now=self.request.now,
            memories=loaded.memories,
            files={
                **loaded.files,
                **{path: data for path, data in ledgers.items() if isinstance(data, bytes)},
            },
            vectors=NO_VECTORS,
            standing=standing or None,
            unreadable=loaded.unreadable,
            references=loaded.references,
            page_dialects=loaded.page_dialects,
            locked=loaded.locked,
            problems=loaded.problems,
            taken=loaded.taken,
            archive_folder=loaded.detection.traits.archive,
        )
        proposals = [
            Archive(phase=PULL_PHASE, path=slug, reason=self._why(why), cause="deleted")
            for slug, why in deletions.items()
        ]
        done = fold(start, proposals, self.request.settings)
        for refusal in done.refused:
            self._blocked[refusal.proposal.paths[0]] = refusal.reason
        phase = PhaseResult(PULL_PHASE, "ok", len(proposals), done.applied, done.refused)
        prepared = Prepared(loaded, start, (), self.request.corpus.resolve().name)
        return plan_of(prepared, NightResult(start, done.snapshot, (phase,)), self.request.settings)

    def _why(self, reason: str) -> str:
        told = one_line(reason) if reason else ""
        shown = "" if not told or next(find_secrets(told), None) else f": {told}"
        return f"{self.provider} holds it no longer{shown}"

    def _begin(self, mode: Mode, plan: Plan) -> RunRecord:
        store, started = RunStore(self.place), self.request.clock or self.request.now
        taken = branch_sink(self.place.corpus).is_taken if mode == "branch" else store.known
        name = free_name(run_id(self.request.now), store.known, taken)
        content = to_json(plan)
        record = store.begin(
            Status(
                run=name,
                state="running",
                now=self.request.now,
                started_at=started,
                mode=mode,
                base_commit=plan.base_commit,
                plan_digest=digest_bytes(content),
                config_digest=plan.config_digest,
                counts={"archive": len(plan.decisions)} if plan.decisions else {},
            )
        )
        record.write(PLAN, content)
        self._mark(record, plan)
        return record

    def _meta(self, record: RunRecord, plan: Plan, name: str) -> RunMeta:
        status = record.status()
        return RunMeta(
            run_id=name,
            now=plan.instant,
            base_commit=plan.base_commit or None,
            config_digest=plan.config_digest,
            plan_digest=status.plan_digest,
            counts=status.counts,
        )

    def _in_place(self, record: RunRecord, plan: Plan, phase: PhaseFold) -> Pulled | None:
        meta = self._meta(record, plan, record.run_id)
        # A settlement of the action `merge` teaches the state nothing: no night has landed.
        settlement = Settlement(run_id=record.run_id, now=plan.instant, action="merge")
        sink = DirectorySink(self.place, record, settlement, self.settle)
        landing = sink.land(meta, (phase,))
        if landing.kind == "stale":
            self._blocked.update({r.path: r.reason for r in landing.refused})
            RunStore(self.place).forget(record)
            return None
        archived, messages = self._archive(record, plan, meta) if plan.decisions else ((), ())
        record.update(state="landed", ended_at=self.request.clock or self.request.now)
        return Pulled(
            run=record.run_id,
            saved=tuple(sorted(phase.after)),
            archived=archived,
            messages=(*landing.messages, *messages),
        )

    def _archive(
        self, record: RunRecord, plan: Plan, meta: RunMeta
    ) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Land the deletions; return what was archived, and what is to be told."""
        landed = Landfall(self.place, record, plan, select(plan), meta, self.settle).in_place()
        done = set(landed.folded.landed)
        rejected = {rejection.id: rejection.reason for rejection in landed.rejected}
        self._blocked.update(
            {d.paths[0]: rejected[d.id] for d in plan.decisions if d.id in rejected}
        )
        archived = tuple(d.paths[0] for d in plan.decisions if d.id in done)
        return archived, landed.landing.messages

    def _on_branch(self, source: Source, overlay: Overlay, plan: Plan, phase: PhaseFold) -> Pulled:
        plan = plan.model_copy(update={"base_commit": source.commit or ""})
        base = load_base(self.place.corpus, plan, overlay)
        done = refold(base, plan, select(plan).accepted)
        refuse_losses(base, done)
        record = self._begin("branch", plan)
        meta = self._meta(record, plan, record.run_id.replace("sleep/", PULL, 1))
        landing = branch_sink(self.place.corpus).land(meta, (phase, *done.phases))
        record.update(
            state="branch" if done.landed and landing.ref else "nothing",
            ended_at=self.request.clock or self.request.now,
            ref=landing.ref or "",
            tip=landing.tip or "",
            landed=done.landed,
            rejected={r.id: r.reason for r in done.rejected},
            messages=landing.messages,
        )
        name = (landing.ref or "").removeprefix("refs/heads/")
        return Pulled(
            run=record.run_id,
            ref=landing.ref or "",
            saved=tuple(sorted(phase.after)),
            archived=tuple(d.paths[0] for d in plan.decisions if d.id in done.landed),
            messages=(*landing.messages, f"what was fetched is on {name}: memsleep merge {name}"),
        )

    def _mark(self, record: RunRecord, plan: Plan) -> None:
        """Note that the provider knows of the deletions; what they change beside them is news."""
        sync = self.request.settings.sync
        known = {decision.paths[0]: (decision.id,) for decision in plan.decisions}
        put_mark(record, Mark(provider=sync.provider, write_mode=sync.write_mode, known=known))

    # Afterwards -------------------------------------------------------------------------------

    def _close(self, pulled: Pulled, notes: Mapping[Key, Note], found: Incoming) -> Pulled:
        """Note on what corpus and provider agree now, and let go of what needs no other try."""
        done = {*pulled.saved, *pulled.archived}
        agreed = dict(found.same)
        for key, note in notes.items():
            if key[1] in done and key not in found.left:
                agreed[key] = "" if note.deleted else digest_bytes(note.text.encode("utf-8"))
        self.records.agree(agreed)
        for key in (key for key, digest in agreed.items() if not digest):
            self.records.end_forgets(key=key)
        busy = [note for (_, slug), note in notes.items() if self._blocked.get(slug) == BUSY]
        self.inbox.keep([*(notes[key] for key in found.held), *busy])
        left = {**{slug: reason for (_, slug), reason in found.left.items()}, **self._blocked}
        return replace(
            pulled,
            same=len(found.same),
            held=tuple(sorted({slug for _, slug in found.held})),
            left=tuple(sorted((s, r) for s, r in left.items() if s not in done)),
        )


def _saves(source: Source, saves: Mapping[str, bytes]) -> PhaseFold:
    readable = {entry.path for entry in source.listing().files}
    before = dict(source.read_many([path for path in sorted(saves) if path in readable]))
    return PhaseFold(
        name="pull",
        before={path: data for path, data in before.items() if isinstance(data, bytes)},
        after=dict(sorted(saves.items())),
        lines=tuple(f"pull {path}" for path in sorted(saves)),
        counts={"pull": len(saves)},
    )
