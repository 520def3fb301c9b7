"""Tell which kind of store each folder of a corpus is, and on what evidence.

Each folder is asked for the signs of every dialect, the most specific first; a folder without a
sign is what the folder above it is. The root without a sign is plain. Evidence names files and
counts, never a text.
"""

from __future__ import annotations

import posixpath
from bisect import bisect_left
from collections.abc import Iterator, Mapping, Set
from dataclasses import dataclass

from memsleep.dialects.memhtml_sign import in_bucket, states_type
from memsleep.dialects.registry import STORES, TRAITS
from memsleep.dialects.signs import Folder
from memsleep.dialects.traits import Traits
from memsleep.model import before_archive, in_archive

__all__ = ["Detection", "Detections", "detect", "in_bucket", "states_type"]

_ALIASES = {"markdown": "plain"}
_BY_FORM = frozenset({"html"})
"""Found by what the files are, not by a sign: never inside a folder that is HTML already."""


@dataclass(frozen=True, slots=True)
class Detection:
    """What a folder was taken for, and why."""

    dialect: str
    evidence: str
    """One sentence without any text of a memory."""
    folder: str = ""
    """Path below the corpus root; empty for the root."""

    @property
    def traits(self) -> Traits:
        """What is particular to the dialect."""
        return TRAITS[self.dialect]

    def inside(self, path: str) -> str:
        """Return a path of the corpus as one below this folder."""
        return path.removeprefix(f"{self.folder}/") if self.folder else path


@dataclass(frozen=True, slots=True)
class Detections:
    """The stores of a corpus: its root, and the folders that are another store than that."""

    found: tuple[Detection, ...]
    """The root first, then by folder."""
    forced: bool = False
    """True where the config says which dialect it is."""

    @property
    def root(self) -> Detection:
        """What the corpus as a whole is."""
        return self.found[0]

    def of(self, path: str) -> Detection:
        """Return what the folder of a file is: that of the nearest store above it.

        An archived file belongs to the store that it came from.
        """
        if len(self.found) == 1:
            return self.root
        by_folder = {one.folder: one for one in self.found}
        folder = posixpath.dirname(before_archive(path))
        while folder and folder not in by_folder:
            folder = posixpath.dirname(folder)
        return by_folder[folder]

    def lines(self) -> list[str]:
        """Return one line a store for people, such as `memory: claude (MEMORY.md lists ...)`."""
        return [f"{one.folder or '.'}: {one.dialect} ({one.evidence})" for one in self.found]


def detect(contents: Mapping[str, bytes], taken: Set[str], forced: str = "auto") -> Detections:
    """Return what a corpus and its folders are.

    Parameters
    ----------
    contents : mapping of str to bytes
        The files that were read.
    taken : set of str
        Every path of the corpus, hidden ones too: programs are known by their own folders.
    forced : str
        Dialect that the config names for the whole corpus, or `auto`.
    """
    if forced != "auto":
        name = _ALIASES.get(forced, forced)
        return Detections((Detection(name, "corpus.dialect in the config says so"),), forced=True)
    found: dict[str, Detection] = {}
    # What was archived still counts where it was: archiving must not change what a store is.
    there = {before_archive(path): data for path, data in contents.items()} | dict(contents)
    there = {path: data for path, data in there.items() if not in_archive(path)}
    kept = {path for path in taken if not in_archive(f"{path}/x/x")}
    for folder in _folders(there, kept):
        above = _above(found, folder.path)
        seen = _sign(folder, above)
        if seen is not None:
            found[folder.path] = seen
        elif not folder.path:
            found[""] = Detection("plain", "no sign of another store")
    return Detections(tuple(found[path] for path in sorted(found)))


def _above(found: Mapping[str, Detection], path: str) -> Detection | None:
    while path:
        path = posixpath.dirname(path)
        if path in found:
            return found[path]
    return None


def _sign(folder: Folder, above: Detection | None) -> Detection | None:
    """Return the first store whose signs a folder bears, None for what lies above it already."""
    for traits, sign in STORES:
        inside_pages = above is not None and above.traits.html and traits.html
        if inside_pages and (traits.name in _BY_FORM or _is_memhtml(above)):
            continue
        evidence = sign(folder)
        if evidence:
            same = above is not None and above.dialect == traits.name
            return None if same else Detection(traits.name, evidence, folder.path)
    return None


def _is_memhtml(store: Detection | None) -> bool:
    return store is not None and store.dialect == "memhtml"


def _folders(contents: Mapping[str, bytes], taken: Set[str]) -> Iterator[Folder]:
    """Yield the root and every folder that a file was read below, those above first."""
    read = sorted(contents)
    names, folders = _children(taken | contents.keys())
    wanted = {""}
    for path in read:
        folder = posixpath.dirname(path)
        while folder and folder not in wanted:
            wanted.add(folder)
            folder = posixpath.dirname(folder)
    for path in sorted(wanted):

        def below(path: str = path) -> tuple[str, ...]:
            start = f"{path}/" if path else ""
            first = bisect_left(read, start)
            last = bisect_left(read, f"{path}0") if path else len(read)  # "0" follows "/"
            return tuple(read[first:last])

        def exists(name: str, path: str = path) -> bool:
            whole = f"{path}/{name}" if path else name
            return whole in taken or whole in contents

        yield Folder(
            path,
            tuple(sorted(names.get(path, ()))),
            frozenset(folders.get(path, ())),
            exists,
            contents,
            below,
        )


def _children(taken: Set[str]) -> tuple[dict[str, set[str]], dict[str, set[str]]]:
    """Return folder -> names of files right in it, and folder -> names of folders."""
    names: dict[str, set[str]] = {}
    folders: dict[str, set[str]] = {}
    for path in taken:
        folder, _, name = path.rpartition("/")
        names.setdefault(folder, set()).add(name)
        while folder and folder.rpartition("/")[2] not in folders.get(
            folder.rpartition("/")[0], ()
        ):
            above, _, own = folder.rpartition("/")
            folders.setdefault(above, set()).add(own)
            folder = above
    for path in taken:  # a program's folder stands in `taken` by its name alone
        folder, _, name = path.rpartition("/")
        if name.startswith(".") and "." not in name[1:]:
            folders.setdefault(folder, set()).add(name)
    return names, folders
