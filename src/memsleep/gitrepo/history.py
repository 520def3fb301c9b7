"""Commits, refs and what differs between trees: read as raw objects.

`git log` and `git show` are not used: their settings may start a program (signatures, text
converters), and their output is for people.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from types import MappingProxyType

from memsleep.gitrepo.repository import Repository

_UNFINISHED = (
    "MERGE_HEAD",
    "CHERRY_PICK_HEAD",
    "REVERT_HEAD",
    "rebase-merge",
    "rebase-apply",
    "BISECT_LOG",
)


@dataclass(frozen=True, slots=True)
class Branch:
    """A local branch."""

    ref: str
    commit: str
    checked_out: bool
    """True where a work tree has it checked out."""


@dataclass(frozen=True, slots=True)
class Commit:
    """One commit. Trailers are the `Key: value` lines of its last paragraph."""

    id: str
    tree: str
    parents: tuple[str, ...]
    seconds: int
    """When it was committed, since 1970."""
    subject: str
    trailers: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Difference:
    """One path that differs between two trees, from the root of the repository."""

    path: bytes
    before: tuple[int, str] | None
    """(mode, id of the blob); None where the path does not exist."""
    after: tuple[int, str] | None


def branches(repository: Repository, folder: str) -> tuple[Branch, ...]:
    """Return the local branches below a folder such as `refs/heads/sleep/`, in order of name."""
    form = "--format=%(refname)%00%(objectname)%00%(worktreepath)"
    listed = repository.git.run("for-each-ref", form, folder).out
    rows = (line.split(b"\0") for line in listed.split(b"\n") if line.count(b"\0") == 2)
    found = (
        Branch(name.decode("utf-8", "surrogateescape"), oid.decode("ascii"), bool(path))
        for name, oid, path in rows
    )
    return tuple(sorted(found, key=lambda branch: branch.ref))


def resolve_commit(repository: Repository, name: str) -> str | None:
    """Return the full id of what a name means as a commit, None where it means none."""
    if name.startswith("-"):
        return None
    asked = repository.git.run("rev-parse", "--verify", "--quiet", f"{name}^{{commit}}", accept=128)
    return None if asked.code else asked.out.decode("ascii").strip()


def head_ref(repository: Repository) -> str | None:
    """Return the full name of the branch that HEAD stands on, None where it is detached."""
    asked = repository.git.run("symbolic-ref", "--quiet", "HEAD", accept=1)
    return asked.out.decode("utf-8", "surrogateescape").strip() or None


def is_ancestor(repository: Repository, earlier: str, later: str) -> bool:
    """Return True when one commit can be reached from another, or is it.

    False, too, where a shallow clone ends before it gets there.
    """
    return not repository.git.run("merge-base", "--is-ancestor", earlier, later, accept=128).code


def merge_base(repository: Repository, one: str, other: str) -> str | None:
    """Return the commit that two have in common, None where none is known."""
    asked = repository.git.run("merge-base", one, other, accept=1)
    return asked.out.decode("ascii").split("\n")[0] or None


def is_shallow(repository: Repository) -> bool:
    """Return True where the history is cut off."""
    return repository.git.run("rev-parse", "--is-shallow-repository").out.strip() == b"true"


def commits(
    repository: Repository, *revisions: str, paths: Sequence[bytes] = (), limit: int = 0
) -> Iterator[Commit]:
    """Give commits as `git rev-list` orders them, the newest first."""
    count = [f"--max-count={limit}"] if limit else []
    asked: list[str | bytes] = ["rev-list", "--header", *count, *revisions, "--", *paths]
    listed = repository.git.run(*asked)
    for record in listed.out.split(b"\0"):
        if record.strip():
            yield _commit(record)


def commit(repository: Repository, name: str) -> Commit:
    """Return one commit."""
    return next(commits(repository, "--no-walk", name))


def _commit(record: bytes) -> Commit:
    """Read `<id> LF <raw commit>`, whose message `rev-list` indents by four spaces."""
    oid, _, rest = record.lstrip(b"\n").partition(b"\n")
    head, _, message = rest.partition(b"\n\n")
    fields: dict[bytes, list[bytes]] = {}
    for line in head.split(b"\n"):
        name, _, value = line.partition(b" ")
        fields.setdefault(name, []).append(value)
    lines = [line.removeprefix(b"    ") for line in message.rstrip(b"\n").split(b"\n")]
    stamp = fields.get(b"committer", [b" 0 +0000"])[0].split(b" ")
    return Commit(
        id=oid.decode("ascii"),
        tree=fields[b"tree"][0].decode("ascii"),
        parents=tuple(parent.decode("ascii") for parent in fields.get(b"parent", [])),
        seconds=int(stamp[-2]) if stamp[-2].lstrip(b"-").isdigit() else 0,
        subject=lines[0].decode("utf-8", "backslashreplace"),
        trailers=MappingProxyType(_trailers(lines)),
    )


def _trailers(lines: Sequence[bytes]) -> dict[str, str]:
    """Return the trailers of the last paragraph; the first of a name stands. None in a subject."""
    last = len(lines) - 1
    while last > 0 and lines[last]:
        last -= 1
    found: dict[str, str] = {}
    for line in lines[last + 1 :] if last else ():
        name, colon, value = line.decode("utf-8", "backslashreplace").partition(": ")
        if colon and name and " " not in name:
            found.setdefault(name, value)
    return found


def differences(repository: Repository, one: str, other: str) -> tuple[Difference, ...]:
    """Return what differs between two commits or trees, in byte order; a move is two paths."""
    arguments = ("diff-tree", "-r", "-z", "--raw", "--no-renames", "--no-abbrev", one, other)
    fields = repository.git.run(*arguments).out.split(b"\0")
    found = []
    for row, path in zip(fields[::2], fields[1::2], strict=False):
        old_mode, new_mode, old, new, _ = row.removeprefix(b":").split(b" ")
        found.append(Difference(path, _side(old_mode, old), _side(new_mode, new)))
    return tuple(sorted(found, key=lambda difference: difference.path))


def _side(mode: bytes, oid: bytes) -> tuple[int, str] | None:
    return None if not int(mode, 8) else (int(mode, 8), oid.decode("ascii"))


def past_blobs(
    repository: Repository, since: str, until: str, paths: Sequence[bytes]
) -> frozenset[tuple[bytes, str]]:
    """Return (path, id of the blob) of all that commits after one up to another gave the paths.

    So a result that was edited again still counts as seen.
    """
    if not paths:
        return frozenset()
    listed = repository.git.run("rev-list", f"{since}..{until}", "--", *paths, accept=128)
    options = ("-r", "-z", "-m", "--root", "--raw", "--no-renames", "--no-abbrev")
    found = set()
    for commit_id in listed.out.decode("ascii").split():
        told = repository.git.run("diff-tree", *options, commit_id, "--", *paths).out
        fields = told.split(b"\0")
        for row, path in pairwise(fields):
            if row.startswith(b":") and (oid := row.split(b" ")[3].decode("ascii")).strip("0"):
                found.add((path, oid))
    return frozenset(found)


def touched(repository: Repository, name: str, paths: Sequence[bytes]) -> tuple[bytes, ...]:
    """Return those of the paths that a commit changes, in byte order."""
    options = ("-r", "-z", "-m", "--root", "--name-only", "--no-renames", "--no-commit-id")
    told = repository.git.run("diff-tree", *options, name, "--", *paths).out
    return tuple(sorted({path for path in told.split(b"\0") if path in frozenset(paths)}))


def all_paths(repository: Repository, commit: str) -> frozenset[bytes]:
    """Return every path of a commit, from the root of the repository."""
    listed = repository.git.run("ls-tree", "-r", "-z", "--name-only", "--full-tree", commit).out
    return frozenset(path for path in listed.split(b"\0") if path)


def unfinished(repository: Repository) -> str | None:
    """Return what git is in the middle of (a merge, a rebase), None for nothing."""
    return next((name for name in _UNFINISHED if _own_file(repository, name)), None)


def index_lock(repository: Repository) -> str | None:
    """Return the path of a lock on the index, held by a git command or left by a dead one."""
    return _own_file(repository, "index.lock")


def _own_file(repository: Repository, name: str) -> str | None:
    asked = repository.git.run("rev-parse", "--git-path", name).out.removesuffix(b"\n")
    path = os.path.join(repository.toplevel, asked)  # noqa: PTH118 (bytes)
    return os.fsdecode(path) if os.path.lexists(path) else None
