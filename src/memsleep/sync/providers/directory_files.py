"""Notes as files and files as notes, in a folder that serves as a service."""

from __future__ import annotations

from pydantic import ValidationError

from memsleep.landing.writer import BlockedError, Writer
from memsleep.model import digest_bytes
from memsleep.sync.protocol import DecisionRecord, Note, PushRejected, Scope
from memsleep.sync.providers.directory_log import Line

MAX_NOTE_BYTES = 4 * 1024 * 1024
DECISIONS = "decisions.jsonl"
UNREAD = "unread"
"""Stands for the digest of a file that was there and could not be read: no digest equals it."""


def found_line(scope: Scope, slug: str, digest: str | None) -> Line:
    """Return the line of what somebody else did."""
    return Line(seq=0, mark="", scope=scope, slug=slug, changed=True, digest=digest)


def note_of(line: Line, files: Writer) -> Note | None:
    """Return what a line stands for, as it is now; None while its file cannot be read."""
    if line.digest is None:
        return Note(scope=line.scope, slug=line.slug, deleted=True, reason=line.reason)
    text = text_of(read(files, f"{line.scope}/{line.slug}"))
    if text is None:
        return None
    said = line.note
    if said is None:
        kind = "html" if line.slug.lower().endswith(".html") else "markdown"
        said = Note(scope=line.scope, slug=line.slug, format=kind)
    return said.model_copy(update={"text": text})


def said_of(note: Note | None) -> Note | None:
    """Return what a write says of a note beside its text."""
    return None if note is None else note.model_copy(update={"text": ""})


def read(files: Writer, path: str) -> bytes | None:
    """Return the bytes of a file; None where there is none, or none that may be read."""
    try:
        return files.read(path)
    except (BlockedError, OSError):
        return None


def text_of(data: bytes | None) -> str | None:
    """Return bytes as text; None where they are none."""
    try:
        return None if data is None else data.decode("utf-8")
    except UnicodeDecodeError:
        return None


def encoded(note: Note | None) -> bytes:
    """Return the bytes of a note's file.

    Raises
    ------
    PushRejected
        When they are too many.
    """
    data = b"" if note is None else note.text.encode("utf-8")
    if len(data) > MAX_NOTE_BYTES:
        raise PushRejected(f"the note is larger than {MAX_NOTE_BYTES} bytes")
    return data


def temp_of(path: str) -> str:
    """Return the name under which a file is written beside its place; hidden, so never a note."""
    return f".memsleep-sync-{digest_bytes(path.encode())[:16]}"


def decisions_of(files: Writer) -> tuple[DecisionRecord, ...]:
    """Return the decided facts that the folder holds. A line that is none is passed over."""
    data = read(files, DECISIONS) or b""
    found = (_record(raw) for raw in data.split(b"\n"))
    return tuple(record for record in found if record is not None)


def _record(raw: bytes) -> DecisionRecord | None:
    try:
        return DecisionRecord.model_validate_json(raw)
    except ValidationError:
        return None
