"""When git first and last saw the text of each memory, for those that do not say it themselves.

Created is the commit that brought the file, through exact renames; updated the last commit that
changed the body, front matter left out. Where the history cannot tell, the date stays unknown,
which is not old: a shallow clone's edge, and a bulk import or a mass edit, whose instant says
nothing of any single file.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace

from memsleep.corpus.source import CORPUS, Source, is_text_name
from memsleep.gitrepo import Repository
from memsleep.gitrepo.changes import CommitChanges, history_of
from memsleep.instants import from_epoch
from memsleep.model import Memory, Problem
from memsleep.readers.head import block_of, read_head

BULK = 20
"""A commit that brings or edits at least as many memories, and a third of what there is then, is
an import or a mass edit."""
_ROUNDS = 8
"""How many edits of one file are looked at for the last one that changed its body."""


@dataclass(slots=True)
class _Past:
    """What the history says of one path."""

    created: int | None = None
    edits: list[tuple[int, str, str]] = field(default_factory=list)
    """(instant or -1, blob before, blob after) of each edit, the oldest first."""


@dataclass(frozen=True, slots=True)
class GitDates:
    """Instants from git, and what it could not tell."""

    created: Mapping[str, str]
    updated: Mapping[str, str]
    imported: int = 0
    """Memories whose making is unknown because a bulk import brought them."""
    cut_off: int = 0
    """Memories whose making lies before the edge of a shallow clone."""


def with_git_dates(
    source: Source, memories: dict[str, Memory], problems: list[Problem]
) -> dict[str, Memory]:
    """Return the memories with dates from git where they state none, and note what is unknown."""
    lacking = {p for p, m in memories.items() if not (m.created and m.updated) and not m.container}
    if source.commit is None or source.repository is None or not lacking:
        return memories
    dates = git_dates(source.repository, source.commit, lacking)
    if dates.cut_off:
        message = f"a shallow clone: the making of {dates.cut_off} memories is unknown, not old"
        problems.append(Problem(CORPUS, None, "shallow-clone", message))
    if dates.imported:
        message = f"a bulk import: the making of {dates.imported} memories is unknown, not old"
        problems.append(Problem(CORPUS, None, "bulk-import", message))
    return {path: _dated(memory, dates) for path, memory in memories.items()}


def _dated(memory: Memory, dates: GitDates) -> Memory:
    created = memory.created or dates.created.get(memory.path)
    updated = memory.updated or dates.updated.get(memory.path)
    if (created, updated) == (memory.created, memory.updated):
        return memory
    known = {"created": memory.created, "updated": memory.updated}
    found = frozenset(name for name, value in known.items() if value is None)
    return replace(memory, created=created, updated=updated, from_history=found)


def git_dates(repository: Repository, commit: str, wanted: set[str]) -> GitDates:
    """Return the dates of the wanted paths, in one pass over the history of a commit."""
    past, imported, cut_off = _walk(history_of(repository, commit))
    created = {
        path: from_epoch(past[path].created or 0)
        for path in sorted(wanted)
        if path in past and past[path].created is not None
    }
    return GitDates(
        created=created,
        updated=_updated(repository, past, wanted),
        imported=len(imported & wanted),
        cut_off=len(cut_off & wanted),
    )


def _walk(
    history: Iterator[CommitChanges],
) -> tuple[dict[str, _Past], set[str], set[str]]:
    """Return path -> past, the paths that an import brought, and those beyond the edge."""
    past: dict[str, _Past] = {}
    imported: set[str] = set()
    cut_off: set[str] = set()
    for commit in history:
        changes = [c for c in commit.changes if _is_text(c.path)]
        gone = {c.before: c.path for c in changes if not c.after}
        made = [c for c in changes if c.after and not c.before]
        edited = [c for c in changes if c.after and c.before]
        renamed = {c.path: gone[c.after] for c in made if c.after in gone}
        new = [c for c in made if c.path not in renamed]
        is_import = _is_bulk(len(new), len(past) + len(new))
        is_mass = _is_bulk(len(edited), len(past))
        left = {_name(path): past.pop(_name(path), _Past()) for path in gone.values()}
        for change in new:
            path = _name(change.path)
            unknown = is_import or commit.boundary
            past[path] = _Past(None if unknown else commit.seconds)
            if unknown:
                (cut_off if commit.boundary else imported).add(path)
        for change in made:
            if change.path in renamed:
                _follow(
                    _name(renamed[change.path]), _name(change.path), left, past, imported, cut_off
                )
        for change in edited:
            seconds = -1 if is_mass else commit.seconds
            known = past.setdefault(_name(change.path), _Past())
            known.edits.append((seconds, change.before, change.after))
    return past, imported, cut_off


def _follow(
    old: str,
    new: str,
    left: dict[str, _Past],
    past: dict[str, _Past],
    imported: set[str],
    cut_off: set[str],
) -> None:
    """Let a renamed file keep its past."""
    past[new] = left.get(old, _Past())
    for group in (imported, cut_off):
        if old in group:
            group.add(new)


def _is_bulk(count: int, there: int) -> bool:
    return count >= BULK and count * 3 >= there


def _is_text(path: bytes) -> bool:
    try:
        return is_text_name(path.decode("utf-8"))
    except UnicodeDecodeError:
        return False


def _name(path: bytes) -> str:
    return path.decode("utf-8")


def _updated(repository: Repository, past: Mapping[str, _Past], wanted: set[str]) -> dict[str, str]:
    """Return when the body of each wanted file last changed; its making where it never did."""
    open_paths = sorted(path for path in wanted if path in past)
    found: dict[str, str] = {}
    for depth in range(_ROUNDS):
        asked = [path for path in open_paths if len(past[path].edits) > depth]
        for path in set(open_paths) - set(asked):
            created = past[path].created
            if created is not None:
                found[path] = from_epoch(created)
        edits = {path: past[path].edits[-1 - depth] for path in asked}
        bodies = _bodies(repository, edits)
        open_paths = []
        for path in asked:
            seconds, before, after = edits[path]
            if bodies.get((path, before)) == bodies.get((path, after)):
                open_paths.append(path)  # only its head changed
            elif seconds >= 0:
                found[path] = from_epoch(seconds)
    return found


def _bodies(
    repository: Repository, edits: Mapping[str, tuple[int, str, str]]
) -> dict[tuple[str, str], bytes | None]:
    """Return (path, blob) -> its body, None for a blob that is missing."""
    asked = sorted({(path, oid) for path, (_, *oids) in edits.items() for oid in oids})
    blobs = repository.blobs([oid for _, oid in asked])
    return {
        key: None if source is None else body_of(key[0], source)
        for key, source in zip(asked, blobs, strict=True)
    }


def body_of(path: str, source: bytes) -> bytes:
    """Return a file without its head: an edit of the head leaves no trace in it."""
    if path.lower().endswith((".html", ".htm")):
        place = source.lower().find(b"<body")
        return source[place:] if place >= 0 else source
    return source[block_of(source, read_head(source)).body_start :].replace(b"\r\n", b"\n")
