"""From landed decisions to the outbox: one request for each memory that a run changed.

A memory that is live is saved as it is now, one that is gone or archived is forgotten with the
phase's reason. What is taken back is told in the same way. Client ids follow from run, decisions
and count alone, so that a process killed in between asks for the same again.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from memsleep.corpus.load import LoadedCorpus, load_corpus
from memsleep.corpus.source import Source
from memsleep.errors import UsageError
from memsleep.gitrepo import Repository
from memsleep.landing.base import commit_source, folder_source
from memsleep.landing.landed import judge
from memsleep.landing.place import Place
from memsleep.landing.runs import RunRecord, RunStore, Status
from memsleep.model import digest_bytes
from memsleep.plan import Plan
from memsleep.settings import Settings
from memsleep.sync.entries import Entry
from memsleep.sync.errors import RequestError
from memsleep.sync.marks import (
    NOTHING,
    Mark,
    Told,
    put_mark,
    read_mark,
    standing_digest,
    touched,
)
from memsleep.sync.notes import NoNoteError, note_of, scope_of, withheld
from memsleep.sync.outbox import Origin, Outbox, one_line
from memsleep.sync.protocol import Note, WriteRequest

Asked = WriteRequest | str | None
"""What to ask for one memory. A text: it is no memory. None: it cannot be sent yet."""
OUTBOX, FOLDER = "outbox", "sync"
TAKEN_BACK = "taken back"


def outbox_of(place: Place) -> Outbox:
    """Return the outbox of a corpus."""
    return Outbox(place.folder / FOLDER / OUTBOX)


@dataclass(frozen=True, slots=True)
class Joined:
    """What was queued, and what was not."""

    queued: int = 0
    messages: tuple[str, ...] = ()


@dataclass
class Join:
    """One look at all marked runs of a corpus. The caller holds the corpus's lock."""

    place: Place
    settings: Settings
    repository: Repository | None
    now: str
    _queued: int = 0
    _said: list[str] = field(default_factory=list)
    _corpora: dict[str, _Corpus] = field(default_factory=dict)

    def run(self) -> Joined:
        """Queue what has landed, or was taken back, and is not told yet."""
        for record in RunStore(self.place).records():
            mark = read_mark(record)
            if mark is None:
                continue
            try:
                self._tell(record, mark)
            except UsageError as error:  # a record that is not whole is told by `status`
                self._said.append(f"{record.run_id}: nothing of it was queued: {error.message}")
        return Joined(self._queued, tuple(dict.fromkeys(self._said)))

    def _tell(self, record: RunRecord, mark: Mark) -> None:
        status = record.status()
        open_ended = status.state == "branch"
        undone = frozenset(status.undone)
        seen = standing_digest(name for name in status.landed if name not in undone)
        if mark.seen == seen and not open_ended:
            return
        plan = record.plan()
        wanted = touched(plan, self._standing(plan, status))
        due = _due(wanted, mark)
        requests = self._requests(plan, status, mark, wanted, due) if due else []
        told = {
            slug: Told(decisions=wanted.get(slug, ()), count=_told(mark, slug).count + 1)
            for slug, request in requests
            if self._ask(record, mark, slug, wanted.get(slug, ()), request)
        }
        whole = len(told) == len(due) and not open_ended
        changes = {"told": {**mark.told, **told}, "seen": seen if whole else ""}
        news = mark.model_copy(update=changes)
        if news != mark:
            put_mark(record, news)

    def _ask(
        self, record: RunRecord, mark: Mark, slug: str, names: tuple[str, ...], request: Asked
    ) -> bool:
        """Queue a request where it is news; return False when it is left to ask."""
        told = _told(mark, slug)
        if not isinstance(request, WriteRequest) or self._holds(record.run_id, slug, names, told):
            return request is not None
        if not told.count and names == mark.known.get(slug):
            return True
        return self._enqueue(record, request, names, told.decisions)

    def _holds(self, run: str, slug: str, names: tuple[str, ...], told: Told) -> bool:
        """Say whether a provider holds this anyway, since it refused what came after it."""
        return any(
            (e.run, e.slug, e.decisions, e.previous) == (run, slug, told.decisions, names)
            for e in self._refused
        )

    @cached_property
    def _refused(self) -> tuple[Entry, ...]:
        return tuple(found.entry for found in outbox_of(self.place).rejected())

    def _standing(self, plan: Plan, status: Status) -> tuple[str, ...]:
        """Return the decisions of a run that are in the corpus now."""
        landed: Sequence[str] = status.landed
        if status.mode == "branch" and status.state not in ("merged", "undone", "landed"):
            if self.repository is None or status.state != "branch":
                return ()
            landed = judge(self.repository, plan, status).landed
        undone = frozenset(status.undone)
        return tuple(name for name in landed if name not in undone)

    def _requests(
        self,
        plan: Plan,
        status: Status,
        mark: Mark,
        wanted: Mapping[str, tuple[str, ...]],
        due: Sequence[str],
    ) -> list[tuple[str, Asked]]:
        """Return what to ask for each memory: saves first, so that nothing is ever nowhere."""
        corpus = self._corpus(status.mode)
        saves: list[tuple[str, Asked]] = []
        forgets: list[tuple[str, Asked]] = []
        reasons = {decision.id: decision.reason for decision in plan.decisions}
        for slug in due:
            names, told = wanted.get(slug, ()), _told(mark, slug)
            fresh = [name for name in names if name not in told.decisions]
            why = "; ".join(dict.fromkeys(reasons[name] for name in fresh)) or TAKEN_BACK
            try:
                note = corpus.note(slug, self.settings.sync.user)
                request = self._request(status, mark, slug, names, told, note, why)
            except NoNoteError as error:
                self._said.append(f"not queued: {error.reason}")
                saves.append((slug, None))
                continue
            (saves if isinstance(note, Note) else forgets).append((slug, request))
        return saves + forgets

    def _request(
        self,
        status: Status,
        mark: Mark,
        slug: str,
        names: tuple[str, ...],
        told: Told,
        note: Note | str | None,
        why: str,
    ) -> WriteRequest | str:
        if isinstance(note, str):
            return note
        reason = one_line(why)
        held = withheld(None, slug, reason)
        if held:
            raise NoNoteError(held)
        return WriteRequest(
            kind="forget" if note is None else "save",
            client_id=client_id(status, slug, names, told.count),
            scope=scope_of(slug, self.settings.sync.user),
            slug=slug,
            write_mode=mark.write_mode,
            note=note,
            reason=reason,
        )

    def _enqueue(
        self,
        record: RunRecord,
        request: WriteRequest,
        names: tuple[str, ...],
        previous: tuple[str, ...],
    ) -> bool:
        origin = Origin(run=record.run_id, decisions=names, previous=previous)
        try:
            outbox_of(self.place).enqueue(request, now=self.now, origin=origin)
        except RequestError as error:
            self._said.append(f"not queued: {request.slug}: {error.message}")
            return False
        self._queued += 1
        return True

    def _corpus(self, mode: str) -> _Corpus:
        if mode not in self._corpora:
            head = self.repository.head_commit() if self.repository is not None else None
            if mode == "branch" and head is not None:
                source: Source = commit_source(self.place.corpus, head)
            else:
                source = folder_source(self.place.corpus)
            self._corpora[mode] = _Corpus(self.place, self.settings, source)
        return self._corpora[mode]


def _told(mark: Mark, slug: str) -> Told:
    return mark.told.get(slug, NOTHING)


def _due(wanted: Mapping[str, tuple[str, ...]], mark: Mark) -> list[str]:
    """Return the memories of which another set of decisions stands than was told."""
    slugs = dict.fromkeys((*wanted, *mark.told))
    return [s for s in slugs if wanted.get(s, ()) != _told(mark, s).decisions]


def client_id(status: Status, slug: str, names: Sequence[str], count: int) -> str:
    """Return the client id of one change: the same for the same run, decisions and count."""
    parts = (status.run, status.plan_digest, slug, str(count), *names)
    return f"ms-{digest_bytes(chr(0).join(parts).encode('utf-8', 'surrogatepass'))[:32]}"


@dataclass
class _Corpus:
    """The corpus as it is now, read when the first memory is asked for."""

    place: Place
    settings: Settings
    source: Source

    @cached_property
    def loaded(self) -> LoadedCorpus:
        """Return all memories."""
        changes = {"allow_empty": True, "git_dates": False}
        settings = self.settings.corpus.model_copy(update=changes)
        return load_corpus(self.place.corpus, settings, source=self.source)

    @cached_property
    def containers(self) -> dict[str, str]:
        """Return the files that hold several memories -> the dialect that reads them."""
        return {m.container: m.dialect for m in self.loaded.memories.values() if m.container}

    def note(self, slug: str, user: Sequence[str]) -> Note | str | None:
        """Return a memory's note, None when it is gone or archived, a text when it is no memory.

        Raises
        ------
        NoNoteError
            When it is there and cannot be sent.
        """
        memory = self.loaded.memories.get(slug)
        if memory is not None:
            source = self.loaded.files[slug]
            return None if memory.archived else note_of(slug, source, memory, user)
        if slug in self.containers:
            (_, found), *_ = self.source.read_many([slug])
            if isinstance(found, bytes):
                return note_of(slug, found, None, user, dialect=self.containers[slug])
        unreadable = next((u for u in self.loaded.unreadable if u.path == slug), None)
        if unreadable is not None:
            raise NoNoteError(f"{slug}: {unreadable.reason}")
        return None if slug not in self.loaded.taken else "it is no memory"
