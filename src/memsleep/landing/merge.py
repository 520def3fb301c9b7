"""Merging a run's branch: a fast-forward or a real merge, with only the touched paths written.

Other changes of the user, staged or not, stay as they are. What the run touches must be as HEAD
says; where it is not, or where both sides changed a path, the merge is refused and names it.
The commits of the user are never rewritten. The order is files, index, branch; killed in between,
the same command finishes it, since a file that is already as it shall be is as good as one that
is still as it was.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from memsleep.fold.archive import LEDGER_NAME
from memsleep.gitrepo import Repository, history, indexing, writing
from memsleep.instants import epoch_seconds
from memsleep.landing.branch import FOLDER, PREFIX, PULL, UNDO
from memsleep.landing.checkout import HINT, MergeRefusedError, named, write_files
from memsleep.landing.messages import merge_message
from memsleep.landing.place import Place
from memsleep.ledger import joined


@dataclass(frozen=True, slots=True)
class Merged:
    """What a merge did."""

    run_id: str
    kind: Literal["fast-forward", "merge", "already"]
    commit: str
    files: int
    """Paths of the work tree that the run touched."""
    messages: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Candidate:
    """A branch that can be merged, and where it left the user's history."""

    run_id: str
    ref: str
    tip: str
    base: str
    head: str


def find(repository: Repository, run: str | None, *, force: bool) -> Candidate:
    """Return the branch that is meant: the newest, or the one that is named.

    Where the newest has landed, it is the newest undo that waits. Nights supersede older nights;
    an undo was asked for, whatever came since.

    Raises
    ------
    MergeRefusedError
        `merge-no-branch`, `merge-older-branch` without `force`, `merge-on-branch` or
        `merge-no-base`.
    """
    branches = sorted(_runs(repository), key=_age)
    wanted = None if run is None else run.removeprefix(PREFIX).removeprefix("sleep/")
    named = [b for b in branches if wanted in (None, b.ref.removeprefix(FOLDER))]
    head = repository.head_commit()
    if not named or head is None:
        known = [branch.ref.removeprefix(PREFIX) for branch in branches]
        raise MergeRefusedError(
            "merge-no-branch",
            f"there is no branch of run {run!r}" if run else "there is no branch of a run",
            context=[f"branches: {', '.join(known)}"] if known else [],
            hint=None if known else "memsleep run makes one",
        )
    newest = branches[-1]
    chosen = named[-1] if run is not None else _waiting(repository, branches, head)
    name = chosen.ref.removeprefix(PREFIX)
    needed = not force and not name.startswith((PULL, UNDO))  # what was fetched was asked for, too
    if chosen != newest and needed and not history.is_ancestor(repository, chosen.commit, head):
        raise MergeRefusedError(
            "merge-older-branch",
            f"{newest.ref.removeprefix(PREFIX)} is newer and supersedes {name}",
            context=["nothing was changed"],
            hint=f"memsleep merge {name} --force, if you want the older one",
        )
    if history.head_ref(repository) == chosen.ref:
        raise MergeRefusedError(
            "merge-on-branch",
            f"{name} is checked out, so there is no branch to merge it into",
            context=["nothing was changed"],
            hint="check out your own branch, such as: git checkout main",
        )
    base = history.merge_base(repository, head, chosen.commit)
    if base is None:
        raise MergeRefusedError(
            "merge-no-base",
            f"HEAD and {name} have no commit in common that is known here",
            context=["nothing was changed", "a shallow clone does not know older commits"],
            hint="git fetch --unshallow",
        )
    return Candidate(name, chosen.ref, chosen.commit, base, head)


def _runs(repository: Repository) -> list[history.Branch]:
    """Return the branches whose tip, or one below it, says that it is a run's."""
    return [
        branch
        for branch in history.branches(repository, FOLDER)
        if any(
            "Memsleep-Run" in commit.trailers
            for commit in history.commits(repository, branch.commit, limit=20)
        )
    ]


def _waiting(
    repository: Repository, branches: Sequence[history.Branch], head: str
) -> history.Branch:
    """Return the newest branch; where it has landed, the newest of undo that has not, if any."""
    newest = branches[-1]
    undoes = [b for b in branches[:-1] if b.ref.startswith(PREFIX + UNDO)]
    for branch in (newest, *reversed(undoes)):
        if not history.is_ancestor(repository, branch.commit, head):
            return branch
    return newest


def _age(branch: history.Branch) -> tuple[str, int, str]:
    """Order branches by night and number; those of undo by theirs, after the night's own.

    What was fetched comes before the nights, so that it is merged when it is named.
    """
    name = branch.ref.removeprefix(FOLDER)
    if (FOLDER + name).removeprefix(PREFIX).startswith(PULL):
        return "", 0, name
    night = name.removeprefix("undo-")
    number = night[11:]
    return night[:10], int(number) if number.isdigit() else int("undo" in name), name


def merge(place: Place, repository: Repository, candidate: Candidate, *, now: str) -> Merged:
    """Land a branch. The caller holds the lock and has re-checked the budgets.

    Raises
    ------
    MergeRefusedError
        `merge-overlap`, `merge-dirty`, `merge-unfinished` or `merge-index-locked`; nothing is
        changed then.
    """
    if history.is_ancestor(repository, candidate.tip, candidate.head):
        return Merged(candidate.run_id, "already", candidate.head, 0)
    _refuse_unfinished(repository)
    touched = history.differences(repository, candidate.base, candidate.tip)
    outside = [d.path for d in touched if not d.path.startswith(repository.prefix)]
    if outside:
        raise MergeRefusedError(
            "merge-outside",
            "the branch changes paths outside the corpus",
            context=named(outside),
            hint="merge it yourself if you want that: git merge",
        )
    changes = _onto_head(repository, candidate, touched)
    target = candidate.tip
    ahead = candidate.head != candidate.base
    if ahead:
        target = _merge_commit(repository, candidate, changes, now)
    write_files(place, repository, candidate.run_id, changes)
    indexing.set_entries(repository, {c.path: c.after for c in changes})
    why = f"memsleep merge {candidate.run_id}"
    writing.move_ref(repository, "HEAD", target, candidate.head, why)
    kind: Literal["fast-forward", "merge"] = "merge" if ahead else "fast-forward"
    return Merged(candidate.run_id, kind, target, len(changes))


def _refuse_unfinished(repository: Repository) -> None:
    name = history.unfinished(repository)
    if name is not None:
        raise MergeRefusedError(
            "merge-unfinished",
            f"git is in the middle of something: {name}",
            context=["nothing was changed"],
            hint="finish it or abort it, then merge: git status",
        )
    lock = history.index_lock(repository)
    if lock is not None:
        raise MergeRefusedError(
            "merge-index-locked",
            "the index is locked by another git command, or by one that died",
            context=[f"{lock}: nothing was changed"],
            hint=f"if no git command is running: rm {lock}",
        )


def _onto_head(
    repository: Repository, candidate: Candidate, touched: Sequence[history.Difference]
) -> tuple[history.Difference, ...]:
    """Return the branch's changes as changes of HEAD; of a ledger, both may change other lines."""
    if candidate.head == candidate.base:
        return tuple(touched)
    theirs = history.differences(repository, candidate.base, candidate.head)
    mine = {difference.path: difference for difference in theirs}
    changes, overlap = [], []
    for difference in touched:
        other = mine.get(difference.path)
        if other is None:
            changes.append(difference)
        elif other.after == difference.after:
            continue
        elif difference.path.endswith(f"/{LEDGER_NAME}".encode()):
            changes.append(_joined_ledger(repository, difference, other.after))
        else:
            overlap.append(difference.path)
    overlap.extend(_in_the_way(repository, candidate.head, changes))
    if overlap:
        raise _overlap(overlap)
    return tuple(changes)


def _overlap(paths: Sequence[bytes]) -> MergeRefusedError:
    return MergeRefusedError(
        "merge-overlap", "both sides changed the same files", context=named(paths), hint=HINT
    )


def _joined_ledger(
    repository: Repository, difference: history.Difference, head: tuple[int, str] | None
) -> history.Difference:
    """Return HEAD's ledger with the lines that the run added, without those that it took out."""
    sides = (difference.before, difference.after, head)
    oids = [side[1] for side in sides if side is not None]
    blobs = dict(zip(oids, repository.blobs(oids), strict=True))
    base, run, now = ((blobs.get(side[1]) if side else b"") or b"" for side in sides)
    lines = joined(base, run, now)
    if lines is None:
        raise _overlap([difference.path])
    mode, _ = head or difference.after or (writing.FILE_MODE, "")
    after = (mode, writing.write_blob(repository, lines)) if lines else None
    return history.Difference(difference.path, head, after)


def _in_the_way(
    repository: Repository, head: str, changes: Sequence[history.Difference]
) -> list[bytes]:
    """Return new paths where HEAD has a folder, or a file where the path needs a folder."""
    tree = history.all_paths(repository, head)
    folders = {parent for path in tree for parent in _parents(path)}
    new = [c.path for c in changes if c.before is None]
    return [p for p in new if p in folders or p in tree or any(f in tree for f in _parents(p))]


def _parents(path: bytes) -> list[bytes]:
    parts = path.split(b"/")
    return [b"/".join(parts[:count]) for count in range(1, len(parts))]


def _merge_commit(
    repository: Repository,
    candidate: Candidate,
    changes: Sequence[history.Difference],
    now: str,
) -> str:
    """Write the commit that has HEAD and the branch as parents."""
    files = {c.path: (c.after[0], c.after[1]) for c in changes if c.after is not None}
    gone = [c.path for c in changes if c.after is None]
    step = writing.TreeChange(files, gone)
    (tree,) = writing.write_trees(repository, candidate.head, [step])
    into = (history.head_ref(repository) or "HEAD").removeprefix(PREFIX)
    message = merge_message(candidate.run_id, into)
    parents = (candidate.head, candidate.tip)
    return writing.commit_tree(repository, tree, parents, message, epoch_seconds(now) or 0)


__all__ = ["Candidate", "MergeRefusedError", "Merged", "find", "merge"]
