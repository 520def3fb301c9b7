"""From what a run has landed to what it shall have landed: the files that must change for it.

Both are folded anew from the base of the run: the folder as it lies, with the bytes that the run
found where it changed something. So it does not matter in which order decisions land or are taken
back. A file that somebody edited since is changed line by line, or stands in the way.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from memsleep.errors import CorpusError
from memsleep.fold import Applied
from memsleep.fold.archive import LEDGER_NAME
from memsleep.landing.base import Overlay, folder_source, load_base
from memsleep.landing.refold import Refolded, refold
from memsleep.landing.runs import FileResult, RunRecord, Status
from memsleep.landing.sink import PhaseFold
from memsleep.landing.threeway import ledger_changed, merged
from memsleep.landing.writer import BlockedError, Writer
from memsleep.model import Snapshot, digest_bytes
from memsleep.plan import Plan


@dataclass(frozen=True, slots=True)
class Ground:
    """A run's base, and what its landed decisions make of it."""

    plan: Plan
    base: Snapshot
    current: Refolded
    files: Mapping[str, FileResult]
    """What the run recorded of the files that it changed."""


def ground_of(corpus: Path, plan: Plan, record: RunRecord, status: Status) -> Ground:
    """Return the ground that a run stands on.

    Raises
    ------
    CorpusError
        `before-missing`, when bytes that the run replaced are no longer kept.
    """
    before: dict[str, bytes | None] = {}
    for path, result in status.files.items():
        content = None if result.before is None else record.before(result.before)
        if result.before is not None and content is None:
            raise CorpusError(
                "before-missing",
                f"the bytes that {path} had before {status.run} are no longer kept",
                context=["nothing was changed"],
                hint="the archive still holds what was archived; runs.before_days says how long",
            )
        before[path] = content
    base = load_base(corpus, plan, Overlay(folder_source(corpus), before))
    landed = frozenset(status.landed)
    return Ground(plan, base, refold(base, plan, landed, unchecked=landed), status.files)


def changed_since(corpus: Path, ground: Ground, names: frozenset[str]) -> dict[str, str]:
    """Return path -> reason for files of decisions that neither the plan nor the run knows so."""
    found = {}
    with Writer(corpus) as writer:
        for decision in ground.plan.decisions:
            if decision.id not in names:
                continue
            for path, digest in decision.rests_on.items():
                disk = writer.read(path)
                known = ground.files.get(path)
                now = None if disk is None else digest_bytes(disk)
                if now != digest and (known is None or now != known.after):
                    found[path] = "it has changed since the plan was made"
    return found


@dataclass(frozen=True, slots=True)
class Difference:
    """What must change on disk, and what stands in the way."""

    phase: PhaseFold
    blocked: Mapping[str, str]
    """Path -> why it cannot be changed."""
    results: Mapping[str, FileResult]
    """What the run then has made of its files."""


def difference(corpus: Path, ground: Ground, target: Refolded) -> Difference:
    """Return the way from the disk to a target, for the files in which the two folds differ."""
    now, then = ground.current.end.files, target.end.files
    changing = [
        p
        for p in sorted(set(now) | set(then))
        if now.get(p) != then.get(p) and not is_entry(p, ground.base, ground.current, target)
    ]
    before: dict[str, bytes] = {}
    after: dict[str, bytes] = {}
    blocked: dict[str, str] = {}
    with Writer(corpus) as writer:
        for path in changing:
            try:
                disk = writer.read(path)
                wish = wanted(path, disk, _made(ground, path, disk), then.get(path))
            except BlockedError as error:
                blocked[path] = error.reason
                continue
            if disk is not None and wish != disk:
                before[path] = disk
            if wish is not None and wish != disk:
                after[path] = wish
    moves = {**moves_of(ground.current.applied, back=True), **moves_of(target.applied)}
    phase = PhaseFold(
        name="all",
        before=before,
        after=after,
        moves={a: b for a, b in moves.items() if a in before and a not in after and b in after},
    )
    return Difference(phase, blocked, results_of(ground.base, target))


def _made(ground: Ground, path: str, disk: bytes | None) -> bytes | None:
    """Return what the run made of a file; its record stands where folding again says otherwise."""
    known = ground.files.get(path)
    if known is None:
        return ground.current.end.files.get(path)
    digest = None if disk is None else digest_bytes(disk)
    return disk if digest == known.after else ground.current.end.files.get(path)


def wanted(path: str, disk: bytes | None, made: bytes | None, then: bytes | None) -> bytes | None:
    """Return the bytes a file shall have.

    Raises
    ------
    BlockedError
        When a later edit stands in the way.
    """
    if disk in (made, then):
        return then
    if path.endswith(f"/{LEDGER_NAME}") and disk is not None:
        return ledger_changed(disk, made or b"", then or b"") or then
    if disk is None:
        raise BlockedError(path, "somebody took it away since")
    if made is None or then is None:
        raise BlockedError(path, "somebody wrote it since")
    result = merged(made, disk, then)
    if result is None:
        raise BlockedError(path, "it was edited since, at the same place")
    return result


def moves_of(applied: Sequence[Applied], *, back: bool = False) -> dict[str, str]:
    """Return old path -> new path of what moved, or the way back."""
    pairs = [(c.path, c.to) for item in applied for c in item.changes if c.to is not None]
    return {new: old for old, new in pairs} if back else dict(pairs)


def results_of(base: Snapshot, target: Refolded) -> dict[str, FileResult]:
    """Return path -> what a fold made of each file that it changed, by digest."""
    paths = {c.path for item in target.applied for c in item.changes}
    paths |= {c.to for item in target.applied for c in item.changes if c.to is not None}
    found = {}
    for path in sorted(paths):
        if is_entry(path, base, target):
            continue
        before, after = base.files.get(path), target.end.files.get(path)
        if before != after:
            found[path] = FileResult(
                before=None if before is None else digest_bytes(before),
                after=None if after is None else digest_bytes(after),
            )
    return found


def is_entry(path: str, base: Snapshot, *folded: Refolded) -> bool:
    """Return True for a memory inside a file: the file is what changes on disk."""
    return base.is_entry(path) or any(one.end.is_entry(path) for one in folded)


def touching(applied: Sequence[Applied], paths: Mapping[str, str]) -> dict[str, str]:
    """Return id -> the first of the paths that a decision changes, for those that change one."""
    found: dict[str, str] = {}
    for item in applied:
        for change in item.changes:
            for path in (change.path, change.to):
                if path is not None and path in paths:
                    found.setdefault(item.proposal.id, path)
    return found
