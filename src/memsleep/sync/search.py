"""Finding memories: the provider's own search, else whole words over what lies here."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from memsleep.core.keywords import SearchNote, keyword_search
from memsleep.corpus.load import LoadedCorpus
from memsleep.sync.notes import NoNoteError, note_of
from memsleep.sync.protocol import Note, Provider, Scope, SearchingProvider
from memsleep.sync.retry import told


@dataclass(frozen=True, slots=True)
class Answer:
    """What was found, and who found it."""

    notes: tuple[Note, ...]
    by: Literal["provider", "here"]
    reason: str = ""
    """Why it was not the provider, where the provider can search."""


def search(provider: Provider, scope: Scope, text: str, limit: int, here: Iterable[Note]) -> Answer:
    """Ask a provider that can search; one that cannot, or fails, is answered for from here."""
    reason = ""
    if isinstance(provider, SearchingProvider):
        try:
            return Answer(provider.search(scope, text, limit)[: max(limit, 0)], "provider")
        except Exception as error:  # of a provider: every error is transient
            reason = told(error)
    notes = {note.slug: note for note in here if note.scope == scope and not note.deleted}
    hits = keyword_search(map(_searchable, notes.values()), text, limit)
    return Answer(tuple(notes[hit.slug] for hit in hits), "here", reason)


def notes_of(corpus: LoadedCorpus, user: Iterable[str]) -> tuple[Note, ...]:
    """Return the active memories of a corpus as notes, in path order; none that holds a secret."""
    globs, found = tuple(user), []
    for path, memory in corpus.memories.items():
        if memory.archived or memory.container:
            continue
        try:
            found.append(note_of(path, corpus.files[path], memory, globs))
        except NoNoteError:
            continue
    return tuple(found)


def _searchable(note: Note) -> SearchNote:
    return SearchNote(
        slug=note.slug,
        scope=note.scope,
        type=note.type,
        description=" ".join((note.title, note.gist, *note.tags)),
        status="active",
        updated_at=note.updated_at or "",
        body=note.text,
    )
