"""The corpus before and after a night, and where each memory of before is to be looked for after.

Only the files are believed: what lies where, and what the lines say that the ledgers gained.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from memsleep.corpus.flags import ledger_paths
from memsleep.gate.words import words_of
from memsleep.ledger import LedgerEntry, read_ledger
from memsleep.model import Memory, Snapshot

LEAST_OVERLAP = 0.5
"""An entry whose own name changed is the one of its file that keeps so many of its words."""
EXEMPT = frozenset({"evicted", "expired", "superseded", "deleted"})
"""Causes by which a memory need not answer any more, and must still be found in the archive."""


@dataclass(frozen=True, slots=True)
class Side:
    """The memories of one side, and its ledgers' lines in order."""

    memories: Mapping[str, Memory]
    ledger: tuple[LedgerEntry, ...] = ()

    @property
    def active(self) -> dict[str, Memory]:
        """Path -> memory that is not archived."""
        return {path: memory for path, memory in self.memories.items() if not memory.archived}


def side_of(snapshot: Snapshot) -> Side:
    """Return a snapshot as one side of the gate."""
    lines = [
        entry
        for path in sorted(ledger_paths(frozenset(snapshot.files)))
        for entry in read_ledger(snapshot.files[path], path)
    ]
    return Side(snapshot.memories, tuple(lines))


@dataclass(frozen=True, slots=True)
class Target:
    """Where a memory of before is to be looked for."""

    path: str
    how: Literal["itself", "moved", "merged", "archived", "gone"]
    reason: str = ""
    """For `gone`: why nobody knows where it is."""


class Targets:
    """Finds what became of each memory of before."""

    def __init__(self, before: Side, after: Side) -> None:
        self._before, self._after = before, after
        known = Counter(before.ledger)
        gained = [line for line in after.ledger if _is_new(line, known)]
        self._lines = {line.path: line for line in gained}
        self._fresh = [
            memory for path, memory in after.active.items() if path not in before.memories
        ]
        self._by_content: dict[tuple[str, str], str] = {}
        for memory in self._fresh:
            if not memory.container:
                self._by_content.setdefault((memory.content_hash, memory.gist), memory.path)

    def of(self, path: str) -> Target:
        """Return the place of one memory that was active before."""
        there = self._after.memories.get(path)
        line = self._lines.get(path)
        if there is not None and not there.archived:
            return Target(path, "itself")
        if line is None:
            return self._unrecorded(self._before.memories[path], there)
        last = self._last(line)
        if last.cause in EXEMPT:
            if last.to in self._after.memories:
                return Target(last.to, "archived")
            return Target(last.to, "gone", "the ledger names a place where nothing lies")
        keeper = self._after.memories.get(last.replaced_by or "")
        if keeper is None or keeper.archived:
            return Target(last.replaced_by or "", "gone", "what replaced it is not live")
        return Target(keeper.path, "merged")

    def _last(self, line: LedgerEntry) -> LedgerEntry:
        """Follow a merge to its end: a keeper may go into another, or be archived, the same night.

        A keeper that is live has no line of its own, or one from before it came back.
        """
        seen = {line.path}
        while line.cause not in EXEMPT and line.replaced_by not in seen:
            name = line.replaced_by or ""
            keeper = self._after.memories.get(name)
            later = self._lines.get(name)
            if later is None or (keeper is not None and not keeper.archived):
                break
            seen.add(name)
            line = later
        return line

    def _unrecorded(self, memory: Memory, there: Memory | None) -> Target:
        moved = self._by_content.get((memory.content_hash, memory.gist))
        if there is None and moved is not None:
            return Target(moved, "moved")
        if memory.container and (renamed := self._renamed_entry(memory)):
            return Target(renamed, "moved")
        told = "it is archived" if there is not None else "it is not live any more"
        return Target(memory.path, "gone", f"{told}, and no line of the ledger says why")

    def _renamed_entry(self, memory: Memory) -> str:
        """Return the new entry of the same file that says the same: its first line names it."""
        words = set(words_of(memory.gist or memory.body))
        best = max(
            (
                (len(words & set(words_of(other.body))) / len(words), other.path)
                for other in self._fresh
                if other.container == memory.container and words
            ),
            default=(0.0, ""),
        )
        return best[1] if best[0] >= LEAST_OVERLAP else ""


def _is_new(line: LedgerEntry, known: Counter[LedgerEntry]) -> bool:
    if known[line]:
        known[line] -= 1
        return False
    return True


def touched_paths(before: Side, after: Side) -> list[str]:
    """Return the paths, active before, whose memory is archived, elsewhere, or says other words.

    Where only a confidence, a date or a link was rewritten the index holds the same document as
    before, so the memory is one of those that the sample is drawn from.
    """
    return [
        path
        for path, memory in before.active.items()
        if (now := after.memories.get(path)) is None or now.archived or _words_differ(memory, now)
    ]


def _words_differ(memory: Memory, now: Memory) -> bool:
    return memory.digest != now.digest and (memory.gist, memory.body) != (now.gist, now.body)
