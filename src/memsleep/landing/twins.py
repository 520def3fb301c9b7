"""What may not come back into a memhtml store: a memory whose content another file has by now.

That store's own index has one row a digest, and fails as a whole where two active files share one.
"""

from __future__ import annotations

from collections.abc import Collection

from memsleep.landing.sink import PhaseFold
from memsleep.model import Memory, Snapshot
from memsleep.plan import Plan


def twins(
    phase: PhaseFold, target: Snapshot, there: Snapshot, plan: Plan, changed: Collection[str] = ()
) -> dict[str, str]:
    """Return path -> reason for each memory that would come back beside its twin.

    Parameters
    ----------
    target : Snapshot
        The memories as the phase leaves them.
    there : Snapshot
        The memories as they lie.
    plan : Plan
        Of two files that it knows both, the run parted them: they may be twins again.
    changed : collection of str
        Other files that the run changed.
    """
    known = {*changed, *_known(plan)}
    others = {
        memory.content_hash: path
        for path, memory in there.memories.items()
        if _is_indexed(memory) and path not in known and path not in phase.before
    }
    back = {path: memory for path, memory in target.memories.items() if path in phase.after}
    return {
        path: f"its content would equal that of {others[memory.content_hash]}"
        for path, memory in back.items()
        if _is_indexed(memory) and others.get(memory.content_hash, path) != path
    }


def _known(plan: Plan) -> set[str]:
    return {path for decision in plan.decisions for path in (*decision.paths, *decision.rests_on)}


def _is_indexed(memory: Memory) -> bool:
    return memory.dialect == "memhtml" and not memory.archived and memory.type != "task"
