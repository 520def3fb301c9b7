"""What an edit may not do although an editor could: outgrow its store's limits, repeat a digest."""

from __future__ import annotations

from collections.abc import Mapping

from memsleep.errors import EditRefused
from memsleep.limits import Limits, grows_over
from memsleep.model import Memory
from memsleep.readers.memhtml_vocabulary import MEMORY_RELATIONS


def keep_limit(path: str, before: bytes, after: bytes, dialect: str, limits: Limits) -> None:
    """Refuse an edit that takes a file over what its store's program reads of it."""
    reason = grows_over(path, before, after, dialect, limits)
    if reason:
        raise EditRefused(f"{path}: {reason}")


def keep_digests_apart(
    before: Memory, after: Memory, memories: Mapping[str, Memory], gone: Mapping[str, str]
) -> None:
    """Refuse an edit of a memhtml file that gives it the content of another active one.

    That store's own index has one row a digest, and fails as a whole where two files share one.
    """
    if after.dialect != "memhtml" or after.content_hash == before.content_hash:
        return
    if after.archived or after.type == "task":
        return
    for path, other in memories.items():
        if path == before.path or path in gone or other.archived or other.type == "task":
            continue
        if other.content_hash == after.content_hash and other.dialect == "memhtml":
            raise EditRefused(f"{before.path}: its content would equal that of {path}")


def keep_tasks_apart(memory: Memory, relation: str, target: Memory | None) -> None:
    """Refuse a new link between a memory and a task: a memhtml store takes none of either's."""
    if memory.dialect != "memhtml" or relation not in MEMORY_RELATIONS:
        return
    if memory.type == "task" or (target is not None and target.type == "task"):
        raise EditRefused(f"{memory.path}: its store has no {relation} with a task at one end")
