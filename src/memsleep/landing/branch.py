"""The sink of the git branch mode: one commit per phase on `sleep/<date>`.

Objects are written first and a single ref last, so a run that dies leaves no branch. The work
tree, the index and HEAD are not touched, and no hook runs: the user may keep working meanwhile.
"""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

from memsleep.errors import GitError
from memsleep.giterrors import ref_in_the_way, unborn_branch
from memsleep.gitrepo import Repository, find_repository, history, writing
from memsleep.instants import epoch_seconds
from memsleep.landing.messages import commit_message
from memsleep.landing.sink import Landing, PhaseFold, RunMeta
from memsleep.model import digest_bytes

PREFIX = "refs/heads/"
FOLDER = "refs/heads/sleep/"
BLOCKING = "refs/heads/sleep"
MAX_NAMES = 1000
UNDO = "sleep/undo-"
PULL = "sleep/pull-"
"""What was fetched from a service: no night repeats it either."""
_NUMBERED = re.compile(r"(.*\d{4}-\d\d-\d\d)(?:-(\d{1,4}))?\Z", re.ASCII | re.DOTALL)


def branch_sink(corpus: Path, *, delete_superseded: bool = False) -> BranchSink:
    """Return the sink for a corpus that a git repository tracks.

    Raises
    ------
    GitError
        `git-no-repository`, or what git says of a repository that it cannot read.
    """
    repository = find_repository(corpus)
    if repository is None:
        raise GitError(
            "git-no-repository",
            f"expected a git repository around the corpus, found none: {corpus}",
            hint='set write.mode = "directory"',
        )
    return BranchSink(repository, delete_superseded)


@dataclass(frozen=True, slots=True)
class BranchSink:
    """Lands a run as a branch of its own."""

    repository: Repository
    delete_superseded: bool = False
    kind: Literal["branch"] = "branch"

    def check(self) -> None:
        """Refuse what would fail at the end: no commit, no identity, a branch in the way.

        Raises
        ------
        GitError
            `git-unborn-branch`, `git-ref-in-the-way`, `git-identity-missing` or
            `git-signing-program`.
        """
        if self.repository.head_commit() is None:
            raise unborn_branch(self.repository.toplevel)
        if history.resolve_commit(self.repository, BLOCKING) is not None:
            raise ref_in_the_way(self.repository.toplevel, BLOCKING)
        writing.check_identity(self.repository)
        writing.signs(self.repository)

    def is_taken(self, run_id: str) -> bool:
        """Return True when a branch of that name exists."""
        return history.resolve_commit(self.repository, PREFIX + run_id) is not None

    def land(self, run: RunMeta, phases: Sequence[PhaseFold]) -> Landing:
        """Build the branch on the run's base and let it appear, whole.

        Nothing to land, or a branch of the same night, base and plan: no branch is made.
        """
        changing = [phase for phase in phases if phase.before != phase.after or phase.moves]
        if not changing:
            return Landing(kind="nothing", run_id=run.run_id)
        base = run.base_commit
        if base is None:
            raise unborn_branch(self.repository.toplevel)
        run = replace(run, plan_digest=_same_plan(run, changing))
        same = self._same_run(run)
        if same is not None:
            return same
        asked = run.run_id.startswith((UNDO, PULL))  # no night, so it repeats nothing of theirs
        older = () if asked else superseded(self.repository, base)
        run_id, tip = self._appear(run, base, changing)
        landed = tuple(item for phase in changing for item in phase.decisions)
        return Landing(
            kind="branch",
            run_id=run_id,
            ref=PREFIX + run_id,
            tip=tip,
            landed_ids=landed,
            messages=(*self._remarks(run), *self._retire(older)),
        )

    def _appear(self, run: RunMeta, base: str, phases: Sequence[PhaseFold]) -> tuple[str, str]:
        """Build the commits and make the branch.

        Where another process took the name meanwhile, or left a lock on it, the next one is taken,
        in the commits too.
        """
        modes = {entry.path: entry.mode for entry in self.repository.tree(base)}
        steps = [_tree_change(phase, self.repository.prefix, modes) for phase in phases]
        writing.clean_crash_reports(self.repository)
        trees = writing.write_trees(self.repository, base, steps)
        for name in _names(run.run_id):
            tip = self._commits(replace(run, run_id=name), base, phases, trees)
            try:
                writing.create_ref(self.repository, PREFIX + name, tip, f"memsleep {name}")
            except GitError as error:
                if error.reference not in ("git-ref-exists", "git-ref-locked"):
                    raise
            else:
                return name, tip
        raise GitError(
            "git-no-name-left",
            f"{MAX_NAMES} branches of one night exist",
            context=["nothing was changed"],
            hint="delete those that nobody needs: git branch --list 'sleep/*'",
        )

    def _commits(
        self, run: RunMeta, base: str, phases: Sequence[PhaseFold], trees: Sequence[str]
    ) -> str:
        """Write a commit for each phase, and return the last."""
        seconds = epoch_seconds(run.now) or 0
        tip = base
        for phase, tree in zip(phases, trees, strict=True):
            message = commit_message(run, phase)
            tip = writing.commit_tree(self.repository, tree, (tip,), message, seconds)
        return tip

    def _same_run(self, run: RunMeta) -> Landing | None:
        """Return the branch that holds this very plan on this base, None where there is none."""
        for branch in history.branches(self.repository, FOLDER):
            tip = history.commit(self.repository, branch.commit)
            said = tip.trailers
            if (
                run.plan_digest
                and said.get("Memsleep-Plan") == run.plan_digest
                and said.get("Memsleep-Base") == run.base_commit
                and said.get("Memsleep-Settings") == run.config_digest
                and said.get("Memsleep-Run", "")[:16] == run.run_id[:16]
            ):
                name = branch.ref.removeprefix(PREFIX)
                remark = f"{name} holds the same decisions on the same commit: no second branch"
                return Landing(
                    kind="nothing",
                    run_id=name,
                    ref=branch.ref,
                    tip=branch.commit,
                    messages=(remark,),
                )
        return None

    def _remarks(self, run: RunMeta) -> list[str]:
        """Return what the user should know of the repository."""
        said = []
        lock = history.index_lock(self.repository)
        if lock is not None:
            said.append(f"{lock} exists: git is busy, or a git command died; merging needs it gone")
        if history.is_shallow(self.repository):
            said.append("a shallow clone: whether an older run has landed is not known before it")
        if self.repository.is_partial():
            said.append("a partial clone: every file of HEAD was there, older ones are not fetched")
        head = self.repository.head_commit()
        if head != run.base_commit:
            said.append("somebody committed during the run: the branch starts where the run began")
        if self.repository.git.run(
            "rev-parse", "--verify", "--quiet", f"refs/tags/{run.run_id}", accept=128
        ).out:
            said.append(f"a tag has the name of the branch too: say refs/heads/{run.run_id}")
        return said

    def _retire(self, older: Sequence[history.Branch]) -> list[str]:
        """Name the branches that this run supersedes, and delete them where the user wants it."""
        said = []
        for branch in older:
            name = branch.ref.removeprefix(PREFIX)
            if self.delete_superseded and writing.delete_ref(
                self.repository, branch.ref, branch.commit
            ):
                said.append(f"supersedes {name}, deleted (it was {branch.commit[:12]})")
            else:
                git = f"git -C {shlex.quote(os.fsdecode(self.repository.toplevel))}"
                said.append(f"supersedes {name}, which nobody merged; {git} branch -D {name}")
        return said


def superseded(repository: Repository, base: str) -> tuple[history.Branch, ...]:
    """Return the branches of older runs that nobody touched, merged or checked out."""
    found = []
    for branch in history.branches(repository, FOLDER):
        if branch.checked_out or history.is_ancestor(repository, branch.commit, base):
            continue
        name = branch.ref.removeprefix(PREFIX)
        if name.startswith((UNDO, PULL)):
            continue  # an undo answers a run that has landed, and no night repeats either
        if history.commit(repository, branch.commit).trailers.get("Memsleep-Run") == name:
            found.append(branch)
    return tuple(found)


def _same_plan(run: RunMeta, phases: Sequence[PhaseFold]) -> str:
    """Return a digest of what is decided, whatever the hour: a night that is run again finds it."""
    ids = [f"{phase.name} {name}" for phase in phases for name in phase.decisions]
    return digest_bytes("\n".join(ids).encode("utf-8")) if ids else run.plan_digest


def _names(run_id: str) -> list[str]:
    """Return a run's name and the next ones: `-2`, `-3` ..., or on from the number that it has."""
    numbered = _NUMBERED.match(run_id)
    name, last = (numbered[1], int(numbered[2] or 1)) if numbered else (run_id, 1)
    return [run_id, *(f"{name}-{count}" for count in range(last + 1, last + MAX_NAMES))]


def _tree_change(phase: PhaseFold, prefix: bytes, modes: dict[bytes, int]) -> writing.TreeChange:
    """Return a phase as a change of the whole tree; `modes` follow what moves."""
    origin = {new: old for old, new in phase.moves.items()}
    files: dict[bytes, tuple[int, bytes | str]] = {}
    for path in sorted(phase.after):
        name = path.encode("utf-8")
        if path in origin:
            modes[name] = modes.get(origin[path].encode("utf-8"), writing.FILE_MODE)
        files[prefix + name] = (modes.setdefault(name, writing.FILE_MODE), phase.after[path])
    gone = tuple(prefix + path.encode("utf-8") for path in phase.gone)
    return writing.TreeChange(files, gone)


def files_of(repository: Repository, commit: str, paths: Sequence[str]) -> Mapping[str, bytes]:
    """Return path -> bytes of those corpus paths that a commit holds."""
    oids = {entry.path: entry.oid for entry in repository.tree(commit) if entry.kind == "file"}
    names = [path for path in paths if path.encode("utf-8") in oids]
    blobs = repository.blobs([oids[path.encode("utf-8")] for path in names])
    return {path: data for path, data in zip(names, blobs, strict=True) if data is not None}
