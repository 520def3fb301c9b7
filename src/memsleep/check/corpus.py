"""The corpus of one check, as rules about more than one file see it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from memsleep.check.facts import Facts, view_of
from memsleep.check.model import CLAIM, FIELD, Found
from memsleep.check.pairs import NearPair, PairFinder
from memsleep.check.view import NOWHERE, FileView, Span
from memsleep.corpus.detect import Detections
from memsleep.corpus.flags import flag_rule
from memsleep.corpus.select import Role
from memsleep.ledger import LedgerEntry, read_ledger
from memsleep.model import EMPTY, Link, Memory, Problem, in_archive
from memsleep.resolve import Resolver, literal_places
from memsleep.settings import Settings


class Home(NamedTuple):
    """Where an entry lies: its file, and its first byte in it."""

    path: str
    start: int


@dataclass
class CheckedCorpus:
    """All that was read, in path order."""

    now: str
    settings: Settings
    files: Mapping[str, bytes]
    """Path -> bytes of every memory and page."""
    roles: Mapping[str, Role]
    facts: Mapping[str, Facts]
    names: tuple[str, ...]
    """Every file of the corpus, of any kind."""
    taken: frozenset[str]
    problems: tuple[Problem, ...]
    """What the source says about names."""
    unread: tuple[Problem, ...]
    """Files whose bytes could not be had."""
    ledgers: Mapping[str, bytes]
    stores: Detections
    homes: Mapping[str, Home]
    """Entry of a file that holds several memories -> where it lies."""
    pairs: PairFinder

    @cached_property
    def _flagged(self) -> dict[str, Memory]:
        ours = frozenset(entry.to for _, entry in self.ledger_entries())
        flag = flag_rule(self.taken, ours, EMPTY, self.settings.corpus, self.stores)
        found = {path: one.memory for path, one in self.facts.items()}
        return {path: flag(memory) for path, memory in found.items() if memory is not None}

    @cached_property
    def _pages(self) -> dict[str, tuple[Link, ...]]:
        return {
            path: self.facts[path].links
            for path, role in self.roles.items()
            if role.part == "reference"
        }

    @cached_property
    def _names(self) -> Resolver:
        return Resolver(self._flagged.values(), self._pages, self.taken)

    @cached_property
    def _resolved(self) -> dict[str, tuple[Link, ...]]:
        """Path -> resolved links of every memory and page that has any."""
        resolver = self._names
        written = {path: memory.links for path, memory in self._flagged.items()} | self._pages
        return {
            path: tuple(_resolved_link(resolver, link, path) for link in links)
            for path, links in sorted(written.items())
            if links
        }

    @property
    def memories(self) -> Mapping[str, Memory]:
        """Path -> memory without its body; see `links_of` for its links, resolved."""
        return self._flagged

    def links_of(self, path: str) -> tuple[Link, ...]:
        """Return the links of a memory or page, resolved."""
        return self._resolved.get(path, ())

    def linking(self, *, archived: bool = False) -> Iterator[tuple[str, tuple[Link, ...]]]:
        """Yield the links of each active memory and page, with `archived` of all memories."""
        for path, links in self._resolved.items():
            if archived or not self.is_archived(path):
                yield path, links

    @cached_property
    def active(self) -> list[Memory]:
        """The memories that are not archived."""
        return [memory for memory in self._flagged.values() if memory.path not in self._archived]

    @cached_property
    def comparable(self) -> list[Memory]:
        """The memories that may be duplicates of each other."""
        never = self.settings.pairing.never_duplicate
        return [memory for memory in self.active if memory.type not in never]

    @cached_property
    def _archived(self) -> frozenset[str]:
        return frozenset(path for path, memory in self._flagged.items() if memory.archived)

    def is_archived(self, path: str) -> bool:
        """Return True for the path of an archived memory."""
        return path in self._archived

    def nearest(self, target: str) -> str | None:
        """Return the path whose name is most like a dangling target."""
        return self._names.nearest(target)

    # The archive --------------------------------------------------------------------------

    def ledger_entries(self) -> Iterator[tuple[str, LedgerEntry]]:
        """Yield every entry of all ledgers, the oldest year first."""
        for path in sorted(self.ledgers):
            yield from ((path, entry) for entry in read_ledger(self.ledgers[path], path))

    @cached_property
    def _origins(self) -> dict[str, str]:
        """Old path -> where it lies in the archive; what the ledger says counts most."""
        origins = {}
        for path, memory in self._flagged.items():
            if in_archive(path) and memory.archived:
                origins[path.split("/", 2)[2]] = path
        for _, entry in self.ledger_entries():
            if entry.to in self._flagged:
                origins[entry.path] = entry.to
        return origins

    def moved_to(self, path: str, link: Link) -> str | None:
        """Return where the file that a link literally names was archived, or None.

        A name without a folder leads to the archived file as it is.
        """
        by_name = link.form in {"wikilink", "embed"} and "/" not in link.target
        if link.ambiguous or link.start < 0 or (by_name and link.path is not None):
            return None
        for place in literal_places(link.target, link.form, path):
            for name in (place, f"{place}.md"):
                if name in self._flagged:
                    return None
                if name in self._origins:
                    return self._origins[name]
        return None

    # Places -------------------------------------------------------------------------------

    def span_of(self, path: str, found: Found) -> Span:
        """Return the bytes that a finding is about, `NOWHERE` for the file as a whole."""
        if found.start == CLAIM:
            return self.claim_span(path)
        return self.field_span(path, found.key) if found.start == FIELD else found[1:3]

    def view(self, path: str) -> FileView:
        """Return one file for a look at places in it: its memory is the one without a body."""
        role, settings = self.roles[path], self.settings.check
        return FileView(path, self.files[path], role, self._flagged.get(path), (), settings)

    def read(self, path: str, source: bytes) -> FileView:
        """Read a file as these bytes."""
        day_first = self.settings.corpus.day_first_order
        return view_of(path, source, self.roles[path], self.settings.check, day_first=day_first)

    def home(self, path: str) -> str:
        """Return the file that holds a memory: its own, or that of all entries."""
        return self.homes[path].path if path in self.homes else path

    def field_span(self, path: str, field: str) -> Span:
        """Return where a memory states a field."""
        view = self.view(path)
        if view.is_html and field in ("due", "task_status"):
            return view.meta_span(f"memhtml-{field.replace('_', '-')}")
        return view.field_span(field)

    def claim_span(self, path: str) -> Span:
        """Return where a memory makes its claim."""
        return self.view(path).claim_span() if path in self.files else NOWHERE

    def whole(self, path: str) -> Memory:
        """Return a memory with its body."""

        def read() -> Memory | None:
            return self.read(path, self.files[path]).memory

        return self.pairs.with_body(self.memories[path], self.facts[path], read)

    def near_pairs(self) -> Iterator[NearPair]:
        """Yield (younger, older, what they are to each other) of near memories."""
        return self.pairs.near_pairs(self)


def _resolved_link(resolver: Resolver, link: Link, path: str) -> Link:
    found = resolver.resolve(link, path)
    if found.path is None and not found.ambiguous and found.external == link.external:
        return link
    return Link(
        link.relation, link.target, link.line, link.form, link.start, link.end,
        found.path, found.ambiguous, found.external,
    )  # fmt: skip
