"""What fetched notes mean for a corpus: files to write, memories to archive, and what may not be.

Pure but for the corpus that it is given. A memory that changed here since corpus and provider last
agreed is never written over: it is named, and stays.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field

from memsleep.corpus.source import TEXT_SUFFIXES, folder_cause
from memsleep.model import digest_bytes, in_archive
from memsleep.naming import too_long
from memsleep.sync.inbox import Key
from memsleep.sync.notes import scope_of
from memsleep.sync.protocol import Note

EDITED = "it was changed here since it was last the same there"


@dataclass(slots=True)
class Incoming:
    """What is to be done with each note."""

    saves: dict[str, bytes] = field(default_factory=dict)
    """Path -> bytes that the file shall have."""
    deletions: dict[str, str] = field(default_factory=dict)
    """Path -> why the provider holds it no longer."""
    same: dict[Key, str] = field(default_factory=dict)
    """Key -> digest of what is here as it is there, empty for what is at neither."""
    held: list[Key] = field(default_factory=list)
    """What waits to be delivered, or forgotten there: the note must not overtake it."""
    left: dict[Key, str] = field(default_factory=dict)
    """Key -> why its note is not taken."""


@dataclass(frozen=True, slots=True)
class Here:
    """What the corpus holds, and what is known of it."""

    files: Mapping[str, bytes]
    """Path -> bytes, for the paths of the notes."""
    known: Mapping[Key, str]
    """Key -> digest on which corpus and provider last agreed."""
    held: Collection[Key]
    forgets: Collection[Key]
    user: Sequence[str]
    """Globs of the user's memories."""


def sort_out(notes: Mapping[Key, Note], here: Here) -> Incoming:
    """Say what becomes of each note."""
    found = Incoming()
    for key, note in notes.items():
        if key in here.held or (key in here.forgets and not note.deleted):
            found.held.append(key)
            continue
        reason = _unfit(note, here)
        if reason:
            found.left[key] = reason
        elif note.deleted:
            _delete(key, note, here, found)
        else:
            _save(key, note, here, found)
    return found


def _save(key: Key, note: Note, here: Here, found: Incoming) -> None:
    content = note.text.encode("utf-8")
    disk = here.files.get(note.slug)
    if disk == content:
        found.same[key] = digest_bytes(content)
    elif disk is None or digest_bytes(disk) == here.known.get(key):
        found.saves[note.slug] = content
    else:
        found.left[key] = EDITED


def _delete(key: Key, note: Note, here: Here, found: Incoming) -> None:
    disk = here.files.get(note.slug)
    if disk is None:
        found.same[key] = ""
    elif digest_bytes(disk) == here.known.get(key):
        found.deletions[note.slug] = note.reason
    else:
        found.left[key] = EDITED


def _unfit(note: Note, here: Here) -> str:
    """Say why a note cannot be a file of the corpus; empty when it can."""
    slug = note.slug
    try:
        slug.encode("utf-8")
        note.text.encode("utf-8")
    except UnicodeEncodeError:
        return "it is not UTF-8"
    parts = slug.split("/")
    if any(part in ("", ".", "..") or "\0" in part or "\\" in part for part in parts):
        return "its slug leads out of the corpus"
    if any(part.startswith(".") for part in parts) or in_archive(slug) or folder_cause(slug):
        return "its slug lies where no memories are read"
    if not slug.lower().endswith(TEXT_SUFFIXES):
        return f"its slug ends in none of {', '.join(TEXT_SUFFIXES)}"
    if any(not character.isprintable() for character in slug) or too_long(slug):
        return "its slug cannot be a file on every system"
    if not note.deleted and not note.text.strip():
        return "it has no text"
    if scope_of(slug, here.user) != note.scope:
        return f"the provider calls it the {note.scope}'s, and sync.user does not"
    return ""
