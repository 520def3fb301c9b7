"""Memories that share one file: each is read and edited as if its bytes were a file of their own.

The fold puts the edited bytes back into the file (`fold.containers`). The position of an entry in
its file is part of neither; its name stays when its neighbours change.
"""

from __future__ import annotations

from dataclasses import replace

from memsleep.dialects.base import FieldName, ListName
from memsleep.dialects.markdown import MarkdownDialect
from memsleep.editors.markdown_body import marks_of
from memsleep.errors import EditRefused
from memsleep.model import Link, Memory, Problem, Unreadable
from memsleep.readers.entries import ENTRY_PATH, SEPARATOR_LINE, entry_path, split_entries
from memsleep.readers.markdown import text_problem
from memsleep.spelled import Spelled
from memsleep.text import paragraphs


class EntriesDialect:
    """Reader and editor of one entry; `read_entries` parts a file into them."""

    def __init__(self, inner: MarkdownDialect) -> None:
        self.name = inner.name
        self.syntax = inner.syntax
        self.traits = inner.traits
        self.inner = inner

    def read_entries(
        self, path: str, source: bytes
    ) -> tuple[list[Memory], list[Unreadable], dict[str, bytes]]:
        """Return the memories of a file, those that cannot be read, and the bytes of each entry."""
        problem = text_problem(path, source)
        if problem is not None:
            return [], [Unreadable(path, (problem,))], {}
        memories, unreadable, parts = [], [], {}
        for entry in split_entries(source):
            own = entry_path(path, entry.name)
            part = source[entry.start : entry.end]
            found = self.read(own, part)
            if isinstance(found, Unreadable):
                unreadable.append(found)
                continue
            line = source.count(b"\n", 0, entry.start)
            parts[own] = part
            links = tuple(replace(link, line=link.line + line) for link in found.links)
            memories.append(replace(found, links=links, warnings=_moved(found, line)))
        return memories, unreadable, parts

    def read(self, path: str, source: bytes) -> Memory | Unreadable:
        """Parse the bytes of one entry; without a title, its first line is the title."""
        if SEPARATOR_LINE.search(source):
            problem = Problem(path, 1, "separator-in-entry", "a section sign would part the entry")
            return Unreadable(path, (problem,))
        found = self.inner.read(path, source)
        if isinstance(found, Unreadable):
            return found
        title = found.title if found.states("title") else found.gist
        return replace(found, title=title, container=container_of(path))

    def read_links(self, path: str, source: bytes) -> tuple[Link, ...]:
        """Return the links of a file that is no memory."""
        return self.inner.read_links(path, source)

    def set_field(
        self, memory: Memory, source: bytes, field: FieldName, value: str
    ) -> bytes | None:
        """Write one scalar where the entry states it; an entry takes no new key."""
        if not memory.states(field):
            return None
        return self.inner.set_field(memory, source, field, value)

    def remove_field(self, memory: Memory, source: bytes, field: FieldName) -> bytes | None:
        """Take one scalar out where the entry states it."""
        return self.inner.remove_field(memory, source, field) if memory.states(field) else None

    def add_value(self, memory: Memory, source: bytes, field: ListName, value: str) -> bytes | None:
        """Extend a list that the entry states."""
        if value in getattr(memory, field):
            return source
        if not memory.states(field):
            return None
        return self.inner.add_value(memory, source, field, value)

    def add_link(
        self, memory: Memory, source: bytes, relation: str, target_path: str, *, exact: bool = False
    ) -> bytes | None:
        """Leave the file as it is: an entry has no place for a typed link."""
        del memory, source, relation, target_path, exact
        return None

    def remove_link(self, source: bytes, link: Link) -> bytes:
        """Take out a relation line."""
        return self.inner.remove_link(source, link)

    def retarget_link(
        self, path: str, source: bytes, link: Link, target_path: str, *, exact: bool = False
    ) -> bytes:
        """Point one link at another path."""
        return self.inner.retarget_link(path, source, link, target_path, exact=exact)

    def spell(self, memory: Memory, source: bytes, wanted: tuple[str, ...]) -> tuple[Spelled, ...]:
        """Return sentences of the entry with their inline markup."""
        return self.inner.spell(memory, source, wanted)

    def append_details(
        self,
        memory: Memory,
        source: bytes,
        sentences: tuple[str, ...],
        origin_path: str,
        *,
        markup: tuple[str, ...] = (),
    ) -> bytes | None:
        """Add the sentences on lines of their own below the entry, so that its name stays."""
        del origin_path
        if memory.read_only:
            raise EditRefused(memory.read_only, line=1)
        text = " ".join(" ".join(sentence.split()) for sentence in sentences if sentence.strip())
        if not text:
            return source
        eol = b"\r\n" if b"\r\n" in source else b"\n"
        written = markup or tuple(" ".join(sentence.split()) for sentence in sentences)
        lines = [" ".join(written[at] for at in group) for group in paragraphs(sentences)]
        result = source + b"".join(eol + line.encode("utf-8") for line in lines)
        again = self.read(memory.path, result)
        kept = memory.body.rstrip()
        whole = isinstance(again, Memory) and again.body.startswith(kept)
        if not isinstance(again, Memory) or not whole or not again.body.endswith(text):
            raise EditRefused("the sentences would not be read as they are", line=1)
        known = marks_of(source.decode("utf-8")) if markup else []
        if markup and marks_of(result.decode("utf-8")) != known + marks_of("\n\n".join(markup)):
            raise EditRefused("the markup of the sentences would not be read as it is", line=1)
        return result


def container_of(path: str) -> str:
    """Return the file that holds an entry; empty for an archived one, which has its own."""
    match = ENTRY_PATH.match(path)
    return match["file"] if match else ""


def _moved(memory: Memory, lines: int) -> tuple[Problem, ...]:
    """Return warnings by the lines of the file, not of the entry."""
    return tuple(
        replace(problem, path=memory.container, line=(problem.line or 1) + lines)
        for problem in memory.warnings
    )
