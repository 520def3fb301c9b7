"""What was fetched and is not in the corpus yet: on disk before a cursor moves on."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from pydantic import ConfigDict, ValidationError

from memsleep.sync.folder import existing, made
from memsleep.sync.protocol import Note, Scope, Value

Key = tuple[Scope, str]


class Fetched(Value):
    """The notes of one page."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    schema_version: Literal[1] = 1
    notes: tuple[Note, ...]


@dataclass(frozen=True, slots=True)
class Inbox:
    """Fetched notes in one folder, a file a page. One sync at a time writes here."""

    path: Path

    def add(self, notes: Collection[Note]) -> None:
        """Keep the notes of a page."""
        if not notes:
            return
        with made(self.path) as folder:
            numbers = [int(n[:8]) for n in folder.names() if _is_page(n)]
            name = f"{max(numbers, default=0) + 1:08d}.json"
            folder.write(name, _json(notes))

    def notes(self) -> dict[Key, Note]:
        """Return scope and slug -> the newest note, in the order in which they came."""
        found: dict[Key, Note] = {}
        folder = existing(self.path)
        if folder is None:
            return found
        with folder:
            for name in folder.names():
                if not _is_page(name):
                    continue
                try:
                    page = Fetched.model_validate_json(folder.read(name) or b"")
                except ValidationError:
                    continue
                for note in page.notes:
                    found.pop((note.scope, note.slug), None)
                    found[note.scope, note.slug] = note
        return found

    def keep(self, notes: Iterable[Note]) -> None:
        """Keep these notes and no others: the new file is there before the old ones go."""
        left = list(notes)
        folder = existing(self.path)
        if folder is None:
            return
        with folder:
            pages = [name for name in folder.names() if _is_page(name)]
            if not pages:
                return
            if left:
                folder.write(pages[-1], _json(left))
            for name in pages[: -1 if left else None]:
                folder.remove(name)


def _is_page(name: str) -> bool:
    stem = name.removesuffix(".json")
    return name != stem and len(stem) == 8 and stem.isascii() and stem.isdigit()


def _json(notes: Collection[Note]) -> bytes:
    return Fetched(notes=tuple(notes)).model_dump_json(indent=1).encode("utf-8") + b"\n"
