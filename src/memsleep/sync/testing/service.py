"""What a service does: the reference, in memory, as small as it can be and whole.

Each rule of the contract is one method, so that a mutant breaks one rule (`mutants`).
"""

from __future__ import annotations

from collections.abc import Iterable
from threading import RLock

from memsleep.sync.protocol import (
    SCOPES,
    DecisionRecord,
    Note,
    Page,
    PushRejected,
    PushResult,
    Scope,
    WriteRequest,
)
from memsleep.sync.providers.slugs import refuse_unfit

MAX_NOTE_CHARS = 1_000_000
_Key = tuple[str, str]


class MemoryService:
    """Notes of two scopes, kept in memory. Calls may come from several threads."""

    def __init__(self, decisions: Iterable[DecisionRecord] = ()) -> None:
        self.lock = RLock()
        self.decisions = tuple(decisions)
        self.notes: dict[_Key, Note] = {}
        """The newest of each note; what was forgotten stays, marked as deleted."""
        self.changes: list[_Key] = []
        """The key of each change, in order; a cursor counts them."""
        self.results: dict[str, PushResult] = {}
        self.proposals: dict[str, WriteRequest] = {}

    # Reading ------------------------------------------------------------------------------------

    def pull(self, scope: Scope, cursor: str | None, take: int) -> Page:
        """Return one page of the notes of a scope that changed after a cursor."""
        with self.lock:
            if scope not in SCOPES:
                raise PushRejected("there is no such scope")
            changed = self.changed_after(self.position(cursor))
            mine = [at for at in changed if self.is_of(self.changes[at], scope)]
            page, rest = mine[:take], mine[take:]
            return Page(
                notes=tuple(self.told(self.notes[self.changes[at]]) for at in page),
                decisions=() if rest else self.decisions,
                next_cursor=self.cursor(page[-1] + 1 if rest else len(self.changes)),
                done=not rest,
            )

    def position(self, cursor: str | None) -> int:
        """Return how many changes a cursor has seen: none of ours for one that is not ours."""
        known = cursor is not None and cursor.isascii() and cursor.isdigit()
        seen = int(cursor) if known and cursor is not None else 0
        return seen if seen <= len(self.changes) else 0

    def cursor(self, seen: int) -> str:
        """Return the cursor of one that has seen so many changes."""
        return str(seen)

    def changed_after(self, position: int) -> list[int]:
        """Return the places of the newest change of each note after a position, oldest first."""
        newest = {key: at for at, key in enumerate(self.changes)}
        return sorted(at for at in newest.values() if at >= position)

    def is_of(self, key: _Key, scope: Scope) -> bool:
        """Say whether a note is of a scope."""
        return key[0] == scope

    def told(self, note: Note) -> Note:
        """Return a note as it is handed out."""
        return note

    def search(self, scope: Scope, text: str, limit: int) -> tuple[Note, ...]:
        """Return notes of a scope that hold every word of a text, in the order of their slugs."""
        words = text.casefold().split()
        with self.lock:
            found = [
                note
                for key, note in sorted(self.notes.items())
                if self.is_of(key, scope) and not note.deleted and _holds(note, words)
            ]
        return tuple(found[:limit])

    # Writing ------------------------------------------------------------------------------------

    def push(self, request: WriteRequest) -> PushResult:
        """Take one write, once for each client id."""
        with self.lock:
            earlier = self.earlier(request)
            if earlier is not None:
                return earlier
            self.judge(request)
            result = self.take(request)
            self.results[request.client_id] = result
            return result

    def earlier(self, request: WriteRequest) -> PushResult | None:
        """Return the result of a write that was taken already."""
        return self.results.get(request.client_id)

    def judge(self, request: WriteRequest) -> None:
        """Raise `PushRejected` for what will never be accepted."""
        refuse_unfit(request)
        if request.note is not None and len(request.note.text) > MAX_NOTE_CHARS:
            raise PushRejected(f"the note is longer than {MAX_NOTE_CHARS} characters")

    def take(self, request: WriteRequest) -> PushResult:
        """Do what a write asks for, or keep what it proposes."""
        if request.write_mode == "proposal":
            self.proposals[request.client_id] = request
            return PushResult(id=request.client_id, status="proposed")
        self.apply(request)
        return PushResult(id=request.client_id, status="applied")

    def apply(self, request: WriteRequest) -> None:
        """Change what is held."""
        if request.note is not None:
            self.save(request.note)
        elif self.holds(request.scope, request.slug):
            self.forget(request)

    def save(self, note: Note) -> None:
        """Hold a note, in place of what its slug held before."""
        key = (note.scope, note.slug)
        self.notes[key] = note
        self.changes.append(key)

    def holds(self, scope: Scope, slug: str) -> bool:
        """Say whether a note is held, and not deleted."""
        held = self.notes.get((scope, slug))
        return held is not None and not held.deleted

    def forget(self, request: WriteRequest) -> None:
        """Hold that a note is gone, and nothing of what it said."""
        key = (request.scope, request.slug)
        self.notes[key] = Note(
            scope=request.scope, slug=request.slug, deleted=True, reason=request.reason
        )
        self.changes.append(key)

    # A person decides ---------------------------------------------------------------------------

    def accept(self, client_id: str) -> None:
        """Do what was proposed."""
        with self.lock:
            self.apply(self.proposals.pop(client_id))


def _holds(note: Note, words: list[str]) -> bool:
    text = f"{note.title} {note.gist} {note.text}".casefold()
    return all(word in text for word in words)
