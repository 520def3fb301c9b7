"""What the corpus says of a memory besides its own file: scope, protection, place, who edits it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Set

from memsleep.corpus.detect import Detection, Detections, in_bucket
from memsleep.corpus.globs import first_match
from memsleep.corpus.scope import scope_rule
from memsleep.ledger import read_ledger
from memsleep.model import Memory, in_archive, with_values
from memsleep.naming import folded
from memsleep.settings import CorpusSettings


def flag_rule(
    taken: Set[str],
    ours: Set[str],
    read_only: Mapping[str, str],
    settings: CorpusSettings,
    stores: Detections | None = None,
) -> Callable[[Memory], Memory]:
    """Return the function that sets what the corpus says of one memory.

    Parameters
    ----------
    taken : set of str
        Every path of the corpus.
    ours : set of str
        The paths that our ledgers say something was archived to.
    read_only : mapping of str to str
        Path -> why it must not be edited.
    settings : CorpusSettings
        Globs of scopes and of protected files, and the dialects that are read only.
    stores : Detections or None
        What each folder was taken for; None for a plain corpus.
    """
    scope = scope_rule(taken, settings.scope_folders)
    known = stores or Detections((Detection("plain", ""),))

    def flag(memory: Memory) -> Memory:
        path = memory.path
        file = memory.container or path
        store = known.of(file)
        inside = store.inside(file)
        by_folder = memory.dialect != "memhtml" or settings.scope_folders
        traits = store.traits
        said = (
            memory.scope or (scope(path) if by_folder else ""),
            memory.pinned or traits.is_pinned(inside),
            memory.protected
            or traits.is_record(inside)
            or first_match(file, settings.protected) is not None,
            memory.read_only or read_only.get(file, "") or _locked(memory, settings),
            archived_by_place(memory, ours),
        )
        if said == _flags(memory):
            return memory  # a copy of each of many memories would cost more than all the rest
        own, pinned, protected, locked, place = said
        return with_values(
            memory,
            scope=own,
            pinned=pinned,
            protected=protected,
            read_only=locked,
            archived_by_place=place,
        )

    return flag


def _flags(memory: Memory) -> tuple[str, bool, bool, str, bool | None]:
    return (
        memory.scope,
        memory.pinned,
        memory.protected,
        memory.read_only,
        memory.archived_by_place,
    )


def _locked(memory: Memory, settings: CorpusSettings) -> str:
    """Say why a dialect is not edited at all; empty when it is."""
    if memory.dialect not in settings.read_only_dialects:
        return ""
    return f"memories of the dialect {memory.dialect} are read, not edited"


def archived_by_place(memory: Memory, ours: Set[str]) -> bool | None:
    """Return what the place of a memory says of its being archived, None for `in_archive`.

    In a memhtml store everything below `archive/` is archived. In a Markdown folder a file below
    `archive/<year>/` is archived where the year's ledger names it (`ours`) or it bears our stamp;
    else it lies in a folder of the user's, which is like any other.
    """
    if memory.dialect == "memhtml" and in_bucket(memory.path):
        return memory.path.startswith("archive/")
    if not in_archive(memory.path):
        return None
    return memory.path in ours or memory.states("archived_at")


def ledger_paths(taken: Set[str]) -> list[str]:
    """Return where the ledgers of the archive lie, one a year."""
    return sorted(
        path for path in taken if in_archive(path) and path.split("/", 2)[2] == "ledger.jsonl"
    )


def archived_paths(ledgers: Mapping[str, bytes]) -> frozenset[str]:
    """Return the paths that the ledgers say something was archived to."""
    return frozenset(
        entry.to for path, source in ledgers.items() for entry in read_ledger(source, path)
    )


def colliding(paths: Iterable[str]) -> dict[str, str]:
    """Return each path that another equals but for case or Unicode form, with that other.

    On a file system that ignores case or normalises names only one of them can exist.
    """
    groups: dict[str, list[str]] = {}
    for path in sorted(paths):
        groups.setdefault(folded(path), []).append(path)
    return {
        path: next(other for other in group if other != path)
        for group in groups.values()
        if len(group) > 1
        for path in group
    }
