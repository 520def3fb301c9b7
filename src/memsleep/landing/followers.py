"""Links that somebody wrote since to a memory in the archive follow it when it comes back."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from memsleep.dialects.registry import DIALECTS, dialect_for
from memsleep.errors import EditRefused
from memsleep.landing.sink import PhaseFold
from memsleep.model import Link, Snapshot, in_archive


def with_followers(phase: PhaseFold, disk: Snapshot) -> PhaseFold:
    """Return the phase with the links of other files pointed at where memories go back to.

    A link by name leads to the memory wherever it lies, and stays. A file that must not be
    edited stays too: the next night reports its link.
    """
    back = {old: new for old, new in phase.moves.items() if in_archive(old)}
    before, after = dict(phase.before), dict(phase.after)
    for path in sorted({*disk.memories, *disk.references}) if back else ():
        memory = disk.memories.get(path)
        held = memory is not None and (memory.archived or memory.read_only)
        if held or path in before or path in after:
            continue
        links = disk.references[path] if memory is None else memory.links
        source = disk.files[path]
        edited = _followed(path, source, links, back, None if memory is None else memory.dialect)
        if edited != source:
            before[path], after[path] = source, edited
    return replace(phase, before=before, after=after)


def _followed(
    path: str,
    source: bytes,
    links: tuple[Link, ...],
    back: Mapping[str, str],
    dialect: str | None,
) -> bytes:
    """Return a file with its due links retargeted, the last first, so that offsets hold."""
    editor = dialect_for(path) if dialect is None else DIALECTS[dialect]
    due = [link for link in links if link.path in back and link.start >= 0 and not _by_name(link)]
    edited = source
    for link in sorted(due, key=lambda link: -link.start):
        try:
            edited = editor.retarget_link(path, edited, link, back[str(link.path)])
        except EditRefused:
            return source
    return edited


def _by_name(link: Link) -> bool:
    return link.form in {"wikilink", "embed"} and "/" not in link.target
