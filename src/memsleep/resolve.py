"""What a link's target means in a corpus: one path, several, none, or something outside.

Order: exact path, path without its ending, file name, title, `name:`, permalink, alias, kebab
for snake case, and last without case and in one Unicode form. Where a step finds several, active
memories come before archived ones, then the one in the nearest folder; a tie is ambiguous.
"""

from __future__ import annotations

import posixpath
import re
import unicodedata
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from memsleep.model import Link, Memory
from memsleep.nearest import NearestNames

MEMORY_ENDINGS = (".md", ".markdown", ".html", ".htm")
_INDEX_NAMES = ("README.md", "index.md", "MEMORY.md", "index.html")
_SEPARATORS = re.compile(r"[\s_-]+")
_EXACT_FORMS = frozenset({"head", "anchor"})
_BY_FOLDER = frozenset({"inline", "reference", "shortcode", "front-matter", "anchor"})


@dataclass(frozen=True, slots=True)
class Resolution:
    """Where a link leads. `path` is None when it leads nowhere, or to more than one place."""

    path: str | None = None
    ambiguous: tuple[str, ...] = ()
    external: bool = False


class Resolver:
    """Names of all memories and protected files of one corpus, for questions about links."""

    def __init__(
        self,
        memories: Iterable[Memory],
        references: Iterable[str] = (),
        taken: Collection[str] = (),
    ) -> None:
        """Index the corpus.

        Parameters
        ----------
        memories : iterable of Memory
            Every memory, active and archived.
        references : iterable of str
            Paths of protected files that links may point at.
        taken : collection of str
            Every path that exists, memory or not: a link to one of the others is no dangling
            one, it leads outside what is tended.
        """
        ordered = sorted(memories, key=lambda memory: memory.path)
        self._archived = frozenset(memory.path for memory in ordered if memory.archived)
        self._paths = frozenset(memory.path for memory in ordered) | frozenset(references)
        self._taken = frozenset(taken) - self._paths
        self._folders = frozenset(_folders(self._paths | self._taken))
        self._nearest: NearestNames | None = None
        self._memories = ordered
        names = sorted(self._paths)
        self._stems = _index((_stem(path), path) for path in names)
        self._files = _index((posixpath.basename(path), path) for path in names)
        self._names = _index((posixpath.basename(_stem(path)), path) for path in names)
        self._steps = tuple(_index(_stated(ordered, field)) for field in _STATED)
        self._known: dict[tuple[str, str, str], Resolution] = {}
        self._loose: tuple[dict[str, tuple[str, ...]], ...] | None = None

    def resolve(self, link: Link, from_path: str) -> Resolution:
        """Return where a link of one file leads."""
        if link.external:
            return Resolution(external=True)
        target = link.target.strip()
        key = (target, link.form, posixpath.dirname(from_path))
        known = self._known.get(key)
        if known is None:
            candidates = self._first(target, link.form, from_path)
            outside = not candidates and self._exists_outside(target, link.form, from_path)
            known = self._settled(candidates, from_path, outside=outside)
            if from_path not in candidates:  # a file prefers others to itself
                self._known[key] = known
        return known

    def _first(self, target: str, form: str, from_path: str) -> tuple[str, ...]:
        found = self._candidates(target, form, from_path)
        return next((candidates for candidates in found if candidates), ())

    def nearest(self, target: str) -> str | None:
        """Return the path whose name is most like a dangling target, None when none is."""
        if self._nearest is None:
            self._nearest = NearestNames(self._all_names())
        return self._nearest.nearest(posixpath.basename(_stem(target)))

    def _all_names(self) -> Iterator[tuple[str, str]]:
        for name, paths in self._names.items():
            yield name, min(paths, key=self._rank)
        for memory in self._memories:
            yield memory.title, memory.path

    def _rank(self, path: str) -> tuple[bool, str]:
        return path in self._archived, path

    def _candidates(self, target: str, form: str, from_path: str) -> Iterator[tuple[str, ...]]:
        """Yield what each step finds, the strictest first; later steps cost only when needed."""
        yield from self._by_path(target, form, from_path)
        if form in _EXACT_FORMS or target.startswith(("./", "../")):
            return
        yield self._by_ending(target.strip("/"))
        for step in self._steps:
            yield step.get(target, ())
        loose = self._loosened()
        for fold, index in zip((_kebab, _folded), loose, strict=True):
            yield index.get(fold(_stem(target.strip("/"))), ()) or index.get(fold(target), ())

    def _by_path(self, target: str, form: str, from_path: str) -> Iterator[tuple[str, ...]]:
        for path in literal_places(target, form, from_path):
            if path in self._paths:
                yield (path,)
        if form in _EXACT_FORMS:
            return
        for path in literal_places(target, form, from_path):
            yield self._stems.get(path, ())
        for path in literal_places(target, form, from_path):
            yield tuple(
                inner for name in _INDEX_NAMES if (inner := f"{path}/{name}") in self._paths
            )[:1]

    def _by_ending(self, target: str) -> tuple[str, ...]:
        """Return the files whose path ends in the target, with or without its ending."""
        base = posixpath.basename(target)
        found = self._files.get(base, ()) or self._names.get(base, ())
        if "/" not in target:
            return found
        ends = f"/{_stem(target)}"
        return tuple(path for path in found if f"/{_stem(path)}".endswith(ends))

    def _loosened(self) -> tuple[dict[str, tuple[str, ...]], ...]:
        """Build the two last steps on first use: they are as large as all the others."""
        if self._loose is None:
            indexes = (self._stems, self._names, *self._steps)
            self._loose = tuple(
                _index(
                    (fold(name), path)
                    for index in indexes
                    for name, paths in index.items()
                    for path in paths
                )
                for fold in (_kebab, _folded)
            )
        return self._loose

    def _settled(self, candidates: tuple[str, ...], from_path: str, *, outside: bool) -> Resolution:
        """Choose among candidates: active before archived, others before itself, then nearest."""
        if not candidates:
            return Resolution(external=outside)
        kept = [path for path in candidates if path not in self._archived] or list(candidates)
        kept = [path for path in kept if path != from_path] or kept
        folder = posixpath.dirname(from_path)
        distances = {path: _distance(folder, posixpath.dirname(path)) for path in kept}
        least = min(distances.values())
        nearest = sorted(path for path in kept if distances[path] == least)
        if len(nearest) == 1:
            return Resolution(nearest[0])
        return Resolution(ambiguous=tuple(nearest))

    def _exists_outside(self, target: str, form: str, from_path: str) -> bool:
        return any(
            path in self._taken or path in self._folders
            for path in literal_places(target.rstrip("/") or "/", form, from_path)
        )


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


def _stem(path: str) -> str:
    stem, ending = posixpath.splitext(path)
    return stem if ending.lower() in MEMORY_ENDINGS else path


def _folders(paths: Iterable[str]) -> Iterator[str]:
    for path in paths:
        folder = posixpath.dirname(path)
        while folder:
            yield folder
            folder = posixpath.dirname(folder)


def literal_places(target: str, form: str, from_path: str) -> tuple[str, ...]:
    """Return the paths that a target may mean, as it stands: from its folder, from the root."""
    rooted = _inside(target.lstrip("/"))
    dotted = target.startswith(("./", "../"))
    if target.startswith("/") or (form == "head" and not dotted):
        return (rooted,) if rooted else ()
    beside = _inside(posixpath.join(posixpath.dirname(from_path), target))
    if dotted or form == "anchor":
        return (beside,) if beside else ()
    places = (beside, rooted) if form in _BY_FOLDER else (rooted, beside)
    return tuple(dict.fromkeys(place for place in places if place))


def _inside(path: str) -> str:
    """Return a path without dots, empty when it leads out of the corpus."""
    normal = posixpath.normpath(path)
    return "" if normal in (".", "/") or normal.startswith(("..", "/")) else normal


def _kebab(name: str) -> str:
    return _SEPARATORS.sub("-", name)


def _folded(name: str) -> str:
    return unicodedata.normalize("NFC", _kebab(name)).casefold()


def _distance(folder: str, other: str) -> int:
    """Return the steps up and down from one folder to another."""
    here, there = folder.split("/") if folder else [], other.split("/") if other else []
    shared = 0
    for a, b in zip(here, there, strict=False):
        if a != b:
            break
        shared += 1
    return len(here) + len(there) - 2 * shared


def resolve_all(
    memories: Mapping[str, Memory],
    references: Mapping[str, tuple[Link, ...]],
    taken: Collection[str] = (),
) -> tuple[dict[str, Memory], dict[str, tuple[Link, ...]]]:
    """Return the memories and references with every link resolved, in path order.

    `superseded_by` becomes a path of the corpus where its link resolves.
    """
    resolver = Resolver(memories.values(), references, taken)
    resolved = {path: _resolved(resolver, memories[path]) for path in sorted(memories)}
    pages = {path: _links(resolver, references[path], path) for path in sorted(references)}
    return resolved, pages


def _resolved(resolver: Resolver, memory: Memory) -> Memory:
    if not memory.links:
        return memory
    links = _links(resolver, memory.links, memory.path)
    successor = next((link.path for link in links if link.relation == "superseded_by"), None)
    if links == memory.links and successor is None:
        return memory
    return replace(memory, links=links, superseded_by=successor or memory.superseded_by)


def _links(resolver: Resolver, links: tuple[Link, ...], path: str) -> tuple[Link, ...]:
    return tuple(_link(resolver, link, path) for link in links)


def _link(resolver: Resolver, link: Link, path: str) -> Link:
    found = resolver.resolve(link, path)
    if found == Resolution(link.path, link.ambiguous, link.external):
        return link
    return replace(link, path=found.path, ambiguous=found.ambiguous, external=found.external)
