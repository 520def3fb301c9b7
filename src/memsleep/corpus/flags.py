"""What the corpus says of a memory besides its own file: scope, protection, who may edit it.

A memory that is read again after an edit (in a fold) keeps these by `carry_flags`.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterable, Mapping, Set
from dataclasses import replace

from memsleep.corpus.detect import in_bucket
from memsleep.corpus.globs import first_match
from memsleep.corpus.scope import scope_rule
from memsleep.model import Memory, in_archive
from memsleep.settings import CorpusSettings

LEDGER = "ledger.jsonl"


def flag_rule(
    taken: Set[str], read_only: Mapping[str, str], settings: CorpusSettings
) -> Callable[[Memory], Memory]:
    """Return the function that sets what the corpus says of one memory.

    Parameters
    ----------
    taken : set of str
        Every path of the corpus.
    read_only : mapping of str to str
        Path -> why it must not be edited.
    settings : CorpusSettings
        Globs of scopes and of protected files.
    """
    scope = scope_rule(taken, settings.scope_folders)

    def flag(memory: Memory) -> Memory:
        path = memory.path
        by_folder = memory.dialect == "markdown" or settings.scope_folders
        return replace(
            memory,
            scope=memory.scope or (scope(path) if by_folder else ""),
            protected=memory.protected or first_match(path, settings.protected) is not None,
            read_only=memory.read_only or read_only.get(path, ""),
            archived_by_place=archived_by_place(memory, taken),
        )

    return flag


def carry_flags(before: Memory, after: Memory) -> Memory:
    """Return a memory as read after an edit, with what the corpus said of it before.

    Where the file has moved its new place decides whether it is archived.
    """
    moved = before.path != after.path
    return replace(
        after,
        scope=after.scope or before.scope,
        protected=after.protected or before.protected,
        read_only=after.read_only or before.read_only,
        archived_by_place=None if moved else before.archived_by_place,
    )


def archived_by_place(memory: Memory, taken: Set[str]) -> bool | None:
    """Return what the place of a memory says of its being archived, None for `in_archive`.

    In a memhtml store everything below `archive/` is archived. In a Markdown folder
    `archive/<year>/` is our archive where our ledger lies in it or the file bears our stamp; else
    it is a folder of the user's like any other.
    """
    if memory.dialect == "memhtml" and in_bucket(memory.path):
        return memory.path.startswith("archive/")
    if not in_archive(memory.path):
        return None
    year = "/".join(memory.path.split("/", 2)[:2])
    return f"{year}/{LEDGER}" in taken or memory.states("archived_at")


def colliding(paths: Iterable[str]) -> dict[str, str]:
    """Return each path that another equals but for case or Unicode form, with that other.

    On a file system that ignores case or normalises names only one of them can exist.
    """
    groups: dict[str, list[str]] = {}
    for path in sorted(paths):
        folded = unicodedata.normalize("NFC", unicodedata.normalize("NFC", path).casefold())
        groups.setdefault(folded, []).append(path)
    return {
        path: next(other for other in group if other != path)
        for group in groups.values()
        if len(group) > 1
        for path in group
    }
