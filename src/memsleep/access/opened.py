"""A corpus opened for reading and for noting its use: files, state, vectors, index."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from types import TracebackType

from memsleep.access.committed import read_committed
from memsleep.corpus.choose import check_root
from memsleep.corpus.folder import FolderSource
from memsleep.corpus.load import LoadedCorpus, ParseCache, entry_texts, load_corpus
from memsleep.corpus.source import Source
from memsleep.embedders.base import Embedder
from memsleep.embedders.cache import VectorCache, open_some_cache
from memsleep.embedders.choose import embedder_named
from memsleep.embedders.vectors import vectors_for
from memsleep.errors import GitError
from memsleep.gitrepo import find_repository
from memsleep.landing.brought import brought_by
from memsleep.landing.place import OWN_FOLDER, Place
from memsleep.model import Memory, Standing, Usage
from memsleep.search.claims import claims_for
from memsleep.search.index import SearchIndex
from memsleep.settings import Settings
from memsleep.state.identity import short_id
from memsleep.state.network import refuse_network_folder
from memsleep.state.store import State, open_scratch, open_state

_SEEN = "seen_corpus"
_IMPORTED = "imported_access"


class OpenCorpus:
    """The memories of a folder as they lie there now, and what is known of their use.

    A context manager. Reading reads the folder itself, not a commit: an agent finds what it wrote
    a moment ago. The state beside the folder learns what is there and what is used.
    """

    def __init__(
        self,
        root: Path,
        settings: Settings,
        loaded: LoadedCorpus,
        state: State,
        *,
        state_folder: Path,
        vectors_folder: Path | None,
        parsed: ParseCache,
        notes: Collection[str] = (),
    ) -> None:
        self.root = root
        self.state_folder = state_folder
        """Where the state lies, and what past runs left."""
        self.settings = settings
        self.loaded = loaded
        self.state = state
        self.notes = tuple(notes)
        """What the corpus has to do without, one sentence each."""
        self._vectors_folder = vectors_folder
        self._parsed = parsed
        self._seen = _signature(root)
        self._index: SearchIndex | None = None
        self._usage: tuple[object, Mapping[str, Usage]] | None = None
        self._standing: tuple[object, Mapping[str, Standing]] | None = None

    def __enter__(self) -> OpenCorpus:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the state."""
        self.state.close()

    @property
    def remembers(self) -> bool:
        """False where nothing can be written beside the corpus: what is noted ends with us."""
        return self._vectors_folder is not None

    @property
    def memories(self) -> Mapping[str, Memory]:
        """Path -> memory, archived ones too."""
        return self.loaded.memories

    def usage(self) -> Mapping[str, Usage]:
        """Path -> what is known of its use; read again only when somebody wrote to the state."""
        change = self.state.change_mark()
        if self._usage is None or self._usage[0] != change:
            self._usage = (change, self.state.usage())
        return self._usage[1]

    def standing(self) -> Mapping[str, Standing]:
        """Path -> what the state remembers of it; read again as above."""
        change = self.state.change_mark()
        if self._standing is None or self._standing[0] != change:
            self._standing = (change, self.state.standing())
        return self._standing[1]

    def ids(self) -> Mapping[str, str]:
        """Path -> memory id, for every memory that is there."""
        known = self.state.ids()
        return {path: known.get(path, path) for path in self.memories}

    def paths_by_short_id(self) -> dict[str, list[str]]:
        """Short id -> the paths of the memories it names: more than one where ids collide."""
        found: dict[str, list[str]] = {}
        for path, memory_id in self.ids().items():
            found.setdefault(short_id(memory_id), []).append(path)
        return found

    @property
    def index(self) -> SearchIndex:
        """The search index, made at first need."""
        if self._index is None:
            embedder = self._embedder()
            wanted = list(self.memories.values())
            with contextlib.ExitStack() as stack:
                cache: VectorCache | None = None
                if self._vectors_folder is not None:
                    cache = stack.enter_context(open_some_cache(self._vectors_folder / "cache.db"))
                vectors = vectors_for(wanted, embedder, cache)
                claims = claims_for(wanted, embedder, cache)
                if cache is not None and cache.failure:
                    self.notes += (f"{cache.failure}: what is kept there is made anew",)
            self._index = SearchIndex(
                self.memories, vectors, claims, embedder, self.state.full_text()
            )
        return self._index

    def refresh(self, now: str) -> None:
        """Bring corpus, state and index up to the folder, where a file of it looks different."""
        seen = _signature(self.root)
        if seen == self._seen:
            return
        self._seen = seen
        loaded = _load(self.root, self.settings, self._parsed)
        before, self.loaded = self.loaded, loaded
        if before.digest == loaded.digest:
            return
        observe(self.state, loaded, now)
        if self._index is not None:
            for path in sorted(set(before.memories) - set(loaded.memories)):
                self._index.remove(path)
            for memory in loaded.memories.values():
                self._index.write(memory)

    def _embedder(self) -> Embedder:
        section = self.settings.embedder
        path = Path(section.path) if section.path else None
        return embedder_named(section.name, path=path, scratch=self._vectors_folder)


def open_corpus(
    root: Path, settings: Settings, now: str, *, state_dir: Path | None = None
) -> OpenCorpus:
    """Read a folder of memories and open the state beside it, an empty one where it has none.

    Parameters
    ----------
    now : str
        When new files count as first seen, `YYYY-MM-DDTHH:MM:SSZ`.
    state_dir : Path or None
        Folder of the state; None for `.memsleep` in the corpus.

    Raises
    ------
    MemsleepError
        The folder or its state cannot be used. A folder beside which nothing may be written is
        no error: its use is then not remembered, and `notes` says so.
    """
    check_root(root)
    parsed: ParseCache = {}
    loaded = _load(root, settings, parsed)
    brought = brought_by(root) if state_dir is None else None
    notes = [brought.line] if brought else []
    state_dir = brought.instead if brought else state_dir
    folder = state_dir or root / OWN_FOLDER
    state = _writable_state(folder, inside=state_dir is None)
    vectors_folder: Path | None = folder
    if state is None:
        state, vectors_folder = open_scratch(), None
        notes.append("nothing can be written beside the corpus: use is not remembered")
    try:
        observe(state, loaded, now)
        exports = settings.corpus.usage_exports
        _import_exports(state, FolderSource(root), loaded.taken, exports)
    except BaseException:
        state.close()
        raise
    return OpenCorpus(
        root,
        settings,
        loaded,
        state,
        state_folder=folder,
        vectors_folder=vectors_folder,
        parsed=parsed,
        notes=notes,
    )


def observe(state: State, loaded: LoadedCorpus, now: str) -> None:
    """Let the state see which memories there are and what they say; nothing where it knows."""
    files = {path: memory.content_hash for path, memory in loaded.memories.items()}
    unreadable = {item.path for item in loaded.unreadable}
    if state.files() != files:
        entries = entry_texts(loaded.memories, loaded.files)
        state.observe(files, now, unreadable=unreadable, entries=entries)
    elif state.meta(_SEEN) == loaded.digest:
        return
    state.see_versions(loaded.memories.values(), state.ids(), now)
    state.set_meta(_SEEN, loaded.digest)


def _load(root: Path, settings: Settings, parsed: ParseCache) -> LoadedCorpus:
    return load_corpus(root, settings.corpus, source=_source(root), parsed=parsed)


def _signature(root: Path) -> frozenset[tuple[str, int, int, int]]:
    """Return name, size, time and number of every file: equal when nothing was written.

    Only a hint to read again: what is read decides, and no age is ever taken from it.
    """
    found = []
    waiting = [os.fspath(root)]
    while waiting:
        with contextlib.suppress(OSError), os.scandir(waiting.pop()) as entries:
            for entry in entries:
                if entry.is_dir(follow_symlinks=False):
                    if entry.name not in (OWN_FOLDER, ".git"):
                        waiting.append(entry.path)
                    continue
                with contextlib.suppress(OSError):
                    told = entry.stat(follow_symlinks=False)
                    found.append((entry.path, told.st_size, told.st_mtime_ns, told.st_ino))
    return frozenset(found)


def _source(root: Path) -> Source:
    try:
        repository = find_repository(root)
    except GitError:  # the files can be read without git
        repository = None
    return FolderSource(root, "what is read is what lies there", repository)


def _writable_state(folder: Path, *, inside: bool) -> State | None:
    """Open the state in a folder, None where the system does not let us write."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if inside:
            Place(folder.parent, folder).prepare()
        probe = folder / "state.db"
        if not probe.exists():
            probe.touch()
        with probe.open("ab"):
            pass
    except OSError:
        return None
    refuse_network_folder(folder)
    return open_state(folder / "state.db")


def _import_exports(
    state: State, source: Source, taken: Collection[str], patterns: Sequence[str]
) -> None:
    """Take over the usage that the corpus carries, once for each content of the exports."""
    committed = read_committed(source, taken, patterns)
    if state.meta(_IMPORTED) == committed.digest or not committed.digest:
        return
    committed.teach(state)
    state.set_meta(_IMPORTED, committed.digest)
