"""The outbox: writes that were taken and are not acknowledged, on disk until delivered.

One file an entry, in one folder. Every change of the folder is made under a lock that holds across
processes; reading needs none, since a file is there whole or not at all.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from memsleep.errors import UsageError
from memsleep.sync.entries import MAX_SEQUENCE, NAME, Entry, Restoring, file_name, parsed
from memsleep.sync.errors import RequestError, SyncError
from memsleep.sync.folder import PART, Folder, existing, made
from memsleep.sync.protocol import Kind, Scope, WriteRequest

MAX_REASON = 500
MAX_CLIENT_ID = 128
"""Characters: the file's name has to fit a file system."""
MAX_SLUG = 1000
MAX_NOTE_BYTES = 4_000_000
_LINE_ENDS = frozenset("\n\r\v\f\x1c\x1d\x1e\x85\u2028\u2029")


@dataclass(frozen=True, slots=True)
class Queued:
    """An entry and its file."""

    sequence: int
    entry: Entry

    @property
    def name(self) -> str:
        """Return the name of its file."""
        return file_name(self.sequence, self.entry.client_id)


@dataclass(frozen=True, slots=True)
class Origin:
    """What an entry delivers: a run's decisions about one memory, and those that stood before."""

    run: str = ""
    decisions: tuple[str, ...] = ()
    previous: tuple[str, ...] = ()


NOWHERE = Origin()


def mint() -> str:
    """Return a client id that nobody has."""
    return secrets.token_hex(16)


@dataclass(frozen=True, slots=True)
class Outbox:
    """The outbox in one folder. Nothing is made before the first entry is taken."""

    path: Path
    mint: Callable[[], str] = field(default=mint)

    # Reading ----------------------------------------------------------------------------------

    def entries(self) -> tuple[Queued, ...]:
        """Return what is an entry, in (sequence, client id) order."""
        return self._scan()[0]

    def invalid(self) -> tuple[str, ...]:
        """Return the names that are those of entries while their content is none: links too."""
        return self._scan()[1]

    def queued(self) -> tuple[Queued, ...]:
        """Return the entries that wait to be delivered, in order."""
        return tuple(found for found in self.entries() if found.entry.state == "queued")

    def rejected(self) -> tuple[Queued, ...]:
        """Return the entries that the provider refused, in order."""
        return tuple(found for found in self.entries() if found.entry.state == "rejected")

    def held_keys(self, kind: Kind | None = None) -> frozenset[tuple[Scope, str]]:
        """Return scope and slug of the queued entries of a kind: no pull may overwrite those."""
        return frozenset(
            (found.entry.scope, found.entry.slug)
            for found in self.queued()
            if kind is None or found.entry.kind == kind
        )

    def find(self, client_id: str) -> Queued | None:
        """Return the entry of a client id; the other files are not read for that."""
        folder = existing(self.path)
        if folder is None:
            return None
        with folder:
            return _in(folder, client_id)

    def _scan(self) -> tuple[tuple[Queued, ...], tuple[str, ...]]:
        folder = existing(self.path)
        if folder is None:
            return (), ()
        with folder:
            return _scan(folder)

    # Changing ---------------------------------------------------------------------------------

    def enqueue(
        self,
        request: WriteRequest | None = None,
        *,
        now: str,
        origin: Origin = NOWHERE,
        **values: object,
    ) -> Queued:
        """Take a request, given whole or by its values; a missing client id is minted.

        One whose client id waits here already is that entry, and nothing is written.

        Raises
        ------
        RequestError
            `request-invalid`, for what may not be sent. Limits are checked here only.
        """
        taken = self._checked(request, values)
        with made(self.path) as folder, folder.locked():
            known = _in(folder, taken.client_id)
            if known is not None:
                return known
            fields = {name: getattr(taken, name) for name in WriteRequest.model_fields}
            entry = Entry(
                **fields,
                taken_at=now,
                run=origin.run,
                decisions=origin.decisions,
                previous=origin.previous,
            )
            found = Queued(_next(folder), entry)
            folder.write(found.name, as_json(entry))
            return found

    def acknowledge(self, client_id: str) -> None:
        """Remove an entry that the provider has taken."""
        self._remove(client_id, only_known=False)

    def reject(self, client_id: str, reason: str) -> Queued:
        """Keep an entry as refused, with the refusal as its reason."""
        return self._change(client_id, lambda entry: entry.refused(one_line(reason)))

    def restored(self, client_id: str, how: Restoring) -> Queued:
        """Note what became of the mirror after a refusal."""
        return self._change(client_id, lambda entry: entry.model_copy(update={"restoring": how}))

    def requeue(self, client_id: str) -> Queued:
        """Let a refused entry wait again, in its old place."""
        return self._change(client_id, Entry.again)

    def drop(self, client_id: str) -> None:
        """Give an entry up: nothing of it is delivered."""
        self._remove(client_id, only_known=True)

    def _change(self, client_id: str, change: Callable[[Entry], Entry]) -> Queued:
        with self._opened(client_id) as folder, folder.locked():
            found = _in(folder, client_id)
            if found is None:
                raise unknown_entry(client_id)
            changed = Queued(found.sequence, change(found.entry))
            if changed != found:
                folder.write(found.name, as_json(changed.entry))
            return changed

    def _remove(self, client_id: str, *, only_known: bool) -> None:
        with self._opened(client_id) as folder, folder.locked():
            found = _in(folder, client_id)
            if found is not None:
                folder.remove(found.name)
            elif only_known:
                raise unknown_entry(client_id)

    def _opened(self, client_id: str) -> Folder:
        folder = existing(self.path)
        if folder is None:
            raise unknown_entry(client_id)
        return folder

    def _checked(self, request: WriteRequest | None, values: dict[str, object]) -> WriteRequest:
        if request is None:
            values = {**values, "client_id": values.get("client_id") or self.mint()}
            try:
                request = WriteRequest.model_validate(values)
            except ValueError as error:
                raise RequestError(
                    "request-invalid",
                    "expected a whole request, found one without, or with a wrong, "
                    + ", ".join(_places(error)),
                    context=["nothing was taken"],
                ) from None  # the cause would quote the memory
        for limit in _broken_limits(request):
            raise RequestError("request-invalid", limit, context=["nothing was taken"])
        return request


def _places(error: ValueError) -> list[str]:
    from pydantic import ValidationError

    assert isinstance(error, ValidationError)
    found = error.errors(include_input=False, include_url=False)
    return sorted({".".join(map(str, e["loc"])) or "note" for e in found})


def _broken_limits(request: WriteRequest) -> list[str]:
    """Return what is wrong with a request that is about to be taken, one line each."""
    wrong = []
    if not 1 <= len(request.reason) <= MAX_REASON or _LINE_ENDS & set(request.reason):
        wrong.append(
            f"expected a reason of 1 to {MAX_REASON} characters in one line, "
            f"found {len(request.reason)} characters"
        )
    if len(request.client_id) > MAX_CLIENT_ID:
        wrong.append(f"expected a client id of at most {MAX_CLIENT_ID} characters")
    if len(request.slug) > MAX_SLUG:
        wrong.append(f"expected a slug of at most {MAX_SLUG} characters")
    if request.note is not None:
        size = len(request.note.text.encode("utf-8", "surrogatepass"))
        if size > MAX_NOTE_BYTES:
            wrong.append(f"{request.slug}: expected at most {MAX_NOTE_BYTES} bytes, found {size}")
    return wrong


def as_json(entry: Entry) -> bytes:
    """Return an entry as its file holds it."""
    return entry.model_dump_json(indent=1).encode("utf-8") + b"\n"


def unknown_entry(client_id: str) -> UsageError:
    """Return the error for an id that no entry has."""
    return UsageError(
        "entry-unknown",
        f"no entry of the outbox has the id {client_id!r}",
        context=["nothing was changed"],
        hint="memsleep sync status shows the ids",
    )


def _scan(folder: Folder) -> tuple[tuple[Queued, ...], tuple[str, ...]]:
    """Return what is an entry, in order, and the names of what only has an entry's name."""
    return _read(folder, [name for name in folder.names() if NAME.match(name)])


def _in(folder: Folder, client_id: str) -> Queued | None:
    names = [name for name in folder.names() if _client_id(name) == client_id]
    entries, _ = _read(folder, names)
    return entries[0] if entries else None


def _client_id(name: str) -> str:
    found = NAME.match(name)
    return found[2] if found is not None else ""


def _read(folder: Folder, names: list[str]) -> tuple[tuple[Queued, ...], tuple[str, ...]]:
    entries, invalid = [], []
    for name in names:
        try:
            entry = parsed(name, folder.read(name))
        except FileNotFoundError:  # delivered just now
            continue
        if entry is None:
            invalid.append(name)
        else:
            entries.append(Queued(int(name[:8]), entry))
    entries.sort(key=lambda queued: (queued.sequence, queued.entry.client_id))
    return tuple(entries), tuple(invalid)


def _next(folder: Folder) -> int:
    """Return one more than the highest number in the folder, whatever bears it.

    The lock is held, so whoever left a temporary file is dead.
    """
    highest = 0
    for name in folder.names():
        found = NAME.match(name)
        if found is not None:
            highest = max(highest, int(found[1]))
        elif name.startswith(".") and NAME.match(name.removesuffix(PART)[1:]):
            folder.discard(name)
    if highest >= MAX_SEQUENCE:
        raise SyncError(
            "outbox-full",
            f"the numbers of the outbox are spent: its highest is {highest}",
            context=["nothing was taken"],
            hint="memsleep sync push delivers what waits; memsleep sync status names the rest",
        )
    return highest + 1


def one_line(reason: str) -> str:
    """Return a provider's reason as one line without control characters, not too long."""
    text = "".join(c if c.isprintable() else " " for c in reason)
    return " ".join(text.split())[:MAX_REASON] or "no reason was given"
