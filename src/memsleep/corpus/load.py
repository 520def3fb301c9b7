"""Load a corpus: list, read, tell memories from the rest, parse, flag, resolve links.

The order of files on disk has no say in the result. A file that cannot be read costs itself.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from memsleep.corpus.choose import check_root, choose_source
from memsleep.corpus.detect import Detection, Detections, detect
from memsleep.corpus.findings import equal_digests
from memsleep.corpus.flags import archived_paths, colliding, flag_rule, ledger_paths
from memsleep.corpus.gitdates import with_git_dates
from memsleep.corpus.parse import ParseStore, Task, parse_all
from memsleep.corpus.select import LFS_POINTER, MAX_BYTES, Role, role_of, unwanted
from memsleep.corpus.source import Listing, Source, SourceKind
from memsleep.dialects.base import Dialect, Options
from memsleep.dialects.entries import EntriesDialect
from memsleep.dialects.registry import dialects_with
from memsleep.errors import CorpusError
from memsleep.model import Link, Memory, Problem, Unreadable, digest_bytes
from memsleep.readers.entries import entry_path, split_entries
from memsleep.resolve import resolve_all
from memsleep.settings import CorpusSettings

Progress = Callable[[int, int], None]
"""Called with how many files are done and how many there are."""
EntryTexts = dict[str, list[tuple[str, str]]]
ParseCache = dict[str, tuple[tuple[str, str], Memory | Unreadable]]
"""Path -> (dialect and digest of the bytes, what the dialect made of them)."""


@dataclass(frozen=True, slots=True)
class LoadedCorpus:
    """Everything a night knows of the files. Every mapping is in path order."""

    memories: Mapping[str, Memory]
    files: Mapping[str, bytes]
    """Path -> bytes of every memory and of every protected file whose links are read."""
    references: Mapping[str, tuple[Link, ...]]
    """Protected file that is no memory (index page, README) -> its links, resolved."""
    page_dialects: Mapping[str, str]
    """Protected file that is no memory -> the dialect that reads it."""
    locked: Mapping[str, str]
    """Protected file that is no memory and must not be edited -> why."""
    unreadable: tuple[Unreadable, ...]
    problems: tuple[Problem, ...]
    left_out: Mapping[str, int]
    """Cause -> how many names are no memories for it; those read for links are among them."""
    taken: frozenset[str]
    """Every path that exists in the corpus: none may be written over."""
    source_kind: SourceKind
    source_reason: str
    """Why the files were read from there, in words."""
    commit: str | None
    """The commit that was read; None for a folder."""
    detection: Detection
    """What the corpus as a whole was taken for."""
    stores: Detections
    """What it and each folder that is another store was taken for, with the evidence."""
    digest: str
    """Digest of `files`, see `corpus_digest`."""


def load_corpus(
    root: Path,
    settings: CorpusSettings,
    *,
    source: Source | None = None,
    progress: Progress | None = None,
    parsed: ParseCache | None = None,
    store: ParseStore | None = None,
    workers: int | None = None,
) -> LoadedCorpus:
    """Read a corpus.

    Parameters
    ----------
    root : Path
        Folder of the corpus.
    settings : CorpusSettings
        What is read, and how.
    source : Source or None
        Where from; None chooses HEAD's tree where git tracks the folder, else the folder.
    progress : callable or None
        Told after each file.
    parsed : dict or None
        What earlier readings made of the same bytes; kept up to date, so that a corpus that is
        read again and again parses what changed.
    store : ParseStore or None
        Where parses are kept from one run to the next.
    workers : int or None
        Processes that parse; None: as many as the files are worth. The result is the same.

    Raises
    ------
    UsageError
        The root is missing or a file.
    CorpusError
        The root cannot be listed, or holds no memory while `settings.allow_empty` is false.
    GitError
        The repository cannot be read.
    """
    check_root(root)
    chosen = choose_source(root) if source is None else source
    listing = chosen.listing()
    reading = _Reading(Counter(listing.left_out), list(listing.problems))
    contents = _read(chosen, listing, settings, reading)
    stores = detect(contents, listing.taken, settings.dialect)
    options = Options(day_first=settings.day_first_order)
    dialects = dialects_with(options)
    roles = _tell_apart(contents, stores, reading)
    _keep_read_only(chosen, listing, roles, contents, reading)
    how = _Parsing(progress, parsed, store, workers)
    memories = _parse(roles, contents, options, reading, how)
    archived = _archived(chosen, listing)
    flag = flag_rule(listing.taken, archived, reading.read_only, settings, stores)
    flagged = {path: flag(memory) for path, memory in memories.items()}
    if not flagged and not settings.allow_empty:
        raise _empty(root, reading)
    if settings.git_dates:
        flagged = with_git_dates(chosen, flagged, reading.problems)
    linked = _references(roles, contents, dialects)
    resolved, references = resolve_all(flagged, linked, listing.taken)
    contents |= reading.parts
    held = {memory.container for memory in resolved.values() if memory.container}
    files = {p: contents[p] for p in sorted(resolved.keys() | references.keys() | held)}
    reading.problems += equal_digests(resolved)
    return LoadedCorpus(
        memories=resolved,
        files=files,
        references=references,
        page_dialects={path: roles[path].dialect for path in references},
        locked={path: reading.read_only[path] for path in references if path in reading.read_only},
        unreadable=tuple(sorted(reading.unreadable, key=lambda item: item.path)),
        problems=_in_order(reading.problems, resolved),
        left_out=dict(sorted(reading.left_out.items())),
        taken=listing.taken,
        source_kind=chosen.kind,
        source_reason=chosen.reason,
        commit=chosen.commit,
        detection=stores.root,
        stores=stores,
        digest=corpus_digest(files),
    )


def entry_texts(memories: Mapping[str, Memory], files: Mapping[str, bytes]) -> EntryTexts:
    """Return file -> (path, text) of its entries in file order, of files that hold several."""
    held = sorted({memory.container for memory in memories.values() if memory.container})
    return {
        file: [
            (path, memories[path].body)
            for entry in split_entries(files[file])
            if (path := entry_path(file, entry.name)) in memories
        ]
        for file in held
    }


def corpus_digest(files: Mapping[str, bytes]) -> str:
    """Return the SHA-256 over the sorted paths and the digests of their bytes, as hex."""
    whole = hashlib.sha256()
    for path in sorted(files):
        whole.update(f"{path}\0{digest_bytes(files[path])}\n".encode())
    return whole.hexdigest()


@dataclass(slots=True)
class _Reading:
    """What is gathered on the way."""

    left_out: Counter[str]
    problems: list[Problem]
    unreadable: list[Unreadable] = field(default_factory=list)
    read_only: dict[str, str] = field(default_factory=dict)
    parts: dict[str, bytes] = field(default_factory=dict)
    """Path of an entry -> its bytes."""

    def fail(self, problem: Problem) -> None:
        self.unreadable.append(Unreadable(problem.path, (problem,)))


@dataclass(frozen=True, slots=True)
class _Parsing:
    """How the files are parsed, which has no say in what they are parsed to."""

    progress: Progress | None
    parsed: ParseCache | None
    store: ParseStore | None
    workers: int | None


def _read(
    source: Source, listing: Listing, settings: CorpusSettings, reading: _Reading
) -> dict[str, bytes]:
    """Read every file that may be a memory or hold links to one."""
    wanted = []
    for entry in listing.files:
        if cause := unwanted(entry.path, settings):
            reading.left_out[cause] += 1
        elif entry.size > MAX_BYTES:
            message = f"expected at most {MAX_BYTES} bytes, found {entry.size}; left alone"
            reading.fail(Problem(entry.path, None, "too-large", message))
        else:
            wanted.append(entry.path)
    contents = {}
    for path, found in source.read_many(wanted):
        if isinstance(found, Problem):
            reading.fail(found)
        elif found.startswith(LFS_POINTER):
            message = "a pointer of Git LFS, not the file itself; left alone"
            reading.fail(Problem(path, None, "lfs-pointer", message))
        else:
            contents[path] = found
    return contents


def _tell_apart(
    contents: Mapping[str, bytes], stores: Detections, reading: _Reading
) -> dict[str, Role]:
    """Give each file that was read its role, and count those that are no memories."""
    roles = {}
    for path, data in contents.items():
        role = role_of(path, data, stores)
        if role.part not in ("memory", "entries"):
            reading.left_out[role.cause] += 1
        if role.part != "left-out":
            roles[path] = role
    return roles


def _archived(source: Source, listing: Listing) -> frozenset[str]:
    """Return what our ledgers name. One that cannot be read names nothing."""
    found = source.read_many(ledger_paths(listing.taken))
    return archived_paths({path: data for path, data in found if isinstance(data, bytes)})


def _keep_read_only(
    source: Source,
    listing: Listing,
    roles: Mapping[str, Role],
    contents: Mapping[str, bytes],
    reading: _Reading,
) -> None:
    """Find out which files must not be edited tonight, and name them."""
    rivals = colliding(listing.taken)
    for path in roles:
        if path in rivals:
            code, reason = "case-collision", f"differs from {rivals[path]} only by case or form"
        elif path in listing.read_only:
            code, reason = "hard-link", listing.read_only[path]
        else:
            code, reason = "being-edited", source.being_edited(path, contents[path])
        if reason:
            reading.read_only[path] = reason
            reading.problems.append(Problem(path, None, code, f"{reason}; read but not edited"))


def _parse(
    roles: Mapping[str, Role],
    contents: Mapping[str, bytes],
    options: Options,
    reading: _Reading,
    how: _Parsing,
) -> dict[str, Memory]:
    """Let the dialects read the memories."""
    paths = sorted(path for path, role in roles.items() if role.part in ("memory", "entries"))
    dialects = dialects_with(options)
    memories = {}
    fresh: ParseCache = {}
    known = how.parsed or {}
    keys = {path: (roles[path].dialect, digest_bytes(contents[path])) for path in paths}
    whole = [path for path in paths if not _holds_entries(roles[path], dialects)]
    lacking = [path for path in whole if path not in known or known[path][0] != keys[path]]
    tasks = [Task(keys[path][0], path, contents[path], keys[path][1]) for path in lacking]
    made = parse_all(tasks, options, store=how.store, workers=how.workers)
    to_make = set(lacking)
    for done, path in enumerate(paths, 1):
        dialect = dialects[roles[path].dialect]
        if isinstance(dialect, EntriesDialect) and roles[path].part == "entries":
            inside, failed, parts = dialect.read_entries(path, contents[path])
            memories.update({memory.path: memory for memory in inside})
            reading.unreadable += failed
            reading.parts |= parts
        else:
            found = next(made) if path in to_make else known[path][1]
            fresh[path] = (keys[path], found)
            if isinstance(found, Unreadable):
                reading.unreadable.append(found)
            else:
                memories[path] = found
        if how.progress is not None:
            how.progress(done, len(paths))
    for _ in made:  # lets it keep what it made
        raise AssertionError("a parse that nobody asked for")
    if how.parsed is not None:
        how.parsed.clear()
        how.parsed.update(fresh)
    return memories


def _holds_entries(role: Role, dialects: Mapping[str, Dialect]) -> bool:
    return role.part == "entries" and isinstance(dialects[role.dialect], EntriesDialect)


def _references(
    roles: Mapping[str, Role],
    contents: Mapping[str, bytes],
    dialects: Mapping[str, Dialect],
) -> dict[str, tuple[Link, ...]]:
    """Read the links of the files that are no memories."""
    return {
        path: dialects[roles[path].dialect].read_links(path, contents[path])
        for path in sorted(roles)
        if roles[path].part == "reference"
    }


def _in_order(problems: list[Problem], memories: Mapping[str, Memory]) -> tuple[Problem, ...]:
    warnings = [problem for memory in memories.values() for problem in memory.warnings]
    return tuple(
        sorted([*problems, *warnings], key=lambda p: (p.path, p.line or 0, p.code, p.message))
    )


def _empty(root: Path, reading: _Reading) -> CorpusError:
    """Say that there is no memory, and what there is instead."""
    unreadable = sorted(reading.unreadable, key=lambda item: item.path)
    left_out = [f"{count} left out: {cause}" for cause, count in sorted(reading.left_out.items())]
    unseen = sum(problem.code == "unseen" for problem in reading.problems)
    hint = (
        "commit the memories, then run again"
        if unseen
        else ("name the folder that holds the memories, or set corpus.allow_empty = true")
    )
    return CorpusError(
        "corpus-empty",
        f"expected memories in {root}, found none",
        context=[*left_out, *(f"{item.path}: {item.reason}" for item in unreadable[:5])],
        hint=hint,
    )
