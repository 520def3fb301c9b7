"""What a link's target means in a corpus: one path, several, none, or something outside.

Order: exact path, path without its ending, file name, title, `name:`, permalink, alias, the id
that a name begins with, kebab for snake case, and last without case and in one Unicode form. Where
a step finds several, active memories come before archived ones, then the one in the nearest folder;
a tie is ambiguous.
"""

from __future__ import annotations

import copy
import posixpath
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from memsleep.model import Link, Memory, OtherTarget, in_archive, with_values
from memsleep.names import ID, Names, folded_name, kebab, stem_of, tail_of
from memsleep.nearby import Nearby

_INDEX_NAMES = ("README.md", "index.md", "MEMORY.md", "index.html")
_LARGE = 32
EXACT_FORMS = frozenset({"head", "anchor"})
"""Forms whose target is a path and nothing else."""
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
        self._names = Names(memories, references, taken)
        self._nearby: dict[int, tuple[tuple[str, ...], Nearby]] = {}
        self._known: dict[tuple[str, str, str], tuple[tuple[str, ...], bool]] = {}
        self._moves: Mapping[str, str] = {}
        self._arrived: frozenset[str] = frozenset()

    def after(self, moves: Mapping[str, str]) -> Resolver:
        """Return the resolution of the same corpus as it is once files have moved.

        Parameters
        ----------
        moves : mapping of str to str
            Old path -> new path. What lands in the archive is archived.
        """
        view = copy.copy(self)
        view._nearby, view._known = {}, {}
        view._moves = dict(moves)
        view._arrived = frozenset(moves.values())
        return view

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
            known = self._known[key] = (candidates, outside)
        return self._settled(known[0], from_path, outside=known[1])

    def _first(self, target: str, form: str, from_path: str) -> tuple[str, ...]:
        found = self._candidates(target, form, from_path)
        return next((candidates for candidates in found if candidates), ())

    def nearest(self, target: str) -> str | None:
        """Return the path whose name is most like a dangling target, None when none is.

        A day or a number is like no other: its neighbour is another day.
        """
        if not any(character.isalpha() for character in target):
            return None
        return self._names.nearest.nearest(posixpath.basename(stem_of(target)))

    def _candidates(self, target: str, form: str, from_path: str) -> Iterator[tuple[str, ...]]:
        """Yield what each step finds, the strictest first; later steps cost only when needed."""
        yield from self._by_path(target, form, from_path)
        if form in EXACT_FORMS or target.startswith(("./", "../")):
            return
        yield self._by_ending(target.strip("/"))
        for step in self._names.steps:
            yield self._now(step.get(target, ()))
        if ID.fullmatch(target):
            yield self._now(self._names.ids.get(target, ()))
        loose = self._names.loosened
        for fold, index in zip((kebab, folded_name), loose, strict=True):
            found = index.get(fold(stem_of(target.strip("/"))), ()) or index.get(fold(target), ())
            # By which of its names a file that moved was found is not known: it takes no part.
            yield tuple(p for p in found if p not in self._moves) if self._moves else found

    def _by_path(self, target: str, form: str, from_path: str) -> Iterator[tuple[str, ...]]:
        places = literal_places(target, form, from_path)
        for path in places:
            if self._exists(path):
                yield (path,)
        if form in EXACT_FORMS:
            return
        for path in places:
            yield self._with_stem(path)
        for path in places:
            if path in self._names.folders:
                pages = (f"{path}/{name}" for name in _INDEX_NAMES)
                yield tuple(page for page in pages if self._exists(page))[:1]

    def _exists(self, path: str) -> bool:
        return path in self._arrived or (path in self._names.paths and path not in self._moves)

    def _with_stem(self, stem: str) -> tuple[str, ...]:
        found = self._names.stems.get(stem, ())
        if not self._moves:
            return found
        stayed = (path for path in found if path not in self._moves)
        return (*stayed, *sorted(path for path in self._arrived if stem_of(path) == stem))

    def _now(self, paths: tuple[str, ...]) -> tuple[str, ...]:
        """Return where files lie after the moves."""
        return tuple(self._moves.get(path, path) for path in paths) if self._moves else paths

    def _by_ending(self, target: str) -> tuple[str, ...]:
        """Return the files whose path ends in the target, with or without its ending."""
        base = posixpath.basename(target)
        if "/" not in target:
            return self._now(self._names.files.get(base, ()) or self._names.bases.get(base, ()))
        stem = stem_of(target)
        found = self._now(self._names.tails.get(tail_of(stem), ()))
        if stem.count("/") == 1:
            return found
        return tuple(path for path in found if f"/{stem_of(path)}".endswith(f"/{stem}"))

    def _settled(self, candidates: tuple[str, ...], from_path: str, *, outside: bool) -> Resolution:
        """Choose among candidates: active before archived, then the nearest to the file."""
        if not candidates:
            return Resolution(external=outside)
        if len(candidates) == 1:
            return Resolution(candidates[0])
        nearest = self._nearby_of(candidates).nearest(from_path)
        return Resolution(nearest[0]) if len(nearest) == 1 else Resolution(ambiguous=nearest)

    def _nearby_of(self, candidates: tuple[str, ...]) -> Nearby:
        """Return the index of a set of candidates, built once for the large ones."""
        known = self._nearby.get(id(candidates))
        if known is not None:
            return known[1]
        active = [path for path in candidates if not self._in_archive(path)]
        nearby = Nearby(active or candidates)
        if len(candidates) > _LARGE:  # the tuple is kept too, so that its id stays its own
            self._nearby[id(candidates)] = (candidates, nearby)
        return nearby

    def _in_archive(self, path: str) -> bool:
        return path in self._names.archived or (path in self._arrived and in_archive(path))

    def _exists_outside(self, target: str, form: str, from_path: str) -> bool:
        """Return True for a folder, and for a file that is none of ours: unreadable, a symlink."""
        places = literal_places(target.rstrip("/") or "/", form, from_path)
        if any(path in self._names.taken or path in self._names.folders for path in places):
            return True
        if form in EXACT_FORMS:
            return False
        outside = self._names.outside
        named = "/" not in target and stem_of(target) in outside
        return named or any(path in outside for path in places)


def literal_places(target: str, form: str, from_path: str) -> tuple[str, ...]:
    """Return the paths that a target may mean, as it stands: from its folder, from the root."""
    rooted = _inside(target.lstrip("/"))
    dotted = target.startswith(("./", "../"))
    if target.startswith("/") or (form == "head" and not dotted):
        return (rooted,) if rooted else ()
    beside = _inside(posixpath.join(posixpath.dirname(from_path), target))
    if dotted or form == "anchor":
        return (beside,) if beside else ()
    places = (beside, rooted) if form in _BY_FOLDER else (rooted,)
    return tuple(dict.fromkeys(place for place in places if place))


def _inside(path: str) -> str:
    """Return a path without dots, empty when it leads out of the corpus."""
    normal = posixpath.normpath(path)
    return "" if normal in (".", "/") or normal.startswith(("..", "/")) else normal


def resolve_all(
    memories: Mapping[str, Memory],
    references: Mapping[str, tuple[Link, ...]],
    taken: Collection[str] = (),
    *,
    resolver: Resolver | None = None,
) -> tuple[dict[str, Memory], dict[str, tuple[Link, ...]]]:
    """Return the memories and references with every link resolved, in path order.

    `superseded_by` becomes a path of the corpus where its link resolves. A `resolver` of the same
    corpus that is there already saves the work of making one.
    """
    resolver = resolver or Resolver(memories.values(), references, taken)
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
    return with_values(memory, links=links, superseded_by=successor or memory.superseded_by)


def _links(resolver: Resolver, links: tuple[Link, ...], path: str) -> tuple[Link, ...]:
    return tuple(_link(resolver, link, path) for link in links)


def _link(resolver: Resolver, link: Link, path: str) -> Link:
    return resolved_link(resolver, link, path)


def resolved_link(resolver: Resolver, link: Link, path: str) -> Link:
    """Return a link with where it leads; by its other part where only that leads somewhere."""
    found = resolver.resolve(link, path)
    if link.other is not None and found.path is None and not (found.ambiguous or found.external):
        swapped = as_other(link)
        second = resolver.resolve(swapped, path)
        if second.path is not None or second.ambiguous:
            link, found = swapped, second
    if found == Resolution(link.path, link.ambiguous, link.external):
        return link
    return Link(
        link.relation, link.target, link.line, link.form, link.start, link.end,
        found.path, found.ambiguous, found.external, link.other,
    )  # fmt: skip


def as_other(link: Link) -> Link:
    """Return a link that means its other part; the link itself where it has none."""
    if link.other is None:
        return link
    back = OtherTarget(link.target, link.start, link.end)
    other = link.other
    return replace(
        link, target=other.target, start=other.start, end=other.end, other=back, path=None
    )
