"""`memsleep sync`: queue what landed, fetch, land what was fetched, deliver what waits."""

from __future__ import annotations

from dataclasses import dataclass, replace

from memsleep.errors import MemsleepError, UsageError
from memsleep.landing.place import Place, place_of
from memsleep.landing.runs import RunStore
from memsleep.model import digest_bytes
from memsleep.night.holding import held
from memsleep.night.pulling import Pull, Pulled
from memsleep.night.queueing import SYNC_IT, queue_landed
from memsleep.night.undoing import undo_run
from memsleep.request import RunRequest
from memsleep.sync.drain import Drain, Drained
from memsleep.sync.errors import SyncError
from memsleep.sync.fetch import Fetch, Fetcher
from memsleep.sync.inbox import Inbox
from memsleep.sync.join import FOLDER, outbox_of
from memsleep.sync.locking import one_sync
from memsleep.sync.notes import withheld
from memsleep.sync.outbox import Queued
from memsleep.sync.protocol import Provider
from memsleep.sync.records import Records, Standing
from memsleep.sync.refusal import Refusal, finish
from memsleep.sync.retry import Retry


@dataclass(frozen=True, slots=True)
class Synced:
    """What a sync did."""

    provider: str
    fetch: Fetch | None
    """None where nothing was to be fetched."""
    pulled: Pulled | None
    drained: Drained | None
    """None where nothing was to be delivered."""
    finished: tuple[Refusal, ...]
    """Refusals of an earlier sync that was killed before it had restored the mirror."""
    messages: tuple[str, ...]
    error: str

    @property
    def refused(self) -> tuple[Refusal, ...]:
        """All refusals that were dealt with."""
        return (*self.finished, *(self.drained.refused if self.drained else ()))

    @property
    def exit_code(self) -> int:
        """Return 3 for what did not come to its end, 1 for what a person must look at, else 0."""
        failures = any(refusal.failures for refusal in self.refused)
        if self.error or failures:
            return 3
        withheld_ = self.drained.withheld if self.drained else ()
        return 1 if self.refused or withheld_ or (self.pulled and self.pulled.left) else 0


def synchronise(
    request: RunRequest,
    provider: Provider,
    retry: Retry,
    *,
    pull: bool = True,
    push: bool = True,
    again: bool = False,
) -> Synced:
    """Pull, then drain; either alone where only that is wanted.

    Parameters
    ----------
    again : bool
        Fetch everything, not only what is new.

    Raises
    ------
    SyncError
        `sync-held`, while another sync of this corpus is under way.
    UsageError
        `sync-other-provider`, when the records are those of another one.
    MemsleepError
        What stands in the way of all of it.
    """
    place = place_of(request.corpus, request.state_dir)
    with one_sync(place.folder / FOLDER):
        return _Sync(request, place, provider, retry).run(pull=pull, push=push, again=again)


@dataclass
class _Sync:
    request: RunRequest
    place: Place
    provider: Provider
    retry: Retry

    def __post_init__(self) -> None:
        self._said: list[str] = []
        self._folder = self.place.folder / FOLDER
        self._warned: set[str] = set()
        self._records = Records(self._folder, self._warn)
        self._outbox = outbox_of(self.place)
        self._inbox = Inbox(self._folder / "inbox")

    def run(self, *, pull: bool, push: bool, again: bool) -> Synced:
        """Do what is wanted, and write down how it went."""
        self._check_provider()
        with held(self.request, "memsleep sync") as (place, _, said):
            self._said += [*said, *queue_landed(self.request, place)]
        finished = finish(self._outbox, self._restore)
        fetch, pulled, drained = None, None, None
        errors: list[str] = []
        if pull:
            fetch, pulled = self._pull(again, errors)
        if push:
            drained = self._push()
            errors += [drained.error] if drained.error else []
            if pulled is not None and pulled.held:  # what held it may have had its answer
                later = self._land(errors)
                pulled = pulled if later is None else pulled.and_then(later)
        error = "; ".join(errors)
        self._put_standing(error, pulled=fetch is not None and not fetch.errors)
        return Synced(
            provider=self.provider.id,
            fetch=fetch,
            pulled=pulled,
            drained=drained,
            finished=finished,
            messages=tuple(dict.fromkeys(self._said if drained is None else _news(self._said))),
            error=error,
        )

    def _warn(self, line: str) -> None:
        if line not in self._warned:
            self._warned.add(line)
            self._said.append(line)

    def _check_provider(self) -> None:
        standing = self._records.standing()
        known = standing.provider
        if known in ("", self.provider.id):
            return
        begun = standing.cursor or standing.last_pull_at or self._records.mirror().known
        if not begun and not self._inbox.notes():  # it never answered: an address with a slip in it
            return
        raise UsageError(
            "sync-other-provider",
            f"the records are those of {known}, and the config names {self.provider.id}",
            context=["nothing was fetched or delivered"],
            hint=f"to begin anew with {self.provider.id}, move sync.json, mirror.json and inbox in "
            f"{self._folder} away; what waits in the outbox stays",
        )

    # Pull -------------------------------------------------------------------------------------

    def _pull(self, again: bool, errors: list[str]) -> tuple[Fetch, Pulled | None]:
        settings = self.request.settings.sync
        self._put_standing(self._records.standing().last_error or "", pulled=False)
        fetcher = Fetcher(
            self.provider, self._records, self._inbox, self.retry, settings.take, settings.max_pages
        )
        fetch = fetcher.run(again=again)
        errors += fetch.errors
        return fetch, self._land(errors)

    def _land(self, errors: list[str]) -> Pulled | None:
        """Land what was fetched; what cannot be now is kept, and waits for the next pull."""
        try:
            with held(self.request, "memsleep sync") as (place, settle, said):
                self._said += said
                landing = Pull(
                    self.request, place, settle, self._records, self._inbox, self._outbox,
                    self.provider.id,
                )  # fmt: skip
                pulled = landing.run()
                self._said += [*pulled.messages, *queue_landed(self.request, place)]
        except MemsleepError as error:
            errors.append(f"what was fetched did not land: {error.message}")
            return None
        return pulled

    # Push -------------------------------------------------------------------------------------

    def _push(self) -> Drained:
        drain = Drain(
            self._outbox,
            self._records,
            self.provider,
            self._restore,
            self.retry,
            self._clear,
            self._agree,
        )
        return drain.run()

    def _clear(self, found: Queued) -> str:
        request = found.entry.request
        return withheld(request.note, request.slug, request.reason)

    def _agree(self, found: Queued) -> None:
        """Note that the provider has an entry; a later note of its own is news again.

        What was refused once was taken back here: the provider has it, and here it is news.
        """
        entry = found.entry
        if entry.request_reason is not None or entry.write_mode != "direct":
            return
        text = None if entry.note is None else entry.note.text.encode("utf-8", "surrogatepass")
        digest = "" if text is None else digest_bytes(text)
        self._records.agree({(entry.scope, entry.slug): digest})
        notes = self._inbox.notes()
        if notes.pop((entry.scope, entry.slug), None) is not None:
            self._inbox.keep(notes.values())  # it was held, and is older than what is there now

    # Refusals ---------------------------------------------------------------------------------

    def _restore(self, found: Queued, _reason: str) -> str:
        """Put back what the mirror held before a refused entry, by undoing the decisions."""
        entry = found.entry
        if not entry.run:
            return "it is no change of a run: nothing was changed here"
        gone = [name for name in entry.previous if name not in entry.decisions]
        if gone:
            raise SyncError(
                "mirror-ahead",
                f"{entry.slug}: it was taken back here, and the provider keeps what it holds",
            )
        status = RunStore(self.place).find(entry.run).status()
        names = [name for name in entry.decisions if name not in entry.previous]
        landed = frozenset(status.landed)
        names = [name for name in names if name in landed]
        if not names:
            return "it was taken back already"

        quiet = replace(self.request, json=False)
        done = undo_run(quiet, entry.run, names, with_dependents=True)
        self._said += done.messages
        if done.blocked:
            raise SyncError(
                "mirror-not-restored",
                f"{entry.slug}: {done.blocked} decisions of {entry.run} stay, since later edits "
                "stand in the way",
            )
        return f"{', '.join(names)} of {entry.run} taken back"

    def _put_standing(self, error: str, *, pulled: bool) -> None:
        standing = self._records.standing()
        now = self.request.now
        news = Standing(
            provider=self.provider.id,
            cursor=standing.cursor,
            last_pull_at=now if pulled else standing.last_pull_at,
            last_error=error or None,
        )
        if news != standing:
            self._records.put(news)


def _news(said: list[str]) -> list[str]:
    """Return the messages of a sync that delivered: what waited before is told by its outcome."""
    return [line for line in said if not line.endswith(SYNC_IT)]
