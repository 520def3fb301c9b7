"""Repair links to what has moved, name the dangling ones. Contract: phases/integrity.md."""

from __future__ import annotations

from collections.abc import Iterator

from memsleep.model import Link, Snapshot
from memsleep.names import NameIndex
from memsleep.proposals import Dangling, Proposal, RemoveLink, RetargetLink
from memsleep.settings import Settings


def propose(snapshot: Snapshot, settings: Settings) -> Iterator[Proposal]:
    """Yield a repair for each broken link that has one, and name the others."""
    broken = list(_broken(snapshot, settings))
    names = NameIndex(memory.path for memory in snapshot.active()) if broken else None
    for path, link in broken:
        target_path = _moved_to(snapshot, link, settings)
        if target_path is not None:
            yield RetargetLink(
                phase="integrity",
                reason="its target lies in the archive now",
                evidence={"line": link.line},
                path=path,
                target=link.target,
                target_path=target_path,
            )
        elif settings.integrity.drop_dangling and link.form == "head":
            yield RemoveLink(
                phase="integrity",
                reason="its target does not exist",
                evidence={"line": link.line},
                path=path,
                target=link.target,
            )
        else:
            ways = f"it could mean {len(link.ambiguous)} memories"
            yield Dangling(
                phase="integrity",
                reason=ways if link.ambiguous else "its target does not exist",
                evidence={"line": link.line},
                path=path,
                target=link.target,
                line=link.line,
                nearest=link.ambiguous[0]
                if link.ambiguous
                else names and names.nearest(link.target),
            )


def _broken(snapshot: Snapshot, settings: Settings) -> Iterator[tuple[str, Link]]:
    """Yield each distinct broken link of active memories and index pages, in path order."""
    sources = {memory.path: memory.links for memory in snapshot.active()}
    sources.update(snapshot.references)
    if settings.integrity.drop_dangling:
        sources = {path: memory.links for path, memory in snapshot.memories.items()}
    for path in sorted(sources):
        seen: set[str] = set()
        for link in sources[path]:
            if link.path is None and not link.external and link.target not in seen:
                seen.add(link.target)
                yield path, link


def _moved_to(snapshot: Snapshot, link: Link, settings: Settings) -> str | None:
    """Return where the target was archived: the newest year that holds it, or None."""
    if link.ambiguous:
        return None
    year = int(snapshot.now[:4])
    for back in range(settings.integrity.archive_years + 1):
        candidate = f"archive/{year - back:04d}/{link.target.lstrip('/')}"
        if candidate in snapshot.memories:
            return candidate
    return None
