"""The names of a corpus, each index made when the first link asks for it, and once for all views.

A corpus whose links are paths asks for none of them.
"""

from __future__ import annotations

import posixpath
import re
import unicodedata
from collections.abc import Callable, Collection, Iterable, Iterator
from functools import cached_property

from memsleep.model import Memory
from memsleep.nearest import NearestNames

MEMORY_ENDINGS = (".md", ".markdown", ".html", ".htm")
ID = re.compile(r"[0-9]{12}(?:[0-9]{2})?(?![0-9])")
"""A time to the minute or second with which the names of a Zettelkasten begin."""
_SEPARATORS = re.compile(r"[\s_-]+")

Index = dict[str, tuple[str, ...]]
"""Name -> the paths that go by it, in path order."""


class Names:
    """By what the memories and protected files of one corpus can be called."""

    def __init__(
        self, memories: Iterable[Memory], references: Iterable[str], taken: Collection[str]
    ) -> None:
        """Take the corpus over; see `resolve.Resolver` for the parameters."""
        self._memories = list(memories)
        self.paths = frozenset(memory.path for memory in self._memories) | frozenset(references)
        self._all_taken = taken

    @cached_property
    def _ordered(self) -> list[Memory]:
        return sorted(self._memories, key=lambda memory: memory.path)

    @cached_property
    def _sorted_paths(self) -> list[str]:
        return sorted(self.paths)

    @cached_property
    def archived(self) -> frozenset[str]:
        """Paths of the archived memories."""
        return frozenset(memory.path for memory in self._memories if memory.archived)

    @cached_property
    def taken(self) -> frozenset[str]:
        """Paths of what is none of ours: a link to one leads outside what is tended."""
        return frozenset(self._all_taken) - self.paths

    @cached_property
    def folders(self) -> frozenset[str]:
        """Every folder that something lies in."""
        found: set[str] = set()
        for path in (*self.paths, *self.taken):
            folder = path.rpartition("/")[0]
            while folder and folder not in found:
                found.add(folder)
                folder = folder.rpartition("/")[0]
        return frozenset(found)

    @cached_property
    def outside(self) -> frozenset[str]:
        """Stems, whole and without folders, of files of our kind that are none of ours."""
        strange = {stem_of(path) for path in self.taken if path.lower().endswith(MEMORY_ENDINGS)}
        return frozenset(strange | {posixpath.basename(stem) for stem in strange})

    @cached_property
    def stems(self) -> Index:
        """By the path without its ending."""
        return _index((stem_of(path), path) for path in self._sorted_paths)

    @cached_property
    def files(self) -> Index:
        """By the name of the file."""
        return _index((posixpath.basename(path), path) for path in self._sorted_paths)

    @cached_property
    def bases(self) -> Index:
        """By the name of the file without its ending."""
        return _index((posixpath.basename(stem_of(path)), path) for path in self._sorted_paths)

    @cached_property
    def ids(self) -> Index:
        """By the id that the name begins with."""
        names = ((path, ID.match(posixpath.basename(path))) for path in self._sorted_paths)
        return _index((found[0], path) for path, found in names if found)

    @cached_property
    def tails(self) -> Index:
        """By the last folder and the name."""
        return _index((tail_of(stem_of(path)), path) for path in self._sorted_paths)

    @cached_property
    def steps(self) -> tuple[Index, ...]:
        """By what the memories call themselves: title, `name:`, permalink, aliases."""
        return tuple(_index(_stated(self._ordered, field)) for field in _STATED)

    @cached_property
    def loosened(self) -> tuple[Index, Index]:
        """By all names in kebab case, and in one Unicode form without case."""
        return self._loosened_by(kebab), self._loosened_by(folded_name)

    def _loosened_by(self, fold: Callable[[str], str]) -> Index:
        indexes = (self.stems, self.bases, *self.steps)
        return _index(
            (fold(name), path)
            for index in indexes
            for name, paths in index.items()
            for path in paths
        )

    @cached_property
    def nearest(self) -> NearestNames:
        """The names that a dangling target may have been meant as."""
        return NearestNames(self._all_names())

    def _all_names(self) -> Iterator[tuple[str, str]]:
        for name, paths in self.bases.items():
            yield name, min(paths, key=lambda path: (path in self.archived, path))
        for memory in self._ordered:
            yield memory.title, memory.path


_STATED: tuple[Callable[[Memory], Iterable[str]], ...] = (
    lambda memory: (memory.title,),
    lambda memory: (memory.raw.get("name", ""),),
    lambda memory: (memory.raw.get("permalink", ""),),
    lambda memory: memory.aliases,
)


def _stated(
    memories: Iterable[Memory], names: Callable[[Memory], Iterable[str]]
) -> Iterator[tuple[str, str]]:
    for memory in memories:
        for name in names(memory):
            if name:
                yield name, memory.path


def _index(pairs: Iterable[tuple[str, str]]) -> dict[str, tuple[str, ...]]:
    """Return name -> paths, each path once, in the order in which they come."""
    found: dict[str, dict[str, None]] = {}
    for name, path in pairs:
        found.setdefault(name, {})[path] = None
    return {name: tuple(paths) for name, paths in found.items()}


def stem_of(path: str) -> str:
    """Return a path without the ending of a memory; any other path as it is."""
    at = path.rfind(".")
    if at <= 0 or path[at:].lower() not in MEMORY_ENDINGS:
        return path
    # A name that begins with its only dots, such as `.md`, has no ending.
    return path[:at] if path[path.rfind("/") + 1 : at].strip(".") else path


def tail_of(stem: str) -> str:
    """Return the last folder and the name of a path."""
    return "/".join(stem.split("/")[-2:])


def kebab(name: str) -> str:
    """Return a name with each run of separators as one hyphen."""
    return _SEPARATORS.sub("-", name)


def folded_name(name: str) -> str:
    """Return a name in kebab case, in one Unicode form, without case."""
    return unicodedata.normalize("NFC", kebab(name)).casefold()
