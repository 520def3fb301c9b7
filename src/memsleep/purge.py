"""Real forgetting: every copy of a memory that memsleep knows of, and where others may be."""

from __future__ import annotations

import contextlib
import json
import shlex
import stat
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from memsleep.access.opened import OpenCorpus
from memsleep.corpus.folder import FolderSource
from memsleep.embedders.cache import open_cache
from memsleep.embedders.hashgram import Hashgram
from memsleep.errors import GitError, UsageError
from memsleep.gitrepo import find_repository
from memsleep.landing.place import Place, write_whole
from memsleep.landing.writer import BlockedError, Writer
from memsleep.ledger import read_ledger, renamed
from memsleep.model import Memory, in_archive
from memsleep.readers.entries import ENTRY_PATH, Entry, split_entries, without_entry
from memsleep.search.documents import summary_of
from memsleep.state.identity import short_id
from memsleep.text import sentences

AUDIT_NAME: Final = "purges.jsonl"
MIN_TELLING_CHARACTERS: Final = 20
"""A shorter sentence may stand in other memories for reasons of its own."""
RUNS: Final = "runs"
_OWN_FILES: Final = ("state.db", "state.db-wal", "state.db-shm", "cache.db", AUDIT_NAME, "lock")


@dataclass(frozen=True, slots=True)
class PurgePlan:
    """What a purge would remove. Nothing is removed by making one."""

    memory_id: str
    short_id: str
    path: str
    files: tuple[str, ...]
    """Paths in the corpus: where it lies, and copies in the archive."""
    artifacts: tuple[str, ...]
    """Files of past runs, below the folder of the state, that quote it."""
    mentions: tuple[str, ...]
    """`path:line` in other files of the corpus that quote or link it; they are left alone."""
    advice: tuple[str, ...]
    """What only the user can do: history, remotes, keys."""


@dataclass(frozen=True, slots=True)
class Purged:
    """What was removed."""

    plan: PurgePlan
    files: int
    artifacts: int
    state_rows: int
    vectors: int
    asked: int = 0
    """Requests to the provider to forget it too: they go with the next sync."""
    ledger_lines: int = 0
    """Lines of the archive's ledgers that named it and go by its short id now."""


def plan_purge(corpus: OpenCorpus, path: str, *, state_dir: Path | None = None) -> PurgePlan:
    """Find every copy of a memory."""
    memory = corpus.memories[path]
    memory_id = corpus.ids()[path]
    files = tuple(_copies(corpus, path, memory_id))
    return PurgePlan(
        memory_id=memory_id,
        short_id=short_id(memory_id),
        path=path,
        files=files,
        artifacts=tuple(_artifacts(state_dir or corpus.state_folder, memory)),
        mentions=tuple(_mentions(corpus, memory, files)),
        advice=tuple(_advice(corpus.root, files)),
    )


def purge(
    corpus: OpenCorpus, plan: PurgePlan, now: str, *, state_dir: Path | None = None
) -> Purged:
    """Remove what the plan names, and every trace in state, index and caches.

    The last thing written is a line in `purges.jsonl` beside the state, without any text.

    Raises
    ------
    UsageError
        `purge-stale`, when the file changed since the plan was made.
    """
    from memsleep.sync.purging import purge_copies  # the API is imported by what never purges

    memory = corpus.memories[plan.path]
    folder = state_dir or corpus.state_folder
    lying = _lying(corpus.root, plan.path)
    if lying is None or lying != corpus.loaded.files.get(plan.path):
        raise UsageError(
            "purge-stale",
            f"{plan.path} is not what it was when the purge was planned",
            context=("nothing was removed",),
            hint="run the command again",
        )
    names = {plan.path, *corpus.state.paths_of(plan.memory_id)}
    slugs = {name for name in names if not in_archive(name)}
    asked = purge_copies(Place(corpus.root, folder), slugs, now)
    lines = _forget_in_ledgers(corpus, {*names, plan.memory_id, *plan.files}, plan.short_id)
    owners = corpus.ids()
    ids = {plan.memory_id, *(owners[path] for path in plan.files if path in owners)}
    removed = sum(_remove(corpus.root, path) for path in plan.files)
    if any(ENTRY_PATH.match(path) for path in plan.files):
        corpus.refresh(now)  # the state knows entries by their words: let it see them without this
    artifacts = sum(_unlink(folder / path) for path in plan.artifacts)
    _remove_empty(folder / RUNS)
    state_rows = sum(corpus.state.forget(memory_id) for memory_id in sorted(ids))
    vectors = _forget_vectors(folder, memory)
    done = Purged(plan, removed, artifacts, state_rows, vectors, asked, lines)
    _audit(folder, done, now)
    return done


def _forget_in_ledgers(corpus: OpenCorpus, names: set[str], short: str) -> int:
    """Let the ledgers' lines about a memory name it by its short id; return how many there were."""
    known = dict.fromkeys(names, f"purged:{short}")
    count = 0
    ledgers = [path for path in corpus.loaded.taken if path.endswith("/ledger.jsonl")]
    for path, content in FolderSource(corpus.root).read_many(sorted(ledgers)):
        if isinstance(content, bytes):
            written, lines = renamed(content, known)
            count += lines
            if lines:
                write_whole(corpus.root / path, written)
    return count


def _copies(corpus: OpenCorpus, path: str, memory_id: str) -> Iterator[str]:
    """Yield where the memory lies, and its archived copies: by its paths, a ledger, its content."""
    names = {path, *corpus.state.paths_of(memory_id)}
    ledgers = [p for p in corpus.loaded.taken if p.endswith("/ledger.jsonl")]
    for name, content in FolderSource(corpus.root).read_many(sorted(ledgers)):
        if isinstance(content, bytes):
            names |= {entry.to for entry in read_ledger(content, name) if entry.path in names}
    memory = corpus.memories[path]
    content_hash = memory.content_hash
    names |= {
        name
        for name, other in corpus.memories.items()
        if other.archived and other.content_hash == content_hash
    }
    owners = corpus.ids()
    for name in sorted(names):
        other, lying = corpus.memories.get(name), _lying(corpus.root, name)
        if lying is None:
            continue
        if other is None:
            same = _is_copy(name, lying, memory)
        else:
            same = other.content_hash == content_hash
        if same or owners.get(name) == memory_id:
            yield name


def _is_copy(path: str, content: bytes, memory: Memory) -> bool:
    """Return True for a file that is no memory and holds what the memory says.

    A ledger may name any file, and anybody may have written the ledger.
    """
    if path.endswith("/ledger.jsonl"):
        return False
    told = [
        text.encode("utf-8", "surrogatepass") for text in (memory.gist, *sentences(memory.body))
    ]
    whole = in_archive(path) and all(text in content for text in told)
    return whole or any(text in content for text in _telling(memory))


def _telling(memory: Memory) -> list[bytes]:
    """Return what gives a copy of the memory away: its longer sentences."""
    texts = [memory.gist, *sentences(memory.body)]
    long = {text for text in texts if len(text) >= MIN_TELLING_CHARACTERS}
    escaped = {json.dumps(text)[1:-1] for text in long}
    return [text.encode("utf-8", "surrogatepass") for text in sorted(long | escaped)]


def _artifacts(folder: Path, memory: Memory) -> Iterator[str]:
    """Yield the files that quote it. Of a run all or none: half a record can be read by nobody."""
    telling = [memory.path.encode(), *_telling(memory)]
    names = sorted(_own_files(folder))
    quoting = {
        _unit(name)
        for name in names
        if any(text in (folder / name).read_bytes() for text in telling)
    }
    yield from (name for name in names if _unit(name) in quoting)


def _own_files(folder: Path) -> Iterator[str]:
    from memsleep.sync.join import FOLDER as SYNC_FOLDER

    for file in folder.rglob("*") if folder.is_dir() else ():
        name = file.relative_to(folder).as_posix()
        if name.startswith(f"{SYNC_FOLDER}/"):  # see `sync.purging`: other memories wait there too
            continue
        if name not in _OWN_FILES and file.is_file() and not file.is_symlink():
            yield name


def _unit(name: str) -> str:
    """Return what a file goes with: the folder of its run, or itself."""
    parts = name.split("/")
    return "/".join(parts[:2]) if parts[0] == RUNS and len(parts) > 2 else name


def _mentions(corpus: OpenCorpus, memory: Memory, files: Sequence[str]) -> Iterator[str]:
    telling = _telling(memory)
    for path, content in corpus.loaded.files.items():
        if path in files or path == memory.container:
            continue
        known = corpus.memories.get(path)
        links = known.links if known else corpus.loaded.references.get(path, ())
        linked = {link.line for link in links if link.path == memory.path}
        for number, line in enumerate(content.split(b"\n"), start=1):
            if number in linked or any(text in line for text in telling):
                yield f"{path}:{number}"


def _advice(root: Path, files: Sequence[str]) -> Iterator[str]:
    try:
        repository = find_repository(root)
    except GitError:
        repository = None
    if repository is not None:
        whole = [path for path in files if not ENTRY_PATH.match(path)]
        yield "git still holds it in its history; to rewrite that, in a fresh clone:"
        if whole:
            paths = " ".join(f"--path {shlex.quote(path)}" for path in whole)
            yield f"  git filter-repo --invert-paths {paths}"
        if len(whole) < len(files):
            yield "  git filter-repo --replace-text FILE, where FILE holds the entry's lines"
        yield "then push with force, and let everybody clone again; hosts keep caches: ask them"
    yield "a key that was ever written down is known: revoke it, whatever was purged"
    yield "backups, synchronised folders and other machines have copies of their own"


def _forget_vectors(folder: Path, memory: Memory) -> int:
    if not (folder / "cache.db").exists():
        return 0
    texts = [Hashgram().text_of(memory), summary_of(memory), memory.body, memory.gist]
    with open_cache(folder / "cache.db") as cache:
        return cache.forget(list(dict.fromkeys(texts)))


def _remove_empty(folder: Path) -> None:
    """Remove the folders that hold nothing any more."""
    for below in sorted(folder.rglob("*"), reverse=True):
        if below.is_dir() and not below.is_symlink() and not any(below.iterdir()):
            below.rmdir()


def _entry(root: Path, path: str) -> tuple[Path, bytes, Entry] | None:
    """Return the file that holds an entry, its bytes, and where the entry lies in them."""
    match = ENTRY_PATH.match(path)
    source = None if match is None else _file(root, match["file"])
    if match is None or source is None:
        return None
    own = [entry for entry in split_entries(source) if entry.name == match["name"]]
    return (root / match["file"], source, own[0]) if own else None


def _lying(root: Path, path: str) -> bytes | None:
    """Return the bytes of a file, or of an entry of one; None where there is neither."""
    content = _file(root, path)
    if content is not None:
        return content
    found = _entry(root, path)
    return None if found is None else found[1][found[2].start : found[2].end]


def _file(root: Path, path: str) -> bytes | None:
    """Return the bytes of a file of the corpus; None for what lies outside or behind a link."""
    with contextlib.suppress(BlockedError), Writer(root) as writer:
        return writer.read(path)
    return None


def _remove(root: Path, path: str) -> bool:
    """Remove a file, or take an entry out of its file with one separator."""
    found = None if _file(root, path) is not None else _entry(root, path)
    if found is None:
        with Writer(root) as writer:
            return writer.delete(path)
    file, source, entry = found
    mode = stat.S_IMODE(file.stat().st_mode)
    write_whole(file, without_entry(source, entry))
    file.chmod(mode)
    return True


def _unlink(path: Path) -> bool:
    try:
        path.unlink()
    except FileNotFoundError:
        return False
    return True


def _audit(folder: Path, done: Purged, now: str) -> None:
    entry = {
        "purged": done.plan.short_id,
        "at": now,
        "files": done.files,
        "artifacts": done.artifacts,
        "state_rows": done.state_rows,
        "vectors": done.vectors,
        "ledger_lines": done.ledger_lines,
        "asked": done.asked,
    }
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / AUDIT_NAME).open("ab") as file:
        file.write(json.dumps(entry, separators=(",", ":")).encode("ascii") + b"\n")
