"""What the tests of the kit are written with: notes, requests, pulls of everything."""

from __future__ import annotations

from itertools import count

from memsleep.sync.protocol import Note, Page, Provider, PushResult, Scope, WriteMode, WriteRequest

_MOST_PAGES = 50
_numbers = count(1)


def note_of(slug: str, text: str = "A fact.\n", *, scope: Scope = "project") -> Note:
    """Return a note."""
    return Note(scope=scope, slug=slug, text=text)


def new_client_id() -> str:
    """Return an id that no other write of this process has."""
    return f"kit-{next(_numbers)}"


def save_of(note: Note, *, mode: WriteMode = "direct") -> WriteRequest:
    """Return a request to save a note, which may be one that no service takes."""
    return WriteRequest.model_construct(
        kind="save",
        client_id=new_client_id(),
        scope=note.scope,
        slug=note.slug,
        write_mode=mode,
        note=note,
        reason="a test of the conformance kit",
    )


def forget_of(slug: str, *, scope: Scope = "project", mode: WriteMode = "direct") -> WriteRequest:
    """Return a request to forget a note."""
    return WriteRequest(
        kind="forget",
        client_id=new_client_id(),
        scope=scope,
        slug=slug,
        write_mode=mode,
        reason="a test of the conformance kit",
    )


def push(provider: Provider, note: Note) -> PushResult:
    """Save a note at once."""
    return provider.push(save_of(note))


def forget(provider: Provider, slug: str) -> PushResult:
    """Forget a note at once."""
    return provider.push(forget_of(slug))


def pages(provider: Provider, scope: Scope, cursor: str | None, take: int) -> list[Page]:
    """Return all pages after a cursor; a service that never ends them fails."""
    found = []
    for _ in range(_MOST_PAGES):
        page = provider.pull(scope, cursor, take)
        found.append(page)
        cursor = page.next_cursor if page.next_cursor is not None else cursor
        if page.done:
            return found
    raise AssertionError(f"no page of {_MOST_PAGES} says that it is the last")


def everything(
    provider: Provider, scope: Scope = "project", cursor: str | None = None, take: int = 10
) -> list[Note]:
    """Return the notes of all pages after a cursor."""
    return [note for page in pages(provider, scope, cursor, take) for note in page.notes]


def end_of(provider: Provider) -> str | None:
    """Return the cursor of one that has pulled everything."""
    return pages(provider, "project", None, 10)[-1].next_cursor
