"""Links that follow what moves, and links that are repaired or taken out."""

from __future__ import annotations

from collections.abc import Callable

from memsleep.dialects.base import Dialect
from memsleep.errors import EditRefused
from memsleep.fold.index_lines import leave_index
from memsleep.fold.rules import keep_tasks_apart
from memsleep.fold.workspace import Transaction
from memsleep.model import Link, in_archive
from memsleep.proposals import RemoveLink, RetargetLink
from memsleep.resolve import as_other, literal_places
from memsleep.settings import Settings

LinkEdit = Callable[[Dialect, bytes, Link], bytes]


def follow_links(staged: Transaction, old: str, new: str, archived: str | None = None) -> None:
    """Let every inbound link of `old` lead to `new`, in active memories and index pages.

    A wikilink that leads there by its name anyway stays as it is.

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
    for source in staged.workspace.inbound(old):
        memory = staged.find(source)
        if source in staged.moves or (memory is not None and memory.archived):
            continue
        if memory is None:
            keeper = new if archived is not None else None
            leave_index(staged, source, old, archived or new, keeper)
        target = archived if archived is not None and source == new else new
        _follow(staged, source, old, target)


def _follow(staged: Transaction, path: str, old: str, target: str) -> None:
    """Let the links of one file to `old` lead to `target`.

    A link that came to `old` by its name, when another file left, still tells where it led before.
    """
    meant = {old} | staged.workspace.formers.get(old, frozenset())

    def is_due(link: Link) -> bool:
        if link.path not in meant:
            return False
        by_name = link.form in {"wikilink", "embed"} and "/" not in link.target
        return not by_name or staged.later().resolve(link, path).path != target

    def edit(dialect: Dialect, before: bytes, link: Link) -> bytes:
        if link.start < 0:
            raise EditRefused(
                f"{path}: its link is written in a way that cannot be edited", line=link.line
            )
        for exact in (False, True):
            after = dialect.retarget_link(path, before, link, target, exact=exact)
            links = dialect.read_links(path, after)
            if after != before and _arrives(staged, path, links, link, target, exact=exact):
                return after
        raise EditRefused(f"{path}: its link cannot follow by name or path", line=link.line)

    _edit_all(staged, path, is_due, edit)


def _arrives(
    staged: Transaction,
    path: str,
    links: tuple[Link, ...],
    link: Link,
    target: str,
    *,
    exact: bool,
) -> bool:
    """Return True when a rewritten link leads to its target once the night's moves are done.

    A name must not mean another file among those of the start either: who asks later in the fold
    where the link leads is told by them.
    """
    later, start = staged.later(), staged.workspace.resolver
    parts = [*links, *(as_other(one) for one in links if one.other is not None)]
    # Its target begins where it did, but for quotes that came to be around it.
    found = min(parts, key=lambda one: abs(one.start - link.start), default=None)
    if found is not None and later.resolve(found, path).path == target:
        return exact or start.resolve(found, path).path in {None, target}
    # A link that the file held already is taken out instead of being there twice.
    is_gone = len(links) < len(staged.links(path))
    return is_gone and any(later.resolve(one, path).path == target for one in links)


def stated_link(staged: Transaction, path: str, relation: str, target: str) -> bytes | None:
    """Return a memory's bytes with one more link, None where its dialect has no place for it.

    The path is written from the root where it would mean another file of the memory's folder.
    """
    memory = staged.memory(path)
    keep_tasks_apart(memory, relation, staged.find(target))
    probe = Link(relation, target, 1, "head" if memory.dialect == "memhtml" else "front-matter")
    # It is read tomorrow among the files as the night leaves them, and until then as they are.
    tomorrow = staged.later().resolve(probe, path).path
    until_then = staged.workspace.resolver.resolve(probe, path).path
    exact = tomorrow != target or until_then not in {None, target}
    dialect = staged.dialect(memory)
    return dialect.add_link(memory, staged.source(path), relation, target, exact=exact)


def change_links(
    staged: Transaction, proposal: RetargetLink | RemoveLink, settings: Settings
) -> None:
    """Repair or take out every link of one file that has the proposal's target."""
    path = proposal.path

    def edit(dialect: Dialect, before: bytes, link: Link) -> bytes:
        if isinstance(proposal, RetargetLink):
            return dialect.retarget_link(path, before, link, proposal.target_path)
        return dialect.remove_link(before, link)

    _edit_all(staged, path, lambda link: _is_meant(link, proposal), edit)
    if settings.write.stamp_updated and path in staged.memories:
        memory = staged.memory(path)
        now = staged.workspace.snapshot.now
        stamped = staged.dialect(memory).set_field(memory, staged.source(path), "updated", now)
        staged.write(path, stamped, what="the time of the update")


def _is_meant(link: Link, proposal: RetargetLink | RemoveLink) -> bool:
    """Return True for a link that a repair is about: of equal targets the form may part two."""
    if link.target != proposal.target or link.external:
        return False
    if isinstance(proposal, RemoveLink) or not in_archive(proposal.target_path):
        return True
    origin = proposal.target_path.split("/", 2)[2]
    places = literal_places(link.target, link.form, proposal.path)
    return any(origin in (place, f"{place}.md") for place in places)


def _edit_all(
    staged: Transaction, path: str, is_due: Callable[[Link], bool], edit: LinkEdit
) -> None:
    """Edit the due links of one file one by one, since each edit moves the others' places."""
    while True:
        link = next((link for link in staged.links(path) if is_due(link)), None)
        if link is None:
            return
        memory, before = staged.find(path), staged.source(path)
        if memory.read_only if memory is not None else path in staged.workspace.snapshot.locked:
            reason = f"{path}: its link must follow, but the file is left alone"
            raise EditRefused(reason, line=link.line)
        dialect = staged.page_dialect(path) if memory is None else staged.dialect(memory)
        after = edit(dialect, before, link)
        if after == before:
            raise EditRefused(f"{path}: a link could not be rewritten", line=link.line)
        if memory is None:
            staged.write_page(path, after)
        else:
            staged.write(path, after, what="a link")
