"""Requests, a provider in memory and its moods, for the tests of the sync."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from memsleep.sync.outbox import Outbox
from memsleep.sync.protocol import Note, Page, PushRejected, PushResult, Scope, WriteRequest
from memsleep.sync.records import Records
from memsleep.sync.retry import Retry

NOW = "2026-11-30T03:00:00Z"


def note(slug: str = "a.md", text: str = "one\n", scope: Scope = "project", **more: Any) -> Note:
    return Note(scope=scope, slug=slug, text=text, **more)


def save(client_id: str = "c1", slug: str = "a.md", **changes: Any) -> WriteRequest:
    """A save, with changes."""
    scope: Scope = changes.get("scope", "project")
    values: dict[str, Any] = {
        "kind": "save",
        "client_id": client_id,
        "scope": scope,
        "slug": slug,
        "write_mode": "direct",
        "note": note(slug, scope=scope),
        "reason": "merged",
    }
    return WriteRequest.model_validate(values | changes)


def forget(client_id: str = "f1", slug: str = "a.md", **changes: Any) -> WriteRequest:
    return save(client_id, slug, **({"kind": "forget", "note": None, "reason": "old"} | changes))


def outbox(folder: Path) -> Outbox:
    """An outbox whose minted ids can be told."""
    numbers = iter(range(1, 1000))
    return Outbox(folder / "outbox", mint=lambda: f"minted-{next(numbers)}")


def records(folder: Path, warnings: list[str] | None = None) -> Records:
    told: list[str] = [] if warnings is None else warnings
    return Records(folder, told.append)


def hasty(attempts: int = 3, waits: list[float] | None = None) -> Retry:
    """Retries that wait for nobody."""
    told: list[float] = [] if waits is None else waits
    return Retry(sleep=told.append, attempts=attempts)


@dataclass
class Service:
    """A provider in memory that honours client ids. `mood` may raise before a write is taken."""

    id: str = "memory"
    notes: dict[tuple[str, str], Note] = field(default_factory=dict)
    taken: list[str] = field(default_factory=list)
    """Client ids of the writes that had an effect, in order."""
    asked: list[str] = field(default_factory=list)
    """Client ids of all pushes, in order."""
    mood: Callable[[WriteRequest], None] = lambda _request: None
    pages: dict[str, list[Page]] = field(default_factory=dict)
    """Scope -> what is pulled, page by page."""
    pulls: list[tuple[str, str | None]] = field(default_factory=list)

    def push(self, request: WriteRequest) -> PushResult:
        self.asked.append(request.client_id)
        self.mood(request)
        status = "applied" if request.write_mode == "direct" else "proposed"
        if request.client_id not in self.taken:
            self.taken.append(request.client_id)
            key = (request.scope, request.slug)
            if status == "applied" and request.note is not None:
                self.notes[key] = request.note
            elif status == "applied":
                self.notes.pop(key, None)
        return PushResult.model_validate({"id": request.client_id, "status": status})

    def pull(self, scope: Scope, cursor: str | None, take: int) -> Page:
        self.pulls.append((scope, cursor))
        pages = self.pages.get(scope, [])
        found = [p for p in pages if cursor is None or (p.next_cursor or "") > cursor]
        return found[0] if found else Page(done=True, next_cursor=cursor)

    def reachable(self) -> bool:
        return True


def refusing(*slugs: str, reason: str = "not here") -> Callable[[WriteRequest], None]:
    """A mood in which writes of some slugs are never accepted."""

    def mood(request: WriteRequest) -> None:
        if request.slug in slugs:
            raise PushRejected(reason)

    return mood


def failing(times: int, error: Exception) -> Callable[[WriteRequest], None]:
    """A mood in which so many pushes fail, and later ones do not."""
    left = [times]

    def mood(_request: WriteRequest) -> None:
        if left[0] > 0:
            left[0] -= 1
            raise error

    return mood
