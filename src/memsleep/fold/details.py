"""What only the dropped memory says, written into the keeper with its markup and its links."""

from __future__ import annotations

import posixpath
from collections import Counter
from collections.abc import Mapping, Sequence

from memsleep.errors import DetailsRefused, EditRefused
from memsleep.fold.workspace import Transaction
from memsleep.model import Link, Memory
from memsleep.proposals import Merge
from memsleep.resolve import literal_places


def spelled_details(staged: Transaction, proposal: Merge) -> tuple[str, ...]:
    """Return the sentences to carry over as the keeper can be told them, in the keeper's syntax.

    Between two syntaxes emphasis is lost; a link or code is not lost, and the merge refused.

    Raises
    ------
    DetailsRefused
        When they cannot be told whole.
    """
    if not proposal.carry:
        return ()
    dropped, keeper = staged.memory(proposal.dropped), staged.memory(proposal.keeper)
    dialect = staged.dialect(dropped)
    try:
        told = dialect.spell(dropped, staged.source(dropped.path), proposal.carry)
    except EditRefused as error:
        raise DetailsRefused(error.reason) from None
    if dialect.syntax == staged.dialect(keeper).syntax:
        return tuple(one.markup for one in told)
    if any(one.precious for one in told):
        raise DetailsRefused("a sentence to carry over holds a link or code of another format")
    return ()


def append_details(
    staged: Transaction, proposal: Merge, dropped: Memory, markup: tuple[str, ...]
) -> None:
    """Stage the sentences at the end of the keeper; their links lead where they led before.

    Raises
    ------
    DetailsRefused
        When the keeper has no place for them.
    """
    if not proposal.carry:
        return
    keeper = staged.memory(proposal.keeper)
    dialect = staged.dialect(keeper)
    try:
        source = dialect.append_details(
            keeper, staged.source(keeper.path), proposal.carry, dropped.path, markup=markup
        )
    except EditRefused as error:
        raise DetailsRefused(error.reason, line=error.line) from None
    staged.write(keeper.path, source, what="details of the dropped memory")
    if keeper.body == staged.memory(keeper.path).body:
        raise DetailsRefused(f"{keeper.path}: the details could not be carried over")
    _aim(staged, keeper, dropped)


def keep_open_links(staged: Transaction, proposal: Merge, dropped: Memory) -> None:
    """Refuse to lose a link that leads nowhere yet: its target stands in no other file.

    Raises
    ------
    DetailsRefused
        When the keeper has neither the link nor its target as text.
    """
    keeper = staged.memory(proposal.keeper)
    held = {link.target for link in keeper.links}
    for link in dropped.links:
        is_open = link.path is None and not link.external and link.target not in held
        if is_open and link.target not in keeper.body:
            raise DetailsRefused("the dropped one links to what the keeper does not")


def _aim(staged: Transaction, before: Memory, dropped: Memory) -> None:
    """Let the links that came along lead where they led from the dropped memory's folder."""
    path, meant = before.path, _by_target(dropped.links)
    done: set[int] = set()
    while True:
        new = [link for link in _added(before, staged.memory(path)) if link.start not in done]
        if not new:
            return
        link = new[-1]  # an edit moves the places of those behind it
        done.add(link.start)
        wanted = meant.get((link.form, link.target), meant.get(("", link.target)))
        to = None if wanted is None else staged.successor(wanted)
        if link.external or (link.path == to and not _was_nearer(link, wanted, dropped.path, path)):
            continue
        if to is None:
            raise DetailsRefused(f"{path}: a link without a target would lead elsewhere")
        _retarget(staged, path, link, to)


def _was_nearer(link: Link, target: str | None, old: str, new: str) -> bool:
    """Return True for a link that was spelled from its folder, and only goes by name in the new."""
    if target is None or (link.form in {"wikilink", "embed"} and "/" not in link.target):
        return False
    meant = {target, posixpath.splitext(target)[0]}
    before, after = (literal_places(link.target, link.form, path) for path in (old, new))
    return not meant.isdisjoint(before) and meant.isdisjoint(after)


def _retarget(staged: Transaction, path: str, link: Link, to: str) -> None:
    memory, old = staged.memory(path), staged.source(path)
    places = [at for at, one in enumerate(memory.links) if one.start == link.start]
    for exact in (False, True):
        new = staged.dialect(memory).retarget_link(path, old, link, to, exact=exact)
        staged.write(path, new, what="a link")
        if staged.memory(path).links[places[0]].path == to:
            return
        staged.write(path, old, what="a link")
    raise DetailsRefused(f"{path}: a link that came along cannot lead to {to}")


def _by_target(links: Sequence[Link]) -> Mapping[tuple[str, str], str | None]:
    """Return (form, target) -> path; by an empty form too, since references are written out."""
    by_any_form = {("", link.target): link.path for link in reversed(links)}
    return {**by_any_form, **{(link.form, link.target): link.path for link in reversed(links)}}


def _added(before: Memory, after: Memory) -> list[Link]:
    """Return the links of a text that were not there, the last ones of equal ones."""
    known = Counter((link.form, link.target) for link in before.links)
    new = []
    for link in after.links:
        known[link.form, link.target] -= 1
        if known[link.form, link.target] < 0:
            new.append(link)
    return new
