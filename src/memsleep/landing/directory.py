"""The sink that changes files in place: all of a landing or nothing, killed at any instant.

The new bytes of every file are staged beside it first, so that a full disk is met before anything
has changed. Then the journal is committed, names are exchanged one by one, and every file that
comes out is compared with what the decisions rest on. One that differs takes the landing back.
"""

from __future__ import annotations

import contextlib
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

from memsleep.errors import CorpusError
from memsleep.landing.journal import (
    Entry,
    Journal,
    Settlement,
    remove_journal,
    temp_name,
    write_journal,
)
from memsleep.landing.place import Place
from memsleep.landing.refold import as_one
from memsleep.landing.runs import LATE, RunRecord
from memsleep.landing.sink import Landing, PhaseFold, Rejection, RunMeta
from memsleep.landing.writer import BlockedError, ChangedError, Writer
from memsleep.model import digest_bytes

Settle = Callable[[Settlement], None]


@dataclass(slots=True)
class DirectorySink:
    """Lands phases in the folder itself."""

    place: Place
    record: RunRecord | None = None
    """Where the bytes before are kept."""
    settlement: Settlement | None = None
    """What the state learns with the files."""
    settle: Settle | None = None
    kind: Literal["directory"] = "directory"

    def check(self) -> None:
        """Refuse a corpus in which nothing can be written."""
        with Writer(self.place.corpus) as writer:
            reason = writer.obstacle(PROBE)
        if reason:
            raise CorpusError(
                "corpus-read-only",
                f"the corpus {self.place.corpus} cannot be changed: {reason}",
                context=["nothing was changed"],
                hint="run as a user who may write there, or propose only: --dry-run --out DIR",
            )

    def is_taken(self, run_id: str) -> bool:  # noqa: ARG002 (protocol)
        """Only kept runs take a name; a folder has no branches."""
        return False

    def land(self, run: RunMeta, phases: Sequence[PhaseFold]) -> Landing:
        """Land all phases or nothing; `stale` and `refused` name the files in the way."""
        whole = as_one("all", phases)
        landed = whole.decisions
        if not whole.before and not whole.after:
            self._settle()
            return Landing(kind="nothing", run_id=run.run_id, landed_ids=landed)
        with Writer(self.place.corpus) as writer:
            entries = _entries(whole)
            blocked = _obstacles(writer, entries)
            if blocked.stale or blocked.refused:
                return blocked
            steps = Steps(writer, self.place, self._journal(writer, entries))
            if self.record is not None:
                self.record.keep_before(whole.before.values())
            try:
                steps.stage(whole)
                steps.commit()
            except ChangedError as error:
                return Landing(kind="stale", stale=(error.path,))
            self._settle()
            messages = steps.clean(self.record)
            if self.settlement is not None and self.settlement.action == "undo":
                _remove_emptied(writer, entries)
        return Landing(
            kind="directory", run_id=run.run_id, landed_ids=landed, messages=tuple(messages)
        )

    def _settle(self) -> None:
        if self.settle is not None and self.settlement is not None:
            self.settle(self.settlement)

    def _journal(self, writer: Writer, entries: tuple[Entry, ...]) -> Journal:
        new = [entry.path for entry in entries if entry.before is None]
        folders = dict.fromkeys(f for path in new for f in writer.missing_folders(path))
        settlement = self.settlement or Settlement(run_id="", now="", action="apply")
        return Journal(
            state="staging", entries=entries, folders=tuple(folders), settlement=settlement
        )


PROBE = "probe.md"
"""A name that need not exist: asking for its obstacle asks whether the folder can be written."""


def _entries(whole: PhaseFold) -> tuple[Entry, ...]:
    """Return the files in the order in which they change: new ones, edited ones, those that go."""
    found = []
    for number, path in enumerate(sorted(set(whole.before) | set(whole.after))):
        before, after = whole.before.get(path), whole.after.get(path)
        found.append(
            Entry(
                path=path,
                temp=temp_name(number),
                before=None if before is None else digest_bytes(before),
                after=None if after is None else digest_bytes(after),
            )
        )
    rank = {(True, False): 0, (False, False): 1, (False, True): 2}
    order = {entry.path: rank[entry.before is None, entry.after is None] for entry in found}
    return tuple(sorted(found, key=lambda entry: (order[entry.path], entry.path)))


def _obstacles(writer: Writer, entries: Sequence[Entry]) -> Landing:
    """Return what stands in the way before anything is touched."""
    stale, refused = [], []
    for entry in entries:
        reason = writer.obstacle(entry.path)
        if not reason:
            try:
                data = writer.read(entry.path)
            except BlockedError as error:
                reason = error.reason
            else:
                found = None if data is None else digest_bytes(data)
                if found != entry.before:
                    stale.append(entry.path)
        if reason:
            refused.append(Rejection(id="", reason=reason, path=entry.path))
    return Landing(kind="stale", stale=tuple(stale), refused=tuple(refused))


def _remove_emptied(writer: Writer, entries: Sequence[Entry]) -> None:
    """Take away the folders that held nothing but what a run had put there."""
    left = {entry.path for entry in entries if entry.after is None}
    above = {path[: place.start()] for path in left for place in re.finditer("/", path)}
    for folder in sorted(above, key=lambda path: path.count("/"), reverse=True):
        writer.remove_folder(folder)


@dataclass(slots=True)
class Steps:
    """The steps of one landing, each written down before it is taken."""

    writer: Writer
    place: Place
    journal: Journal

    def stage(self, whole: PhaseFold) -> None:
        """Write every new content beside its file; whatever goes wrong, nothing has changed."""
        origin = {new: old for old, new in whole.moves.items()}
        write_journal(self.place.journal, self.journal)
        try:
            for entry in self.journal.entries:
                self._stage(entry, whole, origin)
        except BaseException:
            self.unstage()
            raise

    def _stage(self, entry: Entry, whole: PhaseFold, origin: dict[str, str]) -> None:
        if entry.after is None:
            return
        like = origin.get(entry.path) if entry.before is None else entry.path
        try:
            self.writer.make_folders(entry.path)
            self.writer.stage(entry.path, entry.temp, whole.after[entry.path], like)
        except BlockedError as error:
            raise CorpusError(
                "file-blocked",
                f"{error.path} cannot be written: {error.reason}",
                context=["nothing was changed"],
            ) from error
        except FileNotFoundError as error:  # somebody took it, or its folder, away meanwhile
            raise ChangedError(like or entry.path) from error

    def unstage(self) -> None:
        """Take away what was staged, and the journal with it."""
        for entry in self.journal.entries:
            with contextlib.suppress(BlockedError):
                self.writer.discard(entry.path, entry.temp)
        for folder in reversed(self.journal.folders):
            self.writer.remove_folder(folder)
        remove_journal(self.place.journal)

    def commit(self) -> None:
        """Exchange the names; ChangedError, with all taken back, when a file is another's."""
        self._advance("committed")
        done: list[Entry] = []
        try:
            for entry in self.journal.entries:
                take(self.writer, entry)
                done.append(entry)
            self._refuse_late(done)
        except BaseException as error:
            self.take_back(done)
            self.unstage()
            if isinstance(error, BlockedError):
                raise ChangedError(error.path) from error
            raise
        self.finish()

    def finish(self) -> None:
        """Have all names on disk, and say so."""
        for path in {entry.path.rpartition("/")[0]: entry.path for entry in self.journal.entries}:
            self.writer.sync(f"{path}/x" if path else "x")
        self._advance("done")

    def take_back(self, entries: Sequence[Entry]) -> list[str]:
        """Undo exchanges, the last first; return the files in which newer writes stay."""
        return sorted(e.path for e in reversed(entries) if not _took_back(self.writer, e))

    def _refuse_late(self, done: Sequence[Entry]) -> None:
        """Find writes that came in through a handle that was open before the exchange."""
        for entry in done:
            if entry.before is not None:
                held = self.writer.staged(entry.path, entry.temp)
                if held is None or digest_bytes(held) != entry.before:
                    raise ChangedError(entry.path)

    def clean(self, record: RunRecord | None) -> list[str]:
        """Take away the old files. A late write in one of them is kept in the run's folder."""
        said = []
        for entry in self.journal.entries:
            held = self.writer.staged(entry.path, entry.temp) if entry.before else None
            late = held is not None and digest_bytes(held) != entry.before
            if late and held is not None and record is not None:
                said.append(_keep_late(record, entry.path, held))
            if entry.before is not None:
                self.writer.discard(entry.path, entry.temp)
        remove_journal(self.place.journal)
        return said

    def _advance(self, state: Literal["committed", "done"]) -> None:
        self.journal = self.journal.at(state)
        write_journal(self.place.journal, self.journal)


def take(writer: Writer, entry: Entry) -> None:
    """Give one file its new name, or take its name away."""
    if entry.before is None:
        writer.create(entry.path, entry.temp)
    elif entry.after is None:
        writer.remove(entry.path, entry.temp, entry.before)
    else:
        writer.replace(entry.path, entry.temp, entry.before)


def _take_back(writer: Writer, entry: Entry) -> bool:
    """Return False when somebody else's newer write stays."""
    if entry.after is None:
        return writer.put_back(entry.path, entry.temp)
    if entry.before is not None:
        return writer.restore(entry.path, entry.temp)
    try:
        writer.discard(entry.path, entry.temp)
        writer.remove(entry.path, entry.temp, entry.after)
    except ChangedError:
        return False
    return True


def _took_back(writer: Writer, entry: Entry) -> bool:
    """Take one file back; False too when it lies behind a link now, or its old bytes are gone."""
    try:
        return _take_back(writer, entry)
    except (BlockedError, FileNotFoundError):
        return False


def _keep_late(record: RunRecord, path: str, held: bytes) -> str:
    (record.folder / LATE).mkdir(exist_ok=True)
    name = f"{LATE}/{digest_bytes(held)}"
    record.write(name, held)
    return f"{path}: a write came in while it was replaced; it is kept in {record.folder / name}"
