"""Repair links to what has moved, name the dangling ones. Contract: phases/integrity.md."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from memsleep.model import Link, Snapshot, in_archive
from memsleep.proposals import Dangling, Proposal, RemoveLink, RetargetLink
from memsleep.resolve import Resolver, literal_places
from memsleep.settings import Settings

_PLACEHOLDER = re.compile(r"\{\{|\{%|<%|\$\{")
"""A template's variable: no name that anything could have."""


def propose(snapshot: Snapshot, settings: Settings) -> Iterator[Proposal]:
    """Yield a repair for each broken link that has one, and name the others."""
    archived = _archived_origins(snapshot, settings)
    names: Resolver | None = None
    for path, link in _suspects(snapshot, settings):
        target_path = _moved_to(snapshot, archived, path, link)
        if target_path is not None:
            yield RetargetLink(
                phase="integrity",
                reason="its target lies in the archive now",
                evidence={"line": link.line},
                path=path,
                target=link.target,
                target_path=target_path,
            )
        elif link.path is not None:
            continue
        elif settings.integrity.drop_dangling and link.form == "head":
            yield RemoveLink(
                phase="integrity",
                reason="its target does not exist",
                evidence={"line": link.line},
                path=path,
                target=link.target,
            )
        else:
            names = names or Resolver(snapshot.memories.values(), snapshot.references)
            yield _dangling(path, link, names)


def _dangling(path: str, link: Link, names: Resolver) -> Dangling:
    ways = f"it could mean {len(link.ambiguous)} memories"
    return Dangling(
        phase="integrity",
        reason=ways if link.ambiguous else "its target does not exist",
        evidence={"line": link.line},
        path=path,
        target=link.target,
        line=link.line,
        nearest=None if link.ambiguous else names.nearest(link.target),
        ambiguous=link.ambiguous,
    )


def _suspects(snapshot: Snapshot, settings: Settings) -> Iterator[tuple[str, Link]]:
    """Yield each distinct link that leads nowhere or into the archive, in path order."""
    sources = {memory.path: memory.links for memory in snapshot.active()}
    sources.update(snapshot.references)
    if settings.integrity.drop_dangling:
        sources = {path: memory.links for path, memory in snapshot.memories.items()}
    for path in sorted(sources):
        seen: set[str] = set()
        for link in sources[path]:
            lost = link.path is None or in_archive(link.path)
            if lost and not link.external and link.target not in seen:
                seen.add(link.target)
                if not _PLACEHOLDER.search(link.target):
                    yield path, link


def _archived_origins(snapshot: Snapshot, settings: Settings) -> Mapping[str, str]:
    """Return original path -> where it lies in the archive; the newest year counts."""
    year = int(snapshot.now[:4])
    oldest = year - settings.integrity.archive_years
    origins: dict[str, str] = {}
    for path in sorted(snapshot.memories):
        if in_archive(path):
            _, archived_in, origin = path.split("/", 2)
            if oldest <= int(archived_in) <= year:
                origins[origin] = path
    return origins


def _moved_to(snapshot: Snapshot, archived: Mapping[str, str], path: str, link: Link) -> str | None:
    """Return where the file that a link literally names was archived, or None.

    A name without a folder still leads to the archived file, so it stays as it is.
    """
    by_name = link.form in {"wikilink", "embed"} and "/" not in link.target
    if by_name and (link.ambiguous or link.path is not None):
        return None
    for place in literal_places(link.target, link.form, path):
        for name in (place, f"{place}.md"):
            if name in snapshot.memories:
                return None
            if name in archived:
                return archived[name]
    return None
