"""What a dialect must be able to do. A dialect is a module or object with these members.

Reading is tolerant and never raises for bad input: it gives a `Memory` or an `Unreadable`.
Editing takes bytes and gives bytes in which only the edited value differs. It returns the very
same object when nothing has to change, None where the dialect has no place for the value (it is
then kept in the state), and raises `EditRefused` where it cannot be sure.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, Protocol

from memsleep.model import Link, Memory, Unreadable
from memsleep.spelled import Spelled

FieldName = Literal[
    "status",
    "updated",
    "created",
    "event_time",
    "valid_from",
    "valid_until",
    "archived_at",
    "confidence",
    "importance",
    "reprieves",
    "superseded_by",
    "content_hash",
]
Syntax = Literal["markdown", "html"]
ListName = Literal["tags", "entities", "aliases"]


@dataclass(frozen=True, slots=True)
class Options:
    """What the config says of reading and writing files."""

    day_first: bool | None = None
    """Order of dates such as `06/08/2017` where a file's own dates do not tell."""
    add_front_matter: bool = False
    """True where a file without front matter may be given one."""


class Dialect(Protocol):
    """Reader and byte-minimal editor of one kind of file."""

    name: str
    syntax: Syntax

    def read(self, path: str, source: bytes) -> Memory | Unreadable:
        """Parse one file. Link targets stay unresolved (`Link.path` is None)."""
        ...

    def read_links(self, path: str, source: bytes) -> tuple[Link, ...]:
        """Return the links of a file that is no memory itself (an index page)."""
        ...

    def set_field(
        self, memory: Memory, source: bytes, field: FieldName, value: str
    ) -> bytes | None:
        """Write one scalar. `value` is canonical text; the dialect keeps the file's own form."""
        ...

    def remove_field(self, memory: Memory, source: bytes, field: FieldName) -> bytes | None:
        """Take one scalar out of the file."""
        ...

    def add_value(self, memory: Memory, source: bytes, field: ListName, value: str) -> bytes | None:
        """Extend a list by one value; the same bytes when it is there already."""
        ...

    def add_link(
        self, memory: Memory, source: bytes, relation: str, target_path: str, *, exact: bool = False
    ) -> bytes | None:
        """State one more typed link to a corpus path; the same bytes when it is there already.

        `exact` writes it from the root, where it could mean another file in this folder.
        """
        ...

    def remove_link(self, source: bytes, link: Link) -> bytes:
        """Take out one link that the file states."""
        ...

    def retarget_link(
        self, path: str, source: bytes, link: Link, target_path: str, *, exact: bool = False
    ) -> bytes:
        """Point one link at another corpus path, keeping its form, label and fragment.

        `link` was read from exactly these bytes; `path` is where the file lies. `exact` writes
        the whole path where a name alone, or a path from this folder, could mean another file.
        """
        ...

    def spell(self, memory: Memory, source: bytes, wanted: tuple[str, ...]) -> tuple[Spelled, ...]:
        """Return sentences of the body with the inline markup that the file writes them in."""
        ...

    def append_details(
        self,
        memory: Memory,
        source: bytes,
        sentences: tuple[str, ...],
        origin_path: str,
        *,
        markup: tuple[str, ...] = (),
    ) -> bytes | None:
        """Carry sentences of a merged memory over to the end of this one's body.

        `markup` has each of them as a file of the same syntax writes it.
        """
        ...
