"""Links that follow what moves, and links that are repaired or taken out."""

from __future__ import annotations

import posixpath
from collections.abc import Callable

from memsleep.dialects.base import Dialect
from memsleep.dialects.registry import DIALECTS, dialect_for
from memsleep.errors import EditRefused
from memsleep.fold.workspace import Transaction
from memsleep.model import Link
from memsleep.proposals import RemoveLink, RetargetLink
from memsleep.settings import Settings

LinkEdit = Callable[[Dialect, bytes, Link], bytes]


def follow_links(staged: Transaction, old: str, new: str, archived: str | None = None) -> None:
    """Point every inbound link of `old` at `new`, in active memories and index pages.

    Parameters
    ----------
    archived : str or None
        Where the file itself went, if that is another place than `new` (a merge): the links of
        `new` to the memory that it swallowed follow there, since a memory links not itself.

    Raises
    ------
    EditRefused
        When a link must follow and its file cannot be edited: the whole decision is refused.
    """
    # A moved file keeps its names, so that a link by name still leads to it; a swallowed one is
    # found by name in the archive, which is not what its readers want.
    names = _names(staged, new) if archived is None else frozenset()
    for source in staged.workspace.inbound(old):
        memory = staged.find(source)
        if source in staged.moves or (memory is not None and memory.archived):
            continue
        target = archived if archived is not None and source == new else new
        _edit_all(
            staged,
            source,
            lambda link: link.path == old and link.start >= 0 and not _by_name(link, names),
            lambda dialect, before, link, at=source, to=target: dialect.retarget_link(  # type: ignore[misc]
                at, before, link, to
            ),
        )


def change_links(
    staged: Transaction, proposal: RetargetLink | RemoveLink, settings: Settings
) -> None:
    """Repair or take out every link of one file that has the proposal's target."""
    path = proposal.path

    def edit(dialect: Dialect, before: bytes, link: Link) -> bytes:
        if isinstance(proposal, RetargetLink):
            return dialect.retarget_link(path, before, link, proposal.target_path)
        return dialect.remove_link(before, link)

    _edit_all(staged, path, lambda x: x.target == proposal.target and not x.external, edit)
    if settings.write.stamp_updated and path in staged.memories:
        memory = staged.memory(path)
        now = staged.workspace.snapshot.now
        stamped = DIALECTS[memory.dialect].set_field(memory, staged.source(path), "updated", now)
        staged.write(path, stamped, what="the time of the update")


def _edit_all(
    staged: Transaction, path: str, is_due: Callable[[Link], bool], edit: LinkEdit
) -> None:
    """Edit the due links of one file one by one, since each edit moves the others' places."""
    while True:
        link = next((link for link in staged.links(path) if is_due(link)), None)
        if link is None:
            return
        memory, before = staged.find(path), staged.source(path)
        if memory is not None and memory.read_only:
            reason = f"{path}: its link must follow, but the file is left alone"
            raise EditRefused(reason, line=link.line)
        dialect = dialect_for(path) if memory is None else DIALECTS[memory.dialect]
        after = edit(dialect, before, link)
        if after == before:
            raise EditRefused(f"{path}: a link could not be rewritten", line=link.line)
        if memory is None:
            staged.write_page(path, after)
        else:
            staged.write(path, after, what="a link")


def _names(staged: Transaction, path: str) -> frozenset[str]:
    memory = staged.memory(path)
    stem = posixpath.splitext(posixpath.basename(path))[0]
    return frozenset(name.casefold() for name in (stem, memory.title, *memory.aliases) if name)


def _by_name(link: Link, names: frozenset[str]) -> bool:
    is_name = link.form in {"wikilink", "embed"} and "/" not in link.target
    return is_name and link.target.casefold().removesuffix(".md") in names
