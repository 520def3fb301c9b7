"""What git's failures mean, each with one line to paste."""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Sequence

from memsleep.errors import GitError

_SAFE_DIRECTORY = re.compile(rb"^\s*(git config --global --add safe\.directory .+)$", re.MULTILINE)
_UNSAFE = (b"dubious ownership", b"unsafe repository")
_NO_REPOSITORY = b"not a git repository"
_NO_WORK_TREE = b"must be run in a work tree"
_DAMAGED = (
    b"bad object",
    b"bad tree",
    b"corrupt",
    b"index file smaller",
    b"inflate",
    b"not a tree object",
    b"unable to read",
)


def shown(path: bytes) -> str:
    r"""Return bytes as text; what is not UTF-8 stands as `\xNN`."""
    return path.decode("utf-8", "backslashreplace")


def _quoted(path: bytes) -> str:
    return shlex.quote(shown(path))


def git_missing(folder: bytes) -> GitError:
    """Say that there is a repository and no git to read it with."""
    return GitError(
        "git-missing",
        "expected the program git, found none on PATH",
        context=[f"{shown(folder)}: lies in a git repository; nothing was read"],
        hint="install git, then run the same command again",
    )


def damaged(folder: bytes, message: str) -> GitError:
    """Say that the repository as a whole cannot be read."""
    return GitError(
        "git-damaged",
        message,
        context=[f"{shown(folder)}: nothing was read"],
        hint=f"git -C {_quoted(folder)} fsck",
    )


def partial_clone(folder: bytes, missing: int) -> GitError:
    """Say that a partial clone lacks objects of the corpus; they are not fetched unasked."""
    return GitError(
        "git-partial-clone",
        f"expected every file of HEAD in the repository, found {missing} not fetched yet",
        context=[f"{shown(folder)}: a partial clone; nothing was read"],
        hint=f"git -C {_quoted(folder)} fetch --refetch --no-filter",
    )


def unborn_branch(folder: bytes) -> GitError:
    """Say that there is no commit yet that a branch could start from."""
    return GitError(
        "git-unborn-branch",
        "expected a commit to start the branch from, found a repository without one",
        context=[f"{shown(folder)}: nothing was changed"],
        hint=f"git -C {_quoted(folder)} add -A && git -C {_quoted(folder)} commit -m start",
    )


def ref_in_the_way(folder: bytes, ref: str) -> GitError:
    """Say that a branch has the name of the folder that our branches lie in."""
    name = ref.removeprefix("refs/heads/")
    return GitError(
        "git-ref-in-the-way",
        f"a branch is named {name}, so no branch can be named {name}/<date>",
        context=[f"{shown(folder)}: nothing was changed"],
        hint=f"git -C {_quoted(folder)} branch -m {shlex.quote(name)} {shlex.quote(name)}-old",
    )


def identity_missing(folder: bytes) -> GitError:
    """Say that git does not know who commits."""
    return GitError(
        "git-identity-missing",
        "expected user.name and user.email for the commits, found none",
        context=[f"{shown(folder)}: nothing was changed"],
        hint=f"git -C {_quoted(folder)} config user.name YOU && "
        f"git -C {_quoted(folder)} config user.email YOU@EXAMPLE.ORG",
    )


def signing_failed(folder: bytes, err: bytes) -> GitError:
    """Say that a commit could not be signed; it is not made unsigned."""
    return GitError(
        "git-signing-failed",
        "commit.gpgSign is set and the commit could not be signed",
        context=[f"{shown(folder)}: nothing was changed", *shown(err).strip().split("\n")[:5]],
        hint=f"git -C {_quoted(folder)} config commit.gpgSign false, or give the agent its key",
    )


def signing_program(folder: bytes, setting: bytes) -> GitError:
    """Say that the repository's own config names a program that would run."""
    name = shown(setting)
    return GitError(
        "git-signing-program",
        f"{name} is set by the repository itself, which may not name a program to run",
        context=[f"{shown(folder)}: nothing was changed"],
        hint=f"git -C {_quoted(folder)} config --unset {name}, then set it with --global",
    )


def ref_exists(folder: bytes, ref: str) -> GitError:
    """Say that a ref was made by somebody else meanwhile."""
    return GitError(
        "git-ref-exists",
        f"expected no {ref}, found that it was made meanwhile",
        context=[f"{shown(folder)}: nothing was changed"],
        hint="run the same command again",
    )


def ref_locked(folder: bytes, ref: str) -> GitError:
    """Say that somebody holds a ref, or died and left its lock."""
    return GitError(
        "git-ref-locked",
        f"{ref} is locked by another git command, or by one that died",
        context=[f"{shown(folder)}: nothing was changed"],
        hint=f"if no git command is running: rm .git/{ref}.lock",
    )


def unsafe_path(folder: bytes, path: bytes) -> GitError:
    """Say that a path would lead out of the corpus or into the repository's own folder."""
    return GitError(
        "git-unsafe-path",
        f"a path leads out of the work tree or into .git: {shown(path)}",
        context=[f"{shown(folder)}: nothing was changed"],
        hint="rename the file",
    )


def failed(folder: bytes, arguments: Sequence[str | bytes], code: int, err: bytes) -> GitError:
    """Turn what git said into a foreseen error. Git's own words hold paths, never contents."""
    if any(sign in err for sign in _UNSAFE):
        return _unsafe(folder, err)
    if _NO_REPOSITORY in err:
        return GitError("git-no-repository", f"{shown(folder)} is in no git repository")
    words = shown(err).strip().split("\n")
    if any(sign in err for sign in _DAMAGED):
        return damaged(folder, f"git cannot read the repository: {words[0]}")
    if _NO_WORK_TREE in err:
        return GitError(
            "git-no-work-tree",
            f"expected a folder of memories, found the inside of a repository: {shown(folder)}",
            hint="name the folder that git checks out",
        )
    name = arguments[0] if isinstance(arguments[0], str) else shown(arguments[0])
    return GitError(
        "git-failed",
        f"expected exit code 0 of git {name}, found {code}",
        context=[shown(folder), *words],
        hint=f"git -C {_quoted(folder)} status",
    )


def _unsafe(folder: bytes, err: bytes) -> GitError:
    line = _SAFE_DIRECTORY.search(err)
    default = b"git config --global --add safe.directory " + os.fsencode(_quoted(folder))
    return GitError(
        "git-dubious-ownership",
        "git does not trust a repository that belongs to another user",
        context=[f"{shown(folder)}: nothing was read"],
        hint=shown(line[1] if line else default),
    )
