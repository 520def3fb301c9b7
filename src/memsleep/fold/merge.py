"""Merging two memories: the keeper takes over what only the dropped one had."""

from __future__ import annotations

from memsleep.fold.archive import archive
from memsleep.fold.details import append_details, keep_open_links, spelled_details
from memsleep.fold.links import follow_links, stated_link
from memsleep.fold.workspace import Transaction
from memsleep.model import Memory
from memsleep.proposals import Merge
from memsleep.settings import Settings


def merge(staged: Transaction, proposal: Merge, settings: Settings) -> None:
    """Stage one merge: archive the dropped memory, then edit the keeper, then the links."""
    dropped = staged.memory(proposal.dropped)
    staged.memory(proposal.keeper)
    details = spelled_details(staged, proposal)
    cause = "superseded" if proposal.superseded else "merged"
    to = archive(staged, dropped.path, proposal, settings, cause=cause, replaced_by=proposal.keeper)
    if settings.write.archive == "move":
        staged.replaced[dropped.path] = proposal.keeper
    append_details(staged, proposal, dropped, details)
    if proposal.take_over:
        _take_over(staged, proposal.keeper, dropped)
        keep_open_links(staged, proposal, dropped)
    _mark(staged, proposal.keeper, to, settings)
    if settings.write.follow_links and settings.write.archive == "move":
        follow_links(staged, dropped.path, proposal.keeper, archived=to)


def _take_over(staged: Transaction, keeper_path: str, dropped: Memory) -> None:
    """Give the keeper the earlier creation, later event, lower confidence, and all of the lists."""
    keeper = staged.memory(keeper_path)
    dialect = staged.dialect(keeper)
    if _is_older(dropped, keeper):
        assert dropped.created is not None
        source = dialect.set_field(keeper, staged.source(keeper_path), "created", dropped.created)
        staged.write(keeper_path, source, what="the earlier creation")
    if dropped.event_time and (keeper.event_time or "") < dropped.event_time:
        memory, source = staged.memory(keeper_path), staged.source(keeper_path)
        later = dialect.set_field(memory, source, "event_time", dropped.event_time)
        staged.write(keeper_path, later, what="the later event")
    if dropped.confidence < keeper.confidence:
        _lower_confidence(staged, keeper_path, dropped)
    for field in ("tags", "entities", "aliases"):
        for value in getattr(dropped, field):
            memory = staged.memory(keeper_path)
            if value in getattr(memory, field) or _is_implied(dropped, value):
                continue
            source = dialect.add_value(memory, staged.source(keeper_path), field, value)
            staged.write(keeper_path, source, what=f"{field} of the dropped memory")
    for relation, target in _links_of(staged, dropped, keeper_path):
        _add_link(staged, keeper_path, relation, target)


def _is_older(dropped: Memory, keeper: Memory) -> bool:
    """Return True when the dropped file itself says that it was made before the keeper."""
    if "created" in dropped.from_history | keeper.from_history:
        return False
    return bool(dropped.created and keeper.created and dropped.created < keeper.created)


def _is_implied(memory: Memory, value: str) -> bool:
    """Return True for an entity that comes from markup (a term, a code language), not the head."""
    stated = memory.raw.get("entities", "").split("\n")
    return value.startswith(("concept:", "lang:")) and value not in stated


def _lower_confidence(staged: Transaction, keeper_path: str, dropped: Memory) -> None:
    """Write the lower confidence as the dropped file wrote it, where it is a plain number."""
    keeper = staged.memory(keeper_path)
    text = dropped.raw.get("confidence", "")
    try:
        plain = float(text) == dropped.confidence
    except ValueError:
        plain = False
    value = text.strip() if plain else f"{dropped.confidence:.4f}".rstrip("0").rstrip(".")
    dialect = staged.dialect(keeper)
    source = dialect.set_field(keeper, staged.source(keeper_path), "confidence", value)
    staged.write(keeper_path, source, what="the lower confidence")


def _links_of(staged: Transaction, dropped: Memory, keeper_path: str) -> list[tuple[str, str]]:
    """Return the resolved links of the dropped memory that the keeper can take over.

    An anchor in the text may lead to a task, which no link of a head may.
    """
    return [
        (link.relation, link.path)
        for link in dropped.links
        if link.path is not None
        and link.path not in {keeper_path, dropped.path}
        and not (link.form == "anchor" and _is_task(staged, link.path))
    ]


def _is_task(staged: Transaction, path: str) -> bool:
    found = staged.find(path)
    return found is not None and found.type == "task"


def _add_link(staged: Transaction, keeper_path: str, relation: str, target: str) -> None:
    target = staged.successor(target)
    if target == keeper_path:
        return
    keeper = staged.memory(keeper_path)
    held = {(link.relation, link.path) for link in keeper.links}
    loose = {link.path for link in keeper.links}
    if (relation, target) in held or (relation == "relates_to" and target in loose):
        return
    source = stated_link(staged, keeper_path, relation, target)
    staged.write(keeper_path, source, what="a link of the dropped memory")


def _mark(staged: Transaction, keeper_path: str, to: str, settings: Settings) -> None:
    """Link the keeper to what it supersedes, where its dialect has a place for that."""
    keeper = staged.memory(keeper_path)
    dialect = staged.dialect(keeper)
    if settings.write.mark_keeper:
        source = stated_link(staged, keeper_path, "supersedes", to)
        if source is not None:
            staged.write(keeper_path, source, what="what it supersedes")
    if settings.write.stamp_updated:
        now = staged.workspace.snapshot.now
        memory = staged.memory(keeper_path)
        source = dialect.set_field(memory, staged.source(keeper_path), "updated", now)
        staged.write(keeper_path, source, what="the time of the update")
