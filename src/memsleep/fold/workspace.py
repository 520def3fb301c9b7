"""The corpus while proposals are folded: staged per proposal, kept or thrown away as a whole."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Set
from dataclasses import replace

from memsleep.dialects.base import Dialect, Options
from memsleep.dialects.registry import dialects_with
from memsleep.errors import EditRefused
from memsleep.fold import containers
from memsleep.fold.digests import Digests
from memsleep.fold.outcome import FileChange
from memsleep.fold.rules import keep_digests_apart, keep_limit
from memsleep.limits import limits_of
from memsleep.model import Link, Memory, Snapshot, Unreadable, with_values
from memsleep.naming import folded
from memsleep.resolve import EXACT_FORMS, Resolver, literal_places, resolved_link
from memsleep.settings import Settings

DEFAULTS = Settings()


class Workspace:
    """Mutable copy of a snapshot's files and memories; only `Transaction.commit` changes it."""

    def __init__(self, snapshot: Snapshot, settings: Settings = DEFAULTS) -> None:
        self.snapshot = snapshot
        self.dialects = dialects_with(
            Options(
                day_first=settings.corpus.day_first_order,
                add_front_matter=settings.write.add_front_matter,
            )
        )
        self.limits = limits_of(settings.check)
        self.digests = Digests()
        self.positions: dict[str, dict[str, int]] = {}
        """File that holds several memories -> path of each entry -> its position now."""
        self.memories: dict[str, Memory] = dict(snapshot.memories)
        self.files: dict[str, bytes] = dict(snapshot.files)
        self.references: dict[str, tuple[Link, ...]] = dict(snapshot.references)
        self.taken: set[str] = set(snapshot.taken)
        self.changed: set[str] = set()
        self.moved: dict[str, str] = {}
        self.replaced: dict[str, str] = {}
        """Dropped memory -> its keeper."""
        self.formers: dict[str, frozenset[str]] = {}
        """Path -> the paths of all that links to it may have meant at the start."""
        self._resolver: Resolver | None = None
        self._inbound: dict[str, set[str]] | None = None
        self._folded: tuple[int, frozenset[str]] | None = None

    @property
    def resolver(self) -> Resolver:
        """Resolution of link targets as of the fold's start."""
        if self._resolver is None:
            start = self.snapshot
            self._resolver = Resolver(start.memories.values(), start.references, start.taken)
        return self._resolver

    def folded_names(self) -> frozenset[str]:
        """Return every path in the form of a file system that ignores case and Unicode form."""
        if self._folded is None or self._folded[0] != len(self.taken):
            self._folded = (len(self.taken), frozenset(map(folded, self.taken)))
        return self._folded[1]

    def inbound(self, path: str) -> list[str]:
        """Return the files that link to a path, or to what it replaced, in path order."""
        if self._inbound is None:
            self._inbound = defaultdict(set)
            for source in self.memories:
                self._note_links(source)
            for source in self.references:
                self._note_links(source)
        asked = (path, *self.formers.get(path, ()))
        return sorted(set().union(*(self._inbound.get(one, ()) for one in asked)))

    def _note_links(self, source: str) -> None:
        assert self._inbound is not None
        for link in self.links_of(source):
            if link.path is not None and link.path != source:
                self._inbound[link.path].add(source)

    def links_of(self, path: str) -> tuple[Link, ...]:
        """Return the links of a memory or of an index page."""
        memory = self.memories.get(path)
        return memory.links if memory is not None else self.references.get(path, ())

    def keep(self, staged: Transaction) -> None:
        """Take over what a transaction staged."""
        for old, new in staged.moves.items():
            self.memories.pop(old, None)
            self.files.pop(old, None)
            self.taken.discard(old)
            self.taken.add(new)
            self.moved[old] = new
            self._succeed(old, staged.replaced.get(old, new))
        self.replaced.update(staged.replaced)
        self.positions.update(staged.positions)
        self.memories.update(staged.memories)
        self.references.update(staged.references)
        self.files.update(staged.files)
        self.taken.update(staged.files)
        self.changed.update(staged.files)
        if self._inbound is not None:
            for path in (*staged.memories, *staged.references):
                self._note_links(path)

    def _succeed(self, old: str, new: str) -> None:
        """Note that links to `old` lead to `new` by now, some of them without an edit."""
        known = self.formers.get(new, frozenset()) | self.formers.get(old, frozenset())
        self.formers[new] = known | {old}

    def finished(self) -> Snapshot:
        """Return the snapshot after the fold, with the links of all that changed resolved anew."""
        if not self.changed:
            return self.snapshot
        memories = dict(sorted(self.memories.items()))
        # Where a file has moved, any name may mean another file than before.
        affected = {*memories, *self.references} if self.moved else self.changed
        resolver = Resolver(memories.values(), self.references, self.taken)
        there = {*memories, *self.references}

        def settled(links: tuple[Link, ...], path: str) -> tuple[Link, ...]:
            if all(_stands(link, there) for link in links):
                return links
            return tuple(resolved(resolver, link, path) for link in links)

        for path in affected & memories.keys():
            links = settled(memories[path].links, path)
            if links is not memories[path].links and links != memories[path].links:
                memories[path] = with_values(memories[path], links=links)
        references = {
            path: settled(links, path) if path in affected else links
            for path, links in sorted(self.references.items())
        }
        return replace(
            self.snapshot,
            memories=memories,
            files=dict(sorted(self.files.items())),
            references=references,
            taken=frozenset(self.taken),
        )


def _stands(link: Link, there: Set[str]) -> bool:
    """Return True for a link whose target is a path that exists: it can mean nothing else."""
    return link.external or (link.form in EXACT_FORMS and link.path in there)


def resolved(resolver: Resolver, link: Link, path: str) -> Link:
    """Return a link with the path it resolves to from where it stands."""
    return resolved_link(resolver, link, path)


class Transaction:
    """The edits of one proposal. Nothing reaches the workspace before `commit`."""

    def __init__(self, workspace: Workspace) -> None:
        self.workspace = workspace
        self.files: dict[str, bytes] = {}
        self.memories: dict[str, Memory] = {}
        self.references: dict[str, tuple[Link, ...]] = {}
        self.moves: dict[str, str] = {}
        self.replaced: dict[str, str] = {}
        self.positions: dict[str, dict[str, int]] = {}
        self._later: Resolver | None = None
        self._seen_moves = 0

    def dialect(self, memory: Memory) -> Dialect:
        """Return the reader and editor of a memory, as the config wants it to write."""
        return self.workspace.dialects[memory.dialect]

    def page_dialect(self, path: str) -> Dialect:
        """Return the reader and editor of a file that is no memory, by its store."""
        name = "memhtml" if path.lower().endswith((".html", ".htm")) else "plain"
        return self.workspace.dialects[self.workspace.snapshot.page_dialects.get(path, name)]

    def later(self) -> Resolver:
        """Return the resolution of link targets once all moves so far are done."""
        if self._later is None or self._seen_moves != len(self.moves):
            self._seen_moves = len(self.moves)
            moves = {**self.workspace.moved, **self.moves}
            self._later = self.workspace.resolver.after(moves)
        return self._later

    def successor(self, path: str) -> str:
        """Return what a link to a path shall lead to by now: its keeper, or its new place."""
        replaced = {**self.workspace.replaced, **self.replaced}
        while path in replaced:
            path = replaced[path]
        return self.moves.get(path, self.workspace.moved.get(path, path))

    def memory(self, path: str) -> Memory:
        """Return a memory as it stands within this transaction."""
        found = self.find(path)
        if found is None or path in self.moves:
            raise EditRefused("it is no longer there")
        return found

    def find(self, path: str) -> Memory | None:
        """Return a memory as it stands within this transaction, None for a page that is none."""
        return self.memories.get(path) or self.workspace.memories.get(path)

    def links(self, path: str) -> tuple[Link, ...]:
        """Return the links of a memory or page as they stand within this transaction."""
        memory = self.find(path)
        if memory is not None:
            return memory.links
        return self.references.get(path, self.workspace.references.get(path, ()))

    def source(self, path: str) -> bytes:
        """Return the bytes of a file as they stand within this transaction."""
        staged = self.files.get(path)
        return self.workspace.files[path] if staged is None else staged

    def collides(self, path: str) -> bool:
        """Return True when a path is in use, or one that is the same where case does not count."""
        if self.exists(path):
            return True
        own = folded(path)
        return own in self.workspace.folded_names() or own in map(folded, self.files)

    def exists(self, path: str) -> bool:
        """Return True when a path is in use, now or within this transaction."""
        return path in self.workspace.taken or path in self.files

    def write(self, path: str, source: bytes | None, *, what: str) -> None:
        """Stage new bytes of a memory. None means that the file has no place for the value."""
        if source is None:
            raise EditRefused(f"{path}: the file has no place for {what}")
        if source is self.source(path):
            return
        memory = self.memory(path)
        if memory.container:
            self._put_entry(memory, source)
        else:
            keep_limit(path, self.source(path), source, memory.dialect, self.workspace.limits)
        read = self._read(memory, path, source)
        keep_digests_apart(memory, read, self.workspace.memories, self.moves)
        self.files[path] = source
        self.memories[path] = read

    def _put_entry(self, memory: Memory, source: bytes) -> None:
        """Stage the file of an entry with the entry's new bytes in it."""
        file, old = memory.container, self.source(memory.container)
        new = containers.with_entry(file, old, memory.path, self._positions(file), source)
        keep_limit(file, old, new, memory.dialect, self.workspace.limits)
        self.files[file] = new

    def position(self, memory: Memory) -> int:
        """Return which entry of its file a memory is, from 0."""
        return self._positions(memory.container)[memory.path]

    def _positions(self, file: str) -> dict[str, int]:
        """Return where each entry of a file is now; the caller may change what it gets."""
        known = self.positions.get(file)
        if known is None:
            earlier = self.workspace.positions.get(file)
            source = self.workspace.snapshot.files[file]
            known = dict(earlier) if earlier is not None else containers.positions(file, source)
            self.positions[file] = known
        return known

    def write_page(self, path: str, source: bytes, *, linked: bool = False) -> None:
        """Stage new bytes of a file that is no memory (an index page, the ledger).

        `linked` is for a new file whose links are read from now on.
        """
        if path in self.workspace.files:
            dialect = self.page_dialect(path).name
            keep_limit(path, self.source(path), source, dialect, self.workspace.limits)
        self.files[path] = source
        if linked or path in self.workspace.references:
            links = self.page_dialect(path).read_links(path, source)
            self.references[path] = tuple(self._resolved(link, path) for link in links)

    def move(self, path: str, to: str, source: bytes) -> None:
        """Stage the move of a memory together with its bytes at the new place."""
        memory = self.memory(path)
        if memory.container:
            file, old = memory.container, self.source(memory.container)
            self.files[file] = containers.without(file, old, path, self._positions(file))
        self.files.pop(path, None)
        self.memories.pop(path, None)
        self.moves[path] = to
        self.files[to] = source
        self.memories[to] = self._read(memory, to, source)

    def _read(self, memory: Memory, path: str, source: bytes) -> Memory:
        read = self.dialect(memory).read(path, source)
        if isinstance(read, Unreadable):
            raise EditRefused(f"{path}: the edit would make the file unreadable", line=read.line)
        return with_values(
            read,
            scope=memory.scope,
            pinned=memory.pinned,
            protected=memory.protected,
            read_only=memory.read_only,
            archived_by_place=memory.archived_by_place if path == memory.path else None,
            links=tuple(self._resolved(link, path) for link in read.links),
        )

    def _resolved(self, link: Link, path: str) -> Link:
        if link.form in {"head", "anchor"}:
            for place in literal_places(link.target, link.form, path):
                if place in self.files or place in self.workspace.files:
                    return replace(link, path=place)
        found = resolved(self.workspace.resolver, link, path)
        if found.path is None and not found.external and (self.moves or self.workspace.moved):
            # A name that meant none or several at the start may mean one file since others left.
            return resolved(self.later(), link, path)
        return found

    def commit(self) -> tuple[FileChange, ...]:
        """Hand everything over to the workspace and tell what changed."""
        changes = tuple(self._changes())
        self.workspace.keep(self)
        return changes

    def _changes(self) -> Iterator[FileChange]:
        origin = {to: path for path, to in self.moves.items()}
        digests, there = self.workspace.digests, self.workspace.files
        for path in sorted(self.files):
            if path in origin:
                before = digests.of(origin[path], there[origin[path]])
                after = digests.of(path, self.files[path])
                yield FileChange(origin[path], "move", before, after, to=path)
            elif path in there:
                before = digests.of(path, there[path])  # first: the new bytes may go on from it
                yield FileChange(path, "edit", before, digests.of(path, self.files[path]))
            else:
                yield FileChange(path, "create", None, digests.of(path, self.files[path]))
