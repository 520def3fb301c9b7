"""Memories and notes: what a file is to a provider, and what a note is as a file."""

from __future__ import annotations

from collections.abc import Sequence

from memsleep.corpus.globs import first_match
from memsleep.model import Memory
from memsleep.safety.secrets import find_secrets
from memsleep.sync.protocol import Note, Scope


class NoNoteError(Exception):
    """A file that cannot be a note, or a note that cannot be a file, and why."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


def scope_of(path: str, user: Sequence[str]) -> Scope:
    """Return whose a memory is: the user's where one of the globs matches, else the project's."""
    return "project" if first_match(path, user) is None else "user"


def note_of(
    path: str, source: bytes, memory: Memory | None, user: Sequence[str], *, dialect: str = ""
) -> Note:
    """Return the note of a file.

    A file of several memories is one note: `memory` is None, and `dialect` what reads it.

    Raises
    ------
    NoNoteError
        When the file is no UTF-8, or holds a secret.
    """
    try:
        text = source.decode("utf-8")
    except UnicodeDecodeError as error:
        line = source.count(b"\n", 0, error.start) + 1
        raise NoNoteError(f"{path}:{line}: it is no UTF-8") from None
    withheld = secret_in(path, text)
    if withheld:
        raise NoNoteError(withheld)
    scope = scope_of(path, user)
    if memory is None:
        return Note(scope=scope, slug=path, format=dialect, text=text)
    return Note(
        scope=scope,
        slug=path,
        format=memory.dialect,
        text=text,
        type=memory.type,
        title=memory.title,
        gist=memory.gist,
        tags=memory.tags,
        updated_at=memory.updated or memory.created,
    )


def secret_in(path: str, text: str) -> str:
    """Say where a text holds a secret, and of which kind; empty when it holds none."""
    hit = next(find_secrets(text), None)
    if hit is None:
        return ""
    line = text.count("\n", 0, hit.start) + 1
    return f"{path}:{line}: it holds a secret ({hit.kind}): nothing of it is sent"


def withheld(note: Note | None, slug: str, reason: str) -> str:
    """Say why a request may not leave this machine; empty when it may."""
    if note is not None:
        found = secret_in(slug, note.text)
        fields = "\n".join((note.title, note.gist, *note.tags, note.slug))
        found = found or secret_in(slug, fields)
        if found:
            return found
    return secret_in(slug, f"{slug}\n{reason}")
